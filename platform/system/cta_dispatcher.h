// SPDX-License-Identifier: Apache-2.0
//
// Hands the CTAs of a workload's kernels to SMs with room: phases one after the other, the kernels of a phase side by
// side, blocks round robin over the SMs and a new one whenever an SM's block retires. A phase ends with its last
// retirement: every CTA has ended, every access is answered, and L2 has what a write-back L1 kept. Every L1 is empty
// before the next phase starts, and has the ways that the shared memory of the phase's kernels leaves.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gputlm/system/gpu.h"
#include "gputlm/workload/workload.h"

namespace gputlm {

/// An access that ended with an error: the run stops there.
struct Fault {
  Origin origin;
  std::uint64_t address = 0;
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
  Fs time = 0;
  std::string kernel;  ///< Its name.

  std::string text() const;
};

/// When a phase ran and what the DRAM had moved by then; kNever for what has not happened.
struct PhaseTimes {
  Fs start = kNever, end = kNever;
  DramBytes dram_at_start, dram_at_end;
};

/// From the first CTA handed out to the last CTA ended or access answered, whichever is later; known when the phase
/// ends.
struct KernelTimes {
  Fs start = kNever, last = kNever;
  bool ended = false;

  Fs end() const { return ended ? last : kNever; }
};

/// Runs the phases of one workload on one GPU. Create during elaboration.
class CtaDispatcher : public sc_core::sc_module, public WarpObserver, public LsuObserver {
 public:
  CtaDispatcher(const sc_core::sc_module_name& name, Gpu& gpu);

  // Give it to every scheduler and LSU as their observer.
  void on_cta_retired(unsigned sm, std::uint32_t kernel, std::uint32_t cta) override;
  void on_access_done(unsigned sm, const Payload& access) override;
  void on_throttled(unsigned sm, bool throttled) override;
  void on_fault(unsigned sm, const Payload& access, std::uint64_t address, tlm::tlm_response_status status) override;

  /// Starts the first phase now; `phases` must outlive the run.
  void start(std::vector<Phase>& phases);

  /// Told the number of a phase when it has ended, before the next one starts.
  std::function<void(std::size_t)> on_phase_end;

  /// Forgets the run in progress; the GPU's units are reset by their owner.
  void reset();

  bool finished() const { return phases_ != nullptr && current_ == phases_->size(); }
  /// Number of the phase that runs, or of phases when finished().
  std::size_t phase() const { return current_; }
  const std::vector<PhaseTimes>& times() const { return times_; }
  const KernelTimes& kernel_times(std::uint32_t kernel) const { return kernel_times_[kernel]; }
  const std::optional<Fault>& fault() const { return fault_; }
  std::uint64_t ctas_ended() const { return ctas_ended_; }
  /// Most SMs that were throttled at once: an access of theirs waited at the LSU's door.
  unsigned throttled_peak() const { return throttled_peak_; }
  unsigned throttled() const { return throttled_; }

 private:
  void begin_phase();
  void hand_out();
  bool hand_out_one(unsigned sm);
  bool has_room(unsigned sm, std::size_t source) const;
  void prepare_l1s() const;
  void end_phase_if_done();
  bool caches_flushed();
  void note_failed_writes();

  Gpu& gpu_;
  Wakeup wakeup_;
  std::vector<Phase>* phases_ = nullptr;
  std::size_t current_ = 0, turn_ = 0;
  std::vector<CtaSource> sources_;
  std::vector<std::vector<unsigned>> resident_;  ///< CTAs of each source on each SM.
  std::vector<PhaseTimes> times_;
  std::vector<KernelTimes> kernel_times_;
  CtaLaunch launch_;  ///< Being put together; the list of programs keeps its memory.
  std::optional<Fault> fault_;
  std::uint64_t ctas_ended_ = 0;
  unsigned throttled_ = 0, throttled_peak_ = 0;
  unsigned flushing_ = 0;  ///< L1s whose stores are on their way to L2.
};

}  // namespace gputlm
