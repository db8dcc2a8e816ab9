// SPDX-License-Identifier: Apache-2.0
#include "gputlm/litmus/litmus_runner.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "gputlm/coverage/coverage_collector.h"
#include "gputlm/litmus/litmus_workload.h"
#include "gputlm/litmus/reference_machine.h"
#include "gputlm/litmus/run_trace.h"
#include "gputlm/process/child_process.h"
#include "gputlm/system/simulation.h"

namespace gputlm {
namespace {

using Json = nlohmann::json;

/// One test on the card, in the child.
class TestBench {
 public:
  TestBench(const LitmusTest& test, const LitmusOptions& options, Simulation& simulation, const LineCatalogue& lines)
      : test_(test), options_(options), simulation_(simulation) {
    const Config& config = simulation.gpu.config();
    context_.test = &test;
    context_.cycle_ns = 1e9 / config.warp.clock_hz;
    Planner planner(test, options.seed, {config.sms, config.mmu.page_bytes, context_.cycle_ns}, lines);
    runs_.resize(options.runs);
    for (LitmusRun& run : runs_) {
      run.plan = planner.next();
      for (const LitmusThread& t : test.threads) run.registers.emplace_back(t.registers.size());
    }
  }

  LitmusOutcome run() {
    const Config& config = simulation_.gpu.config();
    const std::uint64_t bytes = litmus_memory_bytes(config.memory_bytes(), config.mmu.page_bytes);
    simulation_.load(make_litmus_experiment(context_, runs_, bytes));
    const Verdict verdict = simulation_.run([](const Progress&) { return true; });
    LitmusOutcome outcome;
    outcome.problems = verdict.problems;
    // The reference machine's stores reach memory in order, which those that a write-back L1 keeps do not.
    if (config.l1.write_policy != "write_back") reference_ = reachable_states(test_, config.sms);
    if (reference_)
      outcome.reachable = std::any_of(reference_->begin(), reference_->end(),
                                      [&](const FinalState& s) { return test_.condition.holds(s); });
    for (std::size_t r = 0; r < runs_.size() && verdict.end == RunEnd::complete; ++r) judge(r, outcome);
    return outcome;
  }

  RunPlan& plan_of(std::size_t index) { return runs_[index].plan; }

  /// Whether run `index` ends in the interesting state; all runs are made.
  bool hits(std::size_t index) {
    run();
    LitmusOutcome one;
    judge(index, one);
    return one.hits > 0;
  }

  /// As run(), but what happens in run `index` is kept and put into words.
  std::string trace(std::size_t index) {
    runs_[index].traced = true;
    const RunTrace listener(simulation_, context_, runs_[index]);
    run();
    return describe_run(context_, options_.seed, index, runs_[index]);
  }

  std::size_t first_hit() const { return first_hit_; }

 private:
  std::uint32_t value_of(const LitmusVariable& v, const LitmusRun& run) {
    if (v.thread >= 0) {
      const auto thread = static_cast<std::size_t>(v.thread);
      const auto& names = test_.threads[thread].registers;
      const auto at = std::find(names.begin(), names.end(), v.name);
      return run.registers[thread][static_cast<std::size_t>(at - names.begin())];
    }
    const auto at = std::find_if(test_.locations.begin(), test_.locations.end(),
                                 [&](const LitmusLocation& l) { return l.name == v.name; });
    const std::uint64_t offset = run.plan.offsets[static_cast<std::size_t>(at - test_.locations.begin())];
    const Buffer& memory = *find_buffer(simulation_.workload.buffers(), kLitmusMemory);
    unsigned char line[kLineBytes];
    simulation_.gpu.mem.debug_read((memory.physical_address + offset) & ~kLineOffsetMask, line);
    std::uint32_t value = 0;
    std::memcpy(&value, line + (offset & kLineOffsetMask), 4);
    return value;
  }

  void judge(std::size_t index, LitmusOutcome& outcome) {
    const LitmusRun& run = runs_[index];
    if (run.unfinished) {
      outcome.problems.push_back(fmt::format("run {}: a thread's loop does not end", index));
      return;
    }
    FinalState values;
    std::string state;
    for (const LitmusVariable& v : test_.condition.variables()) {
      values.push_back(value_of(v, run));
      state += fmt::format("{}{}={}", state.empty() ? "" : " ", v.text(), values.back());
    }
    ++outcome.runs;
    if (++outcome.histogram[state] == 1 && reference_ && reference_->count(values) == 0)
      outcome.problems.push_back(
          fmt::format("run {} ended in {}, which the reference machine never reaches", index, state));
    if (!test_.condition.holds(values)) return;
    if (outcome.hits++ == 0) first_hit_ = index;
  }

