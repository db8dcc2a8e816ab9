# SPDX-License-Identifier: Apache-2.0
# Finds SystemC, makes the imported target gputlm::systemc of it, and links a probe: a library of another C++ standard
# otherwise shows up as an undefined symbol at the end of a long build. Sets GPUTLM_SYSTEMC_VERSION.
#
# SystemC_DIR (the folder of a CMake package, or an installation prefix) or SYSTEMC_HOME (a prefix), as variable of CMake
# or of the environment, chooses one, and nothing else is tried then. Without them: a CMake package on CMake's paths, then
# pkg-config. The file is installed, too: consumers find SystemC in the same way. What is wrong ends the configuration, or
# makes find_package(gputlm) fail.

# The chosen place, kept: a later run of CMake without that environment means the same SystemC.
function(gputlm_chosen_systemc out)
  set(chosen "")
  foreach(name SystemC_DIR SYSTEMC_HOME)
    foreach(place "${${name}}" "$ENV{${name}}")
      if(place AND NOT chosen)
        set(chosen "${place}")
      endif()
    endforeach()
  endforeach()
  if(chosen AND NOT chosen STREQUAL "$CACHE{GPUTLM_SYSTEMC_CHOSEN}")
    set(GPUTLM_SYSTEMC_CHOSEN "${chosen}" CACHE INTERNAL "What SystemC_DIR or SYSTEMC_HOME named")
    foreach(stale SystemCLanguage_DIR GPUTLM_SYSTEMC_LIBRARY GPUTLM_SYSTEMC_INCLUDE GPUTLM_SYSTEMC_VERSION)
      unset(${stale} CACHE)
    endforeach()
  endif()
  set(${out} "$CACHE{GPUTLM_SYSTEMC_CHOSEN}" PARENT_SCOPE)
endfunction()

# Gives gputlm::systemc what it stands for; `origin` says where that came from and is empty when nothing was found.
function(gputlm_locate_systemc chosen origin)
  add_library(gputlm::systemc INTERFACE IMPORTED)
  find_package(Threads REQUIRED)
  set_property(TARGET gputlm::systemc APPEND PROPERTY INTERFACE_LINK_LIBRARIES Threads::Threads)
  if(chosen)
    find_package(SystemCLanguage CONFIG QUIET PATHS "${chosen}" NO_DEFAULT_PATH)
  else()
    find_package(SystemCLanguage CONFIG QUIET)
  endif()
  if(TARGET SystemC::systemc)
    target_link_libraries(gputlm::systemc INTERFACE SystemC::systemc)
    set(${origin} "CMake package ${SystemCLanguage_DIR}" PARENT_SCOPE)
  elseif(chosen)
    find_library(GPUTLM_SYSTEMC_LIBRARY systemc NO_DEFAULT_PATH PATHS "${chosen}"
                 PATH_SUFFIXES lib lib64 lib-linux64 lib/${CMAKE_LIBRARY_ARCHITECTURE})
    find_path(GPUTLM_SYSTEMC_INCLUDE systemc.h NO_DEFAULT_PATH PATHS "${chosen}/include" "${chosen}/include/systemc")
    if(GPUTLM_SYSTEMC_LIBRARY AND GPUTLM_SYSTEMC_INCLUDE)
      target_link_libraries(gputlm::systemc INTERFACE "${GPUTLM_SYSTEMC_LIBRARY}")
      target_include_directories(gputlm::systemc SYSTEM INTERFACE "${GPUTLM_SYSTEMC_INCLUDE}")
      set(${origin} "${chosen}" PARENT_SCOPE)
    endif()
  else()
    find_package(PkgConfig QUIET)
    if(PkgConfig_FOUND)
      pkg_check_modules(GPUTLM_PC_SYSTEMC QUIET IMPORTED_TARGET systemc)
    endif()
    if(GPUTLM_PC_SYSTEMC_FOUND)
      target_link_libraries(gputlm::systemc INTERFACE PkgConfig::GPUTLM_PC_SYSTEMC)
      set(${origin} "pkg-config ${GPUTLM_PC_SYSTEMC_VERSION}" PARENT_SCOPE)
    endif()
  endif()
