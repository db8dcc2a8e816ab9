// SPDX-License-Identifier: Apache-2.0
//
// Litmus tests, tables and single ones; what was read is written and read again.
#include "gputlm/litmus/litmus_test.h"

#include "fuzz_target.h"

void gputlm::fuzz(const std::string& text) {
  for (const LitmusTest& test : parse_litmus_tests(text, "fuzz.tsv")) parse_litmus_tests(litmus_text(test), "again");
}
