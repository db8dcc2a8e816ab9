// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"
//
#include <cstdio>
#include <fstream>
#include <set>

#include "functional_machine.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

const char* const kHead = "experiment: t\nbuffers:\n  m: {size: 64 KiB}\n  n: {size: 64 KiB}\n";

/// The diagnostics of an experiment that must not be accepted; brought onto a small chip when it reads well.
std::vector<Diagnostic> mistakes(const std::string& yaml) {
  try {
    const ModuloOracle oracle;
    workload_of(yaml, &oracle);
  } catch (const ConfigError& error) {
    BOOST_TEST(std::string(error.what()).find("test.yaml:") != std::string::npos);
    return error.diagnostics();
  }
  BOOST_ERROR("accepted: " + yaml);
  return {};
}

/// Demands exactly one mistake, at the line and key given.
void one_mistake(const std::string& yaml, unsigned line, const std::string& path) {
  const auto list = mistakes(yaml);
  BOOST_TEST_INFO(yaml);
  BOOST_REQUIRE(list.size() == 1U);
  BOOST_TEST_INFO(list[0].text());
  BOOST_TEST(list[0].line == line);
  BOOST_TEST_INFO(list[0].text());
  BOOST_TEST(list[0].path == path);
}

std::string phase(const std::string& keys) {
  return std::string(kHead) + "phases:\n  - {" + keys + "}\n";
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_experiment_is_read_with_all_it_says) {
  const Experiment e = parse_experiment(
      "experiment: name\ndescription: text\nconfig: tiny\nseed: 9\nsample_interval: 50 ns\nreport: one-set\n"
      "set: {l2.ways: 8, l1.index_masks: [0x10, 0x20]}\n"
      "buffers: {a: {size: 3 MiB, at: 0x40000000, physical: 0x200000}, b: {alias_of: a}}\n"
      "image: {a: {kind: pattern, seed: 4}}\n"
      "phases:\n"
      "  - {name: one, pattern: stream_store, buffer: a, grid: 7, block: 96, sms: [3, 0-1], lane_bytes: 8}\n"
      "  - {name: two, kernels: [{pattern: stream_load, buffer: b}, {name: k, pattern: hammer, buffer: a, sms: 2}]}\n",
      "file.yaml");
  BOOST_TEST(e.name == "name");
  BOOST_TEST(e.config == "tiny");
  BOOST_TEST(e.seed == 9U);
  BOOST_TEST(e.sample_interval == 50 * kFsPerNs);
  BOOST_TEST((e.report == ReportKind::one_set));
  BOOST_REQUIRE(e.overrides.size() == 2U);
  BOOST_TEST(e.overrides[0].path == "l2.ways");
  BOOST_TEST(e.overrides[0].value == "8");
  BOOST_TEST(e.overrides[1].value == "[0x10, 0x20]");
  BOOST_TEST(e.overrides[1].place.line == 7U);
  BOOST_TEST(e.buffers[0].at == 0x40000000U);
  BOOST_TEST(e.buffers[1].alias_of == "a");
  BOOST_TEST((e.images[0].kind == ImageSpec::Kind::pattern));
  BOOST_REQUIRE(e.phases.size() == 2U);
  const KernelShape& one = e.phases[0].kernels[0].shape;
  BOOST_TEST(one.name == "one");
  BOOST_TEST(one.grid == 7U);
  BOOST_TEST(one.warps_per_cta() == 3U);
  BOOST_TEST((selected_sms(e.phases[0].kernels[0].sms, 4) == std::vector<unsigned>{0, 1, 3}));
  BOOST_TEST(e.phases[1].kernels[1].shape.name == "k");
  BOOST_TEST(e.phases[1].kernels[1].shape.number == 2U);
}

