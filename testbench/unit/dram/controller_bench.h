// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/test_support/sc_test.h"

#include <sstream>

#include "dram_bench.h"

namespace gputlm {

inline DramSpec quiet() {
  DramSpec s = rtx4090_dram();
  s.timing.refresh_interval = 0;
  return s;
}

inline void pattern(std::uint64_t line, unsigned char* data) {
  for (unsigned i = 0; i < kLineBytes; ++i) data[i] = static_cast<unsigned char>((line >> 7) * 31 + i);
}

/// All protocol and timing rules were kept, and nothing is left anywhere.
inline void check_clean(DramBench& b) {
  b.commands.finish();
  for (const std::string& v : b.commands.violations()) BOOST_ERROR(v);
  std::ostringstream text;
  b.violations.print(text);
  BOOST_TEST(b.violations.total() == 0U, text.str());
  BOOST_TEST(b.controller.idle());
  for (auto& channel : b.channels) BOOST_TEST(channel->idle());
  b.slices.log.clear();
  BOOST_TEST(b.pool.outstanding() == 0U);
}

inline Fs clocks(const DramBench& b, Ck n) {
  return b.channels[0]->timing().time_of(n);
}

}  // namespace gputlm
