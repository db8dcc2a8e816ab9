// SPDX-License-Identifier: Apache-2.0
#include "gputlm/l2/l2_spec.h"
