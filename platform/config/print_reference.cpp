// SPDX-License-Identifier: Apache-2.0
//
// Writes the configuration reference to standard output; a target of the build regenerates docs/configuration.md with
// it.
#include <exception>
#include <iostream>

#include "gputlm/config/data_dir.h"
#include "gputlm/config/show.h"

/// The SystemC library, which the headers of the Specs bring in, refers to one; nothing is simulated here.
int sc_main(int /*argc*/, char** /*argv*/) {
  return 0;
}

int main() {
  try {
    gputlm::generate_reference(std::cout, gputlm::Config::load(gputlm::kDefaultConfig));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
