# SPDX-License-Identifier: Apache-2.0
# `cpack -G DEB` in a build tree makes Debian packages: gputlm, the command with what it reads, libgputlm-dev, what a
# platform is built with, and python3-gputlm where the Python package is built. For /usr; configure with -DCMAKE_INSTALL_PREFIX=/usr to have the libraries in Debian's
# architecture's folder.
set(CPACK_PACKAGE_NAME gputlm)
set(CPACK_PACKAGE_VENDOR "gputlm developers")
set(CPACK_PACKAGE_CONTACT "gputlm developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_COMPONENTS_ALL runtime development)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME gputlm)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION science)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
    "The command, its configurations, experiments and kernels. Loads and stores of a warp travel through load/store unit,
L1, translation, crossbar and L2 to GDDR6X, with their bytes, their order and their time.")
find_program(GPUTLM_SHLIBDEPS dpkg-shlibdeps)
if(GPUTLM_SHLIBDEPS)
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)
else()
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS "libc6, libstdc++6, libsystemc, libfmt9, libyaml-cpp0.7, libsqlite3-0, liblzma5")
endif()

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libgputlm-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "gputlm (= ${PROJECT_VERSION}), libsystemc-dev (>= 2.3.4), libfmt-dev, libyaml-cpp-dev, nlohmann-json3-dev, libsqlite3-dev, liblzma-dev, pkg-config")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "Headers, libraries, CMake package and pkg-config file: the memory system, single units or the whole card for one's own
SystemC platform.")

if(TARGET gputlm_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-gputlm)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ${CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS})
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "gputlm (= ${PROJECT_VERSION}), python${GPUTLM_PYTHON_VERSION}, python3-numpy")
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION
      "Python package: configurations to look at and change, runs in processes of their own, results as NumPy arrays.")
endif()
include(CPack)
