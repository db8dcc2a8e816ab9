// SPDX-License-Identifier: Apache-2.0
#include "gputlm/mmu/mmu_spec.h"
