// SPDX-License-Identifier: Apache-2.0
//
// Steps written out: every warp of the kernel does them in order. All stores of a place carry the same data, a function
// of address and seed, so what memory holds at the end is known, and a poll knows what it waits for; kernels that are
// to meet over memory are given the same `seed:`.
#include <algorithm>
#include <utility>

#include "gputlm/config/quantity.h"
#include "gputlm/workload/load_check.h"
#include "gputlm/workload/parameters.h"
#include "gputlm/workload/partial_source.h"
#include "gputlm/workload/pattern_data.h"
#include "gputlm/workload/patterns/patterns.h"

namespace gputlm {

namespace {

using Kind = ScriptStep::Kind;

bool any_step(const std::vector<ScriptStep>& steps, bool (*wanted)(const ScriptStep&)) {
  return std::any_of(steps.begin(), steps.end(), wanted);
}
bool is_store(const ScriptStep& s) {
  return s.kind == Kind::store;
}
bool is_atomic(const ScriptStep& s) {
  return s.modifies();
}

/// Rounds of a step that go to places of their own.
std::uint64_t distinct_times(const ScriptStep& s) {
  return s.every == 0 ? 1 : s.count;
}

/// Byte ranges [first, second), ascending and disjoint.
class Ranges {
 public:
  /// The bytes that the steps store, from `base` on.
  Ranges(const std::vector<ScriptStep>& steps, std::uint64_t base) {
    for (const ScriptStep& s : steps) {
      if (!is_store(s)) continue;
      const bool dense = s.stride == s.lane_bytes;
      for (std::uint64_t time = 0; time < distinct_times(s); ++time)
        for (unsigned lane = 0; lane < (dense ? 1 : s.lanes); ++lane) {
          const std::uint64_t begin = base + s.place(time, lane);
          all_.emplace_back(begin, begin + std::uint64_t{s.lane_bytes} * (dense ? s.lanes : 1));
        }
    }
    std::sort(all_.begin(), all_.end());
    merge();
  }

  bool operator()(std::uint64_t address) const {
    const auto after = std::upper_bound(all_.begin(), all_.end(), std::pair{address, ~std::uint64_t{0}});
    return after != all_.begin() && address < (after - 1)->second;
  }

 private:
  void merge() {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> merged;
    for (const auto& range : all_) {
      if (!merged.empty() && range.first <= merged.back().second)
        merged.back().second = std::max(merged.back().second, range.second);
      else
        merged.push_back(range);
    }
    all_ = std::move(merged);
  }

  std::vector<std::pair<std::uint64_t, std::uint64_t>> all_;
};

class Script final : public Kernel {
 public:
  Script(const KernelSetup& setup, const Buffer& buffer, std::vector<ScriptStep> steps)
      : Kernel(setup.shape),
        buffer_(buffer),
        seed_(setup.seed),
        steps_(std::move(steps)),
        before_(setup.before),
        check_(buffer, setup.before, checks),
        judged_(!any_step(steps_, is_atomic)) {}

  std::unique_ptr<WarpProgram> make_program(std::uint32_t, unsigned) override {
    return std::make_unique<Program>(*this);
  }

  std::vector<ExpectedRange> final_state() const override {
    if (!judged_) return {unknown_buffer(buffer_, shape().name + ": atomics of a script")};
    if (!any_step(steps_, is_store)) return {};
    return {partly_written_buffer(buffer_, before_, std::make_shared<PatternSource>(seed_),
                                  Ranges(steps_, buffer_.virtual_address))};
  }

 private:
  class Program final : public WarpProgram {
   public:
    explicit Program(Script& kernel) : kernel_(kernel) {}

    WarpInstruction fetch() override {
      if (polling_ && !arrived_) {
        // The data decide what comes next: they must be back before the next fetch.
        tested_ = !tested_;
        return tested_ ? compute_instruction(1, scoreboard_bit(kAwaited)) : instruction(step());
      }
      polling_ = false;
      while (next_ < kernel_.steps_.size() && time_ == kernel_.steps_[next_].count) ++next_, time_ = 0;
      if (next_ == kernel_.steps_.size()) return exit_instruction();
      const ScriptStep& s = step();
      const WarpInstruction i = instruction(s);
      place_ = time_++;
      if (s.kind == Kind::wait) {
        wait_ = kAll;
        return fetch();
      }
      return i;
    }

    void operands(WarpLanes& lanes, unsigned char* data) override {
      const ScriptStep& s = step();
      fill_lanes(lanes, kernel_.buffer_.virtual_address + s.place(place_, 0), s.lanes, s.lane_bytes, s.stride);
      KernelCounters& count = kernel_.counters;
      const std::uint64_t bytes = std::uint64_t{s.lanes} * s.lane_bytes;
      if (s.loads()) {
        ++count.loads;
        count.bytes_loaded += bytes;
        return;
      }
      for (unsigned i = 0; i < s.lanes; ++i)
        fill_pattern(lanes.at(i), s.lane_bytes, kernel_.seed_, data + std::size_t{i} * s.lane_bytes);
      ++(s.modifies() ? count.atomics : count.stores);
      (s.modifies() ? count.bytes_atomic : count.bytes_stored) += bytes;
    }

