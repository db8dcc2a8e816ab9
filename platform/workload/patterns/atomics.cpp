// SPDX-License-Identifier: Apache-2.0
//
// Read-modify-writes at L2: each thread on a word of its own, all on the words of one line, or all on one word.
#include <array>
#include <cstring>

#include "gputlm/config/quantity.h"
#include "gputlm/workload/atomic_reference.h"
#include "gputlm/workload/load_check.h"
#include "gputlm/workload/parameters.h"
#include "gputlm/workload/partial_source.h"
#include "gputlm/workload/pattern_data.h"
#include "gputlm/workload/patterns/patterns.h"

namespace gputlm {

namespace {

/// Limit at which `inc` and `dec` wrap, the same for all operations, which then commute.
constexpr std::uint64_t kWrapLimit = 0xffff;

/// What every thread does, as a function of its number alone.
struct Job {
  AtomicFunction function = AtomicFunction::add;
  unsigned word_bytes = 4;
  std::uint64_t words = 0;  ///< Thread t works on word t modulo this.
  std::uint64_t threads = 0;
  std::uint64_t count = 1;  ///< Operations per thread.
  std::uint64_t seed = 0;
  bool reduction = false;
  bool distinct = true;  ///< No two threads share a word.
  std::uint64_t offset = 0;
  AccessOrder order;

  std::uint64_t word_of(std::uint64_t thread) const { return thread < words ? thread : thread % words; }
  std::uint64_t offset_of(std::uint64_t thread) const { return offset + word_of(thread) * word_bytes; }

  std::uint64_t operand(std::uint64_t thread, std::uint64_t n) const {
    const std::uint64_t bits = mix64(thread * count + n, seed);
    if (function == AtomicFunction::increment || function == AtomicFunction::decrement) return kWrapLimit;
    if (function == AtomicFunction::float_add) {
      const auto small = static_cast<float>(1 + (bits & 7U));  // integers: sums are exact in any order
      std::uint32_t word = 0;
      std::memcpy(&word, &small, 4);
      return word;
    }
    return word_bytes == 8 ? bits : bits & 0xffffffffULL;
  }

  /// Compare-and-swap: the word's value, except that every third operation is made to fail.
  std::uint64_t compare(std::uint64_t value, std::uint64_t n) const { return n % 3 == 2 ? value ^ 1U : value; }

  std::uint64_t result(std::uint64_t old, std::uint64_t thread, std::uint64_t n, std::uint64_t believed) const {
    return atomic_result(function, word_bytes, old, operand(thread, n), compare(believed, n));
  }

  /// The operations of several threads on one word commute.
  bool commutes() const { return function != AtomicFunction::exchange && function != AtomicFunction::compare_and_swap; }
};

/// The words before the first operation.
struct InitialWords {
  Job job;
  Buffer buffer;
  std::shared_ptr<const ExpectedMemory> before;

  bool known() const { return before->determinate(buffer.physical_address, buffer.size); }
  std::uint64_t at(std::uint64_t word) const {
    std::uint64_t value = 0;
    before->bytes(buffer.physical_address + job.offset + word * job.word_bytes, job.word_bytes,
                  reinterpret_cast<unsigned char*>(&value));
    return value;
  }
};

/// The words after all operations, over what the buffer held before.
class AtomicSource final : public ByteSource {
 public:
  explicit AtomicSource(const InitialWords& initial)
      : initial_(initial), job_(initial.job), words_(std::min(job_.words, job_.threads)) {
    if (job_.distinct) return;
    for (std::uint64_t w = 0; w < words_; ++w) shared_.push_back(work(w));
  }

  void bytes(std::uint64_t address, std::size_t length, unsigned char* out) const override {
    initial_.before->bytes(initial_.buffer.physical(address), length, out);
    const std::uint64_t first = initial_.buffer.virtual_address + job_.offset;
    for (std::size_t i = 0; i < length;) {
      const std::uint64_t at = address + i;
      const unsigned lead = at % job_.word_bytes;
      const std::size_t part = std::min<std::size_t>(job_.word_bytes - lead, length - i);
      if (at >= first && at < first + words_ * job_.word_bytes) {
        const std::uint64_t word = (at - first) / job_.word_bytes;
        const std::uint64_t value = job_.distinct ? work(word) : shared_[word];
        std::memcpy(out + i, reinterpret_cast<const unsigned char*>(&value) + lead, part);
      }
      i += part;
    }
  }

