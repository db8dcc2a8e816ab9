// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/tlm/time.h"

namespace gputlm {

/// Somebody who looks at the card at times of its own choosing, between two events and without being part of the model:
/// a card that is at rest stays at rest, and nobody else notices.
class Onlooker {
 public:
  virtual ~Onlooker() = default;
  /// At this time.
  virtual Fs next_look() const = 0;
  /// The card is at `at` as it is now; moves next_look() on.
  virtual void look(Fs at) = 0;
};

}  // namespace gputlm
