// SPDX-License-Identifier: Apache-2.0
#include "gputlm/workload/pattern.h"

#include <algorithm>

#include "gputlm/config/quantity.h"
#include "gputlm/workload/patterns/patterns.h"

namespace gputlm {

namespace {

/// Writes the parameters down instead of reading them.
class ParameterList final : public ParameterVisitor {
 public:
  void count(const char* name, std::uint64_t& value, std::uint64_t, std::uint64_t, const char* description) override {
    list.push_back({name, "count", format_count(value), description});
  }
  void bytes(const char* name, std::uint64_t& value, std::uint64_t, std::uint64_t, const char* description) override {
    list.push_back({name, "bytes", format_bytes(value), description});
  }
  void real(const char* name, double& value, double, double, const char* description) override {
    list.push_back({name, "real", format_real(value), description});
  }
  void boolean(const char* name, bool& value, const char* description) override {
    list.push_back({name, "boolean", value ? "true" : "false", description});
  }
  void choice(const char* name, std::string& value, const std::vector<std::string>& names,
              const char* description) override {
    list.push_back({name, join_names(names), value, description});
  }
  void text(const char* name, std::string& value, const char* description) override {
    list.push_back({name, "text", value, description});
  }
  void buffer(const char* name, std::string&, const char* description) override {
    list.push_back({name, "buffer", {}, description});
  }
  void accesses(const char* name, std::vector<LaneAccess>&, const char* description) override {
    list.push_back({name, "accesses", {}, description});
  }
  void counts(const char* name, std::vector<std::uint64_t>&, const char* description) override {
    list.push_back({name, "counts", "none", description});
  }
  void steps(const char* name, std::vector<ScriptStep>&, const char* description) override {
    list.push_back({name, "steps", {}, description});
  }

  std::vector<ParameterInfo> list;
};

const BufferSpec& named(const std::vector<BufferSpec>& buffers, const std::string& name) {
  return *std::find_if(buffers.begin(), buffers.end(), [&](const BufferSpec& b) { return b.name == name; });
}

/// The buffer whose physical memory `name` means.
const BufferSpec& owner_of(const std::vector<BufferSpec>& buffers, const std::string& name) {
  const BufferSpec& buffer = named(buffers, name);
  return buffer.alias_of.empty() ? buffer : named(buffers, buffer.alias_of);
}

}  // namespace

std::uint64_t PatternContext::size_of(const std::string& buffer) const {
  return owner_of(buffers, buffer).size;
}

bool PatternContext::same_memory(const std::string& one, const std::string& other) const {
  return &owner_of(buffers, one) == &owner_of(buffers, other);
}

const std::vector<PatternInfo>& patterns() {
  static const std::vector<PatternInfo> table{
      {"stream_store", "stores every byte of a buffer, contiguous across the lanes", make_stream_store},
      {"stream_load", "loads every byte of a buffer, contiguous across the lanes", make_stream_load},
      {"copy", "loads one buffer and stores it to another", make_copy},
      {"vadd", "c = a + b in floats: two loads and a dependent store a thread", make_vadd},
      {"mix", "loads and stores of two buffers in a fixed proportion", make_mix},
      {"stride", "lanes a fixed distance apart, loads or stores", make_stride},
      {"byte_per_sector", "one byte of every sector, loads or stores", make_byte_per_sector},
      {"byte_masks", "every line stored under a byte mask, given or random", make_byte_masks},
      {"random", "seeded random lanes, sectors or lines, loads and stores", make_random},
      {"hammer", "every warp on the same line, again and again", make_hammer},
      {"fenced_stores", "a stream of stores with a fence after every so many", make_fenced_stores},
      {"atomics", "read-modify-writes at L2 on distinct or shared words", make_atomics},
      {"lanes", "warp instructions written out lane by lane", make_lanes},
      {"chase", "dependent loads over places, one after the other", make_chase},
      {"gather", "loads or stores of chosen places, as many at once as the warps can have under way", make_gather},
      {"script", "steps written out: accesses, fences, waits, delays, polls", make_script},
      {"one_set", "stores, then loads, of lines of one L2 set, one at a time", make_one_set},
      {"single_store", "one warp, one store", make_single_store},
  };
  return table;
}

const PatternInfo* find_pattern(std::string_view name) {
  const auto& table = patterns();
  const auto at = std::find_if(table.begin(), table.end(), [&](const PatternInfo& p) { return name == p.name; });
  return at == table.end() ? nullptr : &*at;
}

std::vector<ParameterInfo> parameters_of(const PatternInfo& pattern) {
  ParameterList list;
  pattern.create()->parameters(list);
  return std::move(list.list);
}

}  // namespace gputlm
