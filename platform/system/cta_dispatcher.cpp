// SPDX-License-Identifier: Apache-2.0
#include "gputlm/system/cta_dispatcher.h"

#include <algorithm>

#include <fmt/format.h>

namespace gputlm {

std::string Fault::text() const {
  if (origin.warp == Origin{}.warp)
    return fmt::format("fault: SM {} wrote line {:#x} back to L2: {} (at {:.3f} ns)", origin.sm, address,
                       status == tlm::TLM_ADDRESS_ERROR_RESPONSE ? "not mapped" : "refused", to_ns(time));
  return fmt::format("fault: SM {} warp {} instruction {} address {:#x}: {} (kernel {}, CTA {}, at {:.3f} ns)",
                     origin.sm, origin.warp, origin.instruction, address,
                     status == tlm::TLM_ADDRESS_ERROR_RESPONSE ? "not mapped" : "refused", kernel, origin.cta,
                     to_ns(time));
}

CtaDispatcher::CtaDispatcher(const sc_core::sc_module_name& name, Gpu& gpu)
    : sc_module(name), gpu_(gpu), wakeup_("wakeup", [this] { hand_out(); }) {}

void CtaDispatcher::start(std::vector<Phase>& phases) {
  phases_ = &phases;
  current_ = 0;
  ctas_ended_ = 0;
  fault_.reset();
  times_.assign(phases.size(), {});
  kernel_times_.clear();
  for (const Phase& p : phases)
    for (const auto& k : p.kernels)
      kernel_times_.resize(std::max<std::size_t>(kernel_times_.size(), k->shape().number + 1));
  begin_phase();
}

void CtaDispatcher::reset() {
  wakeup_.cancel();
  phases_ = nullptr;
  current_ = turn_ = 0;
  sources_.clear();
  resident_.clear();
  times_.clear();
  kernel_times_.clear();
  fault_.reset();
  ctas_ended_ = 0;
  throttled_ = throttled_peak_ = 0;
  flushing_ = 0;
}

void CtaDispatcher::begin_phase() {
  if (finished()) return;
  sources_.clear();
  for (const auto& kernel : (*phases_)[current_].kernels) sources_.emplace_back(*kernel);
  resident_.assign(sources_.size(), std::vector<unsigned>(gpu_.sms.size()));
  prepare_l1s();
  times_[current_].start = now();
  times_[current_].dram_at_start = gpu_.mem.dram_bytes();
  wakeup_.at(now());
}

void CtaDispatcher::prepare_l1s() const {
  unsigned ways = gpu_.config().l1.ways;
  for (const CtaSource& s : sources_)
    if (const unsigned left = s.kernel().shape().l1_ways; left != 0) ways = std::min(ways, left);
  for (const auto& sm : gpu_.sms) {
    sm->l1.invalidate_all();
    sm->l1.set_ways(ways);
  }
}

bool CtaDispatcher::has_room(unsigned sm, std::size_t source) const {
  const KernelShape& shape = sources_[source].kernel().shape();
  if (shape.ctas_per_sm != 0 && resident_[source][sm] >= shape.ctas_per_sm) return false;
  return gpu_.sms[sm]->scheduler.can_take(shape.warps_per_cta());
}

// One CTA per SM and round, so that the first blocks spread over the chip.
void CtaDispatcher::hand_out() {
  for (bool any = true; any;) {
    any = false;
    for (unsigned sm = 0; sm < gpu_.sms.size(); ++sm) any = hand_out_one(sm) || any;
  }
}

bool CtaDispatcher::hand_out_one(unsigned sm) {
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const std::size_t number = (turn_ + i) % sources_.size();
    CtaSource& source = sources_[number];
    const KernelShape& shape = source.kernel().shape();
    if (source.exhausted() || !source.runs_on(sm) || !has_room(sm, number)) continue;
    ++resident_[number][sm];
    launch_.kernel = shape.number;
    launch_.cta = source.take();
    if (launch_.cta == 0) kernel_times_[shape.number].start = now();
    launch_.warps.clear();
    for (unsigned w = 0; w < shape.warps_per_cta(); ++w)
      launch_.warps.push_back(source.kernel().make_program(launch_.cta, w));
    gpu_.sms[sm]->scheduler.launch(std::move(launch_));
    turn_ = (number + 1) % sources_.size();
    return true;
  }
  return false;
}

void CtaDispatcher::on_cta_retired(unsigned sm, std::uint32_t kernel, std::uint32_t) {
  const auto source = std::find_if(sources_.begin(), sources_.end(),
                                   [&](const CtaSource& s) { return s.kernel().shape().number == kernel; });
  source->retire();
  --resident_[static_cast<std::size_t>(source - sources_.begin())][sm];
  kernel_times_[kernel].last = now();
  ++ctas_ended_;
  if (std::any_of(sources_.begin(), sources_.end(), [](const CtaSource& s) { return !s.exhausted(); }))
    wakeup_.at(now());
  end_phase_if_done();
}

void CtaDispatcher::on_access_done(unsigned, const Payload& access) {
  kernel_times_[find_sideband(access)->origin.kernel].last = now();
  end_phase_if_done();
}

void CtaDispatcher::end_phase_if_done() {
  if (phases_ == nullptr || finished() || times_[current_].end != kNever) return;
  if (!std::all_of(sources_.begin(), sources_.end(), [](const CtaSource& s) { return s.finished(); })) return;
  if (!std::all_of(gpu_.sms.begin(), gpu_.sms.end(), [](const auto& sm) { return sm->scheduler.outstanding() == 0; }))
    return;
  if (!caches_flushed()) return;
  times_[current_].end = now();
  for (const CtaSource& s : sources_) kernel_times_[s.kernel().shape().number].ended = true;
  times_[current_].dram_at_end = gpu_.mem.dram_bytes();
  if (on_phase_end) on_phase_end(current_);
  ++current_;
  begin_phase();
}

// Stores that stayed in an L1 belong to the phase. False: they are on their way, and the question comes again then.
bool CtaDispatcher::caches_flushed() {
  if (flushing_ > 0) return false;
  for (const auto& sm : gpu_.sms) {
    if (sm->l1.clean()) continue;
    ++flushing_;
    sm->l1.flush([this] {
      --flushing_;
      end_phase_if_done();
    });
  }
  if (flushing_ > 0) return false;
  note_failed_writes();
  return true;
}

void CtaDispatcher::note_failed_writes() {
  for (unsigned sm = 0; sm < gpu_.sms.size(); ++sm) {
    const auto failed = gpu_.sms[sm]->l1.take_failed_write();
    if (!failed || fault_) continue;
    Origin origin;
    origin.sm = static_cast<std::uint16_t>(sm);
    fault_ = Fault{origin, failed->line, failed->status, now(), {}};
  }
}

void CtaDispatcher::on_fault(unsigned, const Payload& access, std::uint64_t address, tlm::tlm_response_status status) {
  if (fault_) return;
  const Origin origin = find_sideband(access)->origin;
  fault_ = Fault{origin, address, status, now(), {}};
  for (const CtaSource& s : sources_)
    if (s.kernel().shape().number == origin.kernel) fault_->kernel = s.kernel().shape().name;
}

void CtaDispatcher::on_throttled(unsigned, bool throttled) {
  throttled_ += throttled ? 1U : -1U;
  throttled_peak_ = std::max(throttled_peak_, throttled_);
}

}  // namespace gputlm
