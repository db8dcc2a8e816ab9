// SPDX-License-Identifier: Apache-2.0
#include "gputlm/hostdump/segment_printer.h"

#include <fmt/ostream.h>

#include "gputlm/hostformats/channel_methods.h"
#include "gputlm/hostformats/format_error.h"

namespace gputlm {
namespace {

bool is_qmd_word(const MethodClass& c, unsigned method) {
  return c.number == kComputeClass && method >= compute_method::load_inline_qmd_data &&
         method <= compute_method::last_inline_qmd_data;
}

bool names_address(const QmdFieldInfo& info) {
  return info.name.find("ADDR") != std::string::npos;
}

/// What the lower part of an address says also names the whole of it: the upper part is the next field.
std::string meaning_of(const Qmd& qmd, const QmdFieldInfo& info, unsigned index) {
  if (names_address(info) && info.width() == 32) {
    const QmdField upper = qmd_fields()[static_cast<std::size_t>(info.field) + 1].field;
    const std::string whole = hex_word(qmd.get_wide(info.field, upper, index));
    return (info.meaning.empty() ? "" : info.meaning + " ") + "at " + whole;
  }
  if (info.field != QmdField::cwd_membar_type) return info.meaning;
  try {
    return std::string(name_of(decode_cwd_membar(qmd.get(info.field)))) + ", " + info.meaning;
  } catch (const FormatError& e) {
    return e.what();
  }
}

}  // namespace

void SegmentPrinter::print(std::ostream& out, std::uint64_t address, const std::vector<std::uint32_t>& words) {
  MethodReader reader;
  for (read_ = 0; read_ < words.size() && !reader.ended(); ++read_)
    if (const auto call = reader.take(words[read_])) print_call(out, address + 4 * read_, *call);
  if (reader.ended() && read_ < words.size())
    fmt::print(out, "  end of segment: {} more words are not read\n", words.size() - read_);
  reader.check_whole();
}

void SegmentPrinter::print_call(std::ostream& out, std::uint64_t address, const MethodCall& call) {
  const auto [executor, info] = resolve_method(call.subchannel, call.method, bound_[call.subchannel]);
  if (is_qmd_word(*executor, call.method)) {
    take_qmd_word(out, call);
    return;
  }
  const bool binds = call.method == channel_method::set_object;
  if (binds) bound_[call.subchannel] = &class_to_bind(call.data);
  const std::string fields = binds ? bound_[call.subchannel]->name : info->fields_text(call.data);
  const std::uint32_t rest = info->unknown_bits(call.data);
  fmt::print(out, "  {:#012x}  {}  {:<24}  {:<26} {:#010x}{}{}\n", address, call.subchannel, executor->name,
             info->text(call.method), call.data, fields.empty() ? "" : "  " + fields,
             rest == 0 ? "" : fmt::format("  (unknown bits {:#x})", rest));
}

void SegmentPrinter::take_qmd_word(std::ostream& out, const MethodCall& call) {
  const unsigned index = (call.method - compute_method::load_inline_qmd_data) / 4;
  qmd_[index] = call.data;
  if (index + 1 < kQmdWords) return;
  fmt::print(out, "    QMD, {} words inline; the last one launches\n", kQmdWords);
  print_qmd(out, Qmd(qmd_), "      ");
}

void print_qmd(std::ostream& out, const Qmd& qmd, const std::string& indent) {
  for (const QmdFieldInfo& info : qmd_fields())
    for (unsigned i = 0; i < info.count; ++i) {
      const std::uint32_t value = qmd.get(info.field, i);
      if (value == 0 && info.field != QmdField::cwd_membar_type) continue;
      const std::string name = info.count == 1 ? info.name : fmt::format("{}({})", info.name, i);
      const std::string number = names_address(info) ? fmt::format("{:#x}", value) : std::to_string(value);
      const std::string meaning = meaning_of(qmd, info, i);
      fmt::print(out, "{}{:<34}{}{}\n", indent, name, number, meaning.empty() ? "" : "  " + meaning);
    }
  const Qmd::Words rest = qmd.unknown_bits();
  for (std::size_t i = 0; i < rest.size(); ++i)
    if (rest[i] != 0) fmt::print(out, "{}word {}: bits {:#x} belong to no field known here\n", indent, i, rest[i]);
}

}  // namespace gputlm
