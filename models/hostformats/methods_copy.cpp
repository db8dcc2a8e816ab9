// SPDX-License-Identifier: Apache-2.0
#include "gputlm/hostformats/copy_methods.h"
#include "gputlm/hostformats/method_table.h"

namespace gputlm {
namespace {

MethodInfo describe_launch_dma() {
  using namespace launch_dma;
  return {"LAUNCH_DMA",
          copy_method::launch_dma,
          1,
          {{"DATA_TRANSFER_TYPE",
            data_transfer_type,
            {{transfer_none, "none"}, {transfer_pipelined, "pipelined"}, {transfer_non_pipelined, "non-pipelined"}}},
           {"FLUSH_ENABLE", flush_enable, {}},
           {"SEMAPHORE_TYPE",
            semaphore_type,
            {{semaphore_none, "none"}, {semaphore_one_word, "one word"}, {semaphore_four_words, "four words"}}},
           {"INTERRUPT_TYPE",
            interrupt_type,
            {{interrupt_none, "none"}, {interrupt_blocking, "blocking"}, {interrupt_non_blocking, "non-blocking"}}},
           {"SRC_MEMORY_LAYOUT", src_pitch, {{0, "blocklinear"}, {1, "pitch"}}},
           {"DST_MEMORY_LAYOUT", dst_pitch, {{0, "blocklinear"}, {1, "pitch"}}},
           {"MULTI_LINE_ENABLE", multi_line_enable, {}},
           {"SRC_TYPE", src_physical, {{0, "virtual"}, {1, "physical"}}},
           {"DST_TYPE", dst_physical, {{0, "virtual"}, {1, "physical"}}},
           {"FLUSH_TYPE", flush_type, {{flush_system, "sys"}, {flush_gpu, "gl"}}}}};
}

MethodClass make_copy_methods() {
  namespace m = copy_method;
  return {kCopyClass,
          "AMPERE_DMA_COPY_B",
          {{"NOP", m::nop},
           {"SET_SEMAPHORE_A", m::set_semaphore_a},
           {"SET_SEMAPHORE_B", m::set_semaphore_b},
           {"SET_SEMAPHORE_PAYLOAD", m::set_semaphore_payload},
           describe_launch_dma(),
           {"OFFSET_IN_UPPER", m::offset_in_upper},
           {"OFFSET_IN_LOWER", m::offset_in_lower},
           {"OFFSET_OUT_UPPER", m::offset_out_upper},
           {"OFFSET_OUT_LOWER", m::offset_out_lower},
           {"PITCH_IN", m::pitch_in},
           {"PITCH_OUT", m::pitch_out},
           {"LINE_LENGTH_IN", m::line_length_in},
           {"LINE_COUNT", m::line_count}}};
}

}  // namespace

const MethodClass& copy_methods() {
  static const MethodClass methods = make_copy_methods();
  return methods;
}

}  // namespace gputlm
