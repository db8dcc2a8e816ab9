// SPDX-License-Identifier: Apache-2.0
//
// Physical address to channel, bank, row and column within one memory controller. The map serves timing only: contents
// are kept by physical address, so a map that is not injective would cost realism, never a byte.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "gputlm/dram/dram_spec.h"

namespace gputlm {

/// In place of the number of an open row: the bank is closed.
inline constexpr std::uint64_t kNoRow = ~std::uint64_t{0};

/// Where a 32-byte column lies within its controller.
struct DramLocation {
  unsigned channel = 0;     ///< Within the controller.
  unsigned bank_group = 0;  ///< Within the channel.
  unsigned bank = 0;        ///< Within the channel: bank_group * banks_per_group + bank in group.
  std::uint64_t row = 0;    ///< Within the bank.
  unsigned column = 0;      ///< 32-byte column within the row. A line's sectors are columns c to c + 3.
};

/// Address map of the whole card, one object shared by all controllers and channels (it may keep tables).
class DramMap {
 public:
  /// The controller that serves a physical address.
  using ControllerOf = std::function<unsigned(std::uint64_t)>;

  virtual ~DramMap() = default;
  virtual DramLocation locate(std::uint64_t address) const = 0;
  /// `locate(address).channel`, for those who need no more.
  virtual unsigned channel_of(std::uint64_t address) const { return locate(address).channel; }

  /// The strategy that spec.map.type names (windowed, linear), or null for an unknown name.
  static std::unique_ptr<DramMap> make(const DramSpec& spec, ControllerOf controller_of);
};

/// Strategies, one file each.
std::unique_ptr<DramMap> make_windowed_map(const DramSpec& spec, DramMap::ControllerOf controller_of);
std::unique_ptr<DramMap> make_linear_map(const DramSpec& spec);

}  // namespace gputlm
