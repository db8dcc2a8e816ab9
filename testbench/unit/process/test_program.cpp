// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <unistd.h>

#include <csignal>
#include <fstream>

#include "gputlm/process/child_process.h"
#include "gputlm/process/program.h"
#include "gputlm/test_support/temp_folder.h"

using namespace gputlm;

namespace {

ProgramEnd shell(const std::string& script, const ProgramFiles& files = {}) {
  return run_program({"sh", "-c", script}, files);
}

std::string first_line(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

/// Whether the process of that number is there and not only waiting for someone to ask how it ended.
bool runs(const std::string& number) {
  std::ifstream in("/proc/" + number + "/stat");
  std::string own_number, name, state;
  return in >> own_number >> name >> state && state != "Z" && state != "X";
}

}  // namespace

BOOST_AUTO_TEST_CASE(code_signal_and_output_of_a_program_come_back) {
  BOOST_TEST(shell("echo out; echo error >&2").output == "out\nerror\n");
  BOOST_TEST(shell("exit 3").code == 3);
  BOOST_TEST(shell("exit 3").text() == "exit code 3");
  BOOST_TEST(shell("kill -KILL $$").signal == SIGKILL);
  BOOST_TEST(!shell("kill -KILL $$").ok());
}

BOOST_AUTO_TEST_CASE(a_program_that_is_not_there_is_exit_code_127_with_the_reason) {
  const ProgramEnd end = run_program({"no-program-of-this-name"});
  BOOST_TEST(end.code == 127);
  BOOST_TEST(end.output.find("No such file") != std::string::npos);
  BOOST_TEST(!has_program("no-program-of-this-name"));
  BOOST_TEST(has_program("sh"));
}

BOOST_AUTO_TEST_CASE(output_goes_to_files_of_its_own_or_to_one) {
  const test::TempFolder folder;
  BOOST_TEST(shell("echo a; echo b >&2", {folder.path("out"), folder.path("error")}).output == "");
  BOOST_TEST(first_line(folder.path("out")) == "a");
  BOOST_TEST(first_line(folder.path("error")) == "b");
  shell("echo c; echo d >&2", {folder.path("both"), folder.path("both")});
  std::ifstream both(folder.path("both"));
  std::string c, d;
  both >> c >> d;
  BOOST_TEST((c == "c" && d == "d"));
  BOOST_CHECK_THROW(shell("true", {folder.path("none/out"), {}}), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(arguments_reach_the_program_as_they_are) {
  BOOST_TEST(run_program({"printf", "%s|", "a b", "$x", "", "'"}).output == "a b|$x||'|");
}

BOOST_AUTO_TEST_CASE(a_program_does_not_outlive_the_process_that_started_it) {
  const test::TempFolder folder;
  const std::string number = folder.path("number");
  {
    ChildProcess child([&]() -> nlohmann::json {
      shell("echo $$ > " + number + "; exec sleep 600");
      return {};
    });
    while (first_line(number).empty()) ::usleep(1000);
  }  // killed
  const std::string program = first_line(number);
  BOOST_REQUIRE(!program.empty());
  for (int i = 0; i < 10000 && runs(program); ++i) ::usleep(1000);
  BOOST_TEST(!runs(program));
}
