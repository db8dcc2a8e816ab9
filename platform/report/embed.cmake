# SPDX-License-Identifier: Apache-2.0
# Writes the C++ source `output` that holds, as bytes, the texts of the files in `page`, `style`, `library`, `script` and
# `sweep_script`, those of each put together.
set(arrays "")
set(entries "")
foreach(part page style library script sweep_script)
  set(bytes "")
  foreach(file ${${part}})
    file(READ ${file} hex HEX)
    string(APPEND bytes "${hex}0a")
  endforeach()
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "const unsigned char k_${part}[] = {${bytes}};\n")
  string(APPEND entries
         "  if (name == \"${part}\") return {reinterpret_cast<const char*>(k_${part}), sizeof k_${part}};\n")
endforeach()
file(WRITE ${output} "// Made by embed.cmake.
#include \"gputlm/report/page_parts.h\"

namespace gputlm {
namespace {

${arrays}
}  // namespace

std::string_view page_part(std::string_view name) {
${entries}  return {};
}

}  // namespace gputlm
")
