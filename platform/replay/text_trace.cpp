// SPDX-License-Identifier: Apache-2.0
#include "gputlm/replay/text_trace.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "gputlm/config/quantity.h"
#include "gputlm/config/virtual_space.h"
#include "gputlm/replay/opcode_text.h"
#include "gputlm/replay/trace_words.h"

namespace gputlm {
namespace {

constexpr std::string_view kMemTrace = "MEMTRACE:";
constexpr std::uint32_t kMostWarps = 1U << 16;  // of a plain trace

/// Thrown within this file only.
struct NoAccess {
  LineProblem problem;
};

[[noreturn]] void reject(std::string message, std::string_view found, std::string allowed) {
  throw NoAccess{{std::move(message), excerpt(found), std::move(allowed)}};
}

const TracegOpcode* opcode_of(TracegOpcodes& opcodes, std::string_view text) {
  std::string problem;
  const TracegOpcode* const opcode = opcodes.find(text, problem);
  if (opcode == nullptr) reject(problem, text, {});
  return opcode;
}

// A time without a unit is in nanoseconds.
std::uint64_t time_of(std::string_view word) {
  constexpr double kMost = 1e9;
  const auto bare = parse_real(word);
  const auto with_unit = parse_time(word);
  const double ns = bare ? bare.value : with_unit ? to_ns(with_unit.value) : -1;
  if (ns < 0 || ns > kMost)
    reject("not a time", word, "0 to 10^9 nanoseconds, or a number with " + std::string(kTimeUnits));
  return static_cast<std::uint64_t>(from_ns(ns));
}

WarpInstruction operation_of(std::string_view word) {
  constexpr const char* kAllowed = "load, store, atomic, reduction or fence, with .cta, .gpu or .sys";
  const std::size_t dot = word.find('.');
  const std::string_view name = word.substr(0, dot);
  WarpInstruction w;
  w.operation = name == "load"        ? Operation::load
                : name == "store"     ? Operation::store
                : name == "atomic"    ? Operation::atomic
                : name == "reduction" ? Operation::reduction
                : name == "fence"     ? Operation::fence
                                      : Operation::l1_invalidate;
  if (w.operation == Operation::l1_invalidate) reject("not an operation", word, kAllowed);
  w.semantics =
      w.operation == Operation::load || w.operation == Operation::store ? Semantics::weak : Semantics::relaxed;
  w.scope = Scope::gpu;
  if (dot == std::string_view::npos) return w;
  const std::string_view scope = word.substr(dot + 1);
  if (scope != "cta" && scope != "gpu" && scope != "sys") reject("not an operation", word, kAllowed);
  w.semantics = Semantics::relaxed;
  w.scope = scope == "cta" ? Scope::cta : scope == "sys" ? Scope::sys : Scope::gpu;
  return w;
}

void check_place(const TracegInstruction& i) {
  for_each_lane_of(i.mask, [&](unsigned lane) {
    if (i.address[lane] % std::max<unsigned>(1, i.opcode->bytes) != 0 || i.address[lane] >= std::uint64_t{1}
                                                                                                << kVirtualAddressBits)
      reject("an address that is not aligned to the access or beyond 49 bits", format_hex(i.address[lane]),
             "a multiple of " + std::to_string(i.opcode->bytes));
  });
}

void read_place(TraceWords& words, const WarpInstruction& w, TracegOpcodes& opcodes, TracegInstruction& i) {
  const std::string_view address_word = words.take(), size_word = words.take();
  const auto address = hex_of(address_word);
  if (!address) reject("not an address", address_word, "a hexadecimal number");
  const auto size = number_of<unsigned>(size_word);
  const bool rmw = w.operation == Operation::atomic || w.operation == Operation::reduction;
  const bool known = size && (*size == 4 || *size == 8 || (!rmw && (*size == 1 || *size == 2 || *size == 16)));
  if (!known) reject("not a size of a lane", size_word, rmw ? "4 or 8" : "1, 2, 4, 8 or 16");
  i.mask = 1;
  if (!words.empty() && !begins(words.peek(), "warp=")) {
    const std::string_view word = words.take();
    const auto mask = hex_of(word);
    if (!mask || *mask > kAllLaneBits) reject("not a lane mask", word, "up to 8 hexadecimal digits");
    i.mask = static_cast<std::uint32_t>(*mask);
  }
  i.opcode = opcode_of(opcodes, access_opcode(w, *size));
  i.addressed = true;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) i.address[lane] = *address + std::uint64_t{lane} * *size;
  check_place(i);
}

/// TIME OP ADDRESS SIZE [MASK] [warp=N]; a fence has neither address nor size.
void read_plain(std::string text, TracegOpcodes& opcodes, TextAccess& access) {
  std::replace(text.begin(), text.end(), ',', ' ');
  TraceWords words(text);
  TracegInstruction& i = access.instruction;
  i.immediate = time_of(words.take());
  const WarpInstruction w = operation_of(words.take());
  if (w.operation == Operation::fence) {
    i.opcode = opcode_of(opcodes, fence_opcode(Semantics::acq_rel, w.scope));
    i.mask = 1;
  } else {
    read_place(words, w, opcodes, i);
  }
  if (begins(words.peek(), "warp=")) {
    const std::string_view word = words.take();
    const auto warp = number_of<std::uint32_t>(word.substr(5));
    if (!warp || *warp >= kMostWarps) reject("not a warp", word, "warp=0 to warp=65535");
    access.block[0] = *warp;
  }
  if (!words.empty()) reject("more than an access has", words.peek(), "TIME OP ADDRESS SIZE [MASK] [warp=N]");
}

/// What stands behind `name` and a blank in one of the fields between " - ".
std::string_view field(std::string_view text, std::string_view name) {
  const std::size_t at = text.find(name);
  if (at == std::string_view::npos)
    reject("the line of mem_trace lacks a field", text.substr(0, 60), std::string(name));
  const std::string_view rest = text.substr(at + name.size());
  return trimmed(rest.substr(0, rest.find(" - ")));
}

/// MEMTRACE: CTX 0x.. - grid_launch_id N - CTA x,y,z - warp W - OPCODE - 0xA0 ... 0xA31
void read_mem_trace(std::string_view text, TracegOpcodes& opcodes, TextAccess& access) {
  constexpr unsigned kMostWarpsOfBlock = 32;
  const std::string_view launch = field(text, "grid_launch_id "), place = field(text, "CTA "),
                         of = field(text, "warp ");
  const auto number = number_of<std::uint64_t>(launch);
  if (!number) reject("not a launch", launch, "a number");
  access.launch = *number;
  if (!three_numbers(place, access.block)) reject("not a block", place, "x,y,z");
  const auto warp = number_of<unsigned>(of);
  if (!warp || *warp >= kMostWarpsOfBlock) reject("not a warp", of, "0 to 31");
  access.warp = *warp;
  const std::string_view rest = text.substr(text.find(of, text.find("warp ")) + of.size());
  TraceWords words(rest);
  if (words.take() != "-") reject("no opcode behind the warp", rest.substr(0, 20), "- OPCODE - addresses");
  TracegInstruction& i = access.instruction;
  i.opcode = opcode_of(opcodes, words.take());
  words.take();
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    const std::string_view word = words.take();
    const auto address = hex_of(word);
    if (!address) reject("not an address of a lane", word, "32 hexadecimal numbers");
    i.address[lane] = *address;
    if (*address != 0) i.mask |= 1U << lane;
  }
  i.addressed = true;
  if (i.opcode->leaves_sm()) check_place(i);
}

}  // namespace

bool TextTraceReader::next(TextAccess& access) {
  std::string_view line;
  while (damage_.next_line(*lines_, line)) {
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    access = {};
    try {
      if (begins(line, kMemTrace))
        read_mem_trace(line.substr(kMemTrace.size()), opcodes_, access);
      else
        read_plain(std::string(line), opcodes_, access);
      return true;
    } catch (NoAccess& wrong) {
      damage_.note(lines_->place(), std::move(wrong.problem.message), std::move(wrong.problem.found),
                   std::move(wrong.problem.allowed));
    }
  }
  return false;
}

}  // namespace gputlm
