// SPDX-License-Identifier: Apache-2.0
#include "gputlm/l1/l1_spec.h"