endfunction()

# Links a minimal program and reads the version of SystemC out of it.
function(gputlm_probe_systemc origin problem)
  set(folder ${CMAKE_BINARY_DIR}/CMakeFiles/gputlm_systemc)
  file(WRITE ${folder}/probe.cpp "#include <systemc>
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
const char* volatile version =
    \"gputlm probe: SystemC \" TEXT(SC_VERSION_MAJOR) \".\" TEXT(SC_VERSION_MINOR) \".\" TEXT(SC_VERSION_PATCH);
int sc_main(int, char**) { sc_core::sc_start(sc_core::SC_ZERO_TIME); return version == nullptr; }
")
  try_compile(links ${folder}/build SOURCES ${folder}/probe.cpp LINK_LIBRARIES gputlm::systemc
              CXX_STANDARD ${GPUTLM_CXX_STANDARD} CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
              OUTPUT_VARIABLE output COPY_FILE ${folder}/probe)
  unset(links CACHE)
  if(EXISTS ${folder}/probe)
    file(STRINGS ${folder}/probe text REGEX "gputlm probe: SystemC [0-9.]+" LIMIT_COUNT 1)
    string(REGEX REPLACE ".*SystemC ([0-9.]+).*" "\\1" version "${text}")
    set(GPUTLM_SYSTEMC_VERSION "${version}" CACHE INTERNAL "Version of the SystemC that links")
  elseif(output MATCHES "sc_api_version_([0-9]+)_([0-9]+)_([0-9]+)_cxx([0-9]+)")
    string(CONCAT text "The SystemC library (${origin}) was built for another C++ standard, or its headers are of another "
      "version than it: it does not export the symbol of SystemC ${CMAKE_MATCH_1}.${CMAKE_MATCH_2}.${CMAKE_MATCH_3} for "
      "C++${GPUTLM_CXX_STANDARD}.\nRemedy: build SystemC with -DCMAKE_CXX_STANDARD=${GPUTLM_CXX_STANDARD} and point "
      "SystemC_DIR or SYSTEMC_HOME to where it is installed, or use Debian's libsystemc-dev, which is built for C++17.")
    set(${problem} "${text}" PARENT_SCOPE)
  else()
    set(${problem} "A minimal SystemC program does not link against SystemC (${origin}):\n${output}" PARENT_SCOPE)
  endif()
endfunction()

function(gputlm_find_systemc problem)
  gputlm_chosen_systemc(chosen)
  set(origin "")
  set(text "")
  gputlm_locate_systemc("${chosen}" origin)
  if(NOT origin AND chosen)
    string(CONCAT text "No SystemC in ${chosen}, which SystemC_DIR or SYSTEMC_HOME names: neither a CMake package "
             "(SystemCLanguageConfig.cmake) nor include/systemc.h with lib*/libsystemc.")
  elseif(NOT origin)
    string(CONCAT text "SystemC was not found. On Debian: apt-get install libsystemc-dev pkg-config. Elsewhere: set SystemC_DIR (a "
             "CMake package) or SYSTEMC_HOME (an installation prefix).")
  elseif(NOT GPUTLM_SYSTEMC_VERSION)
    gputlm_probe_systemc("${origin}" text)
  endif()
  set(${problem} "${text}" PARENT_SCOPE)
  if(NOT CMAKE_FIND_PACKAGE_NAME AND NOT text)
    message(STATUS "SystemC: ${GPUTLM_SYSTEMC_VERSION}, ${origin}")
  endif()
endfunction()

if(NOT GPUTLM_CXX_STANDARD)
  set(GPUTLM_CXX_STANDARD 17)
endif()
set(GPUTLM_SYSTEMC_PROBLEM "")
if(NOT TARGET gputlm::systemc)
  gputlm_find_systemc(GPUTLM_SYSTEMC_PROBLEM)
endif()
if(GPUTLM_SYSTEMC_PROBLEM AND NOT CMAKE_FIND_PACKAGE_NAME)
  message(FATAL_ERROR "${GPUTLM_SYSTEMC_PROBLEM}")
endif()