BOOST_AUTO_TEST_CASE(each_mistake_is_one_message_with_its_line_and_key) {
  one_mistake("experiment: t\nconfg: x\nbuffers: {m: {size: 1 MiB}}\nphases: [{pattern: stream_load, buffer: m}]\n", 2,
              "confg");
  one_mistake("buffers: {m: {size: 1 MiB}}\nphases: [{pattern: stream_load, buffer: m}]\n", 1, "experiment");
  one_mistake(std::string(kHead) + "phases: []\n", 5, "phases");
  one_mistake(std::string(kHead) + "phases:\n  - {kernels: []}\n", 6, "phases[0].kernels");
  one_mistake(phase("pattern: stream_stor, buffer: m"), 6, "phases[0].pattern");
  one_mistake(phase("pattern: stream_store, buffer: k"), 6, "phases[0].buffer");
  one_mistake(phase("pattern: stream_store"), 6, "phases[0].buffer");
  one_mistake(phase("pattern: stream_store, buffer: m, unrol: 2"), 6, "phases[0].unrol");
  one_mistake(phase("pattern: stream_store, buffer: m, grid: 0"), 6, "phases[0].grid");
  one_mistake(phase("pattern: stream_store, buffer: m, grid: 3000000000"), 6, "phases[0].grid");
  one_mistake(phase("pattern: stream_store, buffer: m, block: 1025"), 6, "phases[0].block");
  one_mistake(phase("pattern: stream_store, buffer: m, block: -1"), 6, "phases[0].block");
  one_mistake(phase("pattern: stream_store, buffer: m, lane_bytes: 3"), 6, "phases[0].lane_bytes");
  one_mistake(phase("pattern: random, buffer: m, stores: nan"), 6, "phases[0].stores");
  one_mistake(phase("pattern: random, buffer: m, block: 33"), 6, "phases[0].granule");
  one_mistake(phase("pattern: random, buffer: m, grid: 2000000000, accesses: 4000000000"), 6, "phases[0].accesses");
  one_mistake(phase("pattern: hammer, buffer: m, offset: 64 KiB"), 6, "phases[0].offset");
  one_mistake(phase("pattern: stride, buffer: m, stride: 6 B"), 6, "phases[0].stride");
  one_mistake(phase("pattern: byte_masks, buffer: m, mask: 0x0"), 6, "phases[0].mask");
  one_mistake(phase("pattern: copy, from: m, to: m"), 6, "phases[0].to");
  one_mistake(phase("pattern: atomics, buffer: m, grid: 2000, block: 32"), 6, "phases[0].offset");
  one_mistake(phase("pattern: atomics, buffer: m, function: add.f, word_bytes: 8"), 6, "phases[0].word_bytes");
  one_mistake(phase("pattern: single_store, buffer: m, grid: 2"), 6, "phases[0].grid");
  one_mistake(phase("pattern: one_set, buffer: m, slice: 1, set: 1"), 6, "phases[0].buffer");
  one_mistake(phase("pattern: stream_load, buffer: m, unroll: 7"), 6, "phases[0].unroll");
  one_mistake(phase("pattern: stream_load, buffer: m, sms: 0-4"), 6, "phases[0].sms");
  one_mistake(phase("pattern: stream_load, buffer: m, sms: [1, 3-2]"), 6, "phases[0].sms");
  one_mistake(phase("pattern: stream_load, buffer: m, sms: []"), 6, "phases[0].sms");
  one_mistake(phase("pattern: stream_load, buffer: m, sms: 0 of 2"), 6, "phases[0].sms");
  one_mistake(phase("pattern: stream_load, buffer: m, sms: 3 of 2"), 6, "phases[0].sms");
  one_mistake(phase("pattern: stream_load, buffer: m, sms: 1 of half"), 6, "phases[0].sms");
  one_mistake(phase("pattern: stream_load, buffer: m, sms: 1 of 5"), 6, "phases[0].sms");  // of four SMs
  one_mistake(phase("pattern: lanes, buffer: m, accesses: [{operation: load, offsets: [65536]}]"), 6,
              "phases[0].accesses");
  one_mistake(phase("pattern: lanes, buffer: m, accesses: [{operation: lod, offsets: [0]}]"), 6,
              "phases[0].accesses[0].operation");
}

