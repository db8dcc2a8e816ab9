// SPDX-License-Identifier: Apache-2.0
#include "gputlm/trace/line_event_text.h"

namespace gputlm {

using LineEvent = L2Observer::LineEvent;

const char* text_of(LineEvent event) {
  switch (event) {
    case LineEvent::allocated:
      return "way chosen";
    case LineEvent::load_hit:
      return "load hit";
    case LineEvent::load_miss:
      return "load miss";
    case LineEvent::store_hit:
      return "store hit";
    case LineEvent::dirty_victim:
      return "dirty victim: write-back queued";
    case LineEvent::janitor_clean:
      return "janitor: write-back queued";
    case LineEvent::flush_clean:
      return "flush: write-back queued";
    case LineEvent::write_back_sent:
      return "write-back sent";
    case LineEvent::write_back_accepted:
      return "write-back accepted: clean";
    case LineEvent::written_to_dram:
      return "in DRAM";
    case LineEvent::fifo_popped:
      return "left the write-back FIFO";
    case LineEvent::evicted:
      return "evicted";
    case LineEvent::filled:
    default:
      return "filled";
  }
}

}  // namespace gputlm
