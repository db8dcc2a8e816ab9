// SPDX-License-Identifier: Apache-2.0
#include "gputlm/dram/write_drain.h"

namespace gputlm {

std::unique_ptr<WriteDrain> WriteDrain::make(const DramSpec& spec) {
  if (spec.write_drain == "marks") return make_marks_drain(spec);
  if (spec.write_drain == "arrival_order") return make_arrival_order_drain();
  if (spec.write_drain == "reads_first") return make_reads_first_drain(spec);
  if (spec.write_drain == "row_count") return make_row_count_drain(spec);
  return nullptr;
}

}  // namespace gputlm
