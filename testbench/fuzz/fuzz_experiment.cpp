// SPDX-License-Identifier: Apache-2.0
//
// Experiments: everything that is read before a card is known.
#include "gputlm/workload/experiment.h"

#include "fuzz_target.h"

void gputlm::fuzz(const std::string& text) {
  parse_experiment(text, "fuzz.yaml");
}
