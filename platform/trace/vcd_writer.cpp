// SPDX-License-Identifier: Apache-2.0
#include "gputlm/trace/vcd_writer.h"

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

VcdWriter::VcdWriter(const sc_core::sc_module_name& name, const std::string& file, Gpu& gpu, const TraceWindow& window)
    : sc_module(name), window_(window), name_(file) {
  // SystemC appends an ending to the name that it is given.
  const std::string stem = file + ".part";
  name_.stage_as(stem + ".vcd");
  trace_ = sc_core::sc_create_vcd_trace_file(stem.c_str());
  MemorySystem& mem = gpu.mem;
  for (unsigned i = 0; i < gpu.sms.size(); ++i) {
    Sm& sm = *gpu.sms[i];
    const std::string n = "sm" + std::to_string(i) + ".";
    add(n + "lsu_queued", [&sm] {
      std::size_t queued = 0;
      for (unsigned port = 0; port < sm.lsu.accesses.size(); ++port) queued += sm.lsu.queued(port);
      return queued;
    });
    add(n + "unacknowledged", [&sm] { return static_cast<std::size_t>(sm.lsu.unacknowledged()); });
    for (const auto& access : sm.lsu.accesses) listen(access->arrow);
    listen(sm.l1.requests.arrow);
  }
  for (unsigned i = 0; i < mem.slices.size(); ++i) {
    const std::string n = "slice" + std::to_string(i) + ".";
    add(n + "crossbar_queue", [&mem, i] { return mem.crossbar.waiting_for(i); });
    add(n + "dirty_lines", [&mem, i] { return std::size_t{mem.slices[i]->dirty_lines()}; });
    listen(mem.slices[i]->requests.arrow);
  }
  for (unsigned i = 0; i < mem.controllers.size(); ++i) {
    const std::string n = "controller" + std::to_string(i) + ".";
    add(n + "write_backlog", [&mem, i] { return std::size_t{mem.controllers[i]->write_backlog()}; });
    add(n + "read_backlog", [&mem, i] { return std::size_t{mem.controllers[i]->read_backlog()}; });
    for (const auto* doors : {&mem.controllers[i]->reads, &mem.controllers[i]->writes})
      for (const auto& door : *doors) listen(door->arrow);
  }
  for (const auto& channel : mem.channels) listen(channel->commands.arrow);

  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&changed_);
  sc_core::sc_spawn([this] { update(); }, "update", &options);
}

VcdWriter::~VcdWriter() {
  if (trace_ != nullptr) sc_core::sc_close_vcd_trace_file(trace_);
}

void VcdWriter::add(const std::string& name, std::function<std::size_t()> read) {
  constexpr int kWidth = 32;
  values_.push_back(std::make_unique<Value>(Value{0, std::move(read)}));
  sc_core::sc_trace(trace_, values_.back()->value, name, kWidth);
}

void VcdWriter::listen(ArrowPort& arrow) {
  ears_.push_back(std::make_unique<Ear>(changed_));
  arrow.bind(*ears_.back());
}

void VcdWriter::update() {
  if (!window_.contains(now())) return;
  for (const auto& v : values_) v->value = static_cast<std::uint32_t>(v->read());
}

void VcdWriter::finish() {
  sc_core::sc_close_vcd_trace_file(std::exchange(trace_, nullptr));
  name_.keep();
}

}  // namespace gputlm
