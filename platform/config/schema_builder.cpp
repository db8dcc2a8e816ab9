// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/schema_builder.h"

#include "gputlm/tlm/parity_table.h"

namespace gputlm {

namespace {

/// Masks are of the address bits that parities are taken of; no card has more memory than these reach.
constexpr Range<std::uint64_t> kMask{0, (std::uint64_t{1} << (8 * ParityTable::kAddressBytes)) - 1};

}  // namespace

Parameter& SchemaBuilder::add(std::string path, Kind kind, std::string unit, std::string description, Fields fields) {
  Parameter& parameter = parameters_.emplace_back();
  parameter.path = std::move(path);
  parameter.kind = kind;
  parameter.unit = std::move(unit);
  parameter.description = std::move(description);
  parameter.fields = std::move(fields);
  return parameter;
}

void SchemaBuilder::count(std::string path, Range<std::uint64_t> range, std::string unit, std::string description,
                          Fields fields) {
  add(std::move(path), Kind::count, std::move(unit), std::move(description), std::move(fields)).whole = range;
}

void SchemaBuilder::real(std::string path, Range<double> range, std::string unit, std::string description,
                         Fields fields) {
  add(std::move(path), Kind::real, std::move(unit), std::move(description), std::move(fields)).real = range;
}

void SchemaBuilder::bytes(std::string path, Range<std::uint64_t> range, std::string description, Fields fields) {
  add(std::move(path), Kind::bytes, {}, std::move(description), std::move(fields)).whole = range;
}

void SchemaBuilder::time(std::string path, Range<Fs> range, std::string description, Fields fields) {
  add(std::move(path), Kind::time, {}, std::move(description), std::move(fields)).whole = {
      static_cast<std::uint64_t>(range.min), static_cast<std::uint64_t>(range.max)};
}

void SchemaBuilder::frequency(std::string path, Range<double> range, std::string description, Fields fields) {
  add(std::move(path), Kind::frequency, {}, std::move(description), std::move(fields)).real = range;
}

void SchemaBuilder::choice(std::string path, std::vector<std::string> names, std::string description, Fields fields) {
  add(std::move(path), Kind::choice, {}, std::move(description), std::move(fields)).choices = std::move(names);
}

void SchemaBuilder::boolean(std::string path, std::string description, Fields fields) {
  add(std::move(path), Kind::boolean, {}, std::move(description), std::move(fields));
}

void SchemaBuilder::mask(std::string path, std::string description, Fields fields) {
  add(std::move(path), Kind::mask, {}, std::move(description), std::move(fields)).whole = kMask;
}

void SchemaBuilder::address(std::string path, Range<std::uint64_t> range, std::string description, Fields fields) {
  add(std::move(path), Kind::address, {}, std::move(description), std::move(fields)).whole = range;
}

void SchemaBuilder::text(std::string path, std::string description, Fields fields) {
  add(std::move(path), Kind::text, {}, std::move(description), std::move(fields));
}

void SchemaBuilder::counts(std::string path, Range<std::uint64_t> items, Range<std::size_t> length, std::string unit,
                           std::string description, Fields fields) {
  Parameter& parameter = add(std::move(path), Kind::counts, std::move(unit), std::move(description), std::move(fields));
  parameter.whole = items;
  parameter.length = length;
}

void SchemaBuilder::masks(std::string path, Range<std::size_t> length, std::string description, Fields fields) {
  Parameter& parameter = add(std::move(path), Kind::masks, {}, std::move(description), std::move(fields));
  parameter.whole = kMask;
  parameter.length = length;
}

void SchemaBuilder::reals(std::string path, Range<double> items, Range<std::size_t> length, std::string unit,
                          std::string description, Fields fields) {
  Parameter& parameter = add(std::move(path), Kind::reals, std::move(unit), std::move(description), std::move(fields));
  parameter.real = items;
  parameter.length = length;
}

}  // namespace gputlm
