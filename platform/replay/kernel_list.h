// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gputlm/replay/damage.h"
#include "gputlm/replay/trace_lines.h"

namespace gputlm {

/// Of the lists that are shipped.
inline constexpr const char *kTraceFolder = "configs/traces", *kTraceExtension = ".g";

/// A copy from the host: memory that the kernels find filled.
struct ReplayCopy {
  std::uint64_t address = 0, bytes = 0;
};

/// A kernel's trace and who named it.
struct ReplayFile {
  std::string path;
  Place place;
};

/// kernelslist.g: what the application did, in order.
struct KernelList {
  std::vector<ReplayCopy> copies;
  std::vector<ReplayFile> kernels;
};

/// Reads lines `MemcpyHtoD,0xADDR,BYTES` and files whose names begin with `kernel`, relative to the list's folder or
/// from the root; passes over copies of other directions, blank lines and comments (#). Every other line is damage: it
/// may be a kernel's name misspelt. A kernel whose name has lost or gained an .xz since the list was written is found.
/// Throws ConfigError when the list names no kernel.
KernelList read_kernel_list(TraceLines& lines, Damage& damage);

}  // namespace gputlm
