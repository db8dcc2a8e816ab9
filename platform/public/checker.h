// SPDX-License-Identifier: Apache-2.0
//
// Public names: gputlm::ProtocolChecker, which goes onto any arrow of 32 bits, and gputlm::ViolationLog.
#pragma once

#include "gputlm/tlm/protocol_checker.h"
#include "gputlm/version.h"
