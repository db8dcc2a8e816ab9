// SPDX-License-Identifier: Apache-2.0
//
// One streaming multiprocessor's memory path: warp schedulers, load/store unit, L1 and address translation.
#pragma once

#include "gputlm/config/config.h"
#include "gputlm/l1/l1_cache.h"
#include "gputlm/lsu/lsu.h"
#include "gputlm/mmu/mmu.h"
#include "gputlm/system/wiring.h"
#include "gputlm/warp/warp_scheduler.h"

namespace gputlm {

/// An SM, wired inside; `mmu.physical` is left to be bound to the crossbar.
class Sm : public sc_core::sc_module {
 public:
  Sm(const sc_core::sc_module_name& name, const Config& config, unsigned number, PayloadPool& pool,
     const PageTable& pages, Wiring& wiring)
      : sc_module(name),
        scheduler("warps", config.warp, number, pool),
        lsu("lsu", config.lsu, number, pool),
        l1("l1", config.l1, number, pool),
        mmu("mmu", config.mmu, number, pages) {
    for (std::size_t i = 0; i < scheduler.accesses.size(); ++i)
      wiring.connect(*scheduler.accesses[i], *lsu.accesses[i]);
    wiring.connect(lsu.line, l1.requests);
    wiring.connect(l1.misses, mmu.requests);
  }

  WarpScheduler scheduler;
  Lsu lsu;
  L1Cache l1;
  Mmu mmu;
};

}  // namespace gputlm
