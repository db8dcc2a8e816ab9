// SPDX-License-Identifier: Apache-2.0
//
// One unit's library by itself: the memory that a controller keeps its bytes in.
#include <gputlm/dram/sparse_memory.h>

#include <array>
#include <cstdint>
#include <cstdio>

int sc_main(int, char**) {
  gputlm::SparseMemory memory(std::uint64_t{1} << 20);
  std::array<unsigned char, gputlm::kLineBytes> wrote{}, read{};
  wrote.fill(0x5a);
  memory.write(0x1000, wrote.data(), gputlm::ByteMask::full());
  memory.read(0x1000, read.data());
  std::puts(wrote == read ? "unit ok" : "unit wrong");
  return wrote == read ? 0 : 1;
}
