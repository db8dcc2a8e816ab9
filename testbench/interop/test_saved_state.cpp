// SPDX-License-Identifier: Apache-2.0
//
// Saving and restoring what DRAM and L2 hold.
#include "port_bench.h"
//
#include <fstream>

#include "gputlm/hostdump/dump_bytes.h"
#include "gputlm/system/state_file.h"
#include "gputlm/system/state_slices.h"
#include "gputlm/test_support/temp_folder.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

/// Two memory systems; `a` is warmed, `b` is given its contents.
struct TwoSystems {
  explicit TwoSystems(const std::vector<std::string>& of_b = {}, const std::vector<std::string>& of_a = {},
                      const std::string& name = {})
      : config_a(Config::load("tiny", of_a)),
        config_b(Config::load("tiny", of_b)),
        a((name + "a").c_str(), config_a),
        b((name + "b").c_str(), config_b),
        host_a((name + "host_a").c_str()),
        host_b((name + "host_b").c_str()) {
    host_a.socket.bind(a.port(0));
    host_b.socket.bind(b.port(0));
  }
  Config config_a, config_b;
  MemorySystem a, b;
  BlockingInitiator host_a, host_b;
  TempFolder folder;
  std::string file = (folder.path() / "state").string();

  /// Some lines in DRAM only, some dirty in L2, some read.
  void warm(std::uint64_t seed = 1) {
    std::mt19937_64 random(seed);
    for (unsigned i = 0; i < 40; ++i) host_a.write(i * 0x1111, random_bytes(random, 300));
    a.slices[0]->flush();
    while (!a.idle()) sc_core::wait(1, sc_core::SC_US);
    for (unsigned i = 0; i < 40; i += 2) host_a.write(i * 0x1111 + 5, random_bytes(random, 50));
    host_a.read(0x80000, 64);
  }
  std::string refusal(const std::string& of) {
    try {
      b.restore(of);
    } catch (const ConfigError& e) {
      return e.what();
    }
    return {};
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_restored_system_holds_the_same_bytes_in_the_same_places) {
  TwoSystems t;
  t.host_a.program = [&] { t.warm(); };
  sc_core::sc_start();
  t.a.save(t.file);
  t.b.restore(t.file);
  BOOST_TEST(t.a.dirty_bytes() > 0U);
  BOOST_TEST(t.b.dirty_bytes() == t.a.dirty_bytes());
  BOOST_TEST(t.b.dirty_lines() == t.a.dirty_lines());
  std::array<unsigned char, kLineBytes> of_a{}, of_b{};
  unsigned differences = 0;
  for (std::uint64_t line = 0; line < 0x90000; line += kLineBytes) {
    t.a.debug_read(line, of_a.data());
    t.b.debug_read(line, of_b.data());
    differences += of_a != of_b ? 1 : 0;
  }
  BOOST_TEST(differences == 0U);
  for (unsigned set = 0; set < t.config_a.l2.sets; ++set)
    BOOST_TEST((t.a.slices[0]->fifo(set) == t.b.slices[0]->fifo(set)));
  const std::string again = t.file + "2";
  t.b.save(again);
  std::ifstream first(t.file, std::ios::binary), second(again, std::ios::binary);
  using Bytes = std::istreambuf_iterator<char>;
  BOOST_TEST((std::string(Bytes(first), {}) == std::string(Bytes(second), {})));
}

namespace {

/// Reads and writes of more lines than a small L2 has, one at a time.
void use(BlockingInitiator& host, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (unsigned i = 0; i < 300; ++i) {
    const std::uint64_t line = random() % 96 * kLineBytes;
    if (random() % 2 == 0)
      host.write(line, random_bytes(random, 64));
    else
      host.read(line, 64);
  }
}

/// Which lines lie where, and how the slice thinks of them.
std::vector<std::uint64_t> contents(const MemorySystem& memory, const Config& config) {
  const L2SliceState state = memory.slices[0]->state();
  std::vector<std::uint64_t> all = state.replacement;
  for (unsigned set = 0; set < config.l2.sets; ++set) {
    all.insert(all.end(), {state.sets[set].fills, state.sets[set].owed});
    all.insert(all.end(), state.sets[set].replacement.begin(), state.sets[set].replacement.end());
    for (const L2Way& w : memory.slices[0]->view_set(set))
      all.insert(all.end(), {w.line, static_cast<std::uint64_t>(w.eviction), w.in_fifo ? 1ULL : 0ULL});
  }
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_restored_system_goes_on_as_the_saved_one_under_every_replacement_policy) {
  std::vector<std::unique_ptr<TwoSystems>> all;
  for (const std::string& policy : replacement_names()) {
    const std::vector<std::string> small{"l2.sets=8",
                                         "l2.ways=4",
                                         "l2.set_index.type=modulo",
                                         "l2.janitor.policy=none",
                                         "l2.fifo_drain_interval=5",
                                         "l2.replacement.duel_sets=1",
                                         "l2.replacement.bimodal_interval=7",
                                         "l2.replacement.eviction_classes=honour",
                                         "l2.replacement.policy=" + policy};
    TwoSystems& t = *all.emplace_back(std::make_unique<TwoSystems>(small, small, policy + "_"));
    t.host_a.program = [&t] { use(t.host_a, 1); };
  }
  sc_core::sc_start();
  for (const auto& t : all) {
    L2Slice& slice = *t->a.slices[0];
    L2Way first = slice.way(3, 2);
    BOOST_REQUIRE(first.present);
    first.eviction = EvictionClass::first;
    slice.set_way(3, 2, first, nullptr);
    t->a.save(t->file);
    t->b.restore(t->file);
    BOOST_TEST(contents(t->a, t->config_a) == contents(t->b, t->config_b));
    sc_core::sc_spawn([t = t.get()] { use(t->host_a, 2); });
    sc_core::sc_spawn([t = t.get()] { use(t->host_b, 2); });
  }
  sc_core::sc_start();
  for (const auto& t : all)
    BOOST_TEST(contents(t->a, t->config_a) == contents(t->b, t->config_b), t->config_a.l2.replacement.policy);
}

BOOST_AUTO_TEST_CASE(what_was_warm_hits_after_a_restore_under_other_latencies) {
  TwoSystems t({"crossbar.request_latency=1ns"});
  Fs cold = 0, warm = 0;
  t.host_a.program = [&] { t.warm(); };
  sc_core::sc_start();
  t.a.save(t.file);
  t.b.restore(t.file);
  sc_core::sc_spawn([&] {
    Fs start = now();
    t.host_b.read(0x80000, 4);
    warm = now() - start;
    start = now();
    t.host_b.read(0x100000, 4);
    cold = now() - start;
  });
  sc_core::sc_start();
  BOOST_TEST(warm > 0);
  BOOST_TEST(cold > warm + from_ns(50));
  BOOST_TEST(t.b.slices[0]->counters().fetches == 1U);
}

BOOST_AUTO_TEST_CASE(what_is_restored_before_the_simulation_starts_is_read_through_a_port) {
  TwoSystems t;
  const std::vector<unsigned char> data(kLineBytes, 0x5a);
  t.a.memory.write(0x1000, data.data(), ByteMask::full());
  t.a.save(t.file);
  t.b.restore(t.file);
  t.host_b.program = [&] { BOOST_TEST((t.host_b.read(0x1000, kLineBytes) == data)); };
  sc_core::sc_start();
  BOOST_TEST(t.host_b.finished);
  BOOST_TEST(t.b.idle());
}

BOOST_AUTO_TEST_CASE(a_file_of_another_configuration_is_refused_by_the_parameter_that_differs_and_nothing_changes) {
  TwoSystems t({"l2.sets=512"});
  t.host_a.program = [&] { t.host_a.write(0, {1, 2, 3}); };
  t.host_b.program = [&] { t.host_b.write(0, {7}); };
  sc_core::sc_start();
  t.a.save(t.file);
  const std::string text = t.refusal(t.file);
  BOOST_TEST(text.find("l2.sets") != std::string::npos, text);
  std::array<unsigned char, kLineBytes> line{};
  t.b.debug_read(0, line.data());
  BOOST_TEST(line[0] == 7);
}

BOOST_AUTO_TEST_CASE(a_damaged_file_is_refused_wherever_it_is_damaged) {
  TwoSystems t;
  t.host_a.program = [&] { t.warm(); };
  sc_core::sc_start();
  t.a.save(t.file);
  std::string bytes;
  {
    std::ifstream in(t.file, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  const auto refused = [&](const std::string& content) {
    std::ofstream(t.file + "x", std::ios::binary) << content;
    return !t.refusal(t.file + "x").empty();
  };
  for (std::size_t at = 0; at < bytes.size(); at += 211) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    BOOST_TEST(refused(changed), "byte " << at);
  }
  for (const std::size_t length : {std::size_t{0}, std::size_t{5}, std::size_t{12}, bytes.size() / 2, bytes.size() - 1})
    BOOST_TEST(refused(bytes.substr(0, length)), "length " << length);
  BOOST_TEST(!t.refusal(t.file + "none").empty());
  BOOST_TEST(!refused(bytes));
}

BOOST_AUTO_TEST_CASE(contents_in_flight_are_neither_saved_nor_replaced) {
  TwoSystems t;
  t.host_a.program = [&] { t.host_a.write(0, {1}); };
  sc_core::sc_start(to_sc_time(from_ns(20)));
  BOOST_CHECK_THROW(t.a.save(t.file), std::logic_error);
  BOOST_CHECK_THROW(t.a.restore(t.file), std::logic_error);
}

namespace {

/// A saved file, changed and made whole again, so that nothing but the change is wrong with it.
std::string saved(TwoSystems& t) {
  t.host_a.program = [&] { t.warm(); };
  sc_core::sc_start();
  t.a.save(t.file);
  std::ifstream in(t.file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void put_word(std::string& bytes, std::size_t at, std::uint32_t word) {
  for (unsigned i = 0; i < 4; ++i) bytes[at + i] = static_cast<char>(word >> (8 * i));
}
std::string refusal_of(TwoSystems& t, std::string bytes, bool mend) {
  if (mend) put_word(bytes, bytes.size() - 4, crc32(std::string_view(bytes).substr(0, bytes.size() - 4)));
  std::ofstream(t.file + "x", std::ios::binary) << bytes;
  return t.refusal(t.file + "x");
}
bool says(const std::string& refusal, const char* what) {
  BOOST_TEST_INFO("refused: " << refusal);
  return refusal.find(what) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_file_that_is_none_or_cut_off_or_longer_is_refused_in_words) {
  TwoSystems t;
  const std::string bytes = saved(t);
  BOOST_TEST(says(refusal_of(t, "base: rtx4090\n", false), "not a file of saved memory contents"));
  BOOST_TEST(says(refusal_of(t, std::string(5000, '\xff'), false), "not a file of saved memory contents"));
  BOOST_TEST(says(refusal_of(t, "", false), "not a file of saved memory contents"));
  BOOST_TEST(says(refusal_of(t, bytes.substr(0, bytes.size() / 3), false), "damaged or cut off: length"));
  BOOST_TEST(says(refusal_of(t, bytes + "more", false), "damaged or cut off: length"));
  BOOST_TEST(says(refusal_of(t, bytes.substr(0, 14), false), "the file ends inside the length"));
  BOOST_TEST(says(t.refusal(t.folder.path().string()), t.folder.path().string().c_str()));  // a directory
}

BOOST_AUTO_TEST_CASE(a_file_of_another_format_or_program_is_refused_by_the_version) {
  constexpr std::size_t kFormatAt = 8, kMinorAt = 24;
  TwoSystems t;
  std::string format = saved(t), program = format;
  put_word(format, kFormatAt, 2);
  BOOST_TEST(says(refusal_of(t, format, true), "version of the format"));
  put_word(program, kMinorAt, GPUTLM_VERSION_MINOR + 1);
  BOOST_TEST(says(refusal_of(t, program, true), "saved by another version of gputlm"));
  BOOST_TEST(t.b.dirty_bytes() == 0U);
}

BOOST_AUTO_TEST_CASE(the_same_configuration_in_other_words_is_the_same) {
  TwoSystems t({"dram.capacity=131072 KiB"});
  saved(t);
  t.b.restore(t.file);
  BOOST_TEST(t.b.dirty_bytes() == t.a.dirty_bytes());
}

BOOST_AUTO_TEST_CASE(contents_that_no_memory_system_can_hold_are_refused) {
  TwoSystems t;
  SavedWay way;
  way.state.present = true;
  way.state.line = 0x1000;
  way.state.valid = ByteMask::full();
  way.slice = t.b.slice_of(way.state.line);
  way.set = t.b.set_of(way.state.line);
  std::vector<L2SliceState> slices = fresh_slices(t.config_b);
  const auto refusal = [&](const std::vector<SavedWay>& ways, const std::vector<SavedLine>& lines = {}) {
    std::ofstream(t.file, std::ios::binary) << encode_state({lines, ways, slices}, t.config_b);
    return t.refusal(t.file);
  };
  BOOST_TEST(refusal({way}).empty());
  SavedWay elsewhere = way, half = way, again = way;
  ++elsewhere.set;
  BOOST_TEST(says(refusal({elsewhere}), "line 0x1000 lies in another set"));
  half.state.valid = ByteMask::range(0, 4);
  half.state.dirty = ByteMask::range(2, 4);
  BOOST_TEST(says(refusal({half}), "dirty bytes that are not valid"));
  ++again.way;
  BOOST_TEST(says(refusal({way, again}), "there twice"));
  BOOST_TEST(says(refusal({}, {{0x80, {}}, {0x80, {}}}), "lines out of order"));
  BOOST_TEST(says(refusal({}, {{t.config_b.memory_bytes(), {}}}), "no line of this memory"));
  slices[0].sets[5].replacement[3] = static_cast<std::uint8_t>(t.config_b.l2.replacement.levels);
  BOOST_TEST(says(refusal({}), "no such RRPV"));
  slices = fresh_slices(t.config_b);
  slices[0].replacement = {1};
  BOOST_TEST(says(refusal({}), "no state of replacement policy rrip"));
}
