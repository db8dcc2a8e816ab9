// SPDX-License-Identifier: Apache-2.0
#include "gputlm/trace/followed_access.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace gputlm {
namespace {

TraceFilter own_filter(const std::string& text) {
  return TraceFilter::parse(text, "filter");
}

}  // namespace

TraceFilter FollowWish::filter() const {
  std::string text = "(kind==access || kind==line && unit==l1)";
  if (sm) text += fmt::format(" && sm=={}", *sm);
  if (warp) text += fmt::format(" && warp=={}", *warp);
  if (!slowest.empty()) text += " && op==" + slowest;
  return own_filter(text);
}

TraceFilter FollowedAccess::filter() const {
  std::string text = fmt::format("sm=={} && warp=={} && instruction=={} && kernel=={} && cta=={}", origin.sm,
                                 origin.warp, origin.instruction, origin.kernel, origin.cta);
  for (const std::uint64_t line : lines) text += fmt::format(" || line=={:#x}", line);
  return own_filter(text);
}

nlohmann::json FollowedAccess::to_json() const {
  return {{"sm", origin.sm},         {"warp", origin.warp}, {"instruction", origin.instruction},
          {"kernel", origin.kernel}, {"cta", origin.cta},   {"op", operation},
          {"address", address},      {"begin_fs", begin},   {"lines", lines}};
}

FollowedAccess FollowedAccess::from_json(const nlohmann::json& json) {
  FollowedAccess a;
  json.at("sm").get_to(a.origin.sm);
  json.at("warp").get_to(a.origin.warp);
  json.at("instruction").get_to(a.origin.instruction);
  json.at("kernel").get_to(a.origin.kernel);
  json.at("cta").get_to(a.origin.cta);
  json.at("op").get_to(a.operation);
  json.at("address").get_to(a.address);
  json.at("begin_fs").get_to(a.begin);
  json.at("lines").get_to(a.lines);
  return a;
}

void AccessFinder::take(const SharedBatch& batch) {
  for (const TraceTransaction& t : batch->transactions) {
    if (t.kind == TraceKind::access)
      consider(t);
    else if (t.virtual_address != kNoAddress)
      lines_.push_back({t.id, t.parent, line_of(t.virtual_address), t.line()});
  }
}

void AccessFinder::consider(const TraceTransaction& access) {
  if (access.end() == kNever) return;
  if (!wish_.slowest.empty()) {
    if (access.end() - access.begin() <= slowest_) return;
    slowest_ = access.end() - access.begin();
    accesses_.clear();
  }
  FollowedAccess& a = accesses_[access.id];
  a.origin = access.origin;
  a.operation = access.operation;
  a.address = access.virtual_address;
  a.begin = access.begin();
  if (!wish_.address && accesses_.size() > wish_.nth) accesses_.erase(std::prev(accesses_.end()));
}

/// 0: none.
std::uint64_t AccessFinder::chosen() const {
  if (!wish_.address) return accesses_.size() < wish_.nth ? 0 : std::prev(accesses_.end())->first;
  std::vector<std::uint64_t> parents;
  for (const Line& l : lines_)
    if (l.virtual_line == line_of(*wish_.address) && accesses_.count(l.parent) == 1) parents.push_back(l.parent);
  std::sort(parents.begin(), parents.end());
  parents.erase(std::unique(parents.begin(), parents.end()), parents.end());
  return parents.size() < wish_.nth ? 0 : parents[wish_.nth - 1];
}

void AccessFinder::finish(const TraceLoss& /*loss*/) {
  const std::uint64_t id = chosen();
  if (id == 0) return;
  found_ = accesses_.at(id);
  for (const Line& l : lines_)
    if (l.parent == id && l.physical_line != kNoAddress) found_->lines.insert(l.physical_line);
}

}  // namespace gputlm
