// SPDX-License-Identifier: Apache-2.0
//
// First ready, first come first served: requests whose row is open go before others; among those, the one whose bank
// and bank group can take a column first, then the oldest. Rows are opened ahead, group by group, before a group runs
// out of row hits, so that all groups keep interleaving on the bus.
#include <array>

#include "gputlm/dram/dram_scheduler.h"

namespace gputlm {
namespace {

class FrFcfs : public DramScheduler {
 public:
  explicit FrFcfs(unsigned lines_to_open) : lines_to_open_(lines_to_open) {}

  QueueSlot pick(const RequestQueue& queue, const BankForecast& banks) const override {
    QueueSlot best = kNoSlot;
    bool best_hits = false;
    Ck best_time = kNever;
    for (std::uint64_t busy = queue.busy_banks(); busy != 0; busy &= busy - 1) {
      const auto bank = static_cast<unsigned>(__builtin_ctzll(busy));
      QueueSlot slot = queue.oldest_for(bank, banks.row(bank));
      const bool hits = slot != kNoSlot;
      if (best_hits && !hits) continue;
      if (!hits) slot = queue.head(bank);
      const Ck time = hits ? banks.column_at(bank) : banks.column_after_opening(bank);
      if (hits == best_hits && best != kNoSlot &&
          (time > best_time || (time == best_time && queue[slot].order > queue[best].order)))
        continue;
      best = slot;
      best_hits = hits;
      best_time = time;
    }
    return best;
  }

  QueueSlot pick_row(const RequestQueue& next, const RequestQueue& current, const BankForecast& banks) const override {
    std::array<unsigned, 64> hits{};  // per group
    std::uint64_t idle = 0;           // banks that could open another row
    for (std::uint64_t busy = next.busy_banks(); busy != 0; busy &= busy - 1) {
      const auto bank = static_cast<unsigned>(__builtin_ctzll(busy));
      const unsigned count = next.count_for(bank, banks.row(bank));
      hits[banks.group_of(bank)] += count;
      if (count == 0 && current.count_for(bank, banks.row(bank)) == 0) idle |= 1ULL << bank;
    }
    QueueSlot best = kNoSlot;
    Ck best_time = kNever;
    for (; idle != 0; idle &= idle - 1) {
      const auto bank = static_cast<unsigned>(__builtin_ctzll(idle));
      if (hits[banks.group_of(bank)] > lines_to_open_) continue;
      const QueueSlot slot = next.head(bank);
      const Ck time = banks.column_after_opening(bank);
      if (best != kNoSlot && (time > best_time || (time == best_time && next[slot].order > next[best].order))) continue;
      best = slot;
      best_time = time;
    }
    return best;
  }

 private:
  unsigned lines_to_open_;
};

}  // namespace

std::unique_ptr<DramScheduler> make_fr_fcfs(unsigned lines_to_open) {
  return std::make_unique<FrFcfs>(lines_to_open);
}

}  // namespace gputlm
