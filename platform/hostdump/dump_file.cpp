// SPDX-License-Identifier: Apache-2.0
#include "gputlm/hostdump/dump_file.h"

#include <map>

#include <fmt/format.h>

#include "gputlm/config/diagnostics.h"
#include "gputlm/config/regular_file.h"
#include "gputlm/hostdump/dump_bytes.h"

namespace gputlm {
namespace {

constexpr std::string_view kMagic = "GPUTLMPB";
constexpr std::uint32_t kVersion = 1;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
enum RecordType : std::uint32_t { kChannel = 1, kEntry = 2, kDoorbell = 3 };
constexpr std::uint32_t kChannelBytes = 20, kEntryBytes = 16, kDoorbellBytes = 16;

void write(DumpWriter& out, const DumpChannel& c) {
  out.word(kChannel), out.word(kChannelBytes);
  out.word(c.channel), out.word(c.token), out.word(c.entries), out.wide(c.gpfifo_address);
}

void write(DumpWriter& out, const DumpEntry& e) {
  out.word(kEntry), out.word(kEntryBytes + 4 * static_cast<std::uint32_t>(e.words.size()));
  out.word(e.channel), out.word(e.index), out.word(e.word0), out.word(e.word1);
  for (const std::uint32_t word : e.words) out.word(word);
}

void write(DumpWriter& out, const DumpDoorbell& d) {
  out.word(kDoorbell), out.word(kDoorbellBytes);
  out.word(d.token), out.word(d.gp_put), out.wide(static_cast<std::uint64_t>(d.time));
}

/// Reads the records one after the other and checks what one says of another.
class RecordReader {
 public:
  explicit RecordReader(DumpReader& in) : in_(in) {}

  DumpRecord next() {
    const std::size_t start = in_.offset();
    const std::uint32_t type = in_.word("a record"), bytes = in_.word("a record");
    if (type < kChannel || type > kDoorbell)
      in_.refuse(start, "type of a record", std::to_string(type), "1 channel, 2 GPFIFO entry, 3 doorbell");
    const bool sized = type == kEntry ? bytes >= kEntryBytes && bytes % 4 == 0
                                      : bytes == (type == kChannel ? kChannelBytes : kDoorbellBytes);
    if (!sized)
      in_.refuse(start + 4, "length of a record", fmt::format("{} bytes", bytes),
                 type == kEntry     ? "16 bytes and 4 for each word"
                 : type == kChannel ? "20 bytes"
                                    : "16 bytes");
    if (in_.left() < bytes) in_.text(bytes, "a record");
    if (type == kChannel) return channel();
    return type == kEntry ? DumpRecord(entry(bytes)) : DumpRecord(doorbell());
  }

 private:
  DumpChannel channel() {
    const std::size_t start = in_.offset();
    DumpChannel c;
    c.channel = in_.word("a channel");
    c.token = in_.word("a channel");
    c.entries = in_.word("a channel");
    c.gpfifo_address = in_.wide("a channel");
    if (!rings_.emplace(c.channel, c.entries).second)
      in_.refuse(start, "number of a channel", std::to_string(c.channel), "one that no earlier channel has");
    return c;
  }

  DumpEntry entry(std::uint32_t bytes) {
    const std::size_t start = in_.offset();
    DumpEntry e;
    e.channel = in_.word("an entry");
    e.index = in_.word("an entry");
    e.file_offset = in_.offset();
    e.word0 = in_.word("an entry");
    e.word1 = in_.word("an entry");
    const auto ring = rings_.find(e.channel);
    if (ring == rings_.end())
      in_.refuse(start, "channel of a GPFIFO entry", std::to_string(e.channel), "one that stands before it");
    if (e.index >= ring->second)
      in_.refuse(start + 4, "place of a GPFIFO entry in its ring", std::to_string(e.index),
                 fmt::format("below {}", ring->second));
    e.words.resize((bytes - kEntryBytes) / 4);
    for (std::uint32_t& word : e.words) word = in_.word("an entry");
    return e;
  }

  DumpDoorbell doorbell() {
    DumpDoorbell d;
    d.token = in_.word("a doorbell");
    d.gp_put = in_.word("a doorbell");
    const std::size_t start = in_.offset();
    const std::uint64_t time = in_.wide("a doorbell");
    if (time > static_cast<std::uint64_t>(kNever)) in_.refuse(start, "time of a doorbell", std::to_string(time), "fs");
    d.time = static_cast<Fs>(time);
    return d;
  }

  DumpReader& in_;
  std::map<std::uint32_t, std::uint32_t> rings_;  // entries by channel
};

}  // namespace

void PushbufferDump::write(const std::string& file) const {
  DumpWriter out;
  out.text(kMagic), out.word(kVersion), out.word(static_cast<std::uint32_t>(records.size()));
  for (const DumpRecord& record : records) std::visit([&](const auto& r) { gputlm::write(out, r); }, record);
  out.word(crc32(out.bytes()));
  if (replace_file(file, out.bytes())) return;
  Diagnostics diagnostics;
  diagnostics.add({file, 0, 0}, "", "cannot be written");
  throw ConfigError(diagnostics);
}

PushbufferDump PushbufferDump::read(const std::string& file) {
  const std::string bytes = read_input_file(file, kMostBytes);
  DumpReader in(file, bytes);
  const std::string_view magic = in.text(kMagic.size(), "the header");
  if (magic != kMagic) in.refuse(0, "not a pushbuffer dump", excerpt(magic), std::string(kMagic));
  if (const std::uint32_t version = in.word("the header"); version != kVersion)
    in.refuse(in.offset() - 4, "version of the format", std::to_string(version), std::to_string(kVersion));
  PushbufferDump dump;
  RecordReader records(in);
  for (std::uint32_t n = in.word("the header"); n > 0; --n) dump.records.push_back(records.next());
  const std::size_t end = in.offset();
  const std::uint32_t sum = in.word("the checksum"), right = crc32(std::string_view(bytes).substr(0, end));
  if (sum != right) in.refuse(end, "checksum", fmt::format("{:#x}", sum), fmt::format("{:#x}", right));
  if (in.left() > 0)
    in.refuse(in.offset(), "the file goes on behind its end", fmt::format("{} bytes", in.left()), "nothing");
  return dump;
}

}  // namespace gputlm
