// SPDX-License-Identifier: Apache-2.0
#include "gputlm/launchspec/element_type.h"

#include <fmt/format.h>

#include <array>

#include "gputlm/sass/float_format.h"

namespace gputlm {

namespace {

struct TypeName {
  std::string_view name;
  ElementType type;
};

/// A type's first name is the one that is printed.
constexpr std::array<TypeName, 13> kTypeNames{{{"int8", ElementType::int8},
                                               {"int16", ElementType::int16},
                                               {"int32", ElementType::int32},
                                               {"int64", ElementType::int64},
                                               {"uint8", ElementType::uint8},
                                               {"uint16", ElementType::uint16},
                                               {"uint32", ElementType::uint32},
                                               {"uint64", ElementType::uint64},
                                               {"half", ElementType::half},
                                               {"float", ElementType::float32},
                                               {"double", ElementType::float64},
                                               {"int", ElementType::int32},
                                               {"uint", ElementType::uint32}}};

std::uint64_t load_bits(ElementType type, const unsigned char* at) {
  std::uint64_t bits = 0;
  for (unsigned i = size_of(type); i-- > 0;) bits = bits << 8U | at[i];
  return bits;
}

/// As stored, in the low bits.
std::uint64_t bits_of(ElementType type, ElementValue value) {
  switch (type) {
    case ElementType::half:
      return half_from_double(value.real, Rounding::nearest);
    case ElementType::float32:
      return float_from_double(value.real, Rounding::nearest);
    case ElementType::float64:
      return double_bits(value.real);
    default:
      return value.integer;
  }
}

}  // namespace

unsigned size_of(ElementType type) {
  switch (type) {
    case ElementType::int8:
    case ElementType::uint8:
      return 1;
    case ElementType::int16:
    case ElementType::uint16:
    case ElementType::half:
      return 2;
    case ElementType::int32:
    case ElementType::uint32:
    case ElementType::float32:
      return 4;
    default:
      return 8;
  }
}

bool is_floating(ElementType type) {
  return type == ElementType::half || type == ElementType::float32 || type == ElementType::float64;
}

bool is_signed(ElementType type) {
  return type == ElementType::int8 || type == ElementType::int16 || type == ElementType::int32 ||
         type == ElementType::int64;
}

std::string name_of(ElementType type) {
  for (const TypeName& t : kTypeNames)
    if (t.type == type) return std::string(t.name);
  return {};
}

std::optional<ElementType> find_element_type(std::string_view name) {
  for (const TypeName& t : kTypeNames)
    if (t.name == name) return t.type;
  return std::nullopt;
}

const std::vector<std::string>& element_type_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const TypeName& t : kTypeNames) all.emplace_back(t.name);
    return all;
  }();
  return names;
}

ElementValue load_element(ElementType type, const unsigned char* at) {
  const std::uint64_t bits = load_bits(type, at);
  switch (type) {
    case ElementType::half:
      return {0, half_to_float(static_cast<std::uint16_t>(bits))};
    case ElementType::float32:
      return {0, to_float(static_cast<std::uint32_t>(bits))};
    case ElementType::float64:
      return {0, to_double(bits)};
    default:
      break;
  }
  const std::uint64_t sign = std::uint64_t{1} << (8 * size_of(type) - 1);
  return {is_signed(type) ? (bits ^ sign) - sign : bits, 0};
}

void store_element(ElementType type, ElementValue value, unsigned char* at) {
  std::uint64_t bits = bits_of(type, value);
  for (unsigned i = 0; i < size_of(type); ++i, bits >>= 8U) at[i] = static_cast<unsigned char>(bits);
}

std::string text_of_element(ElementType type, const unsigned char* at) {
  const ElementValue value = load_element(type, at);
  if (is_floating(type)) return fmt::format("{:f}", value.real);
  return is_signed(type) ? fmt::format("{}", static_cast<std::int64_t>(value.integer))
                         : fmt::format("{}", value.integer);
}

}  // namespace gputlm
