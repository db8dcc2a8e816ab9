// SPDX-License-Identifier: Apache-2.0
//
// Configurations with their bases, up to the relations between values.
#include <fstream>

#include "gputlm/config/config.h"
#include "gputlm/test_support/temp_folder.h"

#include "fuzz_target.h"

void gputlm::fuzz(const std::string& text) {
  static const test::TempFolder folder;
  Config::load(folder.file("fuzz.yaml", text));
}