BOOST_AUTO_TEST_CASE(buffers_that_cannot_be_are_refused) {
  const std::string run = "\nphases: [{pattern: stream_load, buffer: m}]\n";
  one_mistake("experiment: t\nbuffers:\n  m: {size: 1024 TiB}" + run, 3, "buffers.m.size");
  one_mistake("experiment: t\nbuffers:\n  m: {size: 0 B}" + run, 3, "buffers.m.size");
  one_mistake("experiment: t\nbuffers:\n  m: {size: 100}" + run, 3, "buffers.m.size");
  one_mistake("experiment: t\nbuffers:\n  m: {size: 17 MiB}" + run, 3, "buffers.m.size");
  one_mistake("experiment: t\nbuffers:\n  m: {size: 1 MiB, at: 4096}" + run, 3, "buffers.m.at");
  one_mistake(
      "experiment: t\nbuffers:\n  m: {size: 1 MiB, at: 0x1fffffff00000}\n  n: {size: 2 MiB, at: 0x1ffffffff0000}" + run,
      4, "buffers.n.at");
  one_mistake("experiment: t\nbuffers:\n  m: {size: 1 MiB, physical: 0x1000000}" + run, 3, "buffers.m.physical");
  one_mistake("experiment: t\nbuffers:\n  m: {size: 1 MiB, physical: 0}\n  n: {size: 1 MiB, physical: 0xf0000}" + run,
              4, "buffers.n.physical");
  one_mistake("experiment: t\nbuffers:\n  m: {size: 1 MiB}\nimage: {k: zeros}" + run, 4, "image.k");
  one_mistake("experiment: t\nbuffers:\n  m: {size: 1 MiB}\nimage: {m: {file: /no/such}}" + run, 4, "image.m.file");
}

BOOST_AUTO_TEST_CASE(all_mistakes_of_a_file_are_told_at_once) {
  const auto list = mistakes(
      "experiment: t\nsede: 1\nbuffers: {m: {size: 5 parsec}, n: {}}\nphases:\n  - {pattern: x}\n  - {pattern: hammer, "
      "buffer: q, grid: 0}\n");
  BOOST_TEST(list.size() == 6U);
}

BOOST_AUTO_TEST_CASE(what_is_no_experiment_is_refused_with_the_files_name) {
  for (const std::string& text :
       {std::string("a: [1, 2\nb: }"), std::string(""), std::string("- 1\n- 2\n"), std::string("\0\1\2", 3)})
    BOOST_CHECK_THROW(parse_experiment(text, "test.yaml"), ConfigError);
  BOOST_CHECK_THROW(read_experiment("/no/such/file.yaml"), ConfigError);
}

BOOST_AUTO_TEST_CASE(buffers_get_whole_pages_without_overlap_and_aliases_share_memory) {
  const Workload w = workload_of(
      "experiment: t\nbuffers: {a: {size: 100 KiB}, b: {size: 1 MiB, physical: 0x10000}, c: {size: 1 B}, d: {alias_of: "
      "b}}\n"
      "phases: [{pattern: stream_store, buffer: d}]\n");
  const auto& b = w.buffers();
  BOOST_TEST(b[0].mapped_bytes == 0x20000U);
  BOOST_TEST(b[1].physical_address == 0x10000U);
  BOOST_TEST(b[0].physical_address == 0x110000U);
  BOOST_TEST(b[2].physical_address == 0U);
  BOOST_TEST(b[3].physical_address == b[1].physical_address);
  BOOST_TEST(b[3].size == b[1].size);
  std::set<std::uint64_t> pages;
  std::size_t all = 0;
  for (const Buffer& x : b)
    for (std::uint64_t o = 0; o < x.mapped_bytes; o += 0x10000) pages.insert(x.virtual_address + o), ++all;
  BOOST_TEST(pages.size() == all);
}

