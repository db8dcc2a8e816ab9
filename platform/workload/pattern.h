// SPDX-License-Identifier: Apache-2.0
//
// Access patterns: what a kernel's warps do, chosen by name in the experiment. A pattern states its parameters once, to
// a visitor; reading them from YAML, listing them for people and checking them all use that statement. To add one:
// write its file in patterns/, declare its maker in patterns/patterns.h and add a line to the table in pattern.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gputlm/config/diagnostics.h"
#include "gputlm/workload/buffer.h"
#include "gputlm/workload/kernel.h"
#include "gputlm/workload/lane_access.h"
#include "gputlm/workload/script_step.h"

namespace gputlm {

/// Visits the parameters of a pattern. Each value holds its default when visited; a buffer has none.
class ParameterVisitor {
 public:
  virtual ~ParameterVisitor() = default;

  virtual void count(const char* name, std::uint64_t& value, std::uint64_t min, std::uint64_t max,
                     const char* description) = 0;
  virtual void bytes(const char* name, std::uint64_t& value, std::uint64_t min, std::uint64_t max,
                     const char* description) = 0;
  virtual void real(const char* name, double& value, double min, double max, const char* description) = 0;
  virtual void boolean(const char* name, bool& value, const char* description) = 0;
  virtual void choice(const char* name, std::string& value, const std::vector<std::string>& names,
                      const char* description) = 0;
  virtual void text(const char* name, std::string& value, const char* description) = 0;
  virtual void buffer(const char* name, std::string& value, const char* description) = 0;
  virtual void accesses(const char* name, std::vector<LaneAccess>& value, const char* description) = 0;
  /// A list of counts; may be absent.
  virtual void counts(const char* name, std::vector<std::uint64_t>& value, const char* description) = 0;
  virtual void steps(const char* name, std::vector<ScriptStep>& value, const char* description) = 0;
};

/// Where a pattern reports that its parameters do not fit together; `key` names the one to blame.
class PatternProblems {
 public:
  virtual ~PatternProblems() = default;
  virtual void add(const char* key, std::string message, std::string found = {}, std::string allowed = {}) = 0;
};

/// Tells where the chip keeps a line; given by the platform.
class AddressOracle {
 public:
  virtual ~AddressOracle() = default;
  virtual unsigned slice_of(std::uint64_t physical) const = 0;
  virtual unsigned set_of(std::uint64_t physical) const = 0;
};

/// What is known when the experiment has been read.
struct PatternContext {
  const KernelShape& shape;
  const std::vector<BufferSpec>& buffers;

  /// Size of a buffer (of the aliased one for an alias); the name is known to exist.
  std::uint64_t size_of(const std::string& buffer) const;
  /// True when both names mean the same memory.
  bool same_memory(const std::string& one, const std::string& other) const;
};

/// Everything a kernel is made of besides its pattern's parameters.
struct KernelSetup {
  KernelShape shape;
  const std::vector<Buffer>& buffers;
  std::shared_ptr<const ExpectedMemory>
      before;                             ///< Memory as the kernel finds it; ranges that others write are marked.
  std::uint64_t seed = 0;                 ///< Of this kernel's data and choices.
  unsigned scoreboards = 0;               ///< Per warp.
  const AddressOracle* oracle = nullptr;  ///< Null when the platform gave none.

  const Buffer& buffer(const std::string& name) const { return *find_buffer(buffers, name); }
};

/// A pattern with its parameters.
class Pattern {
 public:
  virtual ~Pattern() = default;
  virtual void parameters(ParameterVisitor& visitor) = 0;
  /// Reports parameters that do not fit the buffers or the grid. All buffers named exist.
  virtual void check(const PatternContext& context, PatternProblems& problems) const = 0;
  /// Buffers that the kernel may write. Kernels side by side that write the same one, or write what another reads,
  /// leave those bytes to the scoreboard.
  virtual std::vector<std::string> written() const { return {}; }
  /// The kernel; null after a problem that only the placed buffers show.
  virtual std::unique_ptr<Kernel> make(const KernelSetup& setup, PatternProblems& problems) const = 0;
};

/// One line of the table of patterns.
struct PatternInfo {
  const char* name;
  const char* summary;
  std::unique_ptr<Pattern> (*create)();
};

/// All patterns, in the order in which people read about them.
const std::vector<PatternInfo>& patterns();
const PatternInfo* find_pattern(std::string_view name);

/// A parameter as listed for people.
struct ParameterInfo {
  std::string name;
  std::string type;           ///< count, bytes, real, boolean, text, buffer, a list, or the names to choose from.
  std::string default_value;  ///< Empty: must be given.
  std::string description;
};

std::vector<ParameterInfo> parameters_of(const PatternInfo& pattern);

}  // namespace gputlm