 private:
  /// One word after all operations of all its threads.
  std::uint64_t work(std::uint64_t word) const {
    std::uint64_t value = initial_.at(word);
    for (std::uint64_t t = word; t < job_.threads; t += job_.words)
      for (std::uint64_t n = 0; n < job_.count; ++n) value = job_.result(value, t, n, value);
    return value;
  }

  InitialWords initial_;
  Job job_;
  std::uint64_t words_;
  std::vector<std::uint64_t> shared_;  ///< Words of several threads, worked out once.
};

class Atomics final : public Kernel {
 public:
  Atomics(const KernelSetup& setup, const Buffer& buffer, const Job& job)
      : Kernel(setup.shape),
        job_(job),
        buffer_(buffer),
        initial_{job, buffer, setup.before},
        known_(initial_.known()) {}

  std::unique_ptr<WarpProgram> make_program(std::uint32_t cta, unsigned warp) override {
    return std::make_unique<Program>(*this, std::uint64_t{cta} * shape().block + warp * kLanes, shape().lanes_of(warp));
  }

  std::vector<ExpectedRange> final_state() const override {
    if (!known_) return {unknown_buffer(buffer_, initial_.before->reason(buffer_.physical_address, buffer_.size))};
    if (!job_.distinct && !job_.commutes())
      return {
          unknown_buffer(buffer_, shape().name + ": the order of " + name_of(job_.function) + " on one word is open")};
    if (job_.function == AtomicFunction::float_add && !job_.distinct && !exact())
      return {unknown_buffer(buffer_, shape().name + ": sums of floats that round depend on their order")};
    return {expected_buffer(buffer_, std::make_shared<AtomicSource>(initial_))};
  }

 private:
  /// The words hold whole numbers so small that no sum of the job's operands rounds.
  bool exact() const {
    constexpr float kExact = 16777216.0F;
    const float added = 8.0F * static_cast<float>(job_.threads) * static_cast<float>(job_.count);
    for (std::uint64_t w = 0; w < job_.words; ++w) {
      const auto bits = static_cast<std::uint32_t>(initial_.at(w));
      float value = 0;
      std::memcpy(&value, &bits, 4);
      if (!(value >= 0 && value + added < kExact && value == static_cast<float>(static_cast<std::uint32_t>(value))))
        return false;
    }
    return true;
  }

  class Program final : public WarpProgram {
   public:
    Program(Atomics& kernel, std::uint64_t thread, unsigned lanes) : kernel_(kernel), thread_(thread), lanes_(lanes) {
      if (!kernel.follows()) return;
      for (unsigned i = 0; i < lanes; ++i) value_[i] = kernel.initial_.at(kernel.job_.word_of(thread + i));
    }

    WarpInstruction fetch() override {
      if (done_ == kernel_.job_.count) return exit_instruction();
      ++done_;
      WarpInstruction i = store_instruction(kernel_.job_.order);
      i.function = kernel_.job_.function;
      i.operation = kernel_.job_.reduction ? Operation::reduction : Operation::atomic;
      if (kernel_.job_.reduction) return i;
      i.set_scoreboard = 0;
      i.wait_scoreboards = scoreboard_bit(0);
      return i;
    }

    void operands(WarpLanes& lanes, unsigned char* data) override {
      const Job& job = kernel_.job_;
      lanes.active = lane_mask(lanes_);
      lanes.lane_bytes = static_cast<std::uint8_t>(job.word_bytes);
      const std::uint64_t n = done_ - 1;
      if (kernel_.follows()) old_ = value_;
      for (unsigned i = 0; i < lanes_; ++i) {
        lanes.address[i] = kernel_.buffer_.virtual_address + job.offset_of(thread_ + i);
        const std::uint64_t operand = job.operand(thread_ + i, n), compare = job.compare(value_[i], n);
        std::memcpy(data + i * job.word_bytes, &operand, job.word_bytes);
        if (job.function == AtomicFunction::compare_and_swap)
          std::memcpy(data + (kLanes + i) * job.word_bytes, &compare, job.word_bytes);
        if (kernel_.follows()) value_[i] = job.result(value_[i], thread_ + i, n, value_[i]);
      }
      ++kernel_.counters.atomics;
      kernel_.counters.bytes_atomic += std::uint64_t{lanes_} * job.word_bytes;
    }

