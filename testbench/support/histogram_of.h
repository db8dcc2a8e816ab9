// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/tlm/unit.h"

namespace gputlm {

/// A distribution out of a unit's report; empty when there is none of that name.
inline Histogram histogram_of(const Unit& unit, std::string_view wanted) {
  struct Sink : StatisticsSink {
    std::string_view wanted;
    Histogram found;
    void count(std::string_view, std::string_view, std::string_view, std::uint64_t) override {}
    void value(std::string_view, std::string_view, std::string_view, double) override {}
    void histogram(std::string_view name, std::string_view, const Histogram& h) override {
      if (name == wanted) found = h;
    }
  } sink;
  sink.wanted = wanted;
  unit.report(sink);
  return sink.found;
}

}  // namespace gputlm
