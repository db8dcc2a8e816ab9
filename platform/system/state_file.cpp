// SPDX-License-Identifier: Apache-2.0
#include "gputlm/system/state_file.h"

#include <algorithm>

#include "gputlm/hostdump/dump_bytes.h"

namespace gputlm {
namespace {

constexpr std::string_view kMark = "GPUTLMWS";
constexpr std::uint32_t kVersion = 1;
constexpr std::uint64_t kChecksumBytes = 4;

/// Parameters that decide where a line lies and what a way's state means.
bool decides_places(std::string_view path) {
  for (const std::string_view prefix : {"crossbar.slice_function.", "l2.slices", "l2.sets", "l2.ways", "l2.set_index.",
                                        "l2.replacement.", "dram.capacity"})
    if (path.substr(0, prefix.size()) == prefix) return true;
  return false;
}

using LineData = std::array<unsigned char, kLineBytes>;

std::string_view text_of(const LineData& data) {
  return {reinterpret_cast<const char*>(data.data()), data.size()};
}
LineData line_data(DumpReader& in) {
  const std::string_view bytes = in.text(kLineBytes, "a line's bytes");
  LineData data;
  std::copy(bytes.begin(), bytes.end(), data.begin());
  return data;
}

void put_text(DumpWriter& out, std::string_view text) {
  out.word(static_cast<std::uint32_t>(text.size()));
  out.text(text);
}
void put_mask(DumpWriter& out, ByteMask mask) {
  out.wide(mask.low());
  out.wide(mask.high());
}
ByteMask mask_of(DumpReader& in) {
  const std::uint64_t low = in.wide("a mask");
  return {low, in.wide("a mask")};
}

void put_configuration(DumpWriter& out, const Config& config) {
  std::vector<const EffectiveValue*> values;
  for (const EffectiveValue& v : config.effective.values())
    if (decides_places(v.path)) values.push_back(&v);
  out.word(static_cast<std::uint32_t>(values.size()));
  for (const EffectiveValue* v : values) {
    put_text(out, v->path);
    put_text(out, v->text);
  }
}
void check_configuration(DumpReader& in, const Config& config) {
  for (std::uint32_t left = in.word("the number of parameters"); left > 0; --left) {
    const std::size_t at = in.offset();
    const std::string path(in.text(in.word("a parameter's length"), "a parameter"));
    const std::string text(in.text(in.word("a value's length"), "a value"));
    const EffectiveValue* here = config.effective.find(path);
    if (here == nullptr || here->text != text)
      in.refuse(at, path + " differs from the memory system's", text,
                here == nullptr ? "no such parameter" : here->text);
  }
}

unsigned place_of(DumpReader& in, const char* what, unsigned count) {
  const std::size_t at = in.offset();
  const std::uint32_t place = in.word(what);
  if (place >= count)
    in.refuse(at, std::string("no such ") + what, std::to_string(place), "below " + std::to_string(count));
  return place;
}
std::uint64_t address_of(DumpReader& in, const Config& config) {
  const std::size_t at = in.offset();
  const std::uint64_t line = in.wide("a line's address");
  if (line_of(line) != line || line >= config.memory_bytes())
    in.refuse(at, "no line of this memory", hex_text(line),
              "multiples of 128 below " + hex_text(config.memory_bytes()));
  return line;
}

void put_way(DumpWriter& out, const SavedWay& w) {
  for (const unsigned place : {w.slice, w.set, w.way}) out.word(place);
  out.wide(w.state.line);
  put_mask(out, w.state.valid);
  put_mask(out, w.state.dirty);
  out.word(w.state.rrpv);
  out.wide(w.state.last_use);
  out.wide(w.state.last_store);
  out.word(w.state.in_fifo ? 1 : 0);
  out.text(text_of(w.data));
}
SavedWay way_of(DumpReader& in, const Config& config) {
  SavedWay w;
  w.slice = place_of(in, "slice", config.crossbar.slices);
  w.set = place_of(in, "set", config.l2.sets);
  w.way = place_of(in, "way", config.l2.ways);
  w.state.present = true;
  w.state.line = address_of(in, config);
  w.state.valid = mask_of(in);
  w.state.dirty = mask_of(in);
  w.state.rrpv = in.word("an RRPV");
  w.state.last_use = in.wide("an order number");
  w.state.last_store = in.wide("an order number");
  w.state.in_fifo = in.word("membership of a FIFO") != 0;
  w.data = line_data(in);
  return w;
}

void check_frame(const std::string& file, DumpReader& in, std::string_view bytes) {
  const std::size_t end = bytes.size() < kChecksumBytes ? 0 : bytes.size() - kChecksumBytes;
  if (in.text(kMark.size(), "the mark") != kMark)
    in.refuse(0, "not a file of saved memory contents", "something else", std::string(kMark));
  if (const std::uint32_t version = in.word("the version"); version != kVersion)
    in.refuse(kMark.size(), "version of the format", std::to_string(version), std::to_string(kVersion));
  DumpReader tail(file, bytes.substr(end));
  const std::uint32_t sum = tail.word("the checksum"), right = crc32(bytes.substr(0, end));
  if (sum != right) in.refuse(end, "the file is damaged: checksum", hex_text(sum), hex_text(right));
}

}  // namespace

std::string encode_state(const SavedState& state, const Config& config) {
  DumpWriter out;
  out.text(kMark);
  out.word(kVersion);
  put_configuration(out, config);
  out.wide(state.lines.size());
  for (const SavedLine& line : state.lines) {
    out.wide(line.address);
    out.text(text_of(line.data));
  }
  out.wide(state.ways.size());
  for (const SavedWay& way : state.ways) put_way(out, way);
  out.word(crc32(out.bytes()));
  return out.bytes();
}

SavedState decode_state(const std::string& file, std::string_view bytes, const Config& config) {
  DumpReader in(file, bytes);
  check_frame(file, in, bytes);
  check_configuration(in, config);
  SavedState state;
  for (std::uint64_t left = in.wide("the number of lines"); left > 0; --left) {
    const std::uint64_t address = address_of(in, config);
    state.lines.push_back({address, line_data(in)});
  }
  for (std::uint64_t left = in.wide("the number of ways"); left > 0; --left) state.ways.push_back(way_of(in, config));
  if (in.left() != kChecksumBytes)
    in.refuse(in.offset(), "bytes behind the last way", std::to_string(in.left()), std::to_string(kChecksumBytes));
  return state;
}

}  // namespace gputlm
