// SPDX-License-Identifier: Apache-2.0
#include "gputlm/replay/kernel_list.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "gputlm/config/virtual_space.h"
#include "gputlm/replay/trace_words.h"

namespace gputlm {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCopy = "MemcpyHtoD", kKernel = "kernel", kCompressed = ".xz";
/// Passed over, as by the format's own parser.
constexpr std::array<std::string_view, 3> kOtherCopies{"MemcpyDtoH", "MemcpyDtoD", "MemcpyHtoH"};

/// `MemcpyHtoD,0xADDR,BYTES`
void read_copy(std::string_view line, const TraceLines& lines, KernelList& list, Damage& damage) {
  constexpr std::uint64_t kEnd = std::uint64_t{1} << kVirtualAddressBits;
  const std::size_t first = line.find(','), second = line.rfind(',');
  const bool whole = first != std::string_view::npos && first < second;
  const auto address = whole ? hex_of(trimmed(line.substr(first + 1, second - first - 1))) : std::nullopt;
  const auto bytes = whole ? number_of<std::uint64_t>(trimmed(line.substr(second + 1))) : std::nullopt;
  if (!address || !bytes || *address >= kEnd || *bytes > kEnd - *address)
    return damage.note(lines.place(), "not a copy", excerpt(line), "MemcpyHtoD,0xADDRESS,BYTES within 49 bits");
  list.copies.push_back({*address, *bytes});
}

std::string file_of(std::string_view line, const std::string& list) {
  fs::path path = fs::path(list).parent_path() / std::string(line);
  std::error_code ignored;
  if (fs::exists(path, ignored)) return path.string();
  std::string other = path.string();
  const bool compressed = path.extension() == kCompressed;
  if (compressed)
    other.resize(other.size() - kCompressed.size());
  else
    other += kCompressed;
  return fs::exists(other, ignored) ? other : path.string();
}

bool names_kernel(std::string_view line) {
  return begins(fs::path(line).filename().string(), kKernel);
}

void read_line(std::string_view line, const TraceLines& lines, KernelList& list, Damage& damage) {
  const std::string_view command = trimmed(line.substr(0, line.find(',')));
  if (command == kCopy) return read_copy(line, lines, list, damage);
  if (std::find(kOtherCopies.begin(), kOtherCopies.end(), command) != kOtherCopies.end()) return;
  if (names_kernel(line)) return list.kernels.push_back({file_of(line, lines.file()), lines.place()});
  damage.note(
      lines.place(), "neither a copy nor a kernel", excerpt(line),
      "MemcpyHtoD,0xADDRESS,BYTES, MemcpyDtoH, MemcpyDtoD, MemcpyHtoH, or a file whose name begins with kernel");
}

}  // namespace

KernelList read_kernel_list(TraceLines& lines, Damage& damage) {
  KernelList list;
  std::string_view line;
  while (damage.next_line(lines, line)) {
    line = trimmed(line);
    if (!line.empty() && line[0] != '#') read_line(line, lines, list, damage);
  }
  damage.throw_if_strict();
  if (list.kernels.empty()) {
    Diagnostics d;
    d.add({lines.file()}, {}, "names no kernel", {}, "lines with names of files that begin with kernel");
    d.throw_if_any();
  }
  return list;
}

}  // namespace gputlm
