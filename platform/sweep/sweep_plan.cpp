// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sweep/sweep_plan.h"

#include <filesystem>

#include <fmt/format.h>

#include "gputlm/config/data_dir.h"
#include "gputlm/sweep/point_check.h"
#include "gputlm/sweep/sampling.h"

namespace gputlm {

namespace {

std::vector<SweepShares> shares_of(const SweepFile& file) {
  const std::size_t parameters = file.parameters.size();
  std::vector<std::size_t> counts;
  for (const SweepParameter& p : file.parameters) counts.push_back(p.values.size());
  switch (file.method) {
    case SweepMethod::list:
      return list_shares(parameters, counts.front());
    case SweepMethod::random:
      return random_shares(parameters, file.points, file.seed);
    case SweepMethod::latin_hypercube:
      return latin_hypercube_shares(parameters, file.points, file.seed);
    case SweepMethod::grid:
      break;
  }
  return grid_shares(counts);
}

std::vector<SweepPoint> points_of(const SweepFile& file) {
  std::vector<SweepPoint> points;
  for (const SweepShares& shares : shares_of(file)) {
    SweepPoint point;
    for (std::size_t i = 0; i < shares.size(); ++i) point.values.push_back(file.parameters[i].at(shares[i]));
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace

std::string SweepPlan::describe(const SweepPoint& point) const {
  std::string text;
  for (std::size_t i = 0; i < point.values.size(); ++i)
    text += fmt::format("{}{}={}", i == 0 ? "" : ", ", file.parameters[i].path, point.values[i].text);
  return text;
}

std::vector<std::string> SweepPlan::arguments(const SweepPoint& point) const {
  std::vector<std::string> all =
      file.probe ? std::vector<std::string>{"probe", file.target, "--no-references", "--format", "json"}
                 : std::vector<std::string>{"run", file.target_file};
  std::string config = file.config_file;
  std::vector<std::string> overrides;
  for (const Override& o : file.set) overrides.push_back(o.path + "=" + o.value);
  for (std::size_t i = 0; i < point.values.size(); ++i) {
    const SweepParameter& p = file.parameters[i];
    if (p.target == SweepTarget::card)
      config = card_file(file, point.values[i].node.text);
    else
      overrides.push_back(p.path + "=" + point.values[i].text);
  }
  if (!config.empty()) all.insert(all.end(), {"--config", config});
  for (const std::string& o : overrides) all.insert(all.end(), {"--set", o});
  return all;
}

SweepPlan make_sweep_plan(SweepFile file) {
  SweepPlan plan;
  plan.file = std::move(file);
  Diagnostics mistakes;
  PointCheck check(plan.file, mistakes);
  for (SweepPoint& point : points_of(plan.file)) {
    if (mistakes.full()) break;
    if (check.fits(point)) {
      point.number = static_cast<unsigned>(plan.points.size() + 1);
      plan.points.push_back(std::move(point));
    } else {
      ++plan.unfit;
    }
  }
  if (mistakes.empty() && plan.points.empty())
    mistakes.add(plan.file.place, "parameters", "no point's values go together");
  mistakes.throw_if_any();
  plan.config = plan.file.config.empty() ? check.target_config() : plan.file.config;
  plan.fingerprint = check.fingerprint();
  return plan;
}

}  // namespace gputlm
