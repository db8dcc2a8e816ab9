// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <optional>

#include "gputlm/config/diagnostics.h"
#include "gputlm/config/regular_file.h"
#include "gputlm/sass/listing.h"
#include "gputlm/sass/operand_reader.h"
#include "gputlm/sass/text_scan.h"

namespace gputlm {
namespace {

using sass_text::take;
using sass_text::trimmed;

constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20U;
constexpr const char* kLineForm = "/*ADDRESS*/ [@PREDICATE] OPCODE OPERANDS; /* 0xENCODING */";
constexpr const char* kHalfForm = "/* 0x and 16 hexadecimal digits */";

template <class T>
std::optional<T> hexadecimal(std::string_view s) {
  T value = 0;
  const auto end = std::from_chars(s.data(), s.data() + s.size(), value, 16);
  if (s.empty() || end.ec != std::errc() || end.ptr != s.data() + s.size()) return std::nullopt;
  return value;
}

/// The 64 bits of `/* 0x0123456789abcdef */`.
std::optional<std::uint64_t> encoding_half(std::string_view s) {
  s = trimmed(s);
  if (!take(s, "/*") || s.size() < 2 || s.substr(s.size() - 2) != "*/") return std::nullopt;
  s = trimmed(s.substr(0, s.size() - 2));
  if (!take(s, "0x") || s.size() != 16) return std::nullopt;
  return hexadecimal<std::uint64_t>(s);
}

class Reader {
 public:
  Reader(std::string_view text, std::string file) : rest_(text) { listing_.file = std::move(file); }

  SassListing read() {
    while (!rest_.empty()) {
      const auto end = rest_.find('\n');
      ++line_;
      read_line(trimmed(rest_.substr(0, end)));
      rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    }
    finish_kernel();
    if (listing_.kernels.empty()) {
      line_ = 0;
      report("no kernel", {}, "a listing of `cuobjdump -sass`, with lines `Function : NAME`");
    }
    diagnostics_.sorted().throw_if_any();
    return std::move(listing_);
  }

 private:
  void report(std::string message, std::string_view found, std::string allowed, unsigned line = 0) {
    const std::string where = listing_.kernels.empty() ? std::string() : listing_.kernels.back().name;
    diagnostics_.add(Place{listing_.file, line != 0 ? line : line_, line_ != 0 ? 1U : 0U}, where, std::move(message),
                     excerpt(found), std::move(allowed));
  }

  void read_line(std::string_view s) {
    if (take(s, "Function :")) return begin_kernel(trimmed(s));
    if (s.substr(0, 2) != "/*") return end_of_code(s);
    if (half_missing_) return second_half(s);
    if (!in_kernel_) return report("an instruction outside a function", s, "`Function : NAME` ahead of it");
    read_instruction(s);
  }

  // Headers, separators and what cuobjdump prints around the code.
  void end_of_code(std::string_view s) {
    if (half_missing_) report("the second half of the encoding above is missing", s, kHalfForm);
    half_missing_ = false;
    if (s.empty() || s[0] == '.') {
      if (s.substr(0, 4) == "....") finish_kernel();
      return;
    }
    if (in_kernel_ && !kernel().instructions.empty()) report("not an instruction", s, kLineForm);
  }

  void begin_kernel(std::string_view name) {
    finish_kernel();
    for (const SassKernel& k : listing_.kernels)
      if (k.name == name) report("a kernel of this name stands at line " + std::to_string(k.line), name, "other names");
    if (name.empty()) report("a function without a name", {}, "Function : NAME");
    listing_.kernels.push_back({std::string(name), line_, {}});
    in_kernel_ = true;
  }

  void finish_kernel() {
    if (half_missing_) report("the second half of the last encoding is missing", {}, kHalfForm);
    half_missing_ = false;
    if (!in_kernel_) return;
    in_kernel_ = false;
    if (kernel().instructions.empty()) report("a function without instructions", {}, kLineForm, kernel().line);
    check_targets();
  }

  void check_targets() {
    const auto& code = kernel().instructions;
    const auto bytes = static_cast<std::int64_t>(code.size() * kInstructionBytes);
    for (const SassInstruction& i : code) {
      const bool jumps = i.opcode == "BRA" || i.opcode == "BSSY" || (i.opcode == "CALL" && i.has("REL"));
      if (!jumps || i.operands.empty() || i.operands.back().kind != SassOperand::Kind::integer) continue;
      const std::int64_t target = i.operands.back().value;
      if (i.operands.front().kind == SassOperand::Kind::reg) continue;  // relative to what the register holds
      if (target < 0 || target >= bytes || target % kInstructionBytes != 0)
        report("a branch to where no instruction stands", i.text, "a multiple of 16 below " + std::to_string(bytes),
               i.line);
    }
  }

