// SPDX-License-Identifier: Apache-2.0
#include "gputlm/host/host_spec.h"
