// SPDX-License-Identifier: Apache-2.0
#include "gputlm/workload/parameters.h"

#include <algorithm>

#include "gputlm/config/quantity.h"

namespace gputlm {

namespace {

/// The enumerator from 0 to `last` whose name_of() is `name`.
template <class Enum>
Enum named(const std::string& name, Enum last) {
  for (unsigned i = 0; i < static_cast<unsigned>(last); ++i)
    if (name == name_of(static_cast<Enum>(i))) return static_cast<Enum>(i);
  return last;
}

}  // namespace

const std::vector<std::string> kScopeNames{"cta", "gpu", "sys"};
const std::vector<std::string> kEvictionNames{"first", "normal", "last"};  // in the order of EvictionClass

std::vector<std::string> semantics_of(Operation operation) {
  switch (operation) {
    case Operation::fence:
      return {"sc", "acq_rel"};
    case Operation::load:
      return {"weak", "relaxed", "acquire"};
    case Operation::store:
      return {"weak", "relaxed", "release"};
    default:
      return {"weak", "relaxed", "acquire", "release"};
  }
}

Semantics semantics_named(const std::string& name) {
  return named(name, Semantics::seq_cst);
}
Scope scope_named(const std::string& name) {
  return named(name, Scope::sys);
}
AtomicFunction function_named(const std::string& name) {
  return named(name, AtomicFunction::decrement);
}

EvictionClass eviction_named(const std::string& name) {
  const auto found = std::find(kEvictionNames.begin(), kEvictionNames.end(), name);
  return static_cast<EvictionClass>(found - kEvictionNames.begin());
}

EvictionClass read_eviction(YamlReader& reader) {
  std::string name = "normal";
  reader.choice("eviction", name, kEvictionNames, kOptional);
  return eviction_named(name);
}

void visit_lane_bytes(ParameterVisitor& v, std::uint64_t& value, std::uint64_t max) {
  v.count("lane_bytes", value, 1, max, "bytes per lane: 1, 2, 4, 8 or 16");
}

bool check_lane_bytes(std::uint64_t value, PatternProblems& problems) {
  if ((value & (value - 1)) == 0) return true;
  problems.add("lane_bytes", "is no width of a register access", format_count(value), "1, 2, 4, 8 or 16");
  return false;
}

void visit_repeat(ParameterVisitor& v, std::uint64_t& value) {
  v.count("repeat", value, 1, kMaxRounds, "times that the whole is done");
}

void visit_walk_order(ParameterVisitor& v, std::string& value) {
  v.choice("order", value, {"grid_stride", "blocked"},
           "grid_stride: the whole grid moves through the buffer; blocked: each CTA has a contiguous part");
}

void visit_operation(ParameterVisitor& v, std::string& value) {
  v.choice("operation", value, {"store", "load"}, "what is done at each place");
}

void visit_unroll(ParameterVisitor& v, std::uint64_t& value) {
  v.count("unroll", value, 1, 8, "loads in flight per warp, each with a scoreboard of its own");
}

bool check_unroll(std::uint64_t value, const KernelSetup& setup, PatternProblems& problems) {
  if (value <= setup.scoreboards) return true;
  problems.add("unroll", "a warp has fewer scoreboards", format_count(value),
               "1 to " + format_count(setup.scoreboards));
  return false;
}

void check_within(const PatternContext& context, const std::string& buffer, const char* key, std::uint64_t offset,
                  std::uint64_t bytes, PatternProblems& problems) {
  const std::uint64_t size = context.size_of(buffer);
  if (bytes > size || offset > size - bytes)
    problems.add(key, "the access does not lie within buffer " + buffer, format_bytes(offset),
                 format_bytes(bytes) + " within " + format_bytes(size));
}

void check_one_warp(const PatternContext& context, PatternProblems& problems) {
  if (context.shape.warps() != 1)
    problems.add("grid", "the pattern is the work of one warp", format_count(context.shape.warps()) + " warps",
                 "grid 1 and block 1 to 32");
}

void check_ahead(const char* key, std::uint64_t count, PatternProblems& problems) {
  if (count > kMaxAhead)
    problems.add(key, "asks for more than can be worked out before the run", format_count(count),
                 "at most " + format_count(kMaxAhead) + " places or accesses");
}

void check_work(std::uint64_t workers, const char* key, std::uint64_t each, PatternProblems& problems) {
  if (each > kMaxRounds / workers)
    problems.add(key, "is too much for the grid", format_count(each),
                 "at most " + format_count(kMaxRounds / workers) + " for " + format_count(workers) + " of them");
}

void HintParameter::visit(ParameterVisitor& v) {
  v.choice("eviction", eviction, kEvictionNames,
           "cache hint: which lines L2 gives up first, when l2.replacement.eviction_classes is honour");
}

AccessOrder HintParameter::order(AccessOrder plain) const {
  plain.eviction = eviction_named(eviction);
  return plain;
}

void OrderParameters::visit(ParameterVisitor& v, const std::vector<std::string>& names) {
  v.choice("semantics", semantics, names, "memory order of the accesses");
  v.choice("scope", scope, kScopeNames, "who takes part; without meaning for weak accesses");
  hint.visit(v);
}

void OrderParameters::visit_loads(ParameterVisitor& v) {
  visit(v, semantics_of(Operation::load));
}
void OrderParameters::visit_stores(ParameterVisitor& v) {
  visit(v, semantics_of(Operation::store));
}
void OrderParameters::visit_both(ParameterVisitor& v) {
  visit(v, {"weak", "relaxed"});
}

AccessOrder OrderParameters::order() const {
  return hint.order({semantics_named(semantics), scope_named(scope)});
}

}  // namespace gputlm
