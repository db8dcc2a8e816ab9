// SPDX-License-Identifier: Apache-2.0
//
// Parameters that several patterns have in common, each with one name, one range and one description.
#pragma once

#include <cstdint>
#include <string>

#include "gputlm/config/yaml_reader.h"
#include "gputlm/workload/instructions.h"
#include "gputlm/workload/pattern.h"

namespace gputlm {

/// Largest distance in bytes that a parameter may ask for.
inline constexpr std::uint64_t kMaxDistance = std::uint64_t{1} << 40;
/// Largest number of rounds, accesses or repeats that a parameter may ask for.
inline constexpr std::uint64_t kMaxRounds = std::uint64_t{1} << 32;
/// Most places or accesses that a pattern works out before it runs: half a minute or half a GiB.
inline constexpr std::uint64_t kMaxAhead = std::uint64_t{1} << 26;

void visit_lane_bytes(ParameterVisitor& v, std::uint64_t& value, std::uint64_t max);
/// Reports a width that is no power of two; false then.
bool check_lane_bytes(std::uint64_t value, PatternProblems& problems);
void visit_repeat(ParameterVisitor& v, std::uint64_t& value);
/// Which threads take which elements of a buffer.
void visit_walk_order(ParameterVisitor& v, std::string& value);
void visit_operation(ParameterVisitor& v, std::string& value);
/// Loads in flight per warp, each with a scoreboard of its own.
void visit_unroll(ParameterVisitor& v, std::uint64_t& value);
/// Reports more loads in flight than a warp has scoreboards.
bool check_unroll(std::uint64_t value, const KernelSetup& setup, PatternProblems& problems);
/// Reports an access of `bytes` from `offset` that does not lie within the buffer.
void check_within(const PatternContext& context, const std::string& buffer, const char* key, std::uint64_t offset,
                  std::uint64_t bytes, PatternProblems& problems);
/// Reports a grid of more than one warp, for patterns that are the work of one.
void check_one_warp(const PatternContext& context, PatternProblems& problems);

/// Reports more than kMaxAhead of what must be worked out before the run.
void check_ahead(const char* key, std::uint64_t count, PatternProblems& problems);
/// Reports `each` operations of `workers` that are more in all than a run could ever do.
void check_work(std::uint64_t workers, const char* key, std::uint64_t each, PatternProblems& problems);

/// Cache hint of a pattern's accesses, where the pattern says itself how they are ordered.
struct HintParameter {
  std::string eviction = "normal";

  void visit(ParameterVisitor& v);
  /// Weak accesses, or those given, with the hint.
  AccessOrder order(AccessOrder plain = {}) const;
};

/// Semantics, scope and cache hint of a pattern's accesses.
struct OrderParameters {
  std::string semantics = "weak";
  std::string scope = "gpu";
  HintParameter hint;

  void visit_loads(ParameterVisitor& v);
  void visit_stores(ParameterVisitor& v);
  void visit_both(ParameterVisitor& v);
  AccessOrder order() const;

 private:
  void visit(ParameterVisitor& v, const std::vector<std::string>& names);
};

extern const std::vector<std::string> kScopeNames;
extern const std::vector<std::string> kEvictionNames;
/// Semantics that an operation can have: a load cannot release, a store cannot acquire.
std::vector<std::string> semantics_of(Operation operation);

// Enumerators by the names that tlm gives them; the text is known to be one of them.
Semantics semantics_named(const std::string& name);
Scope scope_named(const std::string& name);
AtomicFunction function_named(const std::string& name);
/// One of kEvictionNames.
EvictionClass eviction_named(const std::string& name);
/// The optional key `eviction` of an access written out.
EvictionClass read_eviction(YamlReader& reader);

}  // namespace gputlm
