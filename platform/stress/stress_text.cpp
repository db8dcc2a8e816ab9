// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "gputlm/config/plain_text.h"
#include "gputlm/config/quantity.h"
#include "gputlm/stress/stress_case.h"
#include "gputlm/tlm/byte_mask.h"

namespace gputlm {
namespace {

constexpr const char* kKinds[] = {"load", "store", "reduction", "atomic", "fence", "barrier"};
constexpr std::uint64_t kLargestMemory = std::uint64_t{1} << 30, kMostSms = 1 << 16, kMostStall = 1000000;

/// The words of one line; remembers the first word that was not what was wanted.
class Words {
 public:
  explicit Words(const std::string& line) : in_(line) {}

  std::string word() {
    std::string w;
    in_ >> w;
    return w;
  }
  /// What is left of the line, without the blanks at both ends.
  std::string rest() {
    std::string text;
    std::getline(in_ >> std::ws, text);
    return text.substr(0, text.find_last_not_of(" \t\r") + 1);
  }
  std::uint64_t number(const char* what, std::uint64_t most) {
    const std::string w = word();
    const Parsed<std::uint64_t> parsed = parse_count(w);
    if (!parsed || parsed.value > most) fail(what, w, "0 to " + std::to_string(most));
    return parsed.value;
  }
  /// A name that `name(value)` gives to one of the values 0 to count - 1.
  template <class T, class Name>
  T choice(const char* what, unsigned count, Name name) {
    const std::string w = word();
    for (unsigned v = 0; v < count; ++v)
      if (w == name(static_cast<T>(v))) return static_cast<T>(v);
    fail(what, w, "a known name");
    return T{};
  }
  void fail(const char* what, const std::string& found, const std::string& allowed) {
    if (problem.empty())
      problem = std::string(what) + " expected (found " + excerpt(found) + ", allowed " + allowed + ")";
  }

  std::string problem;

