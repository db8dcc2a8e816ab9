// SPDX-License-Identifier: Apache-2.0
//
// The one place that includes SystemC and TLM and hides what differs between SystemC 2.3.4 and 3.0 (IEEE 1666-2023).
#pragma once

#include "gputlm/version.h"

#ifndef SC_INCLUDE_DYNAMIC_PROCESSES
#define SC_INCLUDE_DYNAMIC_PROCESSES
#endif
#include <systemc>
#include <tlm>

/// Declares the process host typedef where SystemC still needs it; 3.0 deprecates the macro.
#if defined(IEEE_1666_SYSTEMC) && IEEE_1666_SYSTEMC >= 202301L
#define GPUTLM_HAS_PROCESS(module)
#else
#define GPUTLM_HAS_PROCESS(module) SC_HAS_PROCESS(module)
#endif
