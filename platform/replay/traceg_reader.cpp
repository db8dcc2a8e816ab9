// SPDX-License-Identifier: Apache-2.0
#include "gputlm/replay/traceg_reader.h"

#include <utility>

#include <fmt/format.h>

#include "gputlm/replay/trace_words.h"

namespace gputlm {
namespace {

constexpr std::string_view kBegin = "#BEGIN_TB", kEnd = "#END_TB";

}  // namespace

TracegReader::TracegReader(std::unique_ptr<TraceLines> lines, TracegOpcodes& opcodes, Damage& damage)
    : lines_(std::move(lines)), damage_(damage), header_(read_traceg_header(*lines_)), reader_(header_, opcodes) {}

void TracegReader::note(std::string message, std::string_view found, std::string allowed) {
  damage_.note(lines_->place(), std::move(message), found.empty() ? std::string() : excerpt(found), std::move(allowed));
}

bool TracegReader::read_block(TracegSink& sink) {
  if (!find_block()) {
    check_end();
    return false;
  }
  ++blocks_;
  block_placed_ = false;
  warp_.reset();
  std::string_view line;
  while (damage_.next_line(*lines_, line)) {
    line = trimmed(line);
    if (line.empty()) continue;
    if (line == kEnd) {
      end_warp();
      return true;
    }
    if (line == kBegin) {
      note("a block begins and the one before has not ended", {}, std::string(kEnd));
      lines_->put_back();
      end_warp();
      return true;
    }
    if (line[0] != '#') read_line(line, sink);
  }
  end_warp();
  note("the file ends within a block", {}, std::string(kEnd));
  return true;
}

bool TracegReader::find_block() {
  std::string_view line;
  while (damage_.next_line(*lines_, line)) {
    line = trimmed(line);
    if (line == kBegin) return true;
    if (line.empty() || line[0] == '#') continue;
    note("a line outside of a block", line, std::string(kBegin));
  }
  return false;
}

void TracegReader::read_line(std::string_view line, TracegSink& sink) {
  const bool key = line.find('=') != std::string_view::npos;
  if (key && read_key(line, sink)) return;
  read_instruction(line, sink);
}

bool TracegReader::read_key(std::string_view line, TracegSink& sink) {
  const std::size_t equals = line.find('=');
  const std::string_view name = trimmed(line.substr(0, equals)), value = trimmed(line.substr(equals + 1));
  if (name == "thread block") {
    read_place(value);
  } else if (name == "warp") {
    begin_warp(value, sink);
  } else if (name == "insts") {
    instructions_ = number_of<std::uint64_t>(value);
    if (!instructions_) note("not a number of instructions", value, "a decimal number");
  } else {
    return false;
  }
  return true;
}

void TracegReader::read_place(std::string_view value) {
  const Dimensions& g = header_.grid;
  std::array<std::uint32_t, 3> at{};
  if (!three_numbers(value, at) || at[0] >= g.x || at[1] >= g.y || at[2] >= g.z)
    return note("not a block of the grid", value, fmt::format("0,0,0 to {},{},{}", g.x - 1, g.y - 1, g.z - 1));
  reader_.block = {at[0], at[1], at[2]};
  block_placed_ = true;
}

void TracegReader::begin_warp(std::string_view value, TracegSink& sink) {
  end_warp();
  const auto warp = number_of<unsigned>(value);
  if (!block_placed_) note("a warp before its block's place", {}, "thread block = X,Y,Z");
  const std::optional<unsigned> before = std::exchange(warp_, std::nullopt);
  if (!warp || *warp >= header_.warps_per_block())
    return note("not a warp of the block", value, fmt::format("0 to {}", header_.warps_per_block() - 1));
  if (before && *warp <= *before) return note("the warps of a block do not ascend", value);
  warp_ = reader_.warp = *warp;
  instructions_.reset();
  read_ = 0;
  after_copy_ = false;
  sink.on_warp(*warp);
}

void TracegReader::read_instruction(std::string_view line, TracegSink& sink) {
  if (!warp_) return note("an instruction before its warp", line, "warp = W");
  ++read_;
  LineProblem problem;
  if (!reader_.read(line, current_, problem))
    return damage_.note(lines_->place(), std::move(problem.message), std::move(problem.found),
                        std::move(problem.allowed));
  const bool copy = current_.opcode->kind == TracegOpcode::Kind::async_copy;
  const bool twin = copy && is_twin(current_);
  after_copy_ = copy && !twin;
  if (twin) return;
  if (copy) last_copy_ = current_;
  sink.on_instruction(current_);
}

// NVBit reports an LDGSTS for each of its two addresses; some versions of the tracer keep both lines.
bool TracegReader::is_twin(const TracegInstruction& i) const {
  if (i.mask != 0 && global_lanes(i, header_) == 0) return true;
  return after_copy_ && i == last_copy_;
}

void TracegReader::end_warp() {
  if (warp_ && instructions_ && *instructions_ != read_)
    note(fmt::format("warp {} has {} of its instructions", *warp_, read_), {}, std::to_string(*instructions_));
  if (warp_ && !instructions_)
    note(fmt::format("warp {} does not say how many instructions it has", *warp_), {}, "insts = N");
}

void TracegReader::check_end() {
  const std::uint64_t all = header_.grid.count();
  if (blocks_ != all) note(fmt::format("the file has {} of the grid's blocks", blocks_), {}, fmt::format("{}", all));
}

}  // namespace gputlm
