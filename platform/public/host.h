// SPDX-License-Identifier: Apache-2.0
//
// Public names: gputlm::HostedGpu, a card with its host, and gputlm::HostDriver, which launches compiled kernels on it.
#pragma once

#include "gputlm/config.h"
#include "gputlm/launch/hosted_gpu.h"