  void read_instruction(std::string_view s) {
    SassInstruction i;
    i.line = line_;
    const auto close = s.find("*/"), semicolon = s.find(';');
    const auto address = hexadecimal<std::uint32_t>(s.substr(2, close == std::string_view::npos ? 0 : close - 2));
    if (!address || semicolon == std::string_view::npos) return report("not an instruction", s, kLineForm);
    i.address = *address;
    const auto expected = static_cast<std::uint32_t>(kernel().instructions.size()) * kInstructionBytes;
    // An instruction that could not be read has left its gap already.
    if (i.address != expected && !skipped_)
      report(i.address < expected ? "this address has been given" : "addresses are missing ahead of this one", s,
             "16 more than the one above");
    const std::string_view body = trimmed(s.substr(close + 2, semicolon - close - 2));
    const auto low = encoding_half(s.substr(semicolon + 1));
    if (!low) report("damaged encoding", trimmed(s.substr(semicolon + 1)), kHalfForm);
    i.low = low.value_or(0);
    half_missing_ = true;
    if (!read_body(body, i)) {
      skipped_ = true;
      return;
    }
    if (low) check_guard(i);
    kernel().instructions.push_back(std::move(i));
  }

  void second_half(std::string_view s) {
    half_missing_ = false;
    const auto high = encoding_half(s);
    if (!high) {
      report("damaged second half of the encoding: the control word is missing", s, kHalfForm);
      if (s.find(';') != std::string_view::npos) read_instruction(s);
      return;
    }
    if (skipped_ || kernel().instructions.empty()) return;
    SassInstruction& i = kernel().instructions.back();
    i.high = *high;
    i.control = decode_control_word(*high);
  }

  // The guard stands in the text and in bits 12 to 15.
  void check_guard(const SassInstruction& i) {
    const auto coded = static_cast<unsigned>(i.low >> 12U & 0xfU);
    const unsigned written = i.guard | (i.guard_negated ? 8U : 0U);
    if (!i.guard_uniform && coded != written)
      report("damaged encoding: bits 12 to 15 name another guard predicate than the text", i.text, "the same guard");
  }

  bool read_guard(std::string_view& s, SassInstruction& i) {
    if (!take(s, "@")) return true;
    const auto space = s.find(' ');
    const auto o = read_operand(s.substr(0, space));
    const bool uniform = o && o->kind == SassOperand::Kind::uniform_predicate;
    if (!o || (!uniform && o->kind != SassOperand::Kind::predicate) || space == std::string_view::npos) return false;
    i.guard = static_cast<std::uint8_t>(o->index);
    i.guard_negated = o->negated;
    i.guard_uniform = uniform;
    s = trimmed(s.substr(space));
    return true;
  }

  bool read_body(std::string_view s, SassInstruction& i) {
    if (!read_guard(s, i)) {
      report("unknown guard", s, "@P0 to @P6, @!P0, @UP0");
      return false;
    }
    i.text = std::string(s);
    std::string_view name = s.substr(0, s.find(' '));
    // What an indirect branch may reach is a remark, and no operand.
    std::string_view list = s.substr(name.size());
    list = list.substr(0, list.find("(*"));
    const auto dot = name.find('.');
    i.opcode = std::string(name.substr(0, dot));
    while (!name.empty() && name.find('.') != std::string_view::npos) {
      name.remove_prefix(name.find('.') + 1);
      i.modifiers.emplace_back(name.substr(0, name.find('.')));
    }
    if (i.opcode.empty() || i.opcode.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != std::string::npos) {
      report("not an opcode", i.opcode, "capital letters and digits");
      return false;
    }
    bool good = true;
    for (const std::string_view part : split_operands(list)) {
      auto o = read_operand(part);
      if (!o) report("unknown form of operand", part, "a register, predicate, constant, number or address of SASS");
      good = good && o;
      if (o) i.operands.push_back(std::move(*o));
    }
    return good;
  }

  SassKernel& kernel() { return listing_.kernels.back(); }

  std::string_view rest_;
  SassListing listing_;
  Diagnostics diagnostics_;
  unsigned line_ = 0;
  bool in_kernel_ = false;
  bool half_missing_ = false;
  bool skipped_ = false;  // an instruction was not understood: addresses no longer match
};

}  // namespace

bool SassInstruction::has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

const SassKernel& SassListing::kernel(std::string_view name) const {
  std::vector<std::string> names;
  for (const SassKernel& k : kernels) {
    if (k.name == name) return k;
    names.push_back(k.name);
  }
  Diagnostics diagnostics;
  diagnostics.add(Place{file, 0, 0}, {}, "no such kernel" + did_you_mean(name, names), excerpt(name),
                  join_names(names));
  throw ConfigError(diagnostics);
}

SassListing parse_listing(std::string_view text, const std::string& file) {
  return Reader(text, file).read();
}

SassListing read_listing(const std::string& path) {
  return parse_listing(read_input_file(path, kMaxBytes), path);
}

}  // namespace gputlm
