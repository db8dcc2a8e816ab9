# SPDX-License-Identifier: Apache-2.0
# Where things go. PREFIX/bin the command, PREFIX/lib the libraries with their CMake package and pkg-config file,
# PREFIX/include/gputlm the headers, PREFIX/share/gputlm what the model reads. No installed file knows its prefix, so that
# a prefix can be moved. Components: runtime (the command, what it reads, shared libraries) and development.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(GPUTLM_DATA_DIR ${CMAKE_INSTALL_DATADIR}/gputlm)
set(GPUTLM_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/gputlm)

file(RELATIVE_PATH GPUTLM_BIN_TO_LIB /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)  # a SystemC outside the loader's paths
if(BUILD_SHARED_LIBS)
  set(CMAKE_INSTALL_RPATH $ORIGIN $ORIGIN/${GPUTLM_BIN_TO_LIB})
endif()

# gputlm_install_library(<name> <links>): headers that lie in the library's own folder, the library, its place in the
# package. Headers of folders below are the library's own business.
function(gputlm_install_library name links)
  set_target_properties(gputlm_${name} PROPERTIES EXPORT_NAME ${name} DEFINE_SYMBOL ""
                        VERSION ${PROJECT_VERSION} SOVERSION ${GPUTLM_ABI})
  install(TARGETS gputlm_${name} EXPORT gputlm INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development)
  string(REGEX REPLACE "([][+.*()^$?|\\])" "\\\\\\1" folder "${CMAKE_CURRENT_SOURCE_DIR}")
  install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gputlm/${name}
          COMPONENT development FILES_MATCHING PATTERN "*.h" REGEX "^${folder}/[^/.]+$" EXCLUDE)
  set_property(GLOBAL APPEND PROPERTY GPUTLM_LIBRARIES ${name})
  set_property(GLOBAL PROPERTY GPUTLM_LINKS_${name} ${links})
endfunction()

# The libraries that gputlm::platform stands for, each before those that it links, as -l options. Libraries are declared
# after those that they link.
function(gputlm_platform_options out)
  get_property(libraries GLOBAL PROPERTY GPUTLM_LIBRARIES)
  get_target_property(needed gputlm_platform INTERFACE_LINK_LIBRARIES)
  list(REVERSE libraries)
  set(options "")
  foreach(name ${libraries})
    if(gputlm::${name} IN_LIST needed)
      string(APPEND options " -lgputlm_${name}")
      get_property(links GLOBAL PROPERTY GPUTLM_LINKS_${name})
      list(APPEND needed ${links})
    endif()
  endforeach()
  set(${out} "${options}" PARENT_SCOPE)
endfunction()

# gputlm.pc; a SystemC that pkg-config does not know is named by its place.
function(gputlm_install_pkg_config)
  gputlm_platform_options(GPUTLM_PC_LIBS)
  file(RELATIVE_PATH GPUTLM_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" GPUTLM_PC_TO_PREFIX ${GPUTLM_PC_TO_PREFIX})
  set(GPUTLM_PC_REQUIRES "fmt yaml-cpp nlohmann_json")
  string(APPEND GPUTLM_PC_LIBS " -ldl -pthread")
  if(TARGET PkgConfig::GPUTLM_PC_SYSTEMC)
    string(PREPEND GPUTLM_PC_REQUIRES "systemc = ${GPUTLM_SYSTEMC_VERSION} ")
  elseif(GPUTLM_SYSTEMC_LIBRARY)
    get_filename_component(folder ${GPUTLM_SYSTEMC_LIBRARY} DIRECTORY)
    string(APPEND GPUTLM_PC_LIBS " -L${folder} -Wl,-rpath,${folder} -lsystemc")
    set(GPUTLM_PC_CFLAGS -I${GPUTLM_SYSTEMC_INCLUDE})
  endif()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/gputlm.pc.in ${PROJECT_BINARY_DIR}/gputlm.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/gputlm.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endfunction()

function(gputlm_install_cmake_package)
  install(EXPORT gputlm FILE gputlmTargets.cmake NAMESPACE gputlm:: DESTINATION ${GPUTLM_PACKAGE_DIR} COMPONENT development)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/gputlmConfig.cmake.in ${PROJECT_BINARY_DIR}/gputlmConfig.cmake
                                INSTALL_DESTINATION ${GPUTLM_PACKAGE_DIR} PATH_VARS GPUTLM_DATA_DIR)
  # Below 1.0 a minor version may change what consumers compile against.
  if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(compatibility SameMinorVersion)
  else()
    set(compatibility SameMajorVersion)
  endif()
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/gputlmConfigVersion.cmake COMPATIBILITY ${compatibility})
  install(FILES ${PROJECT_BINARY_DIR}/gputlmConfig.cmake ${PROJECT_BINARY_DIR}/gputlmConfigVersion.cmake
                ${PROJECT_SOURCE_DIR}/cmake/GputlmSystemC.cmake ${PROJECT_SOURCE_DIR}/cmake/GputlmCci.cmake
          DESTINATION ${GPUTLM_PACKAGE_DIR} COMPONENT development)
endfunction()

function(gputlm_install_documents)
  configure_file(${PROJECT_SOURCE_DIR}/docs/gputlm.1.in ${PROJECT_BINARY_DIR}/gputlm.1 @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/gputlm.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT runtime)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
  install(FILES ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime
          FILES_MATCHING PATTERN "*.md" PATTERN "*.png")
endfunction()

function(gputlm_install_package)
  gputlm_install_cmake_package()
  gputlm_install_pkg_config()
  gputlm_install_documents()
endfunction()