 private:
  std::istringstream in_;
};

using Kind = StressInstruction::Kind;

// PTX: what each operation can order. A barrier orders as a fence does.
bool can_order(Kind kind, Semantics s) {
  switch (kind) {
    case Kind::load:
      return s == Semantics::weak || s == Semantics::relaxed || s == Semantics::acquire;
    case Kind::store:
      return s == Semantics::weak || s == Semantics::relaxed || s == Semantics::release;
    case Kind::reduction:
      return s == Semantics::relaxed || s == Semantics::release;
    case Kind::atomic:
      return s != Semantics::weak && s != Semantics::seq_cst;
    case Kind::fence:
    case Kind::barrier:
      return s == Semantics::acq_rel || s == Semantics::seq_cst;
  }
  return false;
}

// Atomics work on words; increment and decrement exist for 4 bytes only.
void check_instruction(const StressInstruction& i, Words& words) {
  if (!can_order(i.kind, i.semantics))
    words.fail("a memory order of this operation", name_of(i.semantics),
               i.kind == Kind::load        ? "weak, relaxed, acquire"
               : i.kind == Kind::store     ? "weak, relaxed, release"
               : i.kind == Kind::reduction ? "relaxed, release"
               : i.kind == Kind::atomic    ? "relaxed, acquire, release, acq_rel"
                                           : "acq_rel, sc");
  if (i.kind != Kind::reduction && i.kind != Kind::atomic) return;
  const bool four = i.function == AtomicFunction::increment || i.function == AtomicFunction::decrement;
  if (i.lane_bytes != 4 && (four || i.lane_bytes != 8))
    words.fail("bytes a lane of this function", std::to_string(i.lane_bytes), four ? "4" : "4, 8");
}

StressInstruction read_instruction(Words& words, StressInstruction::Kind kind) {
  StressInstruction i;
  i.kind = kind;
  i.semantics = words.choice<Semantics>("memory order", 6, [](Semantics s) { return std::string(name_of(s)); });
  i.scope = words.choice<Scope>("scope", 3, [](Scope s) { return std::string(name_of(s)); });
  i.function = words.choice<AtomicFunction>("function", 13, [](AtomicFunction f) { return std::string(name_of(f)); });
  i.lane_bytes = static_cast<unsigned>(words.number("bytes a lane", 16));
  if (i.lane_bytes == 0 || (i.lane_bytes & (i.lane_bytes - 1)) != 0) words.fail("bytes a lane", "", "1, 2, 4, 8, 16");
  i.active = static_cast<std::uint32_t>(words.number("lane mask", 0xffffffff));
  i.at = words.number("place", kLargestMemory);
  i.step = words.number("step", kLargestMemory);
  i.alias = words.number("alias", 1) != 0;
  i.wait = words.number("wait", 1) != 0;
  i.stall = static_cast<unsigned>(words.number("stall", kMostStall));
  check_instruction(i, words);
  return i;
}

void read_line(StressCase& c, Words& words) {
  const std::string first = words.word();
  if (first == "set") {
    c.overrides.push_back(words.rest());
    if (c.overrides.back().empty()) words.fail("an override", "nothing", "path=value");
  } else if (first == "fault") {
    c.faults.push_back(words.rest());
    if (c.faults.back().empty()) words.fail("a fault", "nothing", "KIND:TARGET@PLACE");
  } else if (first == "memory") {
    if (c.memory != 0) words.fail("one memory", first, "a single such line");
    c.memory = words.number("bytes", kLargestMemory);
    if (c.memory == 0 || c.memory % kLineBytes != 0) words.fail("memory", "", "a multiple of 128");
  } else if (first == "warp") {
    StressWarp warp;
    warp.sm = static_cast<unsigned>(words.number("SM", kMostSms));
    warp.cta = static_cast<unsigned>(words.number("CTA", 1));
    c.warps.push_back(warp);
  } else {
    const auto* const at = std::find(std::begin(kKinds), std::end(kKinds), first);
    if (at == std::end(kKinds) || c.warps.empty())
      words.fail("'set', 'fault', 'memory', 'warp' or, after a warp, an instruction", first,
                 "load, store, reduction, atomic, fence, barrier");
    else
      c.warps.back().instructions.push_back(
          read_instruction(words, static_cast<StressInstruction::Kind>(at - std::begin(kKinds))));
  }
  if (const std::string rest = words.rest(); !rest.empty()) words.fail("the end of the line", rest, "nothing more");
}

}  // namespace

std::string stress_text(const StressCase& c) {
  std::string text = "# kind order scope function bytes_a_lane lane_mask at step alias wait stall\n";
  for (const std::string& o : c.overrides) text += "set " + o + "\n";
  for (const std::string& f : c.faults) text += "fault " + f + "\n";
  text += fmt::format("memory {}\n", c.memory);
  for (const StressWarp& w : c.warps) {
    text += fmt::format("warp {} {}\n", w.sm, w.cta);
    for (const StressInstruction& i : w.instructions)
      text += fmt::format("  {} {} {} {} {} {:#x} {:#x} {} {} {} {}\n", kKinds[static_cast<unsigned>(i.kind)],
                          name_of(i.semantics), name_of(i.scope), name_of(i.function), i.lane_bytes, i.active, i.at,
                          i.step, i.alias ? 1 : 0, i.wait ? 1 : 0, i.stall);
  }
  return text;
}

StressCase parse_stress_case(const std::string& text, const std::string& file) {
  Diagnostics diagnostics;
  StressCase c;
  std::istringstream in(text);
  std::string line;
  for (unsigned number = 1; std::getline(in, line); ++number) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos || line[begin] == '#') continue;
    Words words(line);
    if (const TextFault fault = find_text_fault(line)) {
      diagnostics.add({file, number, static_cast<unsigned>(fault.at) + 1}, "",
                      std::string("not a text file: ") + fault.problem);
      continue;
    }
    read_line(c, words);
    if (!words.problem.empty()) diagnostics.add({file, number, 1}, "", words.problem);
  }
  if (diagnostics.empty() && (c.warps.empty() || c.memory == 0))
    diagnostics.add({file, 0, 0}, "", "is no stress case: it needs a memory and a warp");
  diagnostics.throw_if_any();
  return c;
}

}  // namespace gputlm
