// SPDX-License-Identifier: Apache-2.0
#include "gputlm/litmus/litmus_workload.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "gputlm/workload/built_pattern.h"
#include "gputlm/workload/instructions.h"
#include "gputlm/workload/partial_source.h"

namespace gputlm {
namespace {

std::vector<ExpectedRange> left_to_the_scoreboard(const KernelSetup& setup) {
  return {unknown_buffer(setup.buffer(kLitmusMemory), "threads of a litmus test race for it")};
}

/// A kernel whose warps' programs are made by a function.
template <class Make>
class LitmusKernel final : public Kernel {
 public:
  LitmusKernel(const KernelSetup& setup, Make make)
      : Kernel(setup.shape), make_(std::move(make)), left_(left_to_the_scoreboard(setup)) {}
  std::unique_ptr<WarpProgram> make_program(std::uint32_t, unsigned warp) override { return make_(warp); }
  std::vector<ExpectedRange> final_state() const override { return left_; }

 private:
  Make make_;
  std::vector<ExpectedRange> left_;
};

/// One lane that stores or loads words one after the other, waiting for none.
class WordStream final : public WarpProgram {
 public:
  struct Word {
    std::uint64_t address;
    std::uint32_t value;
    bool store;
  };
  WordStream(std::vector<Word> words, std::uint64_t start_cycles)
      : words_(std::move(words)), start_cycles_(start_cycles) {}

  WarpInstruction fetch() override {
    if (start_cycles_ != 0) return compute_instruction(static_cast<double>(std::exchange(start_cycles_, 0)), 0);
    if (next_ == words_.size()) return exit_instruction();
    const AccessOrder weak{};
    return words_[next_++].store ? store_instruction(weak) : load_instruction(weak, 0, 0);
  }
  void operands(WarpLanes& lanes, unsigned char* data) override {
    fill_lanes(lanes, words_[next_ - 1].address, 1, 4, 0);
    std::memcpy(data, &words_[next_ - 1].value, 4);
  }
  void returned(const Payload&) override {}

 private:
  std::vector<Word> words_;
  std::uint64_t start_cycles_;  ///< Still to be waited for.
  std::size_t next_ = 0;
};

/// The threads of one CTA.
class CtaPattern final : public BuiltPattern {
 public:
  CtaPattern(LitmusContext& context, LitmusRun& run, std::vector<unsigned> threads)
      : BuiltPattern(kLitmusMemory), context_(context), run_(run), threads_(std::move(threads)) {}
  std::unique_ptr<Kernel> make(const KernelSetup& setup, PatternProblems&) const override {
    context_.memory = setup.buffer(kLitmusMemory).virtual_address;
    context_.aliases = setup.buffer(kLitmusAliases).virtual_address;
    context_.scoreboards = setup.scoreboards;
    auto make = [&context = context_, &run = run_, threads = threads_](unsigned warp) {
      return std::make_unique<ThreadProgram>(context, run, threads[warp]);
    };
    return std::make_unique<LitmusKernel<decltype(make)>>(setup, make);
  }

 private:
  LitmusContext& context_;
  LitmusRun& run_;
  std::vector<unsigned> threads_;
};

/// Words stored (or stored and loaded in turn) by one warp per CTA.
class WordsPattern final : public BuiltPattern {
 public:
  using Words = std::vector<WordStream::Word>;
  explicit WordsPattern(Words words, std::uint64_t start_cycles = 0)
      : BuiltPattern(kLitmusMemory), words_(std::move(words)), start_cycles_(start_cycles) {}
  std::unique_ptr<Kernel> make(const KernelSetup& setup, PatternProblems&) const override {
    Words words = words_;
    for (WordStream::Word& w : words) w.address += setup.buffer(kLitmusMemory).virtual_address;
    auto make = [words, start = start_cycles_](unsigned) { return std::make_unique<WordStream>(words, start); };
    return std::make_unique<LitmusKernel<decltype(make)>>(setup, make);
  }

 private:
  Words words_;
  std::uint64_t start_cycles_;
};

WordsPattern::Words initial_values(const LitmusTest& test, const std::vector<LitmusRun>& runs) {
  WordsPattern::Words words;
  for (const LitmusRun& run : runs)
    for (std::size_t i = 0; i < test.locations.size(); ++i)
      if (test.locations[i].initial != 0) words.push_back({run.plan.offsets[i], test.locations[i].initial, true});
  return words;
}

WordsPattern::Words noise_words(const NoisePlan& plan) {
  WordsPattern::Words words;
  for (const std::uint64_t offset : plan.offsets)
    words.push_back({offset, static_cast<std::uint32_t>(offset), words.size() % 3 == 2});
  return words;
}

/// Collects kernels and numbers them.
class Phases {
 public:
  explicit Phases(Experiment& experiment) : experiment_(experiment) {}
  void begin(std::string name) { experiment_.phases.push_back({std::move(name), {}}); }
  void kernel(std::string name, std::size_t warps, unsigned sm, std::shared_ptr<Pattern> pattern) {
    KernelSpec k;
    k.shape = {std::move(name), number_, static_cast<std::uint32_t>(1), static_cast<unsigned>(warps * kLanes), {}};
    k.sms = {one_sm(sm)};
    k.seed = number_++;
    k.pattern = std::move(pattern);
    experiment_.phases.back().kernels.push_back(std::move(k));
  }

 private:
  Experiment& experiment_;
  std::uint32_t number_ = 0;
};

BufferSpec buffer(const char* name, std::uint64_t bytes) {
  BufferSpec spec;
  spec.name = name;
  spec.size = bytes;
  return spec;
}

}  // namespace

std::uint64_t litmus_memory_bytes(std::uint64_t memory_bytes, std::uint64_t page_bytes) {
  constexpr std::uint64_t kMost = std::uint64_t{64} << 20;
  return std::max(page_bytes, std::min(kMost, memory_bytes / 8) / page_bytes * page_bytes);
}

Experiment make_litmus_experiment(LitmusContext& context, std::vector<LitmusRun>& runs, std::uint64_t memory_bytes) {
  const LitmusTest& test = *context.test;
  Experiment e;
  e.name = test.name;
  e.sample_interval = Fs{1000000} * kFsPerNs;
  e.buffers.push_back(buffer(kLitmusMemory, memory_bytes));
  e.buffers.push_back(buffer(kLitmusAliases, memory_bytes));
  e.buffers.back().alias_of = kLitmusMemory;
  Phases phases(e);
  if (auto words = initial_values(test, runs); !words.empty()) {
    phases.begin("initial values");
    phases.kernel("initial values", 1, 0, std::make_shared<WordsPattern>(std::move(words)));
  }
  for (std::size_t r = 0; r < runs.size(); ++r) {
    LitmusRun& run = runs[r];
    phases.begin("run " + std::to_string(r));
    for (std::size_t c = 0; c < test.ctas.size(); ++c)
      phases.kernel("CTA " + std::to_string(c), test.ctas[c].size(), run.plan.sms[c],
                    std::make_shared<CtaPattern>(context, run, test.ctas[c]));
    for (const NoisePlan& noise : run.plan.noise)
      phases.kernel("noise", 1, noise.sm, std::make_shared<WordsPattern>(noise_words(noise), noise.start_cycles));
  }
  return e;
}

}  // namespace gputlm
