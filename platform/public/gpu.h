// SPDX-License-Identifier: Apache-2.0
//
// Public name: gputlm::Gpu, SMs on the memory system.
#pragma once

#include "gputlm/config.h"
#include "gputlm/system/gpu.h"
