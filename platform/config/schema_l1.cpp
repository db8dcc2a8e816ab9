// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/schema_builder.h"

namespace gputlm {

void describe_l1(SchemaBuilder& t) {
  t.count("l1.ways", {1, 64}, "ways", "Ways of a set, replaced in strict LRU order.", {at(&Config::l1, &L1Spec::ways)});
  t.count("l1.sets", {1, 1U << 16}, "sets", "Sets; a power of two.", {at(&Config::l1, &L1Spec::sets)});
  t.masks("l1.index_masks", {0, 16}, "Set index bit i is the parity of the virtual address under mask i.",
          {at(&Config::l1, &L1Spec::index_masks)});
  t.choice(
      "l1.write_policy", {"write_through", "write_around", "write_back"},
      "A store goes on to L2 at once and takes a slot, goes on and takes none, or stays until its line is evicted, "
      "fenced or accessed strongly.",
      {at(&Config::l1, &L1Spec::write_policy)});
  t.time("l1.hit_latency", kLatency, "Request at L1 to data back at the load/store unit.",
         {at(&Config::l1, &L1Spec::hit_latency)});
  t.time("l1.miss_latency", kLatency,
         "Request at L1 to request leaving for translation; stores and strong loads take it too.",
         {at(&Config::l1, &L1Spec::miss_latency)});
  t.real("l1.hit_bytes_per_cycle", kRate, "bytes per core cycle", "Data that hits return.",
         {at(&Config::l1, &L1Spec::hit_bytes_per_cycle)});
  t.count("l1.fill_sectors", {4, kMostOfAnyQueue}, "sectors", "Sectors of one L1 that may be on their way at once.",
          {at(&Config::l1, &L1Spec::fill_sectors)});
}

}  // namespace gputlm
