// SPDX-License-Identifier: Apache-2.0
#include "gputlm/trace/trace_filter.h"

#include <optional>

namespace gputlm {
namespace {

std::optional<std::uint64_t> of_sm(const TraceTransaction& t, std::uint64_t value) {
  if (!t.from_sm()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> given_address(std::uint64_t value) {
  if (value == kNoAddress) return std::nullopt;
  return value;
}

}  // namespace

bool TraceFilter::holds(const Instruction& i, const TraceTransaction& t, TraceUnit unit) {
  const auto named = [&](const char* name) { return (i.name == name) == (i.comparison == Comparison::equal); };
  std::optional<std::uint64_t> value;
  switch (i.field) {
    case Field::unit:
      return named(name_of(unit));
    case Field::op:
      return named(t.operation);
    case Field::kind:
      return named(name_of(t.kind));
    case Field::sm:
      value = of_sm(t, t.origin.sm);
      break;
    case Field::warp:
      value = of_sm(t, t.origin.warp);
      break;
    case Field::kernel:
      value = of_sm(t, t.origin.kernel);
      break;
    case Field::cta:
      value = of_sm(t, t.origin.cta);
      break;
    case Field::instruction:
      value = of_sm(t, t.origin.instruction);
      break;
    case Field::address:
      value = given_address(t.virtual_address);
      break;
    case Field::line:
      value = given_address(t.line());
      break;
    case Field::bytes:
      value = t.bytes;
      break;
  }
  if (!value) return false;
  switch (i.comparison) {
    case Comparison::equal:
      return *value == i.number;
    case Comparison::unequal:
      return *value != i.number;
    case Comparison::less:
      return *value < i.number;
    case Comparison::at_most:
      return *value <= i.number;
    case Comparison::greater:
      return *value > i.number;
    case Comparison::at_least:
    default:
      return *value >= i.number;
  }
}

bool TraceFilter::keeps(const TraceTransaction& transaction, TraceUnit unit) const {
  if (program_.empty()) return true;
  std::vector<bool> stack;
  for (const Instruction& i : program_) {
    if (i.step == Step::compare) {
      stack.push_back(holds(i, transaction, unit));
      continue;
    }
    const bool top = stack.back();
    if (i.step == Step::negate) {
      stack.back() = !top;
      continue;
    }
    stack.pop_back();
    stack.back() = i.step == Step::both ? stack.back() && top : stack.back() || top;
  }
  return stack.back();
}

}  // namespace gputlm
