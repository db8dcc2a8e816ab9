// SPDX-License-Identifier: Apache-2.0
#include "gputlm/system/gpu.h"

#include <algorithm>
#include <string>

namespace gputlm {

Gpu::Gpu(const sc_core::sc_module_name& name, const Config& config, const BuildOptions& options)
    : sc_module(name), mem("mem", config, options), pages(config.mmu.page_bytes) {
  for (unsigned i = 0; i < config.sms; ++i) {
    sms.push_back(
        std::make_unique<Sm>(("sm" + std::to_string(i)).c_str(), mem.config(), i, mem.pool, pages, mem.wiring));
    mem.connect(sms[i]->mmu.physical, i);
  }
}

std::vector<Unit*> Gpu::units() const {
  std::vector<Unit*> all;
  for (const auto& sm : sms) all.insert(all.end(), {&sm->scheduler, &sm->lsu, &sm->l1, &sm->mmu});
  const std::vector<Unit*> memory = mem.units();
  all.insert(all.end(), memory.begin(), memory.end());
  all.insert(all.end(), attached_.begin(), attached_.end());
  return all;
}

void Gpu::reset() {
  for (const auto& sm : sms)
    for (Unit* u : std::initializer_list<Unit*>{&sm->scheduler, &sm->lsu, &sm->l1, &sm->mmu}) u->reset();
  mem.reset();
  for (Unit* u : attached_) u->reset();
}

bool Gpu::idle() const {
  const auto all = units();
  return std::all_of(all.begin(), all.end(), [](const Unit* u) { return u->idle(); });
}

}  // namespace gputlm
