// SPDX-License-Identifier: Apache-2.0
//
// Writes the instructions part of docs/sass.md to standard output.
#include <iostream>

#include "gputlm/sass/instruction_reference.h"
#include "gputlm/tlm/systemc_guard.h"

/// The SystemC library, which the warps' clock registers bring in, refers to one; nothing is simulated here.
int sc_main(int /*argc*/, char** /*argv*/) {
  return 0;
}

int main() {
  std::cout << gputlm::instruction_reference();
  return 0;
}
