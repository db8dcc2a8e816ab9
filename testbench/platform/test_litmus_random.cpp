// SPDX-License-Identifier: Apache-2.0
//
// Random litmus tests over all forms of access and fence: whatever state a run ends in, the reference machine reaches
// it too. Their condition names every register and location, so that a state is all that a run has left.
#include "gputlm/test_support/sc_test.h"

#include <fmt/format.h>

#include "gputlm/litmus/litmus_runner.h"
#include "gputlm/workload/draw.h"

using namespace gputlm;

namespace {

constexpr const char* kScopes[] = {"cta", "gpu", "sys"};

/// Draws one test as text.
class TestDraw {
 public:
  explicit TestDraw(std::uint64_t seed) : draw_(mix64(seed, 0x6c69746d7573ULL)), alias_(draw_.once_in(4)) {
    locations_ = 1 + draw_.below(3);
  }

  std::string text() {
    const std::uint64_t threads = 2 + draw_.below(3);
    std::string program, ctas = "0";
    for (thread_ = 0; thread_ < threads; ++thread_) {
      registers_ = 0;
      program += fmt::format("P{}: ", thread_);
      // An alias and its location occur, whatever is drawn.
      if (thread_ == 0) program += alias_ ? "ld.weak w r0; ld.weak l0 r1; " : "ld.weak l0 r0; ";
      if (thread_ == 0)
        for (; registers_ < (alias_ ? 2U : 1U); ++registers_) note(fmt::format("P0:r{}", registers_));
      for (std::uint64_t n = 1 + draw_.below(6 - threads); n > 0; --n) program += instruction() + "; ";
      program += "\n";
      if (thread_ > 0) ctas += fmt::format("{}{}", draw_.once_in(3) ? "" : "_", thread_);
    }
    note("l0");
    return fmt::format("name: random\nplacement: threads per CTA: {}{}\n{}condition: {}\nverdict: allowed\n", ctas,
                       alias_ ? "; w virtual alias of l0" : "", program, condition_);
  }

 private:
  void note(const std::string& variable) { condition_ += (condition_.empty() ? "" : " & ") + variable + "=0"; }
  std::string scope() { return kScopes[draw_.below(3)]; }
  std::string location() {
    return alias_ && draw_.once_in(3) ? std::string("w") : fmt::format("l{}", draw_.below(locations_));
  }
  std::string new_register() {
    note(fmt::format("P{}:r{}", thread_, registers_));
    return fmt::format("r{}", registers_++);
  }
  std::string order(const char* strong) {
    const std::uint64_t kind = draw_.below(4);
    return kind < 2 ? "weak" : (kind == 2 ? "relaxed." : strong + std::string(".")) + scope();
  }

  std::string instruction() {
    constexpr const char* kOrders[] = {"relaxed", "acquire", "release", "acq_rel"};
    constexpr const char* kFunctions[] = {"add", "sub", "exch", "max"};
    const std::uint64_t kind = draw_.below(20);
    if (kind < 8) return fmt::format("ld.{} {} {}", order("acquire"), location(), new_register());
    if (kind < 14) return fmt::format("st.{} {} {}", order("release"), location(), ++value_);
    if (kind < 16) return fmt::format("fence.{}.{}", draw_.once_in(2) ? "sc" : "acq_rel", scope());
    if (kind == 16) return "fence.proxy.alias";
    const char* const function = kFunctions[draw_.below(4)];
    if (kind == 17)
      return fmt::format("red.{}.{}.{} {} {}", function, kOrders[2 * draw_.below(2)], scope(), location(), ++value_);
    const char* const semantics = kOrders[draw_.below(4)];
    if (kind == 18)
      return fmt::format("atom.cas.{}.{} {} {} {} -> {}", semantics, scope(), location(), draw_.below(3), ++value_,
                         new_register());
    return fmt::format("atom.{}.{}.{} {} {} -> {}", function, semantics, scope(), location(), ++value_, new_register());
  }

  Draw draw_;
  bool alias_;
  std::uint64_t locations_ = 1, thread_ = 0;
  unsigned registers_ = 0, value_ = 0;
  std::string condition_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(random_tests_end_where_the_reference_machine_does) {
  std::vector<LitmusTest> tests;
  for (std::uint64_t seed = 0; seed < 80; ++seed)
    tests.push_back(parse_litmus_tests(TestDraw(seed).text(), "random " + std::to_string(seed)).at(0));
  LitmusOptions options;
  options.runs = 12;
  options.jobs = 2;
  std::size_t states = 0, judged = 0;
  run_litmus_tests(
      tests, Config::load("tiny"), options,
      [&](std::size_t i, const LitmusOutcome& o) {
        BOOST_TEST(o.problems.empty(), litmus_text(tests[i]) << (o.problems.empty() ? "" : o.problems[0]));
        states += o.histogram.size();
        judged += o.reachable ? 1U : 0U;
      },
      [] { return true; });
  BOOST_TEST(judged == tests.size());
  BOOST_TEST(states > 2 * tests.size());  // tests that end in one state only judge nothing
}
