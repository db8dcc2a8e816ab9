# SPDX-License-Identifier: Apache-2.0
# Target `docs`, where doxygen is installed: the reference of the public headers in build/<preset>/reference/html. A warning
# of doxygen is an error.
find_program(GPUTLM_DOXYGEN doxygen)
if(GPUTLM_DOXYGEN)
  configure_file(docs/Doxyfile.in ${PROJECT_BINARY_DIR}/Doxyfile @ONLY)
  add_custom_target(docs COMMAND ${GPUTLM_DOXYGEN} ${PROJECT_BINARY_DIR}/Doxyfile WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                    COMMENT "Writing reference/html" VERBATIM)
endif()
