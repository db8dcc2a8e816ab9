// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "fuzz_target.h"
#include "gputlm/config/diagnostics.h"
#include "gputlm/tlm/systemc_guard.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    gputlm::fuzz(std::string(data, data + size));
  } catch (const gputlm::ConfigError&) {  // refused, as it should be
  }
  return 0;
}

// The SystemC library wants one; nothing is simulated here.
int sc_main(int /*argc*/, char** /*argv*/) {
  return 0;
}

#ifndef GPUTLM_FUZZ
int main(int argc, char** argv) {
  int files = 0;
  for (int i = 1; i < argc; ++i)
    for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
      std::ifstream in(entry.path(), std::ios::binary);
      std::stringstream text;
      text << in.rdbuf();
      const std::string bytes = text.str();
      // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libFuzzer's type
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
      ++files;
    }
  std::cout << files << " files read\n";
  return files > 0 ? 0 : 1;
}
#endif
