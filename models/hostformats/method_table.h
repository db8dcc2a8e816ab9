// SPDX-License-Identifier: Apache-2.0
//
// Methods by name: what each class knows, and the fields of the words it takes.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gputlm/hostformats/bit_range.h"

namespace gputlm {

/// A part of a method's datum.
struct MethodField {
  std::string name;
  BitRange bits;
  std::vector<std::pair<std::uint32_t, std::string>> values{};  ///< Those with a name; empty: a number.

  /// "release", or the number where the value has no name.
  std::string text(std::uint32_t word) const;
};

/// A method, or an array of them (one every 4 bytes).
struct MethodInfo {
  std::string name;
  unsigned offset = 0;
  unsigned count = 1;
  std::vector<MethodField> fields{};  ///< Empty: the whole word is one value.

  bool covers(unsigned method) const { return method >= offset && method < offset + 4 * count; }
  /// "LOAD_INLINE_QMD_DATA(12)".
  std::string text(unsigned method) const;
  /// "OPERATION release, PAYLOAD_64 0"; the fields that are 0 and have no name for it are left out.
  std::string fields_text(std::uint32_t word) const;
  /// Bits of the datum that no field covers; none where the whole word is one value.
  std::uint32_t unknown_bits(std::uint32_t word) const;
};

struct MethodClass {
  unsigned number = 0;  ///< As SET_OBJECT names it.
  std::string name;
  std::vector<MethodInfo> methods;

  /// Null for a method that the class does not know.
  const MethodInfo* find(unsigned method) const;
};

/// The channel's own class, whose methods work on every subchannel.
const MethodClass& channel_methods();
const MethodClass& compute_methods();
const MethodClass& copy_methods();

/// A class that SET_OBJECT may bind; null for any other number.
const MethodClass* find_class(unsigned number);
/// "0xc9c0 ADA_COMPUTE_A, 0xc7b5 AMPERE_DMA_COPY_B".
std::string known_classes();

/// A method found: the class that executes it and what it says of it.
struct ResolvedMethod {
  const MethodClass* executor;
  const MethodInfo* info;
};

/// The method on a subchannel that is bound to `bound` (null: to none). Throws FormatError when there is none.
ResolvedMethod resolve_method(unsigned subchannel, unsigned method, const MethodClass* bound);

/// The class that a SET_OBJECT with this datum binds. Throws FormatError for a class that is not known.
const MethodClass& class_to_bind(std::uint32_t data);

}  // namespace gputlm
