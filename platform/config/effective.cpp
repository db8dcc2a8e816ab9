// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/effective.h"

#include <algorithm>

namespace gputlm {

const std::vector<std::string>& confidence_names() {
  static const std::vector<std::string> names{"measured", "published", "computed", "inferred", "recalled", "assumed"};
  return names;
}

const EffectiveValue* EffectiveConfig::find(std::string_view path) const {
  const auto found =
      std::find_if(values_.begin(), values_.end(), [&](const EffectiveValue& v) { return v.path == path; });
  return found == values_.end() ? nullptr : &*found;
}

}  // namespace gputlm
