// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sass/sass_launch.h"

#include <algorithm>
#include <cstring>

namespace gputlm {
namespace {

constexpr std::uint32_t kBlock = 0x0, kGrid = 0xc, kSharedWindow = 0x18, kLocalWindow = 0x20, kStack = 0x28;

template <class T>
void put(std::vector<unsigned char>& bank, std::uint32_t offset, T value) {
  std::memcpy(bank.data() + offset, &value, sizeof value);
}

}  // namespace

Space space_of(const SassSpec& spec, std::uint64_t generic_address) {
  // Unsigned differences: an address below a window is far above it.
  if (generic_address - spec.shared_window < kWindowBytes) return Space::shared;
  return generic_address - spec.local_window < kWindowBytes ? Space::local : Space::global;
}

std::uint32_t SassLaunch::constant(unsigned bank, std::uint64_t offset) const {
  const std::vector<unsigned char>& bytes = banks[bank];
  std::uint32_t word = 0;
  if (offset < bytes.size())
    std::memcpy(&word, bytes.data() + offset, std::min<std::uint64_t>(sizeof word, bytes.size() - offset));
  return word;
}

std::vector<unsigned char> make_constant_bank(const SassLaunch& launch, const std::vector<unsigned char>& parameters) {
  std::vector<unsigned char> bank(kParameterOffset + (parameters.size() + 3) / 4 * 4);
  put(bank, kBlock, launch.block);
  put(bank, kGrid, launch.grid);
  put(bank, kSharedWindow, launch.spec.shared_window);
  put(bank, kLocalWindow, launch.spec.local_window);
  put(bank, kStack, launch.local_bytes);
  if (!parameters.empty()) std::memcpy(bank.data() + kParameterOffset, parameters.data(), parameters.size());
  return bank;
}

CtaState::CtaState(const SassLaunch& launch, std::uint32_t linear_cta, unsigned sm)
    : index{linear_cta % launch.grid.x, linear_cta / launch.grid.x % launch.grid.y,
            linear_cta / launch.grid.x / launch.grid.y},
      sm(sm),
      shared(launch.shared_bytes) {}

}  // namespace gputlm
