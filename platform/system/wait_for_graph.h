// SPDX-License-Identifier: Apache-2.0
//
// Who waits for whom on the whole card: from each warp over the access that it misses to the unit that holds that, and
// why. With protocol checkers on the arrows it also tells where an access got lost. Asked when a run has come to a
// standstill, and now and then before, to find out whether it has.
#pragma once

#include <map>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "gputlm/system/gpu.h"

namespace gputlm {

/// The waits of one moment.
class WaitForGraph {
 public:
  explicit WaitForGraph(const Gpu& gpu);

  /// An access of a warp has waited in one place for longer than `limit`.
  bool overdue(Fs limit) const;
  /// Warps first, each with the accesses it misses and their holders; then what else waits, alike things once. Prints
  /// nothing when nothing waits.
  void print(std::ostream& out) const;

 private:
  using Access = std::tuple<unsigned, unsigned, std::uint32_t>;  // SM, warp, instruction
  /// The last unit of the road that an access has come to.
  struct Holder {
    std::size_t depth = 0;  // of the unit in the order of the road
    std::string unit, reason;
  };

  static Access access_of(const Origin& o) { return {o.sm, o.warp, o.instruction}; }
  std::size_t depth_of_socket(const std::string& name) const;
  void note_arrows(const Gpu& gpu);
  void print_warp(std::ostream& out, const std::vector<const Wait*>& waits, unsigned& room) const;
  void print_shared(std::ostream& out) const;

  std::vector<std::string> units_;
  WaitList waits_;
  std::map<Access, Holder> holders_;
};

}  // namespace gputlm
