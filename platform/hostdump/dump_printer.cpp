// SPDX-License-Identifier: Apache-2.0
#include "gputlm/hostdump/dump_printer.h"

#include <map>
#include <optional>

#include <fmt/ostream.h>

#include "gputlm/hostdump/dump_bytes.h"
#include "gputlm/hostdump/segment_printer.h"
#include "gputlm/hostformats/format_error.h"
#include "gputlm/hostformats/gpfifo_entry.h"

namespace gputlm {
namespace {

class DumpPrinter {
 public:
  DumpPrinter(std::ostream& out, std::string file) : out_(out), file_(std::move(file)) {}

  void operator()(const DumpChannel& c) {
    fmt::print(out_, "channel {}: work-submit token {:#x}, GPFIFO of {} entries at {:#x}\n", c.channel, c.token,
               c.entries, c.gpfifo_address);
    tokens_[c.token] = c.channel;
  }

  void operator()(const DumpEntry& e) {
    fmt::print(out_, "\nchannel {}, GPFIFO entry {}: {:#010x} {:#010x}", e.channel, e.index, e.word0, e.word1);
    const std::optional<GpfifoEntry> entry = decode(e);
    if (!entry) return;
    fmt::print(out_, "  {} words at {:#x}{}{}{}\n", entry->words, entry->address,
               entry->conditional ? ", conditional fetch" : "", entry->subroutine ? ", subroutine" : "",
               entry->wait ? ", waits for what stands before it" : "");
    SegmentPrinter& segments = channels_[e.channel];
    try {
      segments.print(out_, entry->address, e.words);
    } catch (const FormatError& error) {
      const std::size_t at = segments.read();
      fmt::print(out_, "  {:#012x}  ** {}\n", entry->address + 4 * at, error.what());
      note(e.file_offset + 8 + 4 * at, error);
    }
  }

  void operator()(const DumpDoorbell& d) {
    const auto channel = tokens_.find(d.token);
    fmt::print(out_, "\ndoorbell at {:.3f} ns: token {:#x} ({}), GP_PUT {}\n", to_ns(d.time), d.token,
               channel == tokens_.end() ? "of no channel" : fmt::format("channel {}", channel->second), d.gp_put);
  }

  Diagnostics take() { return std::move(problems_); }

 private:
  std::optional<GpfifoEntry> decode(const DumpEntry& e) {
    try {
      const GpfifoEntry entry = decode_gpfifo_entry(e.word0, e.word1);
      if (entry.words != e.words.size())
        throw FormatError("GPFIFO entry: length in words", std::to_string(entry.words),
                          std::to_string(e.words.size()) + ", as many as were kept");
      return entry;
    } catch (const FormatError& error) {
      fmt::print(out_, "\n  ** {}\n", error.what());
      note(e.file_offset, error);
      return {};
    }
  }

  void note(std::uint64_t offset, const FormatError& error) {
    problems_.add({place_in_dump(file_, offset), 0, 0}, "", error.what());
  }

  std::ostream& out_;
  const std::string file_;
  std::map<std::uint32_t, SegmentPrinter> channels_;
  std::map<std::uint32_t, std::uint32_t> tokens_;  // channels by token
  Diagnostics problems_;
};

}  // namespace

Diagnostics print_dump(std::ostream& out, const PushbufferDump& dump, const std::string& file) {
  DumpPrinter printer(out, file);
  for (const DumpRecord& record : dump.records) std::visit(printer, record);
  return printer.take();
}

}  // namespace gputlm
