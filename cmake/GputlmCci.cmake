# SPDX-License-Identifier: Apache-2.0
# SystemC CCI is optional. Where it is found, the target gputlm::cci is gputlm::platform with it, for
# gputlm/cci_parameters.h; GPUTLM_CCI says where. Looked for: a CMake package SystemCCCI, then the header
# cci_configuration and the library cciapi or cci below CCI_HOME (variable of CMake or of the environment) or on CMake's
# paths. The file is installed, too: consumers find CCI in the same way.
function(gputlm_find_cci)
  find_package(SystemCCCI CONFIG QUIET)
  set(GPUTLM_CCI "" PARENT_SCOPE)
  if(TARGET SystemC::cci)
    set(GPUTLM_CCI "CMake package ${SystemCCCI_DIR}" PARENT_SCOPE)
    set(uses SystemC::cci)
  else()
    find_path(GPUTLM_CCI_INCLUDE cci_configuration HINTS "${CCI_HOME}" ENV CCI_HOME PATH_SUFFIXES include)
    find_library(GPUTLM_CCI_LIBRARY NAMES cciapi cci HINTS "${CCI_HOME}" ENV CCI_HOME
                 PATH_SUFFIXES lib lib64 lib-linux64)
    mark_as_advanced(GPUTLM_CCI_INCLUDE GPUTLM_CCI_LIBRARY)
    if(NOT GPUTLM_CCI_INCLUDE)
      return()
    endif()
    set(GPUTLM_CCI "${GPUTLM_CCI_INCLUDE}" PARENT_SCOPE)
    set(uses "")
    if(GPUTLM_CCI_LIBRARY)
      set(uses "${GPUTLM_CCI_LIBRARY}")
    endif()
  endif()
  add_library(gputlm::cci INTERFACE IMPORTED)
  target_link_libraries(gputlm::cci INTERFACE gputlm::platform ${uses})
  if(GPUTLM_CCI_INCLUDE)
    target_include_directories(gputlm::cci SYSTEM INTERFACE "${GPUTLM_CCI_INCLUDE}")
  endif()
endfunction()

if(NOT TARGET gputlm::cci)
  gputlm_find_cci()
endif()
