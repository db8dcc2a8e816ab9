// SPDX-License-Identifier: Apache-2.0
//
// Boost.Test inside a SystemC process: every test file includes this first. The kernel's resolution is 1 fs.
#pragma once

#include <boost/test/unit_test.hpp>

#include "gputlm/tlm/systemc_guard.h"
