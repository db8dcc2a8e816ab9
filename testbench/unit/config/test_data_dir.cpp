// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "gputlm/config/data_dir.h"
#include "gputlm/test_support/temp_folder.h"

using namespace gputlm;
using gputlm::test::TempFolder;

BOOST_AUTO_TEST_CASE(a_chosen_data_directory_comes_first) {
  const TempFolder dir;
  std::filesystem::create_directories(dir.path("configs/experiments"));
  const std::string own = dir.file("configs/rtx4090.yaml", "name: mine\n");
  dir.file("configs/zebra.yaml", "name: zebra\n");
  dir.file("configs/experiments/dash.yaml", "experiment: dash\n");
  ::setenv("GPUTLM_DATA_DIR", dir.path("").c_str(), 1);
  BOOST_TEST(std::filesystem::equivalent(find_yaml("rtx4090", kConfigFolder), own));
  const auto cards = list_yaml(kConfigFolder);
  BOOST_TEST(std::count(cards.begin(), cards.end(), "zebra") == 1);
  BOOST_TEST(std::count(cards.begin(), cards.end(), "tiny") == 1);
  const auto experiments = list_yaml(kExperimentFolder);
  BOOST_TEST(std::count(experiments.begin(), experiments.end(), "dash") == 1);
  ::unsetenv("GPUTLM_DATA_DIR");
  BOOST_TEST(!std::filesystem::equivalent(find_yaml("rtx4090", kConfigFolder), own));
}

BOOST_AUTO_TEST_CASE(shipped_names_are_found_from_any_working_directory) {
  const TempFolder dir;
  std::filesystem::current_path(dir.path(""));
  BOOST_TEST(std::filesystem::exists(find_yaml("tiny", kConfigFolder)));
  BOOST_TEST(std::filesystem::exists(find_yaml("tiny.yaml", kConfigFolder)));
  // A directory or file of that name in the working directory does not get in the way of a shipped one.
  std::filesystem::create_directory("tiny");
  BOOST_TEST(std::filesystem::is_regular_file(find_yaml("tiny", kConfigFolder)));
  std::filesystem::current_path("/");
}

BOOST_AUTO_TEST_CASE(paths_are_taken_as_they_are) {
  const TempFolder dir;
  const std::string file = dir.file("card.yaml", "name: x\n");
  BOOST_TEST(find_yaml(file, kConfigFolder) == file);
  BOOST_TEST(find_yaml(dir.path("card"), kConfigFolder) == file);
  BOOST_TEST(find_yaml(dir.path("gone.yaml"), kConfigFolder) == dir.path("gone.yaml"));
  std::filesystem::current_path(dir.path(""));
  BOOST_TEST(find_yaml("card.yaml", kConfigFolder) == "card.yaml");
  BOOST_CHECK_THROW(find_yaml("nowhere", kConfigFolder), ConfigError);
  BOOST_CHECK_THROW(find_yaml("", kConfigFolder), ConfigError);
  std::filesystem::current_path("/");
}
