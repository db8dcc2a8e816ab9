// SPDX-License-Identifier: Apache-2.0
#include "gputlm/replay/line_counter.h"

namespace gputlm {

void LineCounter::on_line_request(unsigned, const Payload& line) {
  const Sideband& s = *find_sideband(line);
  Count* count = nullptr;
  if (s.operation == Operation::load) count = &loaded_;
  if (s.operation == Operation::store) count = &stored_;
  if (s.is_atomic()) count = &atomics_;
  if (count == nullptr) return;  // an invalidate or a barrier moves no data
  ++count->lines;
  count->sectors += count_sectors(
      ByteMask::from_enables(line.get_byte_enable_ptr(), line.get_byte_enable_length(), line.get_data_length())
          .touched_sectors());
}

}  // namespace gputlm
