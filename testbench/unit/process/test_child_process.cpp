// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <unistd.h>

#include <csignal>
#include <map>

#include "gputlm/process/child_process.h"

using namespace gputlm;
using Json = nlohmann::json;

namespace {

std::string failure_of(const std::function<Json()>& work) {
  try {
    ChildProcess(work).result();
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_child_hands_back_a_value_larger_than_a_pipe_holds) {
  const std::string large(3000000, 'x');
  BOOST_TEST(ChildProcess([&]() -> Json { return {{"text", large}}; }).result().at("text").get<std::string>() == large);
}

BOOST_AUTO_TEST_CASE(what_a_child_changes_stays_in_the_child) {
  int value = 1;
  BOOST_TEST(ChildProcess([&]() -> Json { return ++value; }).result() == 2);
  BOOST_TEST(value == 1);
}

BOOST_AUTO_TEST_CASE(a_crash_an_exit_and_an_exception_are_told_apart) {
  BOOST_TEST(failure_of([]() -> Json {
               ::raise(SIGKILL);
               return 0;
             }).find("crashed") != std::string::npos);
  BOOST_TEST(failure_of([]() -> Json { ::_exit(3); }) == "the run ended without an answer");
  BOOST_TEST(failure_of([]() -> Json { throw std::runtime_error("no such line"); }) == "no such line");
  BOOST_CHECK_THROW(ChildProcess([]() -> Json { std::abort(); }).result(), ChildCrashed);
}

BOOST_AUTO_TEST_CASE(all_children_run_and_each_result_comes_with_its_index) {
  std::map<std::size_t, int> results;
  run_in_children(
      20, 3, [](std::size_t i) -> Json { return 10 * i; },
      [&](std::size_t i, const Json& value) { results[i] = value.get<int>(); }, [] { return true; });
  BOOST_TEST(results.size() == 20U);
  for (const auto& [index, value] : results) BOOST_TEST(value == static_cast<int>(10 * index));
}

BOOST_AUTO_TEST_CASE(a_stop_ends_children_that_never_would) {
  int asked = 0;
  run_in_children(
      1000000, 2,
      [](std::size_t) -> Json {
        ::pause();
        return 0;
      },
      [](std::size_t, const Json&) {}, [&] { return ++asked < 3; });
  BOOST_TEST(asked == 3);
}
