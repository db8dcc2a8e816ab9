// SPDX-License-Identifier: Apache-2.0
//
// What a run keeps for its pictures: pictures.json. It costs some looks at the card and changes nothing in it.
#pragma once

#include "gputlm/report/frame_recorder.h"
#include "gputlm/report/set_history.h"

namespace gputlm {

/// Name of the file in a run's directory.
inline constexpr const char* kPicturesFile = "pictures.json";
/// Of the file's form; a report takes no other.
inline constexpr unsigned kPicturesFormat = 1;

/// Create before the run.
class RunPictures {
 public:
  explicit RunPictures(JudgedGpu& machine) : gpu_(machine.gpu), frames_(gpu_), set_("set_history", machine) {
    machine.show(frames_);
  }

  /// Once, after the run.
  Json document();

 private:
  const Gpu& gpu_;
  FrameRecorder frames_;
  SetHistory set_;
};

}  // namespace gputlm
