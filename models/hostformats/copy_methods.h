// SPDX-License-Identifier: Apache-2.0
//
// Methods of the copy engine's class (AMPERE_DMA_COPY_B).
#pragma once

#include <cstdint>

#include "gputlm/hostformats/bit_range.h"

namespace gputlm {

inline constexpr unsigned kCopyClass = 0xc7b5;

namespace copy_method {
inline constexpr unsigned nop = 0x100;
inline constexpr unsigned set_semaphore_a = 0x240, set_semaphore_b = 0x244, set_semaphore_payload = 0x248;
inline constexpr unsigned launch_dma = 0x300;
inline constexpr unsigned offset_in_upper = 0x400, offset_in_lower = 0x404;
inline constexpr unsigned offset_out_upper = 0x408, offset_out_lower = 0x40c;
inline constexpr unsigned pitch_in = 0x410, pitch_out = 0x414, line_length_in = 0x418, line_count = 0x41c;
}  // namespace copy_method

namespace launch_dma {
inline constexpr BitRange data_transfer_type{1, 0}, flush_enable{2, 2}, semaphore_type{4, 3}, interrupt_type{6, 5};
inline constexpr BitRange src_pitch{7, 7}, dst_pitch{8, 8}, multi_line_enable{9, 9}, src_physical{12, 12},
    dst_physical{13, 13};
inline constexpr BitRange flush_type{25, 25};
inline constexpr std::uint32_t transfer_none = 0, transfer_pipelined = 1, transfer_non_pipelined = 2;
inline constexpr std::uint32_t semaphore_none = 0, semaphore_one_word = 1, semaphore_four_words = 2;
inline constexpr std::uint32_t interrupt_none = 0, interrupt_blocking = 1, interrupt_non_blocking = 2;
inline constexpr std::uint32_t flush_system = 0, flush_gpu = 1;
}  // namespace launch_dma

}  // namespace gputlm
