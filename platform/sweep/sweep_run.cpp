// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sweep/sweep_run.h"

#include <algorithm>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "gputlm/process/child_process.h"
#include "gputlm/sweep/sweep_definition.h"
#include "gputlm/sweep/whole_file.h"
#include "gputlm/system/summary.h"

namespace gputlm {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char *kDescriptionFile = "sweep.json", *kSweepCopy = "sweep.yaml", *kTableFile = "results.csv",
                     *kDatabaseFile = "results.db", *kPointsFolder = "points";
constexpr const char* kDefinition = "definition";
constexpr const char* kElsewhere = "--out names another directory, --restart throws away what is there";

[[noreturn]] void refuse(const std::string& where, const std::string& message, const std::string& allowed) {
  Diagnostics diagnostics;
  diagnostics.add({where}, {}, message, {}, allowed);
  diagnostics.throw_if_any();
  throw std::logic_error(message);
}

/// Checked before anything is made there.
fs::path directory_of(const SweepOptions& options) {
  if (options.engine == SweepEngine::slurm) SlurmJob::check_installed();
  return fs::absolute(options.out);
}

}  // namespace

SweepRun::SweepRun(const SweepPlan& plan, const SweepOptions& options)
    : plan_(plan),
      options_(options),
      out_(directory_of(options), {kDescriptionFile, kSweepCopy, kTableFile, kDatabaseFile}),
      records_(plan.points.size()) {
  check_earlier();
  if (options.earlier == EarlierResults::discard) discard_earlier();
  for (std::size_t i = 0; i < records_.size(); ++i) see(i);
  for (std::size_t i = 0; options.earlier == EarlierResults::retry && i < records_.size(); ++i)
    if (records_[i].end && !records_[i].end->done) {
      prepare(i);
      records_[i] = {};
    }
  before_ = ended();
  write_tables();
  write_whole(out_.path() / kSweepCopy, plan.file.text);
}

// The description is written first of all: what lies there without one is not a sweep's to touch.
void SweepRun::check_earlier() const {
  const fs::path file = out_.path() / kDescriptionFile;
  if (!fs::exists(file)) {
    std::error_code ignored;
    for (const char* name : {kPointsFolder, kTableFile, kDatabaseFile, kSweepCopy}) {
      const fs::path there = out_.path() / name;
      if (fs::exists(there) && !fs::equivalent(there, plan_.file.file, ignored))
        refuse(there.string(), "is there, and no results of a sweep", "another directory");
    }
    return;
  }
  if (options_.earlier == EarlierResults::refuse)
    refuse(out_.path().string(), "holds results of a sweep", std::string("--resume goes on with it, ") + kElsewhere);
  const std::optional<Json> there = read_json(file);
  if (!there || !there->is_object() || !there->contains(kDefinition))
    refuse(file.string(), "is no description of a sweep", "another directory");
  if (options_.earlier == EarlierResults::discard) return;
  const std::string difference = definition_difference((*there)[kDefinition], sweep_definition(plan_));
  if (!difference.empty())
    refuse(plan_.file.file, "is not the sweep whose results are in " + out_.path().string() + ": " + difference,
           kElsewhere);
}

void SweepRun::discard_earlier() const {
  const SlurmJob job(out_.path() / kSlurmFolder);
  if (job.state().active) job.cancel();
  std::error_code failed, ignored;
  const fs::path copy = out_.path() / kSweepCopy;
  if (!fs::equivalent(copy, plan_.file.file, ignored)) fs::remove(copy, failed);
  // The description goes last: it says that the rest is a sweep's.
  for (const char* name : {kTableFile, kDatabaseFile, kPointsFolder, kSlurmFolder, kDescriptionFile})
    if (!failed) fs::remove_all(out_.path() / name, failed);
  if (failed) throw std::runtime_error("cannot clear " + out_.path().string() + ": " + failed.message());
}

fs::path SweepRun::folder(std::size_t index) const {
  return out_.path() / point_folder(plan_, plan_.points[index].number);
}

void SweepRun::prepare(std::size_t index) const {
  prepare_point(folder(index), {plan_.file.probe, plan_.arguments(plan_.points[index])});
}