BOOST_AUTO_TEST_CASE(stores_through_an_alias_are_expected_through_the_other_name) {
  Workload w = workload_of(
      "experiment: t\nbuffers: {a: {size: 8 KiB}, b: {alias_of: a}}\n"
      "phases: [{pattern: stream_store, buffer: b}, {pattern: stream_load, buffer: a}]\n");
  FunctionalMachine m(w, 16 << 20);
  m.run(w);
  BOOST_TEST(w.load_checks().bytes_checked() == 8192U);
  BOOST_TEST(w.load_checks().mismatches() == 0U);
  BOOST_TEST(m.verdict().checks.mismatches() == 0U);
}

BOOST_AUTO_TEST_CASE(kernels_side_by_side_leave_what_they_race_for_to_the_scoreboard) {
  Workload w = workload_of(
      std::string(kHead) +
      "image: {m: pattern}\nphases:\n"
      "  - kernels: [{pattern: stream_store, buffer: m}, {pattern: stream_load, buffer: m}, {pattern: stream_load, "
      "buffer: n}]\n"
      "  - kernels: [{name: p, pattern: stream_store, buffer: n}, {name: q, pattern: hammer, buffer: n}]\n");
  FunctionalMachine m(w, 16 << 20);
  m.run(w);
  BOOST_TEST(w.load_checks().bytes_checked() == 65536U);  // n alone
  BOOST_TEST(w.load_checks().mismatches() == 0U);
  const MemoryVerdict verdict = m.verdict();
  BOOST_TEST(verdict.checks.mismatches() == 0U);
  BOOST_TEST(verdict.checks.bytes_checked() == 65536U);  // m alone
  BOOST_REQUIRE(verdict.reasons.size() == 1U);
  BOOST_TEST(verdict.reasons[0] == "p and q write it side by side");
}

BOOST_AUTO_TEST_CASE(an_image_file_fills_its_buffer_and_the_rest_is_zero) {
  const std::string path = "image_file_of_test_experiment.bin";
  std::ofstream(path, std::ios::binary) << "hello";
  const std::string yaml = "experiment: t\nbuffers: {m: {size: 4 KiB}}\nimage: {m: {file: " + path +
                           "}}\nphases: [{pattern: stream_load, buffer: m}]\n";
  const Workload w = workload_of(yaml);
  std::remove(path.c_str());
  unsigned char out[8];
  w.image().fill(w.buffers()[0].physical_address, out, 8);
  BOOST_TEST(std::memcmp(out, "hello\0\0\0", 8) == 0);
}

BOOST_AUTO_TEST_CASE(an_experiments_seed_changes_image_and_data) {
  const std::string yaml = std::string(kHead) + "image: {m: pattern}\nphases: [{pattern: stream_store, buffer: n}]\n";
  const Workload one = workload_of(yaml), same = workload_of(yaml), other = workload_of(yaml + "seed: 2\n");
  unsigned char a[64], b[64], c[64];
  for (const std::size_t buffer : {0U, 1U}) {
    const std::uint64_t at = one.buffers()[buffer].physical_address;
    BOOST_TEST(one.expected().bytes(at, 64, a));
    BOOST_TEST(same.expected().bytes(at, 64, b));
    BOOST_TEST(other.expected().bytes(at, 64, c));
    BOOST_TEST(std::memcmp(a, b, 64) == 0);
    BOOST_TEST(std::memcmp(a, c, 64) != 0);
  }
}

BOOST_AUTO_TEST_CASE(expected_memory_splits_ranges_and_remembers_the_latest) {
  ExpectedMemory memory;
  const auto two = std::make_shared<DataSource>(0, std::vector<unsigned char>(1000, 2));
  const auto three = std::make_shared<DataSource>(0, std::vector<unsigned char>(1000, 3));
  memory.lay({100, 200, 0, two, {}});
  memory.lay({120, 130, 0, nullptr, "open"});
  memory.lay({128, 140, 0, three, {}});
  unsigned char out[100];
  BOOST_TEST(memory.bytes(90, 30, out));
  BOOST_TEST(out[9] == 0);
  BOOST_TEST(out[10] == 2);
  BOOST_TEST(!memory.bytes(119, 2, out));
  BOOST_TEST(memory.reason(0, 1000) == "open");
  BOOST_TEST(memory.bytes(128, 80, out));
  BOOST_TEST(out[11] == 3);
  BOOST_TEST(out[12] == 2);
  BOOST_TEST(out[72] == 0);
  BOOST_TEST(memory.determinate(128, 100));
  BOOST_TEST(!memory.determinate(127, 1));
}

