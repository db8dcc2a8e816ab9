// SPDX-License-Identifier: Apache-2.0
#include "gputlm/report/set_history.h"

#include <utility>

#include <fmt/format.h>

#include "gputlm/trace/line_event_text.h"

namespace gputlm {
namespace {

Json json_of(const L2Way& w) {
  if (!w.present) return nullptr;
  return {{"line", fmt::format("{:#x}", w.line)},
          {"rrpv", w.rrpv},
          {"valid", w.valid.count()},
          {"dirty", w.dirty.count()},
          {"fifo", w.in_fifo},
          {"writing", w.writing},
          {"fetching", w.fetching != 0}};
}

std::string whose(const Payload& p) {
  const Sideband* s = find_sideband(p);
  if (s == nullptr) return "access";
  if (s->origin.sm == Origin().sm) return name_of(s->operation);
  return fmt::format("{} of SM {} warp {}", name_of(s->operation), s->origin.sm, s->origin.warp);
}

}  // namespace

SetHistory::SetHistory(const sc_core::sc_module_name& name, JudgedGpu& machine) : sc_module(name), gpu_(machine.gpu) {
  machine.l2_observers.add(*this);
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&noted_);
  sc_core::sc_spawn([this] { end_step(); }, "end_step", &options);
}

void SetHistory::note(std::string what) {
  if (!recording()) {
    ++left_out_;
    return;
  }
  pending_.push_back(std::move(what));
  noted_.notify(sc_core::SC_ZERO_TIME);
}

void SetHistory::note_access(unsigned slice, const Payload& p) {
  if (slice != slice_ || !recording() || gpu_.mem.set_of(p.get_address()) != set_) return;
  note(whose(p) + fmt::format(", line {:#x}", line_of(p.get_address())));
}

void SetHistory::on_line(unsigned slice, LineEvent event, unsigned set, unsigned way, std::uint64_t line) {
  if (slice_ == kNoSlice) {
    slice_ = slice;
    set_ = set;
    before_.resize(gpu_.config().l2.ways);
  }
  if (slice == slice_ && set == set_) note(fmt::format("way {}: {}, line {:#x}", way, text_of(event), line));
}

Json SetHistory::changed_ways() {
  Json changed = Json::object();
  const std::vector<L2Way> ways = gpu_.mem.slices[slice_]->view_set(set_);
  for (std::size_t i = 0; i < ways.size(); ++i) {
    Json now = json_of(ways[i]);
    if (now == before_[i]) continue;
    changed[std::to_string(i)] = now;
    before_[i] = std::move(now);
  }
  return changed;
}

void SetHistory::end_step() {
  steps_.push_back({{"time_ns", to_ns(now())},
                    {"what", pending_},
                    {"ways", changed_ways()},
                    {"fifo", gpu_.mem.slices[slice_]->fifo(set_)}});
  pending_.clear();
}

Json SetHistory::document() const {
  if (slice_ == kNoSlice) return nullptr;
  return {{"slice", slice_}, {"set", set_}, {"ways", before_.size()}, {"left_out", left_out_}, {"steps", steps_}};
}

}  // namespace gputlm
