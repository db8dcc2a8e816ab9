// SPDX-License-Identifier: Apache-2.0
#include "gputlm/trace/vcd_writer.h"

#include <cerrno>
#include <fstream>
#include <utility>

#include "gputlm/tlm/arrow.h"

namespace gputlm {

/// Says that something has happened. The model has not done its part yet when an arrow is shown, so what is to be seen
/// is read a delta cycle later.
class VcdWriter::Ear : public tlm::tlm_analysis_if<ArrowEvent> {
 public:
  explicit Ear(sc_core::sc_event& changed) : changed_(changed) {}
  void write(const ArrowEvent& /*event*/) override { changed_.notify(sc_core::SC_ZERO_TIME); }

 private:
  sc_core::sc_event& changed_;
};

VcdWriter::VcdWriter(const sc_core::sc_module_name& name, const std::string& file, Gpu& gpu, const TraceWindow& window,
                     const VcdSelection& selection)
    : sc_module(name), gpu_(gpu), window_(window), name_(file) {
  // SystemC appends an ending to the name that it is given.
  const std::string stem = file + ".part";
  name_.stage_as(stem + ".vcd");
  trace_ = sc_core::sc_create_vcd_trace_file(stem.c_str());
  add_signals(selection);
  listen_to_card(gpu);
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&changed_);
  sc_core::sc_spawn([this] { update(); }, "update", &options);
}

VcdWriter::~VcdWriter() {
  if (trace_ != nullptr) sc_core::sc_close_vcd_trace_file(trace_);
}

void VcdWriter::add_signals(const VcdSelection& selection) {
  constexpr int kWidth = 32;
  for (const VcdSignal& signal : vcd_signals())
    for (unsigned i = 0; i < units_of_kind(gpu_.config(), signal.kind); ++i) {
      if (!selection.wants(signal, i)) continue;
      values_.push_back(std::make_unique<Value>(Value{0, signal, i}));
      sc_core::sc_trace(trace_, values_.back()->value, signal.full_name(i), kWidth);
    }
}

void VcdWriter::listen_to_card(Gpu& gpu) {
  for (const auto& sm : gpu.sms) {
    for (const auto& access : sm->lsu.accesses) listen(access->arrow);
    listen(sm->l1.requests.arrow);
  }
  for (const auto& slice : gpu.mem.slices) listen(slice->requests.arrow);
  for (const auto& controller : gpu.mem.controllers)
    for (const auto* doors : {&controller->reads, &controller->writes})
      for (const auto& door : *doors) listen(door->arrow);
  for (const auto& channel : gpu.mem.channels) listen(channel->commands.arrow);
}

void VcdWriter::listen(ArrowPort& arrow) {
  ears_.push_back(std::make_unique<Ear>(changed_));
  arrow.bind(*ears_.back());
}

void VcdWriter::update() {
  if (!window_.contains(now())) return;
  happened_ = true;
  for (const auto& v : values_) v->value = static_cast<std::uint32_t>(v->signal.read(gpu_, v->number));
}

// SystemC does not tell of a write that failed. What it could not write is missing at the end, where a last line finds
// no room either.
void VcdWriter::check_whole() const {
  errno = 0;
  std::ifstream in(name_.staged(), std::ios::binary | std::ios::ate);
  const bool lines = in && in.tellg() > 0 && in.seekg(-1, std::ios::end) && in.get() == '\n';
  std::ofstream out(name_.staged(), std::ios::binary | std::ios::app);
  out << "$comment end of the recording $end\n";
  out.close();
  if (!lines || !out) cannot_write(name_.file());
}

void VcdWriter::finish() {
  sc_core::sc_close_vcd_trace_file(std::exchange(trace_, nullptr));
  check_whole();
  name_.keep();
}

}  // namespace gputlm