    void returned(const Payload& access) override {
      if (kernel_.judged_) kernel_.check_.lanes_or_pattern(access, kernel_.seed_);
      if (!polling_) return;
      const WarpLanes& l = lanes_of(access);
      unsigned char wanted[kMaxLaneBytes];
      fill_pattern(l.at(0), l.lane_bytes, kernel_.seed_, wanted);
      arrived_ = std::equal(wanted, wanted + l.lane_bytes, access.get_data_ptr());
    }

   private:
    static constexpr unsigned kAwaited = 0, kOthers = 1;
    static constexpr std::uint8_t kAll = scoreboard_bit(kAwaited) | scoreboard_bit(kOthers);

    const ScriptStep& step() const { return kernel_.steps_[next_]; }

    /// The step's instruction; what it must wait for is used up.
    WarpInstruction instruction(const ScriptStep& s) {
      const std::uint8_t wait = std::exchange(wait_, std::uint8_t{0});
      switch (s.kind) {
        case Kind::load:
        case Kind::poll:
        case Kind::atomic:
          return with_result(s, wait);
        case Kind::store:
          return store_instruction(s.order, wait);
        case Kind::reduction: {
          WarpInstruction i = store_instruction(s.order, wait);
          i.operation = Operation::reduction;
          i.function = s.function;
          return i;
        }
        case Kind::fence: {
          WarpInstruction i = fence_instruction(s.order);
          i.wait_scoreboards = wait;
          ++kernel_.counters.fences;
          return i;
        }
        case Kind::barrier: {
          WarpInstruction i = compute_instruction(1, wait);
          i.kind = WarpInstruction::Kind::cta_barrier;
          return i;
        }
        case Kind::delay:
        case Kind::wait:
          break;
      }
      return compute_instruction(s.cycles, wait);
    }

    WarpInstruction with_result(const ScriptStep& s, std::uint8_t wait) {
      const bool awaited = s.wait || s.kind == Kind::poll;
      WarpInstruction i = load_instruction(s.order, awaited ? kAwaited : kOthers, wait);
      if (s.kind == Kind::atomic) i.operation = Operation::atomic;
      i.function = s.function;
      wait_ = awaited ? scoreboard_bit(kAwaited) : std::uint8_t{0};
      polling_ = s.kind == Kind::poll;
      arrived_ = tested_ = false;
      return i;
    }

    Script& kernel_;
    std::size_t next_ = 0;                // step that the last instruction belongs to
    std::uint64_t time_ = 0, place_ = 0;  // of the step: done so far; the last instruction's
    std::uint8_t wait_ = 0;               // scoreboards that the next instruction waits for
    bool polling_ = false, arrived_ = false, tested_ = false;
  };

  Buffer buffer_;
  std::uint64_t seed_;
  std::vector<ScriptStep> steps_;
  std::shared_ptr<const ExpectedMemory> before_;
  LoadCheck check_;
  bool judged_;  ///< What loads return and what is left behind is known; not with atomics.
};

class ScriptPattern final : public Pattern {
 public:
  void parameters(ParameterVisitor& v) override {
    v.buffer("buffer", buffer_, "what the steps' places count from");
    v.steps("steps", steps_,
            "what to do, each a map: load, store, atomic, reduction or poll: PLACE, with lanes, lane_bytes, stride, "
            "semantics, scope, eviction, function, wait (default true: the data are back before the next step); fence: "
            "SCOPE, "
            "with semantics sc or acq_rel; delay: CYCLES; wait: loads; barrier: cta. count: times in a row, every: "
            "bytes from one to the next. A poll loads until it sees what a store of the same seed puts there");
  }

  void check(const PatternContext& context, PatternProblems& problems) const override {
    std::uint64_t stored = 0;
    for (const ScriptStep& s : steps_)
      if (is_store(s)) stored += distinct_times(s) * s.lanes;
    check_ahead("steps", stored, problems);
    for (const ScriptStep& s : steps_) {
      if (!s.accesses()) continue;
      check_within(context, buffer_, "steps", s.offset, s.extent(), problems);
      if (s.offset % s.lane_bytes != 0 || s.every % s.lane_bytes != 0 || s.stride % s.lane_bytes != 0)
        problems.add("steps", "a lane's place is not aligned", format_hex(s.offset),
                     "place, stride and every multiples of " + format_bytes(s.lane_bytes));
      if (s.lanes > context.shape.block)
        problems.add("steps", "a step has more lanes than a warp", format_count(s.lanes),
                     "at most " + format_count(context.shape.block));
    }
  }

  std::vector<std::string> written() const override {
    const bool writes = any_step(steps_, is_store) || any_step(steps_, is_atomic);
    return writes ? std::vector<std::string>{buffer_} : std::vector<std::string>{};
  }

  std::unique_ptr<Kernel> make(const KernelSetup& setup, PatternProblems&) const override {
    return std::make_unique<Script>(setup, setup.buffer(buffer_), steps_);
  }

 private:
  std::string buffer_;
  std::vector<ScriptStep> steps_;
};

}  // namespace

std::unique_ptr<Pattern> make_script() {
  return std::make_unique<ScriptPattern>();
}

}  // namespace gputlm