void SweepRun::see(std::size_t index) {
  PointRecord& record = records_[index];
  if (record.end) return;
  const std::optional<PointEnd> end = point_end(folder(index));
  if (!end) return;
  try {
    if (end->done) record.statistics = point_statistics(plan_.file, folder(index));
    record.end = end;
  } catch (const std::exception&) {
    // Its files are gone or damaged: it has to run again.
  }
}

std::vector<std::size_t> SweepRun::waiting() const {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < records_.size(); ++i)
    if (!records_[i].end) all.push_back(i);
  return all;
}

std::size_t SweepRun::ended() const {
  return records_.size() - waiting().size();
}

SweepProgress SweepRun::progress() const {
  SweepProgress p;
  p.points = records_.size();
  for (const PointRecord& record : records_) {
    if (!record.end) continue;
    ++(record.end->done ? p.done : p.failed);
  }
  p.ran = p.done + p.failed - before_;
  return p;
}

void SweepRun::show(const std::string& note) {
  SweepProgress p = progress();
  p.note = note;
  options_.progress(p);
  // Tables of many points take their time; they must not take that of the points.
  constexpr auto kLeast = std::chrono::seconds(2);
  constexpr int kShare = 20;
  if (p.ran == written_ran_ || Clock::now() < next_) return;
  const Clock::time_point start = Clock::now();
  write_tables();
  written_ran_ = p.ran;
  next_ = Clock::now() + std::max<Clock::duration>(kLeast, kShare * (Clock::now() - start));
}

void SweepRun::write_tables() const {
  const ResultsTable table(plan_, records_);
  Json description = table.description();
  description[kDefinition] = sweep_definition(plan_);
  write_whole(out_.path() / kDescriptionFile, text_of(description));
  write_whole(out_.path() / kTableFile, table.csv());
}

void SweepRun::run() {
  SlurmJob job(out_.path() / kSlurmFolder);
  if (options_.engine == SweepEngine::slurm) {
    wait_for(job);  // of a sweep that was killed
    const std::vector<std::size_t> rest = waiting();
    if (!rest.empty() && options_.keep_going()) {
      submit(job, rest);
      wait_for(job);
    }
  } else {
    if (job.state().active)
      refuse(out_.path().string(), "Slurm's job " + job.number() + " still runs points of this sweep",
             "--engine slurm, which waits for it, or scancel " + job.number());
    run_here(waiting());
  }
  for (const std::size_t i : waiting()) see(i);  // what ended while all was being stopped
  if (options_.keep_going())
    for (const std::size_t i : waiting()) {
      fail_point(folder(i), "its process ended without a result");
      see(i);
    }
  write_tables();
  ResultsTable(plan_, records_).write_database((out_.path() / kDatabaseFile).string());
}

void SweepRun::run_here(const std::vector<std::size_t>& rest) {
  const unsigned jobs = options_.jobs != 0 ? options_.jobs : std::max(1U, std::thread::hardware_concurrency());
  const auto work = [&](std::size_t i) -> nlohmann::json {
    prepare(rest[i]);
    run_point(folder(rest[i]));
    return {};
  };
  run_in_children(
      rest.size(), jobs, work, [&](std::size_t i, const nlohmann::json&) { see(rest[i]); },
      [&] {
        show({});
        return options_.keep_going();
      });
}

void SweepRun::submit(const SlurmJob& job, const std::vector<std::size_t>& rest) const {
  std::vector<fs::path> folders;
  for (const std::size_t i : rest) {
    prepare(i);
    folders.push_back(folder(i));
  }
  job.submit(plan_.file.name, folders, options_.jobs, plan_.file.slurm);
}

void SweepRun::wait_for(const SlurmJob& job) {
  constexpr auto kLook = std::chrono::milliseconds(250), kAsk = std::chrono::milliseconds(2000);
  constexpr auto kLate = std::chrono::seconds(5);  // until other nodes' files are seen
  SlurmState state = job.state();
  Clock::time_point asked = Clock::now(), active = asked;
  while (!job.number().empty() && !waiting().empty()) {
    for (const std::size_t i : waiting()) see(i);
    show(state.note);
    if (!options_.keep_going()) return job.cancel();
    if (Clock::now() - asked > kAsk) {
      state = job.state();
      asked = Clock::now();
    }
    if (state.active) active = Clock::now();
    if (Clock::now() - active > kLate) break;
    std::this_thread::sleep_for(kLook);
  }
  job.forget();
}

}  // namespace gputlm
