// SPDX-License-Identifier: Apache-2.0
#include "gputlm/lsu/lsu_spec.h"
