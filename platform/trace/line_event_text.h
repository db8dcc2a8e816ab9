// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/l2/l2_observer.h"

namespace gputlm {

/// What happened to a way of L2, in a few words.
const char* text_of(L2Observer::LineEvent event);

}  // namespace gputlm
