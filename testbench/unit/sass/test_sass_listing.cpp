// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"
#include "gputlm/sass/listing.h"
#include <cstdio>
BOOST_AUTO_TEST_CASE(x) {
  for (const char* f : {"/tmp/s4/sass/kernels/kernels.sm_89.sass", "/tmp/s4/probe/inst.sass"}) {
    try { auto l = gputlm::read_listing(f); for (auto& k : l.kernels) std::printf("%s %zu\n", k.name.c_str(), k.instructions.size()); }
    catch (const std::exception& e) { std::printf("%s\n", e.what()); }
  }
}
