// SPDX-License-Identifier: Apache-2.0
#include "gputlm/probe/recorder.h"

#include <algorithm>
#include <cstring>

namespace gputlm {

class Recorder::Listener : public tlm::tlm_analysis_if<ArrowEvent> {
 public:
  explicit Listener(Recorder& recorder) : recorder_(recorder) {}

  void write(const ArrowEvent& e) override {
    if (e.phase == ArrowEvent::Phase::begin_req)
      issue(*e.payload, e.time);
    else if (e.phase == ArrowEvent::Phase::begin_resp)
      answer(*e.payload, e.time);
  }

 private:
  void issue(const Payload& p, Fs time) {
    const Sideband& s = *find_sideband(p);
    const Origin& o = s.origin;
    recorder_.open_[&p] = recorder_.accesses_.size();
    recorder_.accesses_.push_back(
        {o.kernel, o.cta, o.sm, o.warp, o.instruction, s.operation, p.get_address(), time, kNever, 0});
  }
  void answer(const Payload& p, Fs time) {
    const auto open = recorder_.open_.find(&p);
    if (open == recorder_.open_.end()) return;
    AccessTimes& access = recorder_.accesses_[open->second];
    access.answered = time;
    if (access.operation == Operation::load || access.operation == Operation::atomic)
      std::memcpy(&access.loaded, p.get_data_ptr(), std::min<std::size_t>(sizeof access.loaded, p.get_data_length()));
    recorder_.open_.erase(open);
  }

  Recorder& recorder_;
};

Recorder::Recorder(Simulation& simulation) : listener_(std::make_unique<Listener>(*this)) {
  for (const auto& sm : simulation.gpu.sms)
    for (const auto& access : sm->lsu.accesses) access->arrow.bind(*listener_);
}

Recorder::~Recorder() = default;

}  // namespace gputlm
