// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "gputlm/sass/sass_code.h"

namespace gputlm {

/// Which code stands at which address of the GPU: what a driver loaded. SMs find their program here by the address in
/// the QMD; instruction fetch and its caches are left out.
class CodeStore {
 public:
  /// `address`: of the first instruction. Takes the place of what was loaded there before.
  const SassCode& load(std::uint64_t address, std::unique_ptr<SassCode> code) {
    std::unique_ptr<SassCode>& kept = codes_[address];
    kept = std::move(code);
    return *kept;
  }
  /// Null when no code begins there.
  const SassCode* find(std::uint64_t address) const {
    const auto found = codes_.find(address);
    return found == codes_.end() ? nullptr : found->second.get();
  }

 private:
  std::map<std::uint64_t, std::unique_ptr<SassCode>> codes_;
};

}  // namespace gputlm
