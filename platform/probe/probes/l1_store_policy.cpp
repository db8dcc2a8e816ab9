// SPDX-License-Identifier: Apache-2.0
#include "gputlm/probe/probe_run.h"
#include "gputlm/probe/steps.h"

namespace gputlm::probes {
namespace {

/// Of a load, a store, a load and a strong load of one place: the second load hits and returns what the strong one
/// finds in L2, which is not what the first did.
bool kept_and_updated(const std::vector<AccessTimes>& steps, double hit_ns, double miss_ns) {
  const AccessTimes &before = steps.at(0), &after = steps.at(2), &in_l2 = steps.at(3);
  return is_hit(duration_ns(after), hit_ns, miss_ns) && after.loaded == in_l2.loaded && after.loaded != before.loaded;
}

}  // namespace

void l1_store_policy(ProbeRun& run) {
  const Measurement m = run.measure();
  const double miss = duration_ns(m.of_kernel(0)[0]), hit = duration_ns(m.of_kernel(0)[1]);
  run.row("allocated_on_a_miss", is_hit(duration_ns(m.of_kernel(1).back()), hit, miss) ? 1 : 0, "1 or 0");
  run.row("kept_and_updated_on_a_hit", kept_and_updated(m.of_kernel(2), hit, miss) ? 1 : 0, "1 or 0");
  run.row("acknowledgement", duration_ns(m.of_kernel(3).front()), "ns");
  const PhaseResult& stores = m.phase("stores_to_one_line");
  run.row("l2_requests_per_store", stores.counted("l2", "stores") / stores.counted("lsu", "stores"), "request");
}

}  // namespace gputlm::probes
