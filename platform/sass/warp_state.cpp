// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sass/warp_state.h"

#include <algorithm>
#include <utility>

#include "gputlm/sass/listing.h"
#include "gputlm/tlm/wait_list.h"

namespace gputlm {

WarpState::WarpState(const SassLaunch& launch, CtaState& cta, unsigned warp, unsigned registers)
    : launch(launch), cta(cta), warp(warp), registers_(std::size_t{registers} * kWarpLanes) {
  const std::uint64_t first = std::uint64_t{warp} * kWarpLanes, threads = launch.block.count();
  const std::uint64_t lanes = std::min<std::uint64_t>(threads - std::min(first, threads), kWarpLanes);
  present = lanes == kWarpLanes ? kAllLaneBits : (LaneMask{1} << lanes) - 1;
  live = present;
  predicates_[kTruePredicate] = predicates_[kUniformPredicates + kTruePredicate] = kAllLaneBits;
}

void WarpState::set_predicate(unsigned index, LaneMask lanes, LaneMask values) {
  if (index % kUniformPredicates == kTruePredicate) return;
  if (index >= kUniformPredicates)
    predicates_[index] = (values & lanes) != 0 ? kAllLaneBits : 0;
  else
    predicates_[index] = (predicates_[index] & ~lanes) | (values & lanes);
}

unsigned char* WarpState::local(unsigned lane, std::uint64_t address, unsigned size) {
  if (local_.empty()) local_.resize(std::size_t{launch.local_bytes} * kWarpLanes);
  if (address + size <= launch.local_bytes && address % size == 0)
    return local_.data() + std::size_t{launch.local_bytes} * lane + address;
  raise("a local access of " + std::to_string(size) + " bytes at " + hex_text(address) + ", where a thread has " +
        std::to_string(launch.local_bytes) + " bytes of local memory");
  return nullptr;
}

unsigned char* WarpState::shared(std::uint64_t address, unsigned size) {
  if (address + size <= cta.shared.size() && address % size == 0) return cta.shared.data() + address;
  raise("a shared access of " + std::to_string(size) + " bytes at " + hex_text(address) + ", where the CTA has " +
        std::to_string(cta.shared.size()) + " bytes of shared memory");
  return nullptr;
}

void WarpState::raise(std::string reason) {
  if (fault.empty()) fault = std::move(reason);
}

}  // namespace gputlm
