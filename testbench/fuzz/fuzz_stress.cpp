// SPDX-License-Identifier: Apache-2.0
//
// Cases that gputlm stress writes; what was read is written and read again.
#include "gputlm/stress/stress_case.h"

#include "fuzz_target.h"

void gputlm::fuzz(const std::string& text) {
  parse_stress_case(stress_text(parse_stress_case(text, "fuzz.txt")), "again");
}
