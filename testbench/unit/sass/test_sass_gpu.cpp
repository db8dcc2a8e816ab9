// SPDX-License-Identifier: Apache-2.0
//
// Kernels with instructions of every family (gpu/instructions.cu), their sm_89 listing on flat memory, against what an
// H200 computed with the same source: bit by bit, but for the approximations of MUFU, whose tables are not published.
#include <cmath>
#include <fstream>
#include <sstream>

#include "gputlm/config/diagnostics.h"
#include "sass_bench.h"

using namespace gputlm;
using namespace gputlm::sass_test;

namespace {

constexpr std::size_t kIn = 0, kOut = 0x10000, kWords = 0x20000, kThreads = 128, kColumns = 16;

using Column = std::vector<std::uint32_t>;

/// What the GPU computed.
struct Answers {
  Column in;
  std::map<std::string, Column> out, shared;
};

Column numbers(std::istringstream& line) {
  Column values;
  for (std::string word; line >> word;) values.push_back(static_cast<std::uint32_t>(std::stoul(word, nullptr, 16)));
  return values;
}

const Answers& answers() {
  static const Answers all = [] {
    Answers a;
    std::ifstream file(GPUTLM_GPU_DATA "/instructions.h200.txt");
    std::string kernel;
    for (std::string text; std::getline(file, text);) {
      std::istringstream line(text);
      std::string key;
      line >> key;
      if (key == "in")
        a.in = numbers(line);
      else if (key == "out")
        a.out[kernel] = numbers(line);
      else if (key == "shared")
        a.shared[kernel] = numbers(line);
      else
        kernel = key;
    }
    return a;
  }();
  return all;
}

std::string listing_text() {
  std::ifstream file(GPUTLM_GPU_DATA "/instructions.sm_89.sass");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

const SassListing& listing() {
  static const SassListing read = parse_listing(listing_text(), "instructions.sm_89.sass");
  return read;
}

/// One kernel as it ran on the GPU: two blocks of 64 threads.
struct Run : FlatMachine {
  explicit Run(const std::string& kernel, const SassListing& from = listing(), const Column& bank2 = {})
      : FlatMachine(1 << 18U), name(kernel) {
    launch.grid.x = 2;
    launch.block.x = 64;
    launch.shared_bytes = 8192;
    launch.local_bytes = 4096;
    launch.banks[2].resize(bank2.size() * 4);
    if (!bank2.empty()) std::memcpy(launch.banks[2].data(), bank2.data(), launch.banks[2].size());
    write(kIn, answers().in);
    run(SassCode(from, from.kernel(kernel), bank2.empty() ? std::vector<unsigned>{} : std::vector<unsigned>{2, 4}),
        Parameters() << kBase + kIn << kBase + kOut << kBase + kWords);
    out = read<std::uint32_t>(kOut, kThreads * kColumns);
    BOOST_TEST(faults.empty());
  }
  /// Results of column c that differ from the GPU's.
  unsigned wrong(std::size_t c) const {
    unsigned count = 0;
    for (std::size_t t = 0; t < kThreads; ++t) count += at(t, c) != wanted(t, c) ? 1 : 0;
    return count;
  }
  std::uint32_t at(std::size_t t, std::size_t c) const { return out[t * kColumns + c]; }
  std::uint32_t wanted(std::size_t t, std::size_t c) const { return answers().out.at(name)[t * kColumns + c]; }

  void check(std::initializer_list<std::size_t> without = {}) const {
    for (std::size_t c = 0; c < kColumns; ++c)
      if (std::find(without.begin(), without.end(), c) == without.end())
        BOOST_TEST(wrong(c) == 0U, name << ": column " << c << ": " << wrong(c) << " of 128 differ");
  }
  void check_words(std::initializer_list<std::size_t> without = {}) const {
    const auto words = read<std::uint32_t>(kWords, 1024);
    for (std::size_t n = 0; n < words.size(); ++n)
      if (std::find(without.begin(), without.end(), n) == without.end())
        BOOST_TEST(words[n] == answers().shared.at(name)[n], name << ": word " << n);
  }
  std::string name;
  Column out;
};

float as_float(std::uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Largest error relative to the GPU's result (absolute below `floor`), over all threads whose result is finite.
double worst(const Run& run, std::size_t c, double floor) {
  double worst = 0;
  for (std::size_t t = 0; t < kThreads; ++t) {
    const double got = as_float(run.at(t, c)), want = as_float(run.wanted(t, c));
    BOOST_TEST(std::isnan(got) == std::isnan(want), "thread " << t << ", column " << c);
    if (std::isinf(got) || std::isinf(want)) BOOST_TEST((got == want), "thread " << t << ", column " << c);
    if (std::isfinite(got) && std::isfinite(want))
      worst = std::max(worst, std::fabs(got - want) / std::max(std::fabs(want), floor));
  }
  return worst;
}

}  // namespace

BOOST_AUTO_TEST_CASE(integer_arithmetic_is_the_gpus) {
  Run("integers").check();
  Run("divisions").check();
}

BOOST_AUTO_TEST_CASE(arithmetic_on_pairs_of_registers_is_the_gpus) {
  Run("wide").check();
  Run("wide2").check();
}

BOOST_AUTO_TEST_CASE(float_arithmetic_is_the_gpus) {
  const Run run("floats");
  run.check({14});  // __fdividef multiplies by MUFU.RCP
  BOOST_TEST(worst(run, 14, 1e-30) < 4e-7);
}

BOOST_AUTO_TEST_CASE(double_arithmetic_is_the_gpus_down_to_the_payload_of_a_nan) {
  Run("doubles").check();
}

BOOST_AUTO_TEST_CASE(half_arithmetic_is_the_gpus) {
  Run("halves").check();
}

BOOST_AUTO_TEST_CASE(conversions_are_the_gpus) {
  Run("conversions").check();
  Run("conversions2").check();
}

BOOST_AUTO_TEST_CASE(approximations_are_close_to_the_gpus) {
  const Run run("mufu", listing(), {0x54442d19, 0x3bf921fb});
  for (const std::size_t c : {0U, 1U, 2U, 5U, 8U, 9U}) BOOST_TEST(worst(run, c, 1e-37) < 1.3e-7 * 2, "column " << c);
  for (const std::size_t c : {6U, 11U}) BOOST_TEST(worst(run, c, 1) < 2.4e-7, "column " << c);
  BOOST_TEST(worst(run, 7, 1e-37) < 1.0 / 2048);  // tanh.approx states 2^-11
  BOOST_TEST(worst(run, 12, 1e-37) < 2.4e-7);
}

BOOST_AUTO_TEST_CASE(votes_shuffles_matches_and_reductions_are_the_gpus) {
  Run("votes").check();
}

BOOST_AUTO_TEST_CASE(divergent_loops_calls_recursion_and_function_pointers_are_the_gpus) {
  // Bank 2 holds the addresses of the two functions, as cuobjdump -elf prints them.
  Run("branches", listing(), {1, 0, 0x9f0, 0, 0xbe0, 0}).check();
}

BOOST_AUTO_TEST_CASE(local_shared_and_generic_memory_are_the_gpus) {
  Run("memory").check();
}

BOOST_AUTO_TEST_CASE(loads_and_stores_of_every_order_and_hint_move_what_the_gpus_do) {
  const Run run("orders");
  run.check();
  run.check_words();
}

BOOST_AUTO_TEST_CASE(special_registers_are_the_gpus) {
  Run("specials").check({6});  // column 6 asks whether time has passed
}

BOOST_AUTO_TEST_CASE(threads_of_a_warp_that_wait_for_each_other_get_on) {
  const Run run("spin");
  run.check();
  run.check_words();
}

BOOST_AUTO_TEST_CASE(atomics_on_halves_are_refused_ahead_of_the_run) {
  try {
    Run run("atomics");
    BOOST_FAIL("no error");
  } catch (const ConfigError& e) {
    const std::string message = e.what();
    BOOST_TEST(message.find("instructions.sm_89.sass:4584:1: atomics: ATOM: atomics on packed halves") == 0U);
    BOOST_TEST(message.find("ATOM.E.ADD.F16x2.RN.STRONG.GPU") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(atomics_leave_what_the_gpus_do) {
  std::string text = listing_text();
  const std::string unsupported = "ATOM.E.ADD.F16x2.RN.STRONG.GPU P0, RZ, [R12.64+0x40], R19";
  text.replace(text.find(unsupported), unsupported.size(), "NOP");
  const SassListing rest = parse_listing(text, "instructions.sm_89.sass");
  const Run run("atomics", rest);
  run.check();
  run.check_words({16});
}
