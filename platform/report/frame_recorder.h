// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/report/frame_series.h"
#include "gputlm/system/gpu.h"
#include "gputlm/system/onlooker.h"

namespace gputlm {

/// Takes the frames of a run by looking on: it asks units for what they hold and counts nothing itself.
class FrameRecorder : public Onlooker {
 public:
  explicit FrameRecorder(const Gpu& gpu) : gpu_(gpu) {}

  Fs next_look() const override { return series_.next(); }
  void look(Fs at) override { series_.add(frame(at)); }
  /// After the run.
  void finish() { series_.add_last(frame(now())); }
  const FrameSeries& series() const { return series_; }

 private:
  Frame frame(Fs at) const;
  void add_sms(Frame& f) const;
  void add_slices(Frame& f) const;
  void add_memory(Frame& f) const;

  const Gpu& gpu_;
  FrameSeries series_;
};

}  // namespace gputlm
