// SPDX-License-Identifier: Apache-2.0
//
// Methods that the channel itself executes, on any subchannel (class AMPERE_CHANNEL_GPFIFO_A).
#pragma once

#include <cstdint>

#include "gputlm/hostformats/bit_range.h"

namespace gputlm {

inline constexpr unsigned kChannelClass = 0xc56f;

/// Methods from here on belong to the class that is bound to the subchannel.
inline constexpr unsigned kFirstClassMethod = 0x100;

namespace channel_method {
inline constexpr unsigned set_object = 0x000, nop = 0x008, non_stall_interrupt = 0x020;
inline constexpr unsigned mem_op_a = 0x028, mem_op_b = 0x02c, mem_op_c = 0x030, mem_op_d = 0x034;
inline constexpr unsigned sem_addr_lo = 0x05c, sem_addr_hi = 0x060, sem_payload_lo = 0x064, sem_payload_hi = 0x068;
inline constexpr unsigned sem_execute = 0x06c, wfi = 0x078;
}  // namespace channel_method

/// SET_OBJECT binds a subchannel to a class.
namespace set_object {
inline constexpr BitRange object_class{15, 0}, engine{20, 16};
}

namespace sem_execute {
/// ACQUIRE_SWITCH lets a channel that waits give way to others: here channels never stand in each other's way.
inline constexpr BitRange operation{2, 0}, acquire_switch{12, 12}, release_wfi{20, 20};
inline constexpr BitRange payload_64{24, 24}, release_timestamp{25, 25};
}  // namespace sem_execute

/// SEM_EXECUTE's operation. An acquire lets the channel go on once it holds: memory against the payload.
enum class SemaphoreOperation : std::uint8_t {
  acquire = 0,           ///< Equal.
  release = 1,           ///< Writes the payload.
  acquire_geq = 2,       ///< Memory >= payload, unsigned.
  acquire_circ_geq = 3,  ///< Memory at or past the payload on a circle: memory - payload is not negative.
};

/// A semaphore in memory is 16 bytes: the payload (8 bytes, the upper half 0 where it is a 32-bit one) and, at +8, the
/// time in ns. A 32-bit release without a timestamp writes the first word only.
inline constexpr unsigned kSemaphoreTimestamp = 8, kSemaphoreBytes = 16;

namespace mem_op_c {
inline constexpr BitRange membar_type{2, 0};
inline constexpr std::uint32_t system = 0, gpu = 1;
}  // namespace mem_op_c

namespace mem_op_d {
inline constexpr BitRange operation{31, 27};
inline constexpr std::uint32_t membar = 0x05, l2_flush_dirty = 0x10;
}  // namespace mem_op_d

}  // namespace gputlm
