// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/schema_builder.h"

namespace gputlm {

void describe_mmu(SchemaBuilder& t) {
  t.count("mmu.entries", {1, 4096}, "pages", "Entries of an SM's TLB, fully associative, LRU.",
          {at(&Config::mmu, &MmuSpec::entries)});
  t.bytes("mmu.page_bytes", {4096, std::uint64_t{1} << 40}, "Size of a page; a power of two.",
          {at(&Config::mmu, &MmuSpec::page_bytes)});
  t.time("mmu.hit_latency", kLatency, "Added by a translation that the TLB holds.",
         {at(&Config::mmu, &MmuSpec::hit_latency)});
  t.time("mmu.miss_latency", kLatency, "Added by a translation that it does not hold.",
         {at(&Config::mmu, &MmuSpec::miss_latency)});
}

}  // namespace gputlm
