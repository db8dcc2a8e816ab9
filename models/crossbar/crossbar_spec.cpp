// SPDX-License-Identifier: Apache-2.0
#include "gputlm/crossbar/crossbar_spec.h"
