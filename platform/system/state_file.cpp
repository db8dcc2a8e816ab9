// SPDX-License-Identifier: Apache-2.0
#include "gputlm/system/state_file.h"

#include <algorithm>

#include "gputlm/config/schema.h"
#include "gputlm/hostdump/dump_bytes.h"
#include "gputlm/system/state_slices.h"
#include "gputlm/version.h"

namespace gputlm {
namespace {

constexpr std::string_view kMark = "GPUTLMWS";
constexpr std::uint32_t kFormat = 3;
constexpr std::uint64_t kChecksumBytes = 4;
constexpr unsigned kEvictionClasses = 3;

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

std::vector<const Parameter*> deciding_parameters() {
  std::vector<const Parameter*> all;
  for (const Parameter& p : Schema::instance().parameters())
    if (decides_places(p.path)) all.push_back(&p);
  return all;
}

void put_origin(DumpWriter& out, const Config& config) {
  for (const std::uint32_t number : {GPUTLM_VERSION_MAJOR, GPUTLM_VERSION_MINOR, GPUTLM_VERSION_PATCH})
    out.word(number);
  const std::vector<const Parameter*> parameters = deciding_parameters();
  out.word(static_cast<std::uint32_t>(parameters.size()));
  for (const Parameter* p : parameters) {
    put_text(out, p->path);
    put_text(out, p->value_text(config));
  }
}

/// What a way's state means may change with all but the patch version.
void check_program(DumpReader& in) {
  const auto series = [](std::uint32_t major, std::uint32_t minor) {
    return std::to_string(major) + "." + std::to_string(minor);
  };
  const std::size_t at = in.offset();
  const std::uint32_t major = in.word("a version"), minor = in.word("a version");
  in.word("a version");
  if (major != GPUTLM_VERSION_MAJOR || minor != GPUTLM_VERSION_MINOR)
    in.refuse(at, "saved by another version of gputlm", series(major, minor),
              series(GPUTLM_VERSION_MAJOR, GPUTLM_VERSION_MINOR));
}

void check_configuration(DumpReader& in, const Config& config) {
  const std::vector<const Parameter*> parameters = deciding_parameters();
  const std::size_t start = in.offset();
  if (const std::uint32_t count = in.word("the number of parameters"); count != parameters.size())
    in.refuse(start, "number of parameters", std::to_string(count), std::to_string(parameters.size()));
  for (const Parameter* p : parameters) {
    const std::size_t at = in.offset();
    const std::string path(in.text(in.word("a parameter's length"), "a parameter"));
    const std::string text(in.text(in.word("a value's length"), "a value"));
    if (path != p->path) in.refuse(at, "another parameter was expected", path, p->path);
    if (const std::string here = p->value_text(config); text != here)
      in.refuse(at, path + " differs from the memory system's", text, here);
  }
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
  out.word(static_cast<std::uint32_t>(w.state.eviction));
  out.wide(w.state.last_use);
  out.wide(w.state.last_store);
  out.word(w.state.in_fifo ? 1 : 0);
  out.text(text_of(w.data));
}
SavedWay way_of(DumpReader& in, const Config& config) {
  SavedWay w;
  w.slice = in.word_below(config.crossbar.slices, "slice");
  w.set = in.word_below(config.l2.sets, "set");
  w.way = in.word_below(config.l2.ways, "way");
  w.state.present = true;
  w.state.line = address_of(in, config);
  w.state.valid = mask_of(in);
  w.state.dirty = mask_of(in);
  w.state.eviction = static_cast<EvictionClass>(in.word_below(kEvictionClasses, "eviction class"));
  w.state.last_use = in.wide("an order number");
  w.state.last_store = in.wide("an order number");
  w.state.in_fifo = in.word("membership of a FIFO") != 0;
  w.data = line_data(in);
  return w;
}

std::string set_text(unsigned slice, unsigned set) {
  return "slice " + std::to_string(slice) + " set " + std::to_string(set);
}

/// Whether a way may hold its line, next to the ways read so far. Those of a set come together.
void check_way(DumpReader& in, std::size_t at, const std::vector<SavedWay>& before, const SavedWay& w,
               const AddressOracle& places) {
  const std::string line = hex_text(w.state.line);
  const unsigned slice = places.slice_of(w.state.line), set = places.set_of(w.state.line);
  if (slice != w.slice || set != w.set)
    in.refuse(at, "line " + line + " lies in another set", set_text(w.slice, w.set), set_text(slice, set));
  if (!w.state.valid.contains(w.state.dirty))
    in.refuse(at, "line " + line + " has dirty bytes that are not valid", "", "");
  for (auto other = before.rbegin(); other != before.rend() && other->slice == w.slice && other->set == w.set; ++other)
    if (other->way == w.way || other->state.line == w.state.line)
      in.refuse(at, "a way or its line is there twice", "way " + std::to_string(w.way) + " line " + line, "each once");
  if (!before.empty() && std::make_pair(before.back().slice, before.back().set) > std::make_pair(w.slice, w.set))
    in.refuse(at, "ways out of order", set_text(w.slice, w.set), "by slice and set");
}

void check_frame(const std::string& file, DumpReader& in, std::string_view bytes) {
  if (bytes.substr(0, kMark.size()) != kMark)
    in.refuse(0, "not a file of saved memory contents", "something else", std::string(kMark));
  in.text(kMark.size(), "the mark");
  if (const std::uint32_t format = in.word("the version"); format != kFormat)
    in.refuse(kMark.size(), "version of the format", std::to_string(format), std::to_string(kFormat));
  const std::size_t at = in.offset();
  if (const std::uint64_t length = in.wide("the length"); length != bytes.size())
    in.refuse(at, "the file is damaged or cut off: length", std::to_string(bytes.size()) + " bytes",
              std::to_string(length) + " bytes");
  const std::size_t end = bytes.size() - kChecksumBytes;
  const std::uint32_t sum = DumpReader(file, bytes.substr(end)).word("the checksum"),
                      right = crc32(bytes.substr(0, end));
  if (sum != right) in.refuse(end, "the file is damaged: checksum", hex_text(sum), hex_text(right));
}

std::string encode_contents(const SavedState& state, const Config& config) {
  DumpWriter out;
  put_origin(out, config);
  out.wide(state.lines.size());
  for (const SavedLine& line : state.lines) {
    out.wide(line.address);
    out.text(text_of(line.data));
  }
  out.wide(state.ways.size());
  for (const SavedWay& way : state.ways) put_way(out, way);
  put_slices(out, state.slices);
  return out.bytes();
}

}  // namespace

std::string encode_state(const SavedState& state, const Config& config) {
  const std::string contents = encode_contents(state, config);
  DumpWriter out;
  out.text(kMark);
  out.word(kFormat);
  out.wide(out.size() + sizeof(std::uint64_t) + contents.size() + kChecksumBytes);
  out.text(contents);
  out.word(crc32(out.bytes()));
  return out.bytes();
}

SavedState decode_state(const std::string& file, std::string_view bytes, const Config& config,
                        const AddressOracle& places) {
  DumpReader in(file, bytes);
  check_frame(file, in, bytes);
  check_program(in);
  check_configuration(in, config);
  SavedState state;
  for (std::uint64_t left = in.wide("the number of lines"); left > 0; --left) {
    const std::size_t at = in.offset();
    const std::uint64_t address = address_of(in, config);
    if (!state.lines.empty() && address <= state.lines.back().address)
      in.refuse(at, "lines out of order", hex_text(address), "above " + hex_text(state.lines.back().address));
    state.lines.push_back({address, line_data(in)});
  }
  for (std::uint64_t left = in.wide("the number of ways"); left > 0; --left) {
    const std::size_t at = in.offset();
    const SavedWay way = way_of(in, config);
    check_way(in, at, state.ways, way, places);
    state.ways.push_back(way);
  }
  state.slices = slices_of(in, config);
  for (SavedWay& way : state.ways) way.state.rrpv = state.slices[way.slice].sets[way.set].replacement[way.way];
  if (in.left() != kChecksumBytes)
    in.refuse(in.offset(), "bytes behind the last slice", std::to_string(in.left()), std::to_string(kChecksumBytes));
  return state;
}

}  // namespace gputlm
