// SPDX-License-Identifier: Apache-2.0
//
// The life of one L2 set, step by step: the first one that is touched.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gputlm/system/judged_gpu.h"
#include "gputlm/system/statistics_tree.h"

namespace gputlm {

/// Create before the run. A step is a moment at which something happened in the set, with the ways as they stood when
/// everything of that moment was done: they are read a delta cycle later.
class SetHistory : public sc_core::sc_module, private L2Observer {
 public:
  /// Later steps are only counted.
  static constexpr std::size_t kMost = 400;

  SetHistory(const sc_core::sc_module_name& name, JudgedGpu& machine);
  /// The steps as docs/report.md has them; null when no set was touched.
  Json document() const;

 private:
  static constexpr unsigned kNoSlice = ~0U;

  void on_store(unsigned slice, const Payload& p) override { note_access(slice, p); }
  void on_load(unsigned slice, const Payload& p) override { note_access(slice, p); }
  void on_atomic(unsigned slice, const Payload& p) override { note_access(slice, p); }
  void on_line(unsigned slice, LineEvent event, unsigned set, unsigned way, std::uint64_t line) override;

  bool recording() const { return steps_.size() < kMost; }
  void note_access(unsigned slice, const Payload& p);
  void note(std::string what);
  void end_step();
  Json changed_ways();

  const Gpu& gpu_;
  unsigned slice_ = kNoSlice, set_ = 0;  ///< The one that is shown; kNoSlice: no set was touched yet.
  sc_core::sc_event noted_;
  std::vector<std::string> pending_;  ///< What has happened in this moment.
  std::vector<Json> before_;          ///< By way.
  Json steps_ = Json::array();
  std::uint64_t left_out_ = 0;
};

}  // namespace gputlm
