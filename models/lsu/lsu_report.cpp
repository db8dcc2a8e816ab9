// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "gputlm/lsu/lsu.h"

namespace gputlm {

double Lsu::queue_full_ns(unsigned sub_partition) const {
  return to_ns(entries_[sub_partition].stalls.total(QueueStall::full, now()));
}

std::uint64_t Lsu::line_requests() const {
  std::uint64_t lines = 0;
  for (const Operation o : {Operation::load, Operation::store, Operation::reduction, Operation::atomic})
    lines += count_.lines[static_cast<std::size_t>(o)];
  return lines;
}

bool Lsu::idle() const {
  return table_.used() == 0 && lines_.used() == 0 &&
         std::none_of(entries_.begin(), entries_.end(), [](const Entry& e) { return static_cast<bool>(e.withheld); });
}

void Lsu::report(StatisticsSink& sink) const {
  auto of = [](const auto& counts, Operation o) { return counts[static_cast<std::size_t>(o)]; };
  const auto& in = count_.instructions;
  sink.count("loads", "instruction", "load instructions taken", of(in, Operation::load));
  sink.count("stores", "instruction", "store instructions taken", of(in, Operation::store));
  sink.count("reductions", "instruction", "reductions (no result) taken", of(in, Operation::reduction));
  sink.count("atomics", "instruction", "atomics (old value returned) taken", of(in, Operation::atomic));
  sink.count("fences", "instruction", "fences taken, those of releases and CTA barriers included",
             of(in, Operation::fence));
  sink.count("empty", "instruction", "accesses without an active lane, answered at once", count_.empty);
  const auto& out = count_.lines;
  sink.count("load_lines", "request", "line requests of loads", of(out, Operation::load));
  sink.count("store_lines", "request", "line requests of stores", of(out, Operation::store));
  sink.count("atomic_lines", "request", "line requests of reductions and atomics",
             of(out, Operation::reduction) + of(out, Operation::atomic));
  sink.count("invalidates", "request", "whole-L1 invalidates sent for fences and acquires",
             of(out, Operation::l1_invalidate));
  sink.count("system_barriers", "request", "barriers sent to the host's ordering point",
             of(out, Operation::system_barrier));
  sink.count("sectors", "sector", "distinct 32-byte sectors asked for, all operations", count_.sectors);
  sink.count("store_bytes", "byte", "enabled bytes of stores, reductions and atomics", count_.store_bytes);
  sink.count("load_bytes", "byte", "distinct bytes wanted by loads, per request", count_.load_bytes);
  sink.count("errors", "response", "accesses refused and lines answered with an error", count_.faults);
  sink.value("stall_exit_busy", "ns", "a line request waited while the exit carried another",
             exit_stall_ns(ExitStall::exit_busy));
  sink.value("stall_back_pressure", "ns", "a line request waited for L1's END_REQ",
             exit_stall_ns(ExitStall::back_pressure));
  for (unsigned i = 0; i < entries_.size(); ++i) {
    const std::string port = i < accesses.size() ? "queue_" + std::to_string(i) : "queue_external";
    sink.value(port + "_full", "ns", "an access waited for room in this queue", queue_full_ns(i));
    sink.count(port + "_peak", "instruction", "most instructions in this queue at once", entries_[i].peak);
  }
  sink.histogram("load_latency", "BEGIN_REQ of a load to its response", count_.load_latency);
  sink.histogram("store_latency", "BEGIN_REQ of a store to its last acknowledgement", count_.store_latency);
  sink.histogram("load_line_wait", "BEGIN_REQ of a load to that of each of its line requests", count_.load_line_wait);
  sink.histogram("store_line_wait", "the same of stores, reductions and atomics", count_.store_line_wait);
  sink.histogram("atomic_latency", "BEGIN_REQ of a reduction or atomic to its response", count_.atomic_latency);
  sink.histogram("fence_latency_cta", "BEGIN_REQ of a cta fence to its response", count_.fence_latency[0]);
  sink.histogram("fence_latency_gpu", "BEGIN_REQ of a gpu fence to its response", count_.fence_latency[1]);
  sink.histogram("fence_latency_sys", "BEGIN_REQ of a sys fence to its response", count_.fence_latency[2]);
}

void Lsu::list_waits(WaitList& waits) const {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    const std::string port = i < accesses.size() ? "queue " + std::to_string(i) : "external queue";
    if (entry.withheld) waits.add(*this, *entry.withheld, " waits for room in " + port, entry.withheld_from);
    for (std::size_t n = 0; n < entry.queue.size(); ++n) {
      const Access& access = table_[entry.queue[n]];
      waits.add(*this, *access.payload, " waits in " + port, access.arrived);
    }
    if (entry.leaving != kNone)
      waits.add(*this, *table_[entry.leaving].payload, " of " + port + " waits at the exit", entry.left_at,
                line.busy() ? "L1 withholds END_REQ" : "");
  }
  for (const Fence& fence : fences_)
    waits.add(*this, *table_[fence.access].payload,
              std::string(" (") + name_of(fence.scope) + ") waits for " +
                  (fence.barrier_pending ? "the host's ordering point" : "acknowledgements"),
              table_[fence.access].requested, std::to_string(window_.outstanding()) + " accesses unacknowledged");
  lines_.for_each([&](const Line& sent) {
    if (sent.payload)
      waits.add(*this, *sent.payload, " waits for its response", table_[sent.access].requested, "held by L1 or below");
  });
}

}  // namespace gputlm
