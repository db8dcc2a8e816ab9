// SPDX-License-Identifier: Apache-2.0
//
// What the files of the table are written with: at(&Config::l2, &L2Spec::ways) names a field, a SchemaBuilder adds
// lines.
#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gputlm/config/schema.h"

namespace gputlm {

/// The form in which the table holds a field of type T.
template <class T>
Value to_value(const T& field) {
  if constexpr (std::is_same_v<T, unsigned>) {
    return static_cast<std::uint64_t>(field);
  } else if constexpr (std::is_same_v<T, std::vector<unsigned>>) {
    return std::vector<std::uint64_t>(field.begin(), field.end());
  } else {
    return field;
  }
}

template <class T>
void from_value(T& field, const Value& value) {
  if constexpr (std::is_same_v<T, unsigned>) {
    field = static_cast<unsigned>(std::get<std::uint64_t>(value));
  } else if constexpr (std::is_same_v<T, std::vector<unsigned>>) {
    field.clear();
    for (const std::uint64_t item : std::get<std::vector<std::uint64_t>>(value)) {
      field.push_back(static_cast<unsigned>(item));
    }
  } else {
    field = std::get<T>(value);
  }
}

/// The field reached from a Config by a chain of members.
template <class... Members>
Field at(Members... members) {
  const auto reach = [members...](auto& config) -> auto& {
    return (config.*....*members);
  };
  return {[reach](Config& config, const Value& value) { from_value(reach(config), value); },
          [reach](const Config& config) { return to_value(reach(config)); },
          [reach](const Config& config) -> const void* { return &reach(config); }};
}

/// Adds lines to the table. Each takes the path, what is allowed, the unit, the description, and the fields it feeds.
class SchemaBuilder {
 public:
  using Fields = std::vector<Field>;

  void count(std::string path, Range<std::uint64_t> range, std::string unit, std::string description, Fields fields);
  void real(std::string path, Range<double> range, std::string unit, std::string description, Fields fields);
  void bytes(std::string path, Range<std::uint64_t> range, std::string description, Fields fields);
  /// Bounds in femtoseconds.
  void time(std::string path, Range<Fs> range, std::string description, Fields fields);
  /// Bounds in hertz.
  void frequency(std::string path, Range<double> range, std::string description, Fields fields);
  void choice(std::string path, std::vector<std::string> names, std::string description, Fields fields);
  void boolean(std::string path, std::string description, Fields fields);
  void mask(std::string path, std::string description, Fields fields);
  void address(std::string path, Range<std::uint64_t> range, std::string description, Fields fields);
  void text(std::string path, std::string description, Fields fields);
  // Lists: bounds of the items, then of their number.
  void counts(std::string path, Range<std::uint64_t> items, Range<std::size_t> length, std::string unit,
              std::string description, Fields fields);
  void masks(std::string path, Range<std::size_t> length, std::string description, Fields fields);
  void reals(std::string path, Range<double> items, Range<std::size_t> length, std::string unit,
             std::string description, Fields fields);

  std::vector<Parameter> take() { return std::move(parameters_); }

 private:
  Parameter& add(std::string path, Kind kind, std::string unit, std::string description, Fields fields);

  std::vector<Parameter> parameters_;
};

// One function per concern, each in a file of its own.
void describe_card(SchemaBuilder& table);
void describe_sm(SchemaBuilder& table);
void describe_l1(SchemaBuilder& table);
void describe_mmu(SchemaBuilder& table);
void describe_crossbar(SchemaBuilder& table);
void describe_l2(SchemaBuilder& table);
void describe_dram(SchemaBuilder& table);
void describe_host(SchemaBuilder& table);

// Bounds that several files share.
inline constexpr std::uint64_t kMostOfAnyQueue = 1U << 20;     ///< Entries; more is a typing error, not a design.
inline constexpr Range<Fs> kLatency{0, 1'000'000 * kFsPerNs};  ///< 0 to 1 ms.
inline constexpr Range<double> kClock{1e6, 1e11};              ///< 1 MHz to 100 GHz.
inline constexpr Range<double> kRate{1e-3, 1e6};               ///< Per cycle.
inline constexpr Range<double> kCycles{0, 1e6};

}  // namespace gputlm
