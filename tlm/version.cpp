// SPDX-License-Identifier: Apache-2.0
#include "gputlm/version.h"

namespace gputlm {

const char GPUTLM_ABI_SYMBOL[] = GPUTLM_VERSION_STRING;

}  // namespace gputlm
