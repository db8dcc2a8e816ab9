// SPDX-License-Identifier: Apache-2.0
//
// Shows what one L2 set goes through: its ways after each access that ends.
#pragma once

#include <ostream>
#include <sstream>

#include "gputlm/system/simulation.h"

namespace gputlm {

/// Records the state of the set of every finished access. Create before the run.
class OneSet : private LsuObserver {
 public:
  explicit OneSet(Simulation& simulation);
  void print(std::ostream& out) const { out << text_.str(); }

 private:
  void on_access_done(unsigned sm, const Payload& access) override;

  Simulation& simulation_;
  std::ostringstream text_;
  unsigned accesses_ = 0;
};

}  // namespace gputlm
