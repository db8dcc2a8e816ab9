// SPDX-License-Identifier: Apache-2.0
#include "gputlm/dram/dram_spec.h"
