// SPDX-License-Identifier: Apache-2.0
#include "gputlm/ports/width_adapters.h"

#include <stdexcept>

namespace gputlm {

void refuse_second_binding(const std::string& who, const std::string& text) {
  SC_REPORT_ERROR(who.c_str(), text.c_str());
  throw std::logic_error(who + ": " + text);
}

}  // namespace gputlm
