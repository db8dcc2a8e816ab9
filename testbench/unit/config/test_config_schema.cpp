// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <set>
#include <string>
#include <type_traits>
#include <utility>

#include "gputlm/config/config.h"
#include "gputlm/config/schema.h"

using namespace gputlm;

namespace {

/// Converts to any type, to count how many initialisers an aggregate takes: one per field.
struct Anything {
  template <class T>
  operator T() const;  // NOLINT: never defined, used in unevaluated operands
};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"  // the counting leaves fields out on purpose
template <class T, class... Fields>
constexpr auto accepts(int) -> decltype(T{std::declval<Fields>()...}, true) {
  return true;
}
#pragma GCC diagnostic pop
template <class T, class...>
constexpr bool accepts(...) {
  return false;
}

template <class T, class... Fields>
constexpr std::size_t field_count() {
  if constexpr (accepts<T, Fields..., Anything>(0)) {
    return field_count<T, Fields..., Anything>();
  } else {
    return sizeof...(Fields);
  }
}

struct Outer {
  int a = 1;
  std::string b;
  double c = 0, d = 0;
};
static_assert(field_count<Outer>() == 4);

std::size_t fields_within(const Config& config, const void* begin, std::size_t bytes) {
  std::set<const void*> found;
  for (const Parameter& parameter : Schema::instance().parameters()) {
    for (const Field& field : parameter.fields) {
      const auto* address = static_cast<const char*>(field.address(config));
      if (address >= begin && address < static_cast<const char*>(begin) + bytes) found.insert(address);
    }
  }
  return found.size();
}

template <class Spec>
std::size_t fed(const Config& config, const Spec& spec) {
  return fields_within(config, &spec, sizeof(spec));
}

}  // namespace

// A field that no parameter feeds would silently stay zero: these fail when a Spec gains a field and the schema does
// not.
BOOST_AUTO_TEST_CASE(every_field_of_every_spec_is_fed_by_a_parameter) {
  const Config c;
  BOOST_TEST(fed(c, c.warp) == field_count<WarpSpec>());
  BOOST_TEST(fed(c, c.sass) == field_count<SassSpec>());
  constexpr std::size_t derived = 2;  // byte_exact_loads, gpu_fence_round_trip: they follow from other units' values
  BOOST_TEST(fed(c, c.lsu) == field_count<LsuSpec>() - derived);
  BOOST_TEST(fed(c, c.l1) == field_count<L1Spec>());
  BOOST_TEST(fed(c, c.mmu) == field_count<MmuSpec>());
  BOOST_TEST(fed(c, c.host) == field_count<HostSpec>() - 5 + field_count<PcieSpec>() + field_count<SystemMemorySpec>() +
                                   field_count<HostEngineSpec>() + field_count<WorkDistributorSpec>() +
                                   field_count<CopyEngineSpec>());
  // crossbar: the slice function's own fields; the hub ports are the platform's choice
  BOOST_TEST(fed(c, c.crossbar) == field_count<CrossbarSpec>() - 2 + field_count<SliceFunctionSpec>());
  BOOST_TEST(fed(c, c.l2) == field_count<L2Spec>() - 3 + field_count<SetIndexSpec>() + field_count<ReplacementSpec>() +
                                 field_count<JanitorSpec>());
  BOOST_TEST(fed(c, c.dram) ==
             field_count<DramSpec>() - 2 + field_count<DramTimingSpec>() + field_count<DramMapSpec>());
}

BOOST_AUTO_TEST_CASE(no_field_is_fed_twice_and_no_path_occurs_twice) {
  const Config c;
  std::set<const void*> addresses;
  std::set<std::string> paths;
  for (const Parameter& parameter : Schema::instance().parameters()) {
    BOOST_TEST_CONTEXT(parameter.path) {
      BOOST_TEST(paths.insert(parameter.path).second);
      BOOST_TEST(!parameter.fields.empty());
      BOOST_TEST(!parameter.description.empty());
      BOOST_TEST(!parameter.allowed().empty());
      BOOST_TEST(!Schema::instance().is_group(parameter.path));
      for (const Field& field : parameter.fields) BOOST_TEST(addresses.insert(field.address(c)).second);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_parameter_reaches_exactly_its_fields) {
  const Config before = Config::load("rtx4090");
  const Config after = Config::load("rtx4090", {"clocks.sm=2 GHz", "sm.sub_partitions=2", "dram.timing.tFAW=30"});
  BOOST_TEST(after.warp.clock_hz == 2e9);
  BOOST_TEST(after.sass.clock_hz == 2e9);
  BOOST_TEST(after.lsu.clock_hz == 2e9);
  BOOST_TEST(after.l1.clock_hz == 2e9);
  BOOST_TEST(after.warp.sub_partitions == 2u);
  BOOST_TEST(after.lsu.sub_partitions == 2u);
  BOOST_TEST(after.dram.timing.tFAW == 30u);
  std::size_t changed = 0;
  for (const Parameter& parameter : Schema::instance().parameters()) {
    for (const Field& field : parameter.fields) changed += field.get(before) != field.get(after) ? 1 : 0;
  }
  BOOST_TEST(changed == 8u);
}

BOOST_AUTO_TEST_CASE(groups_are_told_from_parameters) {
  const Schema& schema = Schema::instance();
  BOOST_TEST(schema.is_group("l2"));
  BOOST_TEST(schema.is_group("l2.janitor"));
  BOOST_TEST(!schema.is_group("l2.jan"));
  BOOST_TEST(!schema.is_group("l2.ways"));
  BOOST_TEST(!schema.is_group(""));
  BOOST_TEST(schema.find("l2.janitor") == Schema::npos);
}
