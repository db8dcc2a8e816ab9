// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sass/operand_reader.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>

#include "gputlm/sass/text_scan.h"

namespace gputlm {
namespace {

using sass_text::take;
using sass_text::trimmed;

using Kind = SassOperand::Kind;

/// `0x1f` or `-0x1f`.
std::optional<std::int64_t> read_integer(std::string_view s) {
  const bool negative = take(s, "-");
  std::uint64_t magnitude = 0;
  if (!take(s, "0x") || s.empty()) return std::nullopt;
  const auto end = std::from_chars(s.data(), s.data() + s.size(), magnitude, 16);
  if (end.ec != std::errc() || end.ptr != s.data() + s.size()) return std::nullopt;
  return static_cast<std::int64_t>(negative ? ~magnitude + 1 : magnitude);
}

std::optional<double> read_decimal(std::string_view s) {
  const bool negative = take(s, "-");
  if (!negative) take(s, "+");
  double value = 0;
  if (s == "INF") {
    value = std::numeric_limits<double>::infinity();
  } else if (s == "QNAN" || s == "SNAN") {
    value = std::numeric_limits<double>::quiet_NaN();
  } else {
    const auto end = std::from_chars(s.data(), s.data() + s.size(), value);
    if (s.empty() || end.ec != std::errc() || end.ptr != s.data() + s.size()) return std::nullopt;
  }
  return negative ? -value : value;
}

/// A number in decimal digits below `limit`, or the last one's name.
std::optional<unsigned> read_index(std::string_view s, unsigned limit, std::string_view last, unsigned last_index) {
  if (s == last) return last_index;
  unsigned value = 0;
  const auto end = std::from_chars(s.data(), s.data() + s.size(), value);
  if (s.empty() || end.ec != std::errc() || end.ptr != s.data() + s.size() || value >= limit) return std::nullopt;
  return value;
}

std::optional<SassOperand> indexed(Kind kind, std::string_view s, unsigned limit, std::string_view last,
                                   unsigned last_index) {
  const auto index = read_index(s, limit, last, last_index);
  if (!index) return std::nullopt;
  SassOperand o;
  o.kind = kind;
  o.index = static_cast<std::uint16_t>(*index);
  return o;
}

/// A register or predicate without suffixes and signs.
std::optional<SassOperand> read_name(std::string_view s) {
  if (s == "SRZ" || s == "PR" || s.substr(0, 3) == "SR_") {
    SassOperand o;
    o.kind = Kind::special;
    return o;
  }
  if (take(s, "SB")) return indexed(Kind::scoreboard, s, 6, {}, 0);
  if (take(s, "UR")) return indexed(Kind::uniform, s, kUniformZeroRegister, "Z", kUniformZeroRegister);
  if (take(s, "UP")) return indexed(Kind::uniform_predicate, s, kTruePredicate, "T", kTruePredicate);
  if (take(s, "R")) return indexed(Kind::reg, s, kZeroRegister, "Z", kZeroRegister);
  if (take(s, "P")) return indexed(Kind::predicate, s, kTruePredicate, "T", kTruePredicate);
  if (take(s, "B")) return indexed(Kind::barrier, s, 16, {}, 0);
  return std::nullopt;
}

/// One suffix of a register; false: unknown.
bool apply_suffix(SassOperand& o, std::string_view suffix) {
  if (suffix == "reuse" || suffix == "H0_H1" || suffix == "U32" || suffix == "B0" || suffix == "H0") return true;
  if (suffix == "H0_H0") {
    o.halves = SassOperand::Halves::low;
  } else if (suffix == "H1_H1") {
    o.halves = SassOperand::Halves::high;
  } else if (suffix == "H1") {
    o.byte = 2;
  } else if (suffix == "64") {
    o.wide = true;
  } else if (suffix.size() == 2 && suffix[0] == 'B' && suffix[1] >= '1' && suffix[1] <= '3') {
    o.byte = static_cast<std::uint8_t>(suffix[1] - '0');
  } else if (suffix == "X4" || suffix == "X8" || suffix == "X16") {
    o.scale = suffix == "X4" ? 4 : suffix == "X8" ? 8 : 16;
  } else {
    return false;
  }
  return true;
}

std::optional<SassOperand> read_register(std::string_view s) {
  const auto dot = s.substr(0, 3) == "SR_" ? std::string_view::npos : s.find('.');
  auto o = read_name(s.substr(0, dot));
  if (!o || dot == std::string_view::npos) return o;
  s.remove_prefix(dot + 1);
  while (true) {
    const auto next = s.find('.');
    if (!apply_suffix(*o, s.substr(0, next))) return std::nullopt;
    if (next == std::string_view::npos) return o;
    s.remove_prefix(next + 1);
  }
}

/// What stands between brackets: `R2.64+UR4+0x10`, in any combination.
bool read_sum(std::string_view s, SassOperand& o) {
  while (!s.empty()) {
    const auto plus = s.find('+', 1);
    const std::string_view term = trimmed(s.substr(0, plus));
    if (const auto value = read_integer(term)) {
      o.value += *value;
    } else {
      const auto r = read_register(term);
      if (!r || (r->kind != Kind::reg && r->kind != Kind::uniform)) return false;
      (r->kind == Kind::reg ? o.base : o.uniform_base) = r->index;
      if (r->kind == Kind::reg) o.scale = r->scale;
      o.wide = o.wide || r->wide;
    }
    if (plus == std::string_view::npos) return true;
    s.remove_prefix(plus + 1);
  }
  return false;
}

std::optional<SassOperand> read_constant(std::string_view s) {
  SassOperand o;
  o.kind = Kind::constant;
  const auto close = s.find(']');
  if (close == std::string_view::npos || s.back() != ']' || s.substr(close + 1, 1) != "[") return std::nullopt;
  const auto bank = read_integer(s.substr(0, close));
  if (!bank || *bank < 0 || *bank > 31) return std::nullopt;
  o.index = static_cast<std::uint16_t>(*bank);
  if (!read_sum(s.substr(close + 2, s.size() - close - 3), o)) return std::nullopt;
  return o;
}

std::optional<SassOperand> read_address(std::string_view s) {
  SassOperand o;
  o.kind = Kind::address;
  // The descriptor of a global access holds what an access without one takes for granted.
  if (take(s, "desc[")) {
    const auto close = s.find(']');
    if (close == std::string_view::npos) return std::nullopt;
    s.remove_prefix(close + 1);
  }
  if (!take(s, "[") || s.empty() || s.back() != ']') return std::nullopt;
  s.remove_suffix(1);
  if (!read_sum(s, o)) return std::nullopt;
  return o;
}

/// A capital letter or a digit, then letters, digits, underscores and points: `2D`, `ARRAY_2D`.
bool is_word(std::string_view s) {
  constexpr std::string_view kUpper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", kLower = "abcdefghijklmnopqrstuvwxyz_.";
  constexpr auto kNone = std::string_view::npos;
  auto known = [&](char c) { return kUpper.find(c) != kNone || kLower.find(c) != kNone; };
  return !s.empty() && kUpper.find(s.front()) != kNone && std::all_of(s.begin(), s.end(), known) &&
         !(s.front() == '0' && s.substr(1, 1) == "x");
}

std::optional<SassOperand> read_signed(std::string_view s) {
  const bool negated = take(s, "-") || take(s, "!");
  const bool inverted = !negated && take(s, "~");
  const bool absolute = take(s, "|");
  if (absolute) {
    const auto close = s.find('|');
    if (close == std::string_view::npos) return std::nullopt;
    auto inner = read_signed(std::string(s.substr(0, close)) + std::string(s.substr(close + 1)));
    if (inner) inner->absolute = true;
    if (inner) inner->negated = negated;
    return inner;
  }
  auto o = take(s, "c[") ? read_constant(s) : read_register(s);
  if (!o) return std::nullopt;
  o->negated = negated;
  o->inverted = inverted;
  return o;
}

}  // namespace

std::vector<std::string_view> split_operands(std::string_view list) {
  std::vector<std::string_view> parts;
  list = trimmed(list);
  while (!list.empty()) {
    const auto comma = list.find(',');
    std::string_view part = trimmed(list.substr(0, comma));
    const auto space = part.find(' ');
    if (space != std::string_view::npos && part.front() == 'R') {
      parts.emplace_back(part.substr(0, space));
      part = trimmed(part.substr(space));
    }
    parts.push_back(part);
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
    if (trimmed(list).empty()) parts.emplace_back();
  }
  return parts;
}

std::optional<SassOperand> read_operand(std::string_view text) {
  std::optional<SassOperand> o;
  if (const auto integer = read_integer(text)) {
    o.emplace();
    o->value = *integer;
  } else if (text.substr(0, 1) == "[" || text.substr(0, 5) == "desc[") {
    o = read_address(text);
  } else if (const auto decimal = read_decimal(text)) {
    o.emplace();
    o->kind = Kind::decimal;
    o->number = *decimal;
  } else {
    o = read_signed(text);
  }
  if (!o && is_word(text)) {
    o.emplace();
    o->kind = Kind::other;
  }
  if (o) o->text = std::string(text);
  return o;
}

}  // namespace gputlm
