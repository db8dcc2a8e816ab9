// SPDX-License-Identifier: Apache-2.0
//
// Public name: gputlm::PcieCard, a whole card as a PCIe slot sees it.
#pragma once

#include "gputlm/config.h"
#include "gputlm/launch/pcie_card.h"
