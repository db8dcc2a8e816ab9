# SPDX-License-Identifier: Apache-2.0
# Finds SystemC as a CMake package (SystemC_DIR), below SYSTEMC_HOME, or by pkg-config, makes the imported target
# gputlm_systemc of it, and links a probe: a C++-standard mismatch with the library otherwise shows up as an undefined
# symbol at the end of a long build.
add_library(gputlm_systemc INTERFACE)
find_package(SystemCLanguage CONFIG QUIET HINTS ENV SystemC_DIR ENV SYSTEMC_HOME)
if(TARGET SystemC::systemc)
  target_link_libraries(gputlm_systemc INTERFACE SystemC::systemc)
  set(GPUTLM_SYSTEMC_ORIGIN "CMake package ${SystemCLanguage_DIR}")
elseif(DEFINED ENV{SYSTEMC_HOME})
  find_library(GPUTLM_SYSTEMC_LIBRARY systemc REQUIRED NO_DEFAULT_PATH HINTS $ENV{SYSTEMC_HOME}
               PATH_SUFFIXES lib lib64 lib-linux64)
  target_include_directories(gputlm_systemc SYSTEM INTERFACE $ENV{SYSTEMC_HOME}/include)
  target_link_libraries(gputlm_systemc INTERFACE ${GPUTLM_SYSTEMC_LIBRARY})
  set(GPUTLM_SYSTEMC_ORIGIN "SYSTEMC_HOME ($ENV{SYSTEMC_HOME})")
else()
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(GPUTLM_PC_SYSTEMC IMPORTED_TARGET systemc)
  if(NOT GPUTLM_PC_SYSTEMC_FOUND)
    message(FATAL_ERROR "SystemC was not found. On Debian: apt-get install libsystemc-dev. Elsewhere: set SystemC_DIR "
                        "(a CMake package) or SYSTEMC_HOME (an installation prefix).")
  endif()
  target_link_libraries(gputlm_systemc INTERFACE PkgConfig::GPUTLM_PC_SYSTEMC)
  set(GPUTLM_SYSTEMC_ORIGIN "pkg-config ${GPUTLM_PC_SYSTEMC_VERSION}")
endif()
find_package(Threads REQUIRED)
target_link_libraries(gputlm_systemc INTERFACE Threads::Threads)
message(STATUS "SystemC: ${GPUTLM_SYSTEMC_ORIGIN}")

if(NOT GPUTLM_SYSTEMC_LINKS)
  get_target_property(GPUTLM_SYSTEMC_PARTS gputlm_systemc INTERFACE_LINK_LIBRARIES)
  file(WRITE ${CMAKE_BINARY_DIR}/probe/probe.cpp
       "#include <systemc>\nint sc_main(int, char**) { sc_core::sc_start(sc_core::SC_ZERO_TIME); return 0; }\n")
  try_compile(GPUTLM_SYSTEMC_LINKS ${CMAKE_BINARY_DIR}/probe/build SOURCES ${CMAKE_BINARY_DIR}/probe/probe.cpp
              CMAKE_FLAGS -DINCLUDE_DIRECTORIES=$ENV{SYSTEMC_HOME}/include
              LINK_LIBRARIES ${GPUTLM_SYSTEMC_PARTS} CXX_STANDARD ${CMAKE_CXX_STANDARD} CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
              OUTPUT_VARIABLE GPUTLM_PROBE_OUTPUT)
  if(NOT GPUTLM_SYSTEMC_LINKS)
    if(GPUTLM_PROBE_OUTPUT MATCHES "sc_api_version[^ ]*cxx([0-9]+)")
      message(FATAL_ERROR "The SystemC library (${GPUTLM_SYSTEMC_ORIGIN}) was built for another C++ standard: it does not "
        "export the symbol for C++${CMAKE_CXX_STANDARD}.\nRemedy: rebuild SystemC with -DCMAKE_CXX_STANDARD=17 and point "
        "SystemC_DIR or SYSTEMC_HOME to it, or use Debian's libsystemc-dev, which is built for C++17.")
    endif()
    message(FATAL_ERROR "A minimal SystemC program does not link against ${GPUTLM_SYSTEMC_ORIGIN}:\n${GPUTLM_PROBE_OUTPUT}")
  endif()
endif()
