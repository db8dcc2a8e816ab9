// SPDX-License-Identifier: Apache-2.0
//
// Public name: gputlm::MemorySystem, from the crossbar to DRAM, for somebody's own SMs.
#pragma once

#include "gputlm/config.h"
#include "gputlm/system/memory_system.h"
