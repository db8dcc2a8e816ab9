// SPDX-License-Identifier: Apache-2.0
#include "gputlm/report/run_pictures.h"

#include <string>

#include "gputlm/system/unit_totals.h"

namespace gputlm {
namespace {

/// The time below which each percent of the values lies, from 0 to 100.
Json percentiles(const Histogram& h) {
  constexpr int kSteps = 100;
  Json all = Json::array();
  for (int i = 0; i <= kSteps; ++i) all.push_back(four_digits(to_ns(h.quantile(static_cast<double>(i) / kSteps))));
  return all;
}

Json distributions(const Gpu& gpu) {
  UnitTotals totals;
  for (const Unit* u : gpu.units()) totals.add(*u);
  const Json kinds = totals.document();
  Json all = Json::object();
  for (const auto& [kind, statistics] : kinds.items())
    for (const auto& entry : statistics.items()) {
      const Histogram* h = totals.distribution(kind, entry.key());
      if (h == nullptr || h->count() == 0) continue;
      all[kind + "." + entry.key()] = {{"count", h->count()}, {"percentiles_ns", percentiles(*h)}};
    }
  return all;
}

}  // namespace

Json RunPictures::document() {
  frames_.finish();
  return {{"format", kPicturesFormat},
          {"frames", frames_.series().document()},
          {"distributions", distributions(gpu_)},
          {"set", set_.document()}};
}

}  // namespace gputlm