    void returned(const Payload& access) override {
      if (!kernel_.follows()) return;
      const unsigned width = kernel_.job_.word_bytes;
      for (unsigned i = 0; i < lanes_; ++i)
        kernel_.checks.compare(lanes_of(access).address[i], reinterpret_cast<const unsigned char*>(&old_[i]),
                               access.get_data_ptr() + i * width, width, origin_of(access));
    }

   private:
    Atomics& kernel_;
    std::uint64_t thread_, done_ = 0;
    unsigned lanes_;
    std::array<std::uint64_t, kLanes> value_{}, old_{};  ///< Each lane's word after and before its last operation.
  };

  /// A thread knows what its word holds, and has a use for it.
  bool follows() const { return known_ && job_.distinct && !job_.reduction; }

  Job job_;
  Buffer buffer_;
  InitialWords initial_;
  bool known_;
};

class AtomicsPattern final : public Pattern {
 public:
  void parameters(ParameterVisitor& v) override {
    v.buffer("buffer", buffer_, "where the words lie");
    v.bytes("offset", offset_, 0, std::uint64_t{1} << 40, "of the first word from the buffer's start");
    v.choice("operation", operation_, {"atomic", "reduction"}, "atomic returns the old value, reduction does not");
    v.choice("function", function_, function_names(), "what is done to the word");
    v.count("word_bytes", word_bytes_, 4, 8, "4 or 8; 4 for add.f, inc and dec");
    v.choice("target", target_, {"distinct", "same_line", "same_word"}, "how the threads share words");
    v.count("count", count_, 1, kMaxRounds, "operations per thread");
    v.choice("scope", scope_, kScopeNames, "scope of the (relaxed) operation");
    hint_.visit(v);
  }

  void check(const PatternContext& context, PatternProblems& problems) const override {
    const bool only_four = function_ == "add.f" || function_ == "inc" || function_ == "dec";
    if ((word_bytes_ != 4 && word_bytes_ != 8) || (only_four && word_bytes_ != 4))
      problems.add("word_bytes", "is no width of " + function_, format_count(word_bytes_), only_four ? "4" : "4 or 8");
    const std::uint64_t alignment = target_ == "same_line" ? kLineBytes : word_bytes_;
    if (offset_ % alignment != 0)
      problems.add("offset", "is not aligned", format_bytes(offset_), "a multiple of " + format_bytes(alignment));
    if (operation_ == "reduction" && (function_ == "exch" || function_ == "cas"))
      problems.add("function", "exists as an atomic only", function_, "operation: atomic");
    check_work(context.shape.threads(), "count", count_, problems);
    check_within(context, buffer_, "offset", offset_,
                 target_ == "distinct" ? context.shape.threads() * word_bytes_ : words(context.shape) * word_bytes_,
                 problems);
  }

  std::vector<std::string> written() const override { return {buffer_}; }

  std::unique_ptr<Kernel> make(const KernelSetup& setup, PatternProblems&) const override {
    Job job;
    job.function = function_named(function_);
    job.word_bytes = static_cast<unsigned>(word_bytes_);
    job.words = words(setup.shape);
    job.threads = setup.shape.threads();
    job.count = count_;
    job.seed = setup.seed;
    job.reduction = operation_ == "reduction";
    job.distinct = target_ == "distinct" || job.threads <= job.words;
    job.offset = offset_;
    job.order = hint_.order({Semantics::relaxed, scope_named(scope_)});
    return std::make_unique<Atomics>(setup, setup.buffer(buffer_), job);
  }

 private:
  static std::vector<std::string> function_names() {
    std::vector<std::string> names;
    for (unsigned i = 0; i <= static_cast<unsigned>(AtomicFunction::decrement); ++i)
      names.emplace_back(name_of(static_cast<AtomicFunction>(i)));
    return names;
  }

  std::uint64_t words(const KernelShape& shape) const {
    if (target_ == "same_word") return 1;
    return target_ == "same_line" ? kLineBytes / word_bytes_ : shape.threads();
  }

  std::string buffer_, operation_ = "reduction", function_ = "add", target_ = "distinct", scope_ = "gpu";
  std::uint64_t offset_ = 0, word_bytes_ = 4, count_ = 1;
  HintParameter hint_;
};

}  // namespace

std::unique_ptr<Pattern> make_atomics() {
  return std::make_unique<AtomicsPattern>();
}

}  // namespace gputlm
