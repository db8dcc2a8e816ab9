// SPDX-License-Identifier: Apache-2.0
#include "gputlm/dram/dram_map.h"

#include <utility>

namespace gputlm {

std::unique_ptr<DramMap> DramMap::make(const DramSpec& spec, ControllerOf controller_of) {
  if (spec.map.type == "windowed") return make_windowed_map(spec, std::move(controller_of));
  if (spec.map.type == "linear") return make_linear_map(spec);
  return nullptr;
}

}  // namespace gputlm
