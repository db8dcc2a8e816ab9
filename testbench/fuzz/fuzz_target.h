// SPDX-License-Identifier: Apache-2.0
//
// What a fuzz target defines. fuzz_entry.cpp gives it to libFuzzer (preset fuzz) or, in every other build, to a program
// that reads the files of a corpus: a test that what was once found stays fixed.
#pragma once

#include <string>

namespace gputlm {

/// Reads the text as a user's file. ConfigError is the right answer to a bad one; anything else that is thrown, a
/// crash, a hang or too much memory is a finding.
void fuzz(const std::string& text);

}  // namespace gputlm
