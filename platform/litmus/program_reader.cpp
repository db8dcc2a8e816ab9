// SPDX-License-Identifier: Apache-2.0
#include "gputlm/litmus/program_reader.h"

#include <algorithm>
#include <array>
#include <map>

#include "gputlm/config/quantity.h"

namespace gputlm {
namespace {

template <class T>
struct Named {
  std::string_view name;
  T value;
};

constexpr std::array<Named<Semantics>, 6> kSemantics{{{"weak", Semantics::weak},
                                                      {"relaxed", Semantics::relaxed},
                                                      {"acquire", Semantics::acquire},
                                                      {"release", Semantics::release},
                                                      {"acq_rel", Semantics::acq_rel},
                                                      {"sc", Semantics::seq_cst}}};
constexpr std::array<Named<Scope>, 3> kScopes{{{"cta", Scope::cta}, {"gpu", Scope::gpu}, {"sys", Scope::sys}}};
constexpr std::array<Named<AtomicFunction>, 11> kFunctions{{{"add", AtomicFunction::add},
                                                            {"sub", AtomicFunction::add},
                                                            {"min", AtomicFunction::min_unsigned},
                                                            {"max", AtomicFunction::max_unsigned},
                                                            {"and", AtomicFunction::bit_and},
                                                            {"or", AtomicFunction::bit_or},
                                                            {"xor", AtomicFunction::bit_xor},
                                                            {"exch", AtomicFunction::exchange},
                                                            {"cas", AtomicFunction::compare_and_swap},
                                                            {"inc", AtomicFunction::increment},
                                                            {"dec", AtomicFunction::decrement}}};

template <class T, std::size_t N>
bool find(const std::array<Named<T>, N>& names, std::string_view name, T& value) {
  const auto at = std::find_if(names.begin(), names.end(), [&](const Named<T>& n) { return n.name == name; });
  if (at != names.end()) value = at->value;
  return at != names.end();
}

bool is_name(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !text.empty() && letter(text[0]) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

/// Reads the instructions of one thread.
class ThreadReader {
 public:
  ThreadReader(LitmusTest& test, LitmusThread& thread, std::vector<std::string>& problems)
      : test_(test), thread_(thread), problems_(problems) {}

  void read(std::string_view text) {
    for (const std::string_view part : split(text, ";")) {
      if (part.empty()) continue;
      instruction_ = std::string(part);
      if (part.back() == ':' && is_name(part.substr(0, part.size() - 1)))
        labels_[std::string(part.substr(0, part.size() - 1))] = static_cast<unsigned>(thread_.instructions.size());
      else
        read_instruction(part);
    }
    for (const auto& [index, label] : branches_) {
      const auto at = labels_.find(label);
      if (at == labels_.end())
        problems_.push_back("branch to '" + label + "', a label that the thread does not have");
      else
        thread_.instructions[index].target = at->second;
    }
  }

 private:
  using Kind = LitmusInstruction::Kind;

  void fail(const std::string& what) { problems_.push_back("'" + excerpt(instruction_) + "': " + what); }

  void read_instruction(std::string_view text) {
    words_.clear();
    for (const std::string_view word : split(text, " "))
      if (!word.empty()) words_.push_back(word);
    const std::vector<std::string_view> parts = split(words_[0], ".");
    LitmusInstruction i;
    i.text = instruction_;
    const std::size_t before = problems_.size();
    if (parts[0] == "st" || parts[0] == "ld")
      access(i, parts);
    else if (parts[0] == "atom" || parts[0] == "red")
      atomic(i, parts);
    else if (parts[0] == "fence")
      fence(i, parts);
    else if (parts[0] == "add" && parts.size() == 1)
      addition(i);
    else if ((parts[0] == "beq" || parts[0] == "bne") && parts.size() == 1)
      branch(i, parts[0] == "beq");
    else
      fail("unknown instruction (st, ld, atom, red, fence, add, beq, bne or a label)");
    if (problems_.size() == before) thread_.instructions.push_back(i);
  }

  bool words(std::size_t count, const char* form) {
    if (words_.size() == count) return true;
    fail(std::string("reads ") + form);
    return false;
  }

  // SEM.SCOPE from parts[from] on; weak has no scope.
  void order(LitmusInstruction& i, const std::vector<std::string_view>& parts, std::size_t from,
             std::initializer_list<Semantics> allowed) {
    if (parts.size() <= from || !find(kSemantics, parts[from], i.semantics) ||
        std::find(allowed.begin(), allowed.end(), i.semantics) == allowed.end()) {
      std::string names;
      for (const Semantics s : allowed) {
        const auto* at =
            std::find_if(kSemantics.begin(), kSemantics.end(), [&](const auto& n) { return n.value == s; });
        names += (names.empty() ? "" : ", ") + std::string(at->name);
      }
      return fail("memory order missing or not known (" + names + ")");
    }
    const bool weak = i.semantics == Semantics::weak;
    if (weak ? parts.size() != from + 1 : parts.size() != from + 2 || !find(kScopes, parts[from + 1], i.scope))
      fail(weak ? "weak takes no scope" : "scope missing or not known (cta, gpu, sys)");
  }

  void access(LitmusInstruction& i, const std::vector<std::string_view>& parts) {
    const bool store = parts[0] == "st";
    i.kind = store ? Kind::store : Kind::load;
    order(i, parts, 1, {Semantics::weak, Semantics::relaxed, store ? Semantics::release : Semantics::acquire});
    if (!words(3, store ? "st.SEM.SCOPE location value" : "ld.SEM.SCOPE location register")) return;
    i.location = location(words_[1]);
    if (store)
      i.a = operand(words_[2]);
    else
      i.destination = new_register(words_[2]);
  }

  void atomic(LitmusInstruction& i, const std::vector<std::string_view>& parts) {
    const bool result = parts[0] == "atom";
    i.kind = result ? Kind::atomic : Kind::reduction;
    if (parts.size() < 2 || !find(kFunctions, parts[1], i.function)) return fail("operation missing or not known");
    i.negated = parts[1] == "sub";
    order(i, parts, 2, {Semantics::relaxed, Semantics::acquire, Semantics::release, Semantics::acq_rel});
    const bool two = i.function == AtomicFunction::compare_and_swap;
    if (!words((two ? 4U : 3U) + (result ? 2U : 0U),
               result ? "atom.OP.SEM.SCOPE location operand(s) -> register" : "red.OP.SEM.SCOPE location operand(s)"))
      return;
    i.location = location(words_[1]);
    i.a = operand(words_[2]);
    if (two) i.b = operand(words_[3]);
    if (!result) return;
    if (words_[words_.size() - 2] != "->") return fail("'->' expected before the result");
    i.destination = new_register(words_.back());
  }

  void fence(LitmusInstruction& i, const std::vector<std::string_view>& parts) {
    if (parts.size() > 2 && parts[1] == "proxy") return proxy_fence(i, parts);
    if (!words(1, "fence.SEM.SCOPE")) return;
    order(i, parts, 1, {Semantics::acq_rel, Semantics::seq_cst});
  }

  // Of the proxies the platform has the generic one alone, by whatever virtual address.
  void proxy_fence(LitmusInstruction& i, const std::vector<std::string_view>& parts) {
    i.semantics = Semantics::acq_rel;
    i.scope = Scope::gpu;
    if (parts[2] != "alias")
      test_.skip_reason = "needs the " + excerpt(parts[2]) + " proxy; the platform has the generic one";
    else if (parts.size() != 3 || words_.size() != 1)
      fail("reads fence.proxy.alias");
  }

  void addition(LitmusInstruction& i) {
    i.kind = Kind::add;
    if (!words(4, "add register a b")) return;
    i.a = operand(words_[2]);
    i.b = operand(words_[3]);
    i.destination = new_register(words_[1]);
  }

  void branch(LitmusInstruction& i, bool equal) {
    i.kind = equal ? Kind::branch_if_equal : Kind::branch_unless_equal;
    if (!words(4, "beq|bne a b label")) return;
    i.a = operand(words_[1]);
    i.b = operand(words_[2]);
    branches_.emplace_back(thread_.instructions.size(), std::string(words_[3]));
  }

  unsigned location(std::string_view name) {
    if (!is_name(name)) fail("'" + excerpt(name) + "' is no name of a location");
    auto& all = test_.locations;
    const auto at = std::find_if(all.begin(), all.end(), [&](const LitmusLocation& l) { return l.name == name; });
    const auto index = static_cast<unsigned>(at - all.begin());
    if (at == all.end()) all.push_back({std::string(name), 0, -1});
    return index;
  }

  bool is_register(std::string_view name) const {
    return name.size() > 1 && name[0] == 'r' && bool(parse_count(name.substr(1)));
  }

  unsigned new_register(std::string_view name) {
    if (!is_register(name)) fail("'" + excerpt(name) + "' is no register (r0, r1, ...)");
    auto& all = thread_.registers;
    const auto at = std::find(all.begin(), all.end(), name);
    const auto index = static_cast<unsigned>(at - all.begin());
    if (at == all.end()) all.emplace_back(name);
    return index;
  }

  LitmusOperand operand(std::string_view text) {
    if (is_register(text)) return {true, new_register(text), 0};
    const Parsed<std::uint64_t> value = parse_count(text);
    if (!value || value.value > 0xffffffffULL)
      fail("'" + excerpt(text) + "' is neither a register nor a number of at most 32 bits");
    return {false, 0, static_cast<std::uint32_t>(value.value)};
  }

  LitmusTest& test_;
  LitmusThread& thread_;
  std::vector<std::string>& problems_;
  std::string instruction_;
  std::vector<std::string_view> words_;
  std::map<std::string, unsigned> labels_;
  std::vector<std::pair<std::size_t, std::string>> branches_;
};

// `[init x=2]` and `[m=1 initially]` set initial values; every other note is for people.
void read_note(std::string_view note, LitmusTest& test, std::vector<std::string>& problems) {
  constexpr std::string_view kBefore = "init ", kAfter = " initially";
  const bool before = note.substr(0, kBefore.size()) == kBefore;
  const bool after = note.size() > kAfter.size() && note.substr(note.size() - kAfter.size()) == kAfter;
  if (!before && !after) return;
  const std::string_view body = before ? note.substr(kBefore.size()) : note.substr(0, note.size() - kAfter.size());
  for (const std::string_view part : split(body, ",")) {
    const std::vector<std::string_view> sides = split(part, "=");
    const Parsed<std::uint64_t> value = parse_count(sides.back());
    const auto at = std::find_if(test.locations.begin(), test.locations.end(),
                                 [&](const LitmusLocation& l) { return l.name == sides.front(); });
    if (sides.size() != 2 || !value || value.value > 0xffffffffULL || at == test.locations.end())
      problems.push_back("initial value '" + excerpt(part) + "' is not LOCATION=NUMBER of a location in the program");
    else
      at->initial = static_cast<std::uint32_t>(value.value);
  }
}

// Takes the notes out of `program`.
std::vector<std::string> take_notes(std::string& program, std::vector<std::string>& problems) {
  std::vector<std::string> notes;
  for (std::size_t begin = program.find('['); begin != std::string::npos; begin = program.find('[')) {
    const std::size_t end = program.find(']', begin);
    if (end == std::string::npos) {
      problems.emplace_back("a note's ']' is missing");
      program.erase(begin);
    } else {
      notes.push_back(program.substr(begin + 1, end - begin - 1));
      program.erase(begin, end - begin + 1);
    }
  }
  return notes;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \r") - begin + 1);
}

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = text.find(separator); at != std::string_view::npos; at = text.find(separator)) {
    parts.push_back(trimmed(text.substr(0, at)));
    text.remove_prefix(at + separator.size());
  }
  parts.push_back(trimmed(text));
  return parts;
}

void read_program(std::string_view program, LitmusTest& test, std::vector<std::string>& problems,
                  std::vector<std::size_t>& of_thread) {
  std::string text(program);
  const std::vector<std::string> notes = take_notes(text, problems);
  const std::vector<std::string_view> threads = split(text, "||");
  of_thread.resize(problems.size());
  test.threads.resize(threads.size());
  for (std::size_t i = 0; i < threads.size(); ++i) {
    const std::string label = "P" + std::to_string(i) + ":";
    if (threads[i].substr(0, label.size()) != label)
      problems.push_back("thread " + std::to_string(i) + " must begin with " + label);
    else
      ThreadReader(test, test.threads[i], problems).read(threads[i].substr(label.size()));
    of_thread.resize(problems.size(), i);
  }
  for (const std::string& note : notes) read_note(note, test, problems);
  of_thread.resize(problems.size());
}

}  // namespace gputlm
