// SPDX-License-Identifier: Apache-2.0
//
// What a journal keeps through a kill, and what it refuses to go on with.
#include "gputlm/test_support/sc_test.h"
//
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <sstream>

#include "gputlm/calibrate/journal.h"
#include "gputlm/config/diagnostics.h"
#include "gputlm/config/regular_file.h"
#include "gputlm/test_support/temp_folder.h"

using namespace gputlm;
using namespace gputlm::test;
using nlohmann::json;

namespace {

const json kSubject{{"journal", "a"}, {"targets", "0123"}};

std::string content_of(const std::string& file) {
  return read_input_file(file, 1 << 20);
}

void check_refused(const std::string& file, const json& subject, const std::string& why) {
  BOOST_CHECK_EXCEPTION(Journal(file, subject, true), ConfigError, [&](const ConfigError& e) {
    BOOST_TEST_MESSAGE(e.what());
    return std::string(e.what()).find(why) != std::string::npos;
  });
}

void write_one(const std::string& file) {
  Journal journal(file, kSubject, false);
  journal.begin();
  journal.add({"1"}, 1);
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_a_killed_process_has_added_is_found_again) {
  const TempFolder folder;
  const std::string file = folder.path("j");
  const pid_t child = ::fork();
  if (child == 0) {
    Journal journal(file, kSubject, false);
    journal.begin();
    journal.add({"5 ns", "lru"}, {{"rows", 0.1}});
    journal.add({"6 ns", "lru"}, {{"rows", 1e-300}});
    ::raise(SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  const Journal again(file, kSubject, true);
  BOOST_TEST(again.taken_over() == 2U);
  BOOST_REQUIRE(again.find({"6 ns", "lru"}) != nullptr);
  BOOST_TEST((*again.find({"6 ns", "lru"}) == json{{"rows", 1e-300}}));
  BOOST_TEST(again.find({"5 ns", "rrip"}) == nullptr);
}

BOOST_AUTO_TEST_CASE(a_line_that_was_cut_short_is_written_over) {
  const TempFolder folder;
  const std::string file = folder.path("j");
  write_one(file);
  const std::string whole = content_of(file);
  folder.file("j", whole + R"({"at":["2"],"ga)");
  Journal(file, kSubject, true).add({"2"}, 2);
  BOOST_TEST(content_of(file) == whole + R"({"at":["2"],"gave":2})" + "\n");
}

BOOST_AUTO_TEST_CASE(without_resume_it_begins_anew_and_says_how_much_is_dropped) {
  const TempFolder folder;
  const std::string file = folder.path("j");
  write_one(file);
  Journal anew(file, kSubject, false);
  BOOST_TEST(anew.dropped() == 1U);
  BOOST_TEST(anew.find({"1"}) == nullptr);
  anew.begin();
  BOOST_TEST(content_of(file) == kSubject.dump() + "\n");
}

BOOST_AUTO_TEST_CASE(until_it_begins_the_file_is_as_it_was) {
  const TempFolder folder;
  const std::string file = folder.path("j");
  Journal(file, kSubject, false).add({"2"}, 2);
  BOOST_TEST(!std::filesystem::exists(file));
  write_one(file);
  const std::string whole = content_of(file);
  Journal(file, {{"journal", "b"}}, false).add({"2"}, 2);
  BOOST_TEST(content_of(file) == whole);
  Journal later(file, kSubject, false);
  later.add({"2"}, 2);
  later.begin();
  later.add({"3"}, 3);
  BOOST_TEST(content_of(file) ==
             kSubject.dump() + "\n" + R"({"at":["2"],"gave":2})" + "\n" + R"({"at":["3"],"gave":3})" + "\n");
}

BOOST_AUTO_TEST_CASE(evaluations_are_put_in_the_order_of_asking) {
  const TempFolder folder;
  Journal one(folder.path("one"), kSubject, false), two(folder.path("two"), kSubject, false);
  one.begin();
  two.begin();
  one.add({"1"}, 1);
  one.add({"2"}, 2);
  two.add({"2"}, 2);
  two.add({"1"}, 1);
  two.put_in_order({{"1"}, {"2"}});
  BOOST_TEST(content_of(folder.path("one")) == content_of(folder.path("two")));
}

BOOST_AUTO_TEST_CASE(another_subject_damage_and_a_second_writer_are_refused) {
  const TempFolder folder;
  const std::string file = folder.path("j");
  write_one(file);
  const std::string whole = content_of(file);
  check_refused(file, {{"journal", "a"}, {"targets", "4567"}}, file + ":1:1: is of another calibration");
  folder.file("j", whole + "nothing\n");
  check_refused(file, kSubject, file + ":3:1: is no evaluation");
  folder.file("j", whole + R"({"at":"1","gave":2})" + "\n");
  check_refused(file, kSubject, ":3:1: is no evaluation");
  folder.file("j", "\n" + whole);
  check_refused(file, kSubject, ":1:1: is of another calibration");
  folder.file("j", whole);
  const Journal holder(file, kSubject, true);
  check_refused(file, kSubject, "another calibration is writing it");
  check_refused(folder.path(), kSubject, "no regular file");
  check_refused(folder.path("absent/j"), kSubject, "cannot be written");
}
