// SPDX-License-Identifier: Apache-2.0
#include "gputlm/launchspec/launch_report.h"

namespace gputlm {

namespace {

using Object = nlohmann::ordered_json;

Object ns_of(Fs moment) {
  return moment == kNever ? Object() : Object(to_ns(moment));
}

Object number_of(ElementType type, const std::string& text, const std::vector<unsigned char>& bytes) {
  if (bytes.empty()) {
    Object parsed = Object::parse(text, nullptr, false);
    return parsed.is_number() ? parsed : Object();
  }
  const ElementValue value = load_element(type, bytes.data());
  if (is_floating(type)) return value.real;
  return is_signed(type) ? Object(static_cast<std::int64_t>(value.integer)) : Object(value.integer);
}

Object timeline_of(const LaunchTimeline& t) {
  return {{"doorbell", ns_of(t.doorbell)},
          {"fetched", ns_of(t.fetched)},
          {"first_block", ns_of(t.first_block)},
          {"last_block", ns_of(t.last_block)},
          {"barrier_done", ns_of(t.barrier_done)},
          {"semaphore", ns_of(t.semaphore)},
          {"copy_start", ns_of(t.copy_start)},
          {"copy_done", ns_of(t.copy_done)},
          {"done", ns_of(t.done)}};
}

Object reads_of(const std::vector<ReadBack>& reads) {
  Object all = Object::object();
  for (const ReadBack& r : reads) {
    Object& one = all[r.name];
    one = {{"type", name_of(r.type)},
           {"count", r.count},
           {"first", number_of(r.type, r.first, r.first_bytes)},
           {"last", number_of(r.type, r.last, r.last_bytes)}};
    if (r.expected) one["mismatches"] = r.mismatches;
  }
  return all;
}

}  // namespace

nlohmann::ordered_json json_of(const LaunchResult& r) {
  return {{"kernel", r.kernel},
          {"complete", r.complete},
          {"kernel_ns", r.kernel_ns},
          {"launch_to_done_ns", r.launch_to_done_ns},
          {"barrier_ns", r.barrier_ns},
          {"timeline_ns", timeline_of(r.t)},
          {"blocks", r.blocks},
          {"warps", r.warps},
          {"blocks_per_sm", r.blocks_per_sm},
          {"limited_by", r.limited_by},
          {"theoretical_occupancy_pct", r.theoretical_occupancy_pct},
          {"warps_active_pct", r.warps_active_pct},
          {"issue_active_pct", r.issue_active_pct},
          {"instructions", r.instructions},
          {"dram_bytes_read", r.dram_bytes_read},
          {"dram_bytes_written", r.dram_bytes_written},
          {"dram_read_utilisation", r.dram_read_utilisation},
          {"dram_write_utilisation", r.dram_write_utilisation},
          {"l1_hit_rate", r.l1_hit_rate},
          {"l2_load_hit_rate", r.l2_load_hit_rate},
          {"l2_store_hit_rate", r.l2_store_hit_rate},
          {"l2_dirty_bytes_at_kernel_end", r.l2_dirty_bytes_at_kernel_end},
          {"copy_bytes", r.copy_bytes},
          {"copy_dram_bytes_read", r.copy_dram_bytes_read},
          {"read", reads_of(r.reads)},
          {"problems", r.problems},
          {"wall_s", r.wall_seconds}};
}

}  // namespace gputlm
