// SPDX-License-Identifier: Apache-2.0
#include "gputlm/hostformats/method_table.h"

#include <algorithm>

#include "gputlm/hostformats/channel_methods.h"
#include "gputlm/hostformats/format_error.h"

namespace gputlm {

std::string MethodField::text(std::uint32_t word) const {
  const std::uint32_t value = bits.get(word);
  for (const auto& [number, name] : values)
    if (number == value) return name;
  return values.empty() ? std::to_string(value) : std::to_string(value) + " (no such value)";
}

std::string MethodInfo::text(unsigned method) const {
  return count == 1 ? name : name + "(" + std::to_string((method - offset) / 4) + ")";
}

std::string MethodInfo::fields_text(std::uint32_t word) const {
  std::string all;
  for (const MethodField& field : fields) {
    if (field.values.empty() && field.bits.get(word) == 0) continue;
    all += (all.empty() ? "" : ", ") + field.name + " " + field.text(word);
  }
  return all;
}

std::uint32_t MethodInfo::unknown_bits(std::uint32_t word) const {
  if (fields.empty()) return 0;
  for (const MethodField& field : fields) word &= ~field.bits.mask();
  return word;
}

const MethodInfo* MethodClass::find(unsigned method) const {
  const auto found =
      std::find_if(methods.begin(), methods.end(), [&](const MethodInfo& info) { return info.covers(method); });
  return found == methods.end() ? nullptr : &*found;
}

const MethodClass* find_class(unsigned number) {
  for (const MethodClass* c : {&compute_methods(), &copy_methods()})
    if (c->number == number) return c;
  return nullptr;
}

std::string known_classes() {
  std::string all;
  for (const MethodClass* c : {&compute_methods(), &copy_methods()})
    all += (all.empty() ? "" : ", ") + hex_word(c->number) + " " + c->name;
  return all;
}

ResolvedMethod resolve_method(unsigned subchannel, unsigned method, const MethodClass* bound) {
  const MethodClass* const executor = method < kFirstClassMethod ? &channel_methods() : bound;
  if (executor == nullptr)
    throw FormatError("method " + hex_word(method) + " on subchannel " + std::to_string(subchannel), "no class bound",
                      "SET_OBJECT before it");
  const MethodInfo* const info = executor->find(method);
  if (info == nullptr)
    throw FormatError("method of class " + executor->name, hex_word(method), "one that the class knows");
  return {executor, info};
}

const MethodClass& class_to_bind(std::uint32_t data) {
  const unsigned number = set_object::object_class.get(data);
  const MethodClass* const found = find_class(number);
  if (found == nullptr) throw FormatError("SET_OBJECT: class", hex_word(number), known_classes());
  return *found;
}

}  // namespace gputlm
