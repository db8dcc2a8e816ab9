// SPDX-License-Identifier: Apache-2.0
#include "gputlm/warp/warp_spec.h"
