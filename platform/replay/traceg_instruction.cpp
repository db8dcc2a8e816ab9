// SPDX-License-Identifier: Apache-2.0
#include "gputlm/replay/traceg_instruction.h"

#include <algorithm>
#include <limits>

#include "gputlm/config/quantity.h"
#include "gputlm/config/virtual_space.h"
#include "gputlm/replay/trace_words.h"

namespace gputlm {
namespace {

constexpr std::uint64_t kAddressEnd = std::uint64_t{1} << kVirtualAddressBits;

/// Thrown within this file only.
struct Wrong {
  LineProblem problem;
};

[[noreturn]] void refuse(std::string message, std::string_view found = {}, std::string allowed = {}) {
  throw Wrong{{std::move(message), found.empty() ? std::string() : excerpt(found), std::move(allowed)}};
}

std::string_view take(TraceWords& words, const char* what) {
  if (words.empty()) refuse("the line ends too early", {}, what);
  return words.take();
}

template <class T>
T take_number(TraceWords& words, const char* what) {
  const std::string_view word = take(words, what);
  const auto value = number_of<T>(word);
  if (!value) refuse(std::string("not ") + what, word, "a decimal number");
  return *value;
}

std::uint64_t take_hex(TraceWords& words, const char* what) {
  const std::string_view word = take(words, what);
  const auto value = hex_of(word);
  if (!value) refuse(std::string("not ") + what, word, "a hexadecimal number");
  return *value;
}

std::uint8_t take_register(TraceWords& words) {
  const std::string_view word = take(words, "a register");
  const auto number = word[0] == 'R' ? number_of<std::uint8_t>(word.substr(1)) : std::nullopt;
  if (!number) refuse("not a register", word, "R0 to R255");
  return *number;
}

void take_list(TraceWords& words, TracegInstruction& i) {
  for_each_lane_of(i.mask, [&](unsigned lane) { i.address[lane] = take_hex(words, "an address for each lane"); });
}

// The lanes behind a hole would have no address. Without a lane there is nothing to say, and what is said undefined.
void take_stride(TraceWords& words, TracegInstruction& i) {
  std::uint64_t address = take_hex(words, "a base address");
  const auto stride = static_cast<std::uint64_t>(take_number<std::int64_t>(words, "a stride"));
  const std::uint32_t run = i.mask >> lowest_lane(i.mask);
  if ((run & (run + 1)) != 0)
    refuse("address mode 1 (base and stride) with a hole in the mask", {}, "lanes next to each other");
  for_each_lane_of(i.mask, [&](unsigned lane) {
    i.address[lane] = address;
    address += stride;
  });
}

// One delta less than lanes, although the parser that came with the format reads one for each.
void take_deltas(TraceWords& words, TracegInstruction& i) {
  if (i.mask == 0) {
    if (begins(words.peek(), "0x")) words.take();
    return;
  }
  std::uint64_t address = take_hex(words, "a base address");
  bool first = true;
  for_each_lane_of(i.mask, [&](unsigned lane) {
    if (!first)
      address += static_cast<std::uint64_t>(take_number<std::int64_t>(words, "a delta for each further lane"));
    first = false;
    i.address[lane] = address;
  });
}

void take_addresses(TraceWords& words, TracegInstruction& i) {
  const std::string_view mode = take(words, "an address mode");
  if (mode == "0")
    take_list(words, i);
  else if (mode == "1")
    take_stride(words, i);
  else if (mode == "2")
    take_deltas(words, i);
  else
    refuse("not an address mode", mode, "0, 1, 2");
  i.addressed = true;
}

// Tracers print it with or without a sign.
void take_immediate(TraceWords& words, TracegInstruction& i) {
  const std::string_view word = take(words, "an immediate");
  const auto positive = number_of<std::uint64_t>(word);
  if (!positive && !number_of<std::int64_t>(word)) refuse("not an immediate", word, "a decimal number");
  i.immediate = positive.value_or(0);
}

void take_operands(TraceWords& words, TracegInstruction& i, TracegOpcodes& opcodes) {
  const auto results = take_number<unsigned>(words, "a number of destinations");
  if (results > 1) refuse("more destinations than a line has", std::to_string(results), "0 or 1");
  if (results == 1) i.destination = take_register(words);
  const std::string_view text = take(words, "an opcode");
  std::string problem;
  i.opcode = opcodes.find(text, problem);
  if (i.opcode == nullptr) refuse(problem, text);
  const auto sources = take_number<unsigned>(words, "a number of sources");
  if (sources > i.sources.size()) refuse("more sources than a line has", std::to_string(sources), "0 to 4");
  for (unsigned n = 0; n < sources; ++n) i.sources[n] = take_register(words);
}

// What the card would refuse as well.
void check_addresses(const TracegInstruction& i, std::uint32_t lanes) {
  const std::uint64_t bytes = i.opcode->bytes;
  for_each_lane_of(lanes, [&](unsigned lane) {
    const std::uint64_t address = i.address[lane];
    if (address % bytes != 0)
      refuse("an address that is not aligned to the access", format_hex(address),
             "a multiple of " + std::to_string(bytes));
    if (address >= kAddressEnd) refuse("an address beyond 49 bits", format_hex(address));
  });
}

}  // namespace

bool TracegInstruction::operator==(const TracegInstruction& o) const {
  bool same = opcode == o.opcode && pc == o.pc && mask == o.mask && destination == o.destination &&
              sources == o.sources && immediate == o.immediate && addressed == o.addressed;
  for_each_lane_of(addressed ? mask : 0, [&](unsigned lane) { same = same && address[lane] == o.address[lane]; });
  return same;
}

std::uint32_t global_lanes(const TracegInstruction& i, const TracegHeader& header) {
  using Kind = TracegOpcode::Kind;
  if (!i.opcode->leaves_sm() || !i.addressed) return 0;
  if (i.opcode->kind == Kind::global) return i.mask;
  std::uint32_t lanes = 0;
  for_each_lane_of(i.mask, [&](unsigned lane) {
    // LDGSTS has two addresses and a line for each; the one in shared memory is an offset.
    const bool offset = i.opcode->kind == Kind::async_copy && i.address[lane] < kWindowBytes;
    if (!offset && header.space_of(i.address[lane]) == Space::global) lanes |= 1U << lane;
  });
  return lanes;
}

bool TracegLineReader::read(std::string_view line, TracegInstruction& i, LineProblem& problem) const {
  TraceWords words(line);
  i = {};
  try {
    if (header_.version == TracegVersion::prefixed) {
      const Dimensions at{take_number<std::uint32_t>(words, "a block's x"),
                          take_number<std::uint32_t>(words, "a block's y"),
                          take_number<std::uint32_t>(words, "a block's z")};
      const auto of = take_number<unsigned>(words, "a warp");
      if (at.x != block.x || at.y != block.y || at.z != block.z || of != warp)
        refuse("the line belongs to another block or warp", line.substr(0, 40));
    }
    if (header_.lines) take_number<std::uint64_t>(words, "a line number");
    i.pc = take_hex(words, "a program counter");
    const std::uint64_t mask = take_hex(words, "a lane mask");
    if (mask > std::numeric_limits<std::uint32_t>::max()) refuse("a mask of more than 32 lanes", format_hex(mask));
    i.mask = static_cast<std::uint32_t>(mask);
    take_operands(words, i, opcodes_);
    if (take_number<unsigned>(words, "a width") > 0) take_addresses(words, i);
    if (header_.version == TracegVersion::immediates) {
      take_immediate(words, i);
    }
    if (!words.empty()) refuse("more than the line needs", words.peek());
    if (i.opcode->leaves_sm() && !i.addressed && i.mask != 0) refuse("an access without addresses", i.opcode->text);
    check_addresses(i, global_lanes(i, header_));
  } catch (Wrong& wrong) {
    problem = std::move(wrong.problem);
    return false;
  }
  return true;
}

}  // namespace gputlm
