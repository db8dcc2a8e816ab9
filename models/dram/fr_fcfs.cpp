// SPDX-License-Identifier: Apache-2.0
//
// First ready, first come first served: requests whose row is open go before others; among those, the one whose bank
// and bank group can take a column first, then the oldest. Rows are opened ahead, group by group, before a group runs
// out of row hits, so that all groups keep interleaving on the bus.
#include <array>

#include "gputlm/dram/dram_scheduler.h"

namespace gputlm {
namespace {

unsigned lowest(std::uint64_t banks) {
  return static_cast<unsigned>(__builtin_ctzll(banks));
}

/// The earliest of the requests considered; of equal ones the oldest.
struct Best {
  const RequestQueue& queue;
  QueueSlot slot = kNoSlot;
  Ck time = kNever;

  void consider(QueueSlot candidate, Ck at) {
    if (slot != kNoSlot && (at > time || (at == time && queue.order(candidate) > queue.order(slot)))) return;
    slot = candidate;
    time = at;
  }
};

class FrFcfs : public DramScheduler {
 public:
  explicit FrFcfs(unsigned lines_to_open) : lines_to_open_(lines_to_open) {}

  QueueSlot pick(const RequestQueue& queue, const BankForecast& banks) const override {
    const std::uint64_t hits = queue.hit_banks();
    Best best{queue};
    for (std::uint64_t banks_left = hits; banks_left != 0; banks_left &= banks_left - 1) {
      const unsigned bank = lowest(banks_left);
      best.consider(queue.first_hit(bank), banks.column_at(bank));
    }
    if (hits != 0) return best.slot;
    for (std::uint64_t banks_left = queue.busy_banks(); banks_left != 0; banks_left &= banks_left - 1) {
      const unsigned bank = lowest(banks_left);
      best.consider(queue.head(bank), banks.column_after_opening(bank));
    }
    return best.slot;
  }

  QueueSlot pick_row(const RequestQueue& next, const RequestQueue& current, const BankForecast& banks) const override {
    std::uint64_t idle = next.busy_banks() & ~next.hit_banks() & ~current.hit_banks();  // could open another row
    if (idle == 0) return kNoSlot;
    std::array<unsigned, RequestQueue::kMostBanks> hits{};  // per group
    for (std::uint64_t banks_left = next.hit_banks(); banks_left != 0; banks_left &= banks_left - 1) {
      const unsigned bank = lowest(banks_left);
      hits[banks.group_of(bank)] += next.hits(bank);
    }
    Best best{next};
    for (; idle != 0; idle &= idle - 1) {
      const unsigned bank = lowest(idle);
      if (hits[banks.group_of(bank)] <= lines_to_open_)
        best.consider(next.head(bank), banks.column_after_opening(bank));
    }
    return best.slot;
  }

 private:
  unsigned lines_to_open_;
};

}  // namespace

std::unique_ptr<DramScheduler> make_fr_fcfs(unsigned lines_to_open) {
  return std::make_unique<FrFcfs>(lines_to_open);
}

}  // namespace gputlm