  const LitmusTest& test_;
  const LitmusOptions& options_;
  Simulation& simulation_;
  LitmusContext context_;
  std::vector<LitmusRun> runs_;
  std::optional<std::set<FinalState>> reference_;
  std::size_t first_hit_ = 0;
};

Json to_json(const LitmusOutcome& o, std::size_t first_hit) {
  return {{"runs", o.runs},
          {"hits", o.hits},
          {"histogram", o.histogram},
          {"problems", o.problems},
          {"reachable", o.reachable ? Json(*o.reachable) : Json()},
          {"first_hit", first_hit}};
}

LitmusOutcome from_json(const Json& json) {
  LitmusOutcome o;
  o.runs = json.at("runs").get<std::uint64_t>();
  o.hits = json.at("hits").get<std::uint64_t>();
  o.histogram = json.at("histogram").get<std::map<std::string, std::uint64_t>>();
  o.problems = json.at("problems").get<std::vector<std::string>>();
  if (!json.at("reachable").is_null()) o.reachable = json["reachable"].get<bool>();
  if (json.contains("coverage")) o.coverage = Coverage::from_json(json["coverage"], "a litmus run");
  return o;
}

/// The trace of a run that ends where it must not, without what it does not need for that. In children: each trial is a
/// whole test on the card as elaborated.
std::string witness_of(const std::function<TestBench()>& make, std::size_t index) {
  std::vector<PlanPart> out;
  const auto bench = [&] {
    TestBench b = make();
    for (const PlanPart part : out) b.plan_of(index).leave_out(part);
    return b;
  };
  for (unsigned part = 0; part < kPlanParts; ++part) {
    out.push_back(static_cast<PlanPart>(part));
    if (!ChildProcess([&]() -> Json { return bench().hits(index); }).result().get<bool>()) out.pop_back();
  }
  return ChildProcess([&]() -> Json { return bench().trace(index); }).result().get<std::string>();
}

LineCatalogue catalogue_of(const Gpu& gpu) {
  const Config& config = gpu.config();
  const std::uint64_t bytes = litmus_memory_bytes(config.memory_bytes(), config.mmu.page_bytes);
  const unsigned sets = config.l2.sets;
  // Buffers are placed from physical address 0 on.
  return {0, bytes / kLineBytes, sets,
          [&](std::uint64_t at) { return gpu.mem.slice_of(at) * sets + gpu.mem.set_of(at); }};
}

}  // namespace

void run_litmus_tests(const std::vector<LitmusTest>& tests, const Config& config, const LitmusOptions& options,
                      const std::function<void(std::size_t, LitmusOutcome)>& done,
                      const std::function<bool()>& keep_going) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < tests.size(); ++i)
    if (tests[i].skip_reason.empty()) order.push_back(i);
  BuildOptions build;
  build.check_protocol = options.check_protocol;
  build.judge_fences = true;
  Simulation simulation(config, build);
  std::optional<CoverageCollector> collector;
  if (options.coverage) collector.emplace(simulation);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const LineCatalogue lines = catalogue_of(simulation.gpu);
  const auto work = [&](std::size_t n) -> Json {
    TestBench bench(tests[order[n]], options, simulation, lines);
    const LitmusOutcome outcome = bench.run();
    Json result = to_json(outcome, bench.first_hit());
    if (collector) result["coverage"] = collector->collect().to_json();
    return result;
  };
  const auto take = [&](std::size_t n, const Json& json) {
    const LitmusTest& test = tests[order[n]];
    LitmusOutcome outcome = from_json(json);
    if (test.verdict == LitmusVerdict::forbidden && outcome.hits > 0)
      outcome.witness = witness_of([&] { return TestBench(test, options, simulation, lines); },
                                   json.at("first_hit").get<std::size_t>());
    done(order[n], std::move(outcome));
  };
  run_in_children(order.size(), options.jobs, work, take, keep_going);
}

}  // namespace gputlm
