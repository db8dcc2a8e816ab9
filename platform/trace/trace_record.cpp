// SPDX-License-Identifier: Apache-2.0
#include "gputlm/trace/trace_record.h"

namespace gputlm {

const char* name_of(TraceUnit unit) {
  constexpr const char* kNames[kTraceUnits] = {"lsu", "l1", "mmu", "crossbar", "l2", "controller", "dram", "host"};
  return kNames[static_cast<std::size_t>(unit)];
}

const char* name_of(TraceKind kind) {
  constexpr const char* kNames[] = {"access", "line", "fill", "fetch", "write_back", "row", "engine"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace gputlm
