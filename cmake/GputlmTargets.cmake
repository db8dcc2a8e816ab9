# SPDX-License-Identifier: Apache-2.0
# How targets are made. Every library sees its own headers and those of the libraries it links, and no others: each gets
# an include directory of its own, build/include/<name>/, that holds just gputlm/<name>. A unit that includes a
# neighbour's header therefore does not compile.

add_library(gputlm_warnings INTERFACE)
target_compile_options(gputlm_warnings INTERFACE -Wall -Wextra -Wpedantic $<$<BOOL:${GPUTLM_WERROR}>:-Werror>)
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # A file of a unity build is an include to GCC, which then takes its anonymous namespace for a header's.
  target_compile_options(gputlm_warnings INTERFACE -Wno-subobject-linkage)
endif()
if(GPUTLM_SANITIZE)
  add_compile_options(-fsanitize=${GPUTLM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${GPUTLM_SANITIZE})
endif()
if(GPUTLM_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(GPUTLM_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()
if(GPUTLM_LTO)
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
endif()
if(GPUTLM_PGO STREQUAL train)
  add_compile_options(-fprofile-generate)
  add_link_options(-fprofile-generate)
elseif(GPUTLM_PGO STREQUAL use)
  add_compile_options(-fprofile-use -fprofile-correction -Wno-missing-profile)  # counts of threads may be a little off
elseif(GPUTLM_PGO)
  message(FATAL_ERROR "GPUTLM_PGO is \"${GPUTLM_PGO}\"; allowed: train, use, or nothing")
endif()

# gputlm_precompile(<target> <owner> <header>...): the owner's precompiled headers serve every target with the same flags.
function(gputlm_precompile target owner)
  if(NOT GPUTLM_PCH OR BUILD_SHARED_LIBS)  # code of a shared library is compiled otherwise than a program's
    return()
  endif()
  if(target STREQUAL owner)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()

# gputlm_library(<name> SOURCES ... [LINKS ...] [PRIVATE_LINKS ...] [INTERNAL]): target gputlm_<name>, alias
# gputlm::<name>; static, or shared with BUILD_SHARED_LIBS. INTERNAL: static, and not installed.
function(gputlm_library name)
  cmake_parse_arguments(ARG "INTERNAL" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  set(root ${CMAKE_BINARY_DIR}/include/${name})
  file(MAKE_DIRECTORY ${root}/gputlm)
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${root}/gputlm/${name} SYMBOLIC)
  if(ARG_INTERNAL)
    set(kind STATIC)
  else()
    set(kind "")
  endif()
  add_library(gputlm_${name} ${kind} ${ARG_SOURCES})
  add_library(gputlm::${name} ALIAS gputlm_${name})
  target_include_directories(gputlm_${name} PUBLIC $<BUILD_INTERFACE:${root}>)
  target_compile_features(gputlm_${name} PUBLIC cxx_std_17)
  target_link_libraries(gputlm_${name} PUBLIC ${ARG_LINKS} PRIVATE ${ARG_PRIVATE_LINKS} $<BUILD_INTERFACE:gputlm_warnings>)
  if(NOT ARG_INTERNAL)
    gputlm_precompile(gputlm_${name} gputlm_tlm <gputlm/tlm/systemc_guard.h>)
    gputlm_install_library(${name} "${ARG_LINKS}")
  endif()
endfunction()

# gputlm_unit(<name> SOURCES ...): a unit of the memory path; it knows tlm and nothing of its neighbours.
function(gputlm_unit name)
  cmake_parse_arguments(ARG "" "" "SOURCES" ${ARGN})
  gputlm_library(${name} SOURCES ${ARG_SOURCES} LINKS gputlm::tlm)
endfunction()

# gputlm_test(<file.cpp> LINKS ... [TIMEOUT s] [LABELS ...] [ONE_PROCESS]): one Boost.Test executable, named after its
# file. SystemC elaborates once per process, so every test case runs in a process of its own unless ONE_PROCESS says that
# the file's cases make no modules.
function(gputlm_test file)
  cmake_parse_arguments(ARG "ONE_PROCESS" "TIMEOUT" "LINKS;LABELS" ${ARGN})
  get_filename_component(name ${file} NAME_WE)
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 60)
  endif()
  if(GPUTLM_SANITIZE)  # some four times as slow
    math(EXPR ARG_TIMEOUT "4 * ${ARG_TIMEOUT}")
  endif()
  add_executable(${name} ${file})
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)  # one file
  target_link_libraries(${name} PRIVATE ${ARG_LINKS} gputlm_test_support gputlm_warnings)
  gputlm_precompile(${name} gputlm_test_support)
  if(ARG_ONE_PROCESS)
    add_test(NAME ${name} COMMAND ${name})
    set(tests ${name})
  else()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(STRINGS ${file} lines REGEX "^BOOST_(AUTO|FIXTURE|DATA)_TEST_CASE")
    foreach(line ${lines})
      string(REGEX REPLACE "^BOOST_[A-Z]+_TEST_CASE\\( *([A-Za-z0-9_]+).*" "\\1" case "${line}")
      add_test(NAME ${name}.${case} COMMAND ${name} --run_test=${case})
      list(APPEND tests ${name}.${case})
    endforeach()
  endif()
  set_tests_properties(${tests} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}")
endfunction()
