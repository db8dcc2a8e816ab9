// SPDX-License-Identifier: Apache-2.0
//
// The types of a launch's arguments, and one element's bytes as a person or a program reads them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gputlm {

enum class ElementType : std::uint8_t {
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  half,
  float32,
  float64
};

/// Bytes of one element.
unsigned size_of(ElementType type);
/// half, float, double.
bool is_floating(ElementType type);
/// int8 to int64.
bool is_signed(ElementType type);
/// As users write it: int8 to int64, uint8 to uint64, half, float, double.
std::string name_of(ElementType type);
/// The type of that name, or nothing; int is int32 and uint is uint32.
std::optional<ElementType> find_element_type(std::string_view name);
/// All names that find_element_type() knows.
const std::vector<std::string>& element_type_names();

/// A number of any of the types: whole ones exactly (in two's complement), the others as the double of their value.
struct ElementValue {
  std::uint64_t integer = 0;
  double real = 0;
};

/// The little-endian bytes at `at` as a number, and back.
ElementValue load_element(ElementType type, const unsigned char* at);
void store_element(ElementType type, ElementValue value, unsigned char* at);

/// Whole numbers in decimal, others as printf("%f") writes them: `2.000000`, `nan`, `inf`.
std::string text_of_element(ElementType type, const unsigned char* at);

}  // namespace gputlm
