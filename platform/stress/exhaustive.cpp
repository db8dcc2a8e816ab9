// SPDX-License-Identifier: Apache-2.0
#include "gputlm/stress/exhaustive.h"

#include <algorithm>

#include "gputlm/process/child_process.h"
#include "gputlm/stress/stress_runner.h"
#include "gputlm/tlm/byte_mask.h"

namespace gputlm {
namespace {

using Kind = StressInstruction::Kind;

// Programs in one simulation: enough to make a child worth its while.
constexpr std::uint64_t kBatch = 2000;
constexpr std::uint64_t kLines = 2;

StressInstruction access(Kind kind, std::uint64_t line, Semantics semantics, Scope scope, std::uint32_t active) {
  StressInstruction i;
  i.kind = kind;
  i.semantics = semantics;
  i.scope = scope;
  i.active = active;
  i.at = line * kLineBytes;
  i.step = i.lane_bytes;
  return i;
}

StressInstruction fence(Scope scope) {
  StressInstruction i;
  i.kind = Kind::fence;
  i.semantics = Semantics::acq_rel;
  i.scope = scope;
  return i;
}

std::vector<StressInstruction> make_alphabet() {
  constexpr std::uint32_t kAll = 0xffffffff, kOddBytes = 0x00ff0f03;  // part of sectors 0, 1 and 2
  std::vector<StressInstruction> all;
  for (std::uint64_t line = 0; line < kLines; ++line) {
    all.push_back(access(Kind::load, line, Semantics::weak, Scope::cta, kAll));
    all.push_back(access(Kind::load, line, Semantics::relaxed, Scope::gpu, kOddBytes));
    all.push_back(access(Kind::store, line, Semantics::weak, Scope::cta, kOddBytes));
    all.push_back(access(Kind::store, line, Semantics::weak, Scope::cta, kAll));
    all.push_back(access(Kind::reduction, line, Semantics::relaxed, Scope::gpu, 0x1));
  }
  for (const Scope scope : {Scope::cta, Scope::gpu, Scope::sys}) all.push_back(fence(scope));
  return all;
}

/// Threads of at most `length` instructions.
std::uint64_t threads_up_to(unsigned length) {
  std::uint64_t sum = 0, of_length = 1;
  for (unsigned n = 0; n <= length; ++n, of_length *= exhaustive_alphabet().size()) sum += of_length;
  return sum;
}

std::vector<StressInstruction> thread(std::uint64_t index) {
  const std::vector<StressInstruction>& alphabet = exhaustive_alphabet();
  std::vector<StressInstruction> instructions;
  std::uint64_t of_length = 1;
  unsigned length = 0;
  for (; index >= of_length; of_length *= alphabet.size(), ++length) index -= of_length;
  for (; length > 0; --length, index /= alphabet.size()) instructions.push_back(alphabet[index % alphabet.size()]);
  return instructions;
}

/// Programs `begin` to `end` - 1, one after the other on one card.
StressResult run_batch(std::uint64_t begin, std::uint64_t end, unsigned length,
                       const std::vector<std::string>& faults) {
  std::vector<StressCase> cases;
  for (std::uint64_t i = begin; i < end; ++i) cases.push_back(exhaustive_program(i, length));
  cases.front().faults = faults;
  StressResult r = run_stress_cases(cases, exhaustive_overrides(), "tiny");
  if (!r.legal && faults.empty()) r.problem = r.refusal;
  return r;
}

/// From a batch that fails: up to the first program that does, and of those before it as few as it takes.
void isolate(ExhaustiveResult& result, std::uint64_t end, unsigned length, const std::vector<std::string>& faults) {
  const std::uint64_t begin = result.first;
  const auto problem_of = [&](std::uint64_t from, std::uint64_t to) {
    return ChildProcess([&] { return to_json(run_batch(from, to, length, faults)); })
        .result()
        .at("problem")
        .get<std::string>();
  };
  std::uint64_t clean = begin;  // programs before it do no harm
  while (end - clean > 1) {
    const std::uint64_t middle = clean + (end - clean) / 2;
    (problem_of(begin, middle).empty() ? clean : end) = middle;
  }
  result.failed = end - 1;
  for (std::uint64_t n = 1;; n *= 2) {
    result.first = end - std::min(n, end - begin);
    const std::string problem = problem_of(result.first, end);
    if (!problem.empty()) result.problem = problem;
    if (!problem.empty() || result.first == begin) return;
  }
}

}  // namespace

const std::vector<StressInstruction>& exhaustive_alphabet() {
  static const std::vector<StressInstruction> alphabet = make_alphabet();
  return alphabet;
}

std::vector<std::string> exhaustive_overrides() {
  return {"sm.count=2", "l2.slices=1",       "l2.slices_per_controller=1",
          "l2.sets=1",  "l2.ways=2",         "l2.janitor.dirty_threshold=1",
          "l1.ways=1",  "dram.controllers=1"};
}

std::uint64_t exhaustive_programs(unsigned length) {
  const std::uint64_t threads = threads_up_to(length);
  return threads * threads;
}

StressCase exhaustive_program(std::uint64_t index, unsigned length) {
  const std::uint64_t threads = threads_up_to(length);
  StressCase c;
  c.memory = kLines * kLineBytes;
  c.warps = {{0, 0, thread(index % threads)}, {1, 0, thread(index / threads)}};
  return c;
}

ExhaustiveResult run_exhaustively(unsigned length, unsigned jobs, const std::function<bool(std::uint64_t)>& progress,
                                  const std::vector<std::string>& faults) {
  const std::uint64_t programs = exhaustive_programs(length);
  const auto end_of = [&](std::uint64_t batch) { return std::min(programs, (batch + 1) * kBatch); };
  ExhaustiveResult result;
  const auto done = [&](std::size_t batch, const nlohmann::json& json) {
    const StressResult r = stress_result_from(json);
    result.programs += end_of(batch) - batch * kBatch;
    result.transactions += r.transactions;
    if (r.problem.empty() || !result.problem.empty()) return;
    result.problem = r.problem;
    result.first = batch * kBatch;
  };
  run_in_children((programs + kBatch - 1) / kBatch, jobs,
                  [&](std::size_t batch) { return to_json(run_batch(batch * kBatch, end_of(batch), length, faults)); },
                  done, [&] { return result.problem.empty() && progress(result.programs); });
  if (!result.problem.empty()) isolate(result, end_of(result.first / kBatch), length, faults);
  return result;
}

StressCase failing_case(const ExhaustiveResult& result, unsigned length, const std::vector<std::string>& faults) {
  StressCase all = exhaustive_program(result.first, length);
  for (std::uint64_t i = result.first + 1; i <= result.failed; ++i) {
    const StressCase next = exhaustive_program(i, length);
    for (std::size_t w = 0; w < all.warps.size(); ++w)
      all.warps[w].instructions.insert(all.warps[w].instructions.end(), next.warps[w].instructions.begin(),
                                       next.warps[w].instructions.end());
  }
  all.overrides = exhaustive_overrides();
  all.faults = faults;
  return all;
}

}  // namespace gputlm
