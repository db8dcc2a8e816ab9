// SPDX-License-Identifier: Apache-2.0
//
// Queues and states of the card as a value change dump, for GTKWave, by SystemC's own tracing.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gputlm/system/gpu.h"
#include "gputlm/trace/staged_file.h"
#include "gputlm/trace/trace_window.h"
#include "gputlm/trace/vcd_signals.h"

namespace gputlm {

/// Create before the run. SystemC samples what it traces at the end of every moment at which something happened; the
/// values are brought up to date in the same moment, after the model, when an arrow that is listened to says something,
/// and only within the window.
class VcdWriter : public sc_core::sc_module {
 public:
  /// Throws std::runtime_error when the file cannot be made.
  VcdWriter(const sc_core::sc_module_name& name, const std::string& file, Gpu& gpu, const TraceWindow& window,
            const VcdSelection& selection = {});
  ~VcdWriter() override;

  /// Ends the file and puts it into its place.
  void finish();
  /// Something has happened in the window.
  bool happened() const { return happened_; }

 private:
  class Ear;
  struct Value {
    std::uint32_t value = 0;
    const VcdSignal& signal;
    unsigned number = 0;
  };

  void add_signals(const VcdSelection& selection);
  void listen_to_card(Gpu& gpu);
  void listen(ArrowPort& arrow);
  void update();
  void check_whole() const;

  const Gpu& gpu_;
  const TraceWindow window_;
  StagedName name_;
  sc_core::sc_trace_file* trace_ = nullptr;
  sc_core::sc_event changed_;
  std::vector<std::unique_ptr<Value>> values_;
  std::vector<std::unique_ptr<Ear>> ears_;
  bool happened_ = false;
};

}  // namespace gputlm
