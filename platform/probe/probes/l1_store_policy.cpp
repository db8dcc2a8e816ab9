// SPDX-License-Identifier: Apache-2.0
#include "gputlm/probe/probe_run.h"
#include "gputlm/probe/steps.h"

namespace gputlm::probes {

void l1_store_policy(ProbeRun& run) {
  const Measurement m = run.measure();
  const double miss = duration_ns(m.of_kernel(0)[0]), hit = duration_ns(m.of_kernel(0)[1]);
  const auto hits = [&](std::uint32_t kernel) {
    return is_hit(duration_ns(m.of_kernel(kernel).back()), hit, miss) ? 1.0 : 0.0;
  };
  run.row("allocated_on_a_miss", hits(1), "1 or 0");
  run.row("kept_and_updated_on_a_hit", hits(2), "1 or 0");
  const PhaseResult& stores = m.phase("stores_to_one_line");
  run.row("l2_requests_per_store", stores.counted("l2", "stores") / stores.counted("lsu", "stores"), "request");
}

}  // namespace gputlm::probes
