// SPDX-License-Identifier: Apache-2.0
//
// Shows what one L2 set goes through: all its ways after each access that ends, those marked that it changed.
#pragma once

#include <ostream>
#include <sstream>
#include <utility>
#include <vector>

#include "gputlm/system/simulation.h"

namespace gputlm {

/// Records the ways of the set of every finished access, and each write-back's reason. Create before the run.
class OneSet : private LsuObserver, private L2Observer {
 public:
  explicit OneSet(Simulation& simulation);
  void print(std::ostream& out) const { out << text_.str(); }

 private:
  using Place = std::pair<unsigned, unsigned>;  ///< Slice and set.

  void on_access_answered(unsigned sm, const Payload& access) override;
  void on_line(unsigned slice, LineEvent event, unsigned set, unsigned way, std::uint64_t line) override;
  void print_ways(const std::vector<L2Way>& ways);

  Simulation& simulation_;
  std::ostringstream text_;
  unsigned accesses_ = 0;
  Place shown_{~0U, ~0U};            ///< The set that before_ is of.
  std::vector<std::string> before_;  ///< Its ways as shown last.
  std::vector<std::string> events_;  ///< Since the last access that ended.
};

}  // namespace gputlm
