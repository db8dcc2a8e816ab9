// SPDX-License-Identifier: Apache-2.0
//
// What --trace-filter takes; what was read is asked about transactions with and without fields.
#include "gputlm/trace/trace_filter.h"

#include "fuzz_target.h"

void gputlm::fuzz(const std::string& text) {
  const TraceFilter filter = TraceFilter::parse(text, "--trace-filter");
  TraceTransaction store;
  store.operation = "store";
  store.virtual_address = store.physical_address = 0x80;
  store.origin.sm = 3;
  filter.keeps(store, TraceUnit::l2);
  filter.keeps(TraceTransaction(), TraceUnit::dram);
}
