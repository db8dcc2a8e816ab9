// SPDX-License-Identifier: Apache-2.0
//
// Public name: gputlm::Config, a card's numbers, and gputlm::ParameterView, the same by name and text.
#pragma once

#include "gputlm/config/config.h"
#include "gputlm/config/data_dir.h"
#include "gputlm/config/parameter_view.h"
#include "gputlm/version.h"

namespace gputlm {

/// A program that includes an installed header finds the configurations that were installed with it.
inline const bool kDataInstalledWithHeaders = add_data_dir_above(__FILE__);

}  // namespace gputlm