BOOST_AUTO_TEST_CASE(ctas_are_handed_out_in_order_each_once) {
  Workload w = workload_of(phase("pattern: stream_store, buffer: m, grid: 3, sms: 1-2"));
  CtaSource source(*w.phases()[0].kernels[0]);
  BOOST_TEST(!source.runs_on(0));
  for (std::uint32_t i = 0; i < 3; ++i) BOOST_TEST(source.take() == i);
  BOOST_TEST(source.exhausted());
  for (unsigned i = 0; i < 3; ++i) {
    BOOST_TEST(!source.finished());
    source.retire();
  }
  BOOST_TEST(source.finished());
}

BOOST_AUTO_TEST_CASE(a_kernel_that_names_no_sms_runs_on_all_and_one_that_names_a_share_on_that_share) {
  const Workload w = workload_of(std::string(kHead) +
                                 "phases:\n  - {pattern: stream_load, buffer: m}\n"
                                 "  - {pattern: stream_load, buffer: m, sms: 2 of 2}\n");
  const auto on = [&w](std::size_t phase, unsigned sm) { return w.phases()[phase].kernels[0]->shape().runs_on(sm); };
  for (unsigned sm = 0; sm < 4; ++sm) {
    BOOST_TEST(on(0, sm));
    BOOST_TEST(on(1, sm) == (sm >= 2));
  }
}

BOOST_AUTO_TEST_CASE(shares_of_any_number_of_sms_are_contiguous_alike_in_size_and_together_the_card) {
  for (const unsigned sms : {1U, 2U, 7U, 76U, 142U})
    for (std::uint64_t of = 1; of <= sms; of += 1 + of / 4) {
      std::vector<unsigned> all;
      for (std::uint64_t share = 1; share <= of; ++share) {
        const auto part = selected_sms({{share, share, of}}, sms);
        BOOST_TEST(part.size() >= sms / of);
        BOOST_TEST(part.size() <= (sms + of - 1) / of);
        all.insert(all.end(), part.begin(), part.end());
      }
      BOOST_REQUIRE(all.size() == sms);
      for (unsigned sm = 0; sm < sms; ++sm) BOOST_TEST(all[sm] == sm);
    }
  BOOST_TEST((selected_sms({{2, 3, 4}, {1, 2}}, 8) == std::vector<unsigned>{1, 2, 3, 4, 5}));
}

BOOST_AUTO_TEST_CASE(every_pattern_lists_its_parameters) {
  for (const PatternInfo& p : patterns()) {
    const auto list = parameters_of(p);
    BOOST_TEST(!list.empty());
    std::set<std::string> names;
    for (const ParameterInfo& i : list) {
      BOOST_TEST(!i.description.empty());
      names.insert(i.name);
    }
    BOOST_TEST(names.size() == list.size());
    BOOST_TEST(find_pattern(p.name) == &p);
  }
}

BOOST_AUTO_TEST_CASE(the_experiments_shipped_fit_a_4090) {
  class Everywhere final : public AddressOracle {
   public:
    unsigned slice_of(std::uint64_t) const override { return 0; }
    unsigned set_of(std::uint64_t) const override { return 0; }
  } oracle;
  const PlatformFacts facts{128, 48, 6, std::uint64_t{2} << 20, std::uint64_t{24} << 30, &oracle};
  for (const char* name : {"atomics", "copy", "die", "fences", "hammer", "lanes", "one-set", "partial-writes",
                           "random-mix", "store-journey", "vadd"}) {
    const Experiment e = read_experiment(std::string(GPUTLM_EXPERIMENTS) + "/" + name + ".yaml");
    BOOST_TEST(e.name == name);
    BOOST_TEST(!e.description.empty());
    const Workload w(e, facts);
    BOOST_TEST(w.ctas() > 0U);
  }
}
