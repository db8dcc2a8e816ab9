// SPDX-License-Identifier: Apache-2.0
//
// TraceRecorder: arrows and sinks. Transactions are in trace_transactions.cpp, what happens to them in
// trace_observers.cpp.
#include "gputlm/trace/trace_recorder.h"

#include <algorithm>
#include <string>
#include <utility>

namespace gputlm {

/// Passes the phases of one arrow on.
class TraceRecorder::Ear : public tlm::tlm_analysis_if<ArrowEvent> {
 public:
  Ear(TraceRecorder& recorder, std::uint32_t track) : recorder_(recorder), track_(track) {}
  void write(const ArrowEvent& e) override { recorder_.on_phase(track_, e); }

 private:
  TraceRecorder& recorder_;
  const std::uint32_t track_;
};

TraceRecorder::TraceRecorder(JudgedGpu& machine, TraceSelection selection)
    : machine_(machine),
      selection_(std::move(selection)),
      sampler_(machine.gpu),
      next_sample_(selection_.window.begin) {
  description_.series = sampler_.series();
  listen_to_sms();
  listen_to_memory();
  machine.l2_observers.add(*this);
  machine.l1_observers.add(*this);
  machine.watch_commands(*this);
}

TraceRecorder::~TraceRecorder() = default;

void TraceRecorder::listen(ArrowPort& arrow, TraceUnit unit, unsigned number, std::string name, unsigned port) {
  const auto track = static_cast<std::uint32_t>(description_.tracks.size());
  description_.tracks.push_back({unit, number, port, std::move(name)});
  request_end_.push_back(0);
  response_end_.push_back(0);
  serving_.push_back(nullptr);
  ears_.push_back(std::make_unique<Ear>(*this, track));
  arrow.bind(*ears_.back());
}

void TraceRecorder::listen_to_sms() {
  Gpu& gpu = machine_.gpu;
  for (unsigned i = 0; i < gpu.sms.size(); ++i) {
    Sm& sm = *gpu.sms[i];
    const std::string n = "SM " + std::to_string(i) + " ";
    for (unsigned port = 0; port < sm.lsu.accesses.size(); ++port)
      listen(sm.lsu.accesses[port]->arrow, TraceUnit::lsu, i, n + "LSU port " + std::to_string(port), port);
    l1_track_.push_back(static_cast<std::uint32_t>(description_.tracks.size()));
    listen(sm.l1.requests.arrow, TraceUnit::l1, i, n + "L1");
    listen(sm.mmu.requests.arrow, TraceUnit::mmu, i, n + "MMU");
  }
}

void TraceRecorder::listen_to_memory() {
  MemorySystem& mem = machine_.gpu.mem;
  const auto sms = static_cast<unsigned>(machine_.gpu.sms.size());
  for (unsigned i = 0; i < mem.crossbar.sm.size(); ++i)
    listen(mem.loose ? mem.loose->in[i]->arrow : mem.crossbar.sm[i]->arrow, TraceUnit::crossbar, i,
           i < sms ? "crossbar port " + std::to_string(i) : "crossbar hub port " + std::to_string(i - sms));
  for (unsigned i = 0; i < mem.slices.size(); ++i) {
    slice_track_.push_back(static_cast<std::uint32_t>(description_.tracks.size()));
    listen(mem.slices[i]->requests.arrow, TraceUnit::l2, i, "L2 slice " + std::to_string(i));
  }
  for (unsigned i = 0; i < mem.controllers.size(); ++i) {
    const std::string n = "controller " + std::to_string(i);
    MemoryController& c = *mem.controllers[i];
    for (std::size_t door = 0; door < c.reads.size(); ++door) {
      listen(c.reads[door]->arrow, TraceUnit::controller, i, n + " reads, port " + std::to_string(door));
      listen(c.writes[door]->arrow, TraceUnit::controller, i, n + " writes, port " + std::to_string(door));
    }
  }
  for (unsigned i = 0; i < mem.channels.size(); ++i) {
    channel_track_.push_back(static_cast<std::uint32_t>(description_.tracks.size()));
    listen(mem.channels[i]->commands.arrow, TraceUnit::dram, i, "DRAM channel " + std::to_string(i));
  }
  if (mem.host) listen(mem.host->barriers.arrow, TraceUnit::host, 0, "host ordering point");
}

void TraceRecorder::add(std::unique_ptr<TraceSink> sink) {
  sink->begin(description_);
  sinks_.push_back(std::move(sink));
}

// A moment at which something happens anyway: the recorder has no process of its own.
void TraceRecorder::sample_if_due() {
  const Fs t = now();
  if (t < next_sample_ || !selection_.window.contains(t)) return;
  next_sample_ = t - t % kSampleInterval + kSampleInterval;
  if (!std::exchange(happened_, true)) return sampler_.start();
  batch_->samples.push_back(sampler_.sample());
  ++batch_size_;
}

void TraceRecorder::flush() {
  const SharedBatch batch = std::exchange(batch_, std::make_shared<TraceBatch>());
  batch_size_ = 0;
  for (const auto& sink : sinks_) sink->take(batch);
}

void TraceRecorder::finish() {
  if (happened_ && sampler_.elapsed() && selection_.window.contains(now()))
    batch_->samples.push_back(sampler_.sample());
  std::vector<Open*> left;
  for (auto& [payload, open] : open_) left.push_back(&open);
  std::sort(left.begin(), left.end(),
            [](const Open* a, const Open* b) { return a->transaction.id < b->transaction.id; });
  for (Open* o : left) keep(*o);
  open_.clear();
  flush();
  for (const auto& sink : sinks_) sink->finish(loss_);
}

}  // namespace gputlm
