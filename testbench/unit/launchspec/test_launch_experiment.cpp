// SPDX-License-Identifier: Apache-2.0
#include "refusal.h"
//
#include <filesystem>
#include <vector>

#include "gputlm/launchspec/launch_experiment.h"
#include "gputlm/test_support/temp_folder.h"
#include "gputlm/workload/experiment.h"

using namespace gputlm;
using gputlm::test::refusal_of;
using gputlm::test::TempFolder;

namespace {

LaunchExperiment parse(const std::string& text, const std::string& file = "test.yaml") {
  Diagnostics diagnostics;
  YamlNode root;
  LaunchExperiment experiment;
  if (parse_yaml(text, file, root, diagnostics)) experiment = launch_experiment_of(root, file, diagnostics);
  diagnostics.throw_if_any();
  return experiment;
}

const char* const kHead = "experiment: t\nlaunch:\n  listing: kernels.sm_89\n  kernel: vadd\n  grid: 1\n  block: 32\n";

std::string message_of(const std::string& rest) {
  return refusal_of([&] { parse(kHead + rest); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_launch_is_read_with_all_it_says) {
  const TempFolder folder;
  folder.file("in.bin", "abcd");
  folder.file("out.bin", "efgh");
  folder.file("own.sass", "");
  const LaunchExperiment e = parse(
      "experiment: mine\ndescription: text\nconfig: tiny\nseed: 9\nset: {l2.ways: 8}\n"
      "launch:\n  listing: own.sass\n  kernel: k\n  grid: [2, 3]\n  block: [4, 5, 6]\n  shared: 1 KiB\n  local: 64 B\n"
      "  arguments: ['a=uint8[4]:@in.bin', 'c=int[1]', x=float:0.5]\n  read: c\n  expect: {c: out.bin}\n"
      "  cache_control: none\n",
      folder.path("mine.yaml"));
  BOOST_TEST(e.name == "mine");
  BOOST_TEST(e.description == "text");
  BOOST_TEST(e.config == "tiny");
  BOOST_TEST(e.overrides.size() == 1U);
  const LaunchSpec& launch = e.launch;
  BOOST_TEST(launch.seed == 9U);
  BOOST_TEST(launch.listing == folder.path("own.sass"));
  BOOST_TEST(launch.kernel == "k");
  BOOST_TEST((launch.grid.x == 2U && launch.grid.y == 3U && launch.grid.z == 1U));
  BOOST_TEST((launch.block.x == 4U && launch.block.y == 5U && launch.block.z == 6U));
  BOOST_TEST(launch.shared_bytes == 1024U);
  BOOST_TEST(launch.local_bytes == 64U);
  BOOST_REQUIRE(launch.arguments.size() == 3U);
  BOOST_TEST((launch.arguments[0].data == std::vector<unsigned char>{'a', 'b', 'c', 'd'}));
  BOOST_TEST((launch.read == std::vector<std::string>{"c"}));
  BOOST_TEST((launch.find_expectation("c")->data == std::vector<unsigned char>{'e', 'f', 'g', 'h'}));
  BOOST_TEST(!launch.cache_control);
}

BOOST_AUTO_TEST_CASE(the_shipped_launch_adds_a_million_floats) {
  const LaunchExperiment e = read_launch_experiment(find_yaml("launch-vadd", kExperimentFolder));
  BOOST_TEST(e.name == "launch-vadd");
  BOOST_TEST(!e.description.empty());
  BOOST_TEST(e.launch.kernel == "vadd");
  BOOST_TEST(std::filesystem::is_regular_file(e.launch.listing));
  BOOST_TEST(std::uint64_t{e.launch.grid.x} * e.launch.block.x == 1048576U);
  BOOST_REQUIRE(e.launch.arguments.size() == 4U);
  BOOST_TEST(e.launch.arguments[0].bytes() == 4U << 20U);
  BOOST_TEST(!e.launch.arguments[2].has_contents());
  BOOST_TEST((e.launch.read == std::vector<std::string>{"c"}));
  BOOST_TEST(e.launch.cache_control);
  BOOST_TEST(std::filesystem::is_regular_file(find_config(e)));
}

BOOST_AUTO_TEST_CASE(only_a_document_with_a_launch_section_is_a_launch) {
  Diagnostics diagnostics;
  YamlNode launch, vadd;
  BOOST_REQUIRE(load_yaml(find_yaml("launch-vadd", kExperimentFolder), launch, diagnostics));
  BOOST_REQUIRE(load_yaml(find_yaml("vadd", kExperimentFolder), vadd, diagnostics));
  BOOST_TEST(is_launch_experiment(launch));
  BOOST_TEST(!is_launch_experiment(vadd));
}

BOOST_AUTO_TEST_CASE(every_shipped_experiment_reads_as_what_it_is) {
  const std::vector<std::string> names = list_yaml(kExperimentFolder);
  BOOST_REQUIRE(!names.empty());
  for (const std::string& name : names) {
    Diagnostics diagnostics;
    YamlNode root;
    const std::string file = find_yaml(name, kExperimentFolder);
    BOOST_REQUIRE(load_yaml(file, root, diagnostics));
    const ExperimentHead head = is_launch_experiment(root)
                                    ? static_cast<ExperimentHead>(launch_experiment_of(root, file, diagnostics))
                                    : static_cast<ExperimentHead>(experiment_of(root, file));
    BOOST_TEST(diagnostics.text() == "");
    BOOST_TEST(head.name == name);
    BOOST_TEST(!head.description.empty());
  }
}

BOOST_AUTO_TEST_CASE(all_mistakes_are_told_at_once_each_where_it_stands) {
  const std::string mistakes = refusal_of([] {
    parse(
        "experiment: a/b\n"
        "launch:\n"
        "  listing: no-such-listing\n"
        "  grid: 0\n"
        "  block: [1, 2, 3, 4]\n"
        "  shared: 12\n"
        "  arguments:\n"
        "    - a=uint8[4]:1\n"
        "    - b=uint8[4]:300\n"
        "  cache_control: some\n"
        "  gird: 1\n"
        "phases: []\n");
  });
  for (const char* part :
       {"test.yaml:1:13: experiment: is no name of an experiment (found a/b",
        "test.yaml:3:12: launch.listing: there is no file or name 'no-such-listing' in kernels (allowed kernels.sm_89",
        "launch.kernel: is missing", "test.yaml:4:9: launch.grid: out of range (found 0, allowed 1 to 4294967295)",
        "test.yaml:5:10: launch.block: is no shape (found 4 numbers, allowed a number, or a list of up to 3)",
        "test.yaml:6:11: launch.shared: needs a unit (found 12",
        "test.yaml:9:7: launch.arguments[1]: b: out of range (found 300, allowed 0 to 255)",
        "test.yaml:10:18: launch.cache_control: not one of the names allowed (found some, allowed all, none)",
        "test.yaml:11:3: launch.gird: unknown key; did you mean grid?", "test.yaml:12:1: phases: unknown key"}) {
    BOOST_TEST_INFO(mistakes);
    BOOST_TEST(test::contains(mistakes, part), part);
  }
}

BOOST_AUTO_TEST_CASE(mistakes_of_the_launch_as_a_whole_have_their_place_too) {
  BOOST_TEST(message_of("  arguments: ['a=int[4]', 'a=3']\n") ==
             "test.yaml:7:27: launch.arguments[1]: is another argument's name (found a, allowed a name of its own)");
  BOOST_TEST(message_of("  arguments:\n    - a=int[4]\n  read:\n    - a\n    - b\n") ==
             "test.yaml:11:7: launch.read[1]: is no argument (found b, allowed a)");
  BOOST_TEST(test::contains(message_of("  arguments: ['a=int[4]']\n  expect:\n    a: none.bin\n"),
                            "test.yaml:9:8: launch.expect.a: file none.bin cannot be read"));
  BOOST_TEST(test::contains(
      refusal_of([] { parse("experiment: t\nlaunch: {listing: kernels.sm_89, kernel: k, grid: 1, block: 4096}\n"); }),
      "launch.block: has too many threads (found 4096,1,1, allowed 1024 in all)"));
  BOOST_TEST(test::contains(message_of("  read: {a: b}\n"), "launch.read"));
}

BOOST_AUTO_TEST_CASE(a_launch_section_that_is_no_map_is_one_mistake) {
  BOOST_TEST(test::contains(refusal_of([] { parse("experiment: t\nlaunch: vadd\n"); }),
                            "launch: must be a map of keys and values (found vadd)"));
}

BOOST_AUTO_TEST_CASE(listings_are_found_by_name_and_by_path) {
  const TempFolder folder;
  const std::string own = folder.file("own.sass", "");
  Diagnostics diagnostics;
  const std::string shipped = find_listing("kernels.sm_89", {}, diagnostics);
  BOOST_TEST(std::filesystem::is_regular_file(shipped));
  BOOST_TEST(find_listing("kernels.sm_89.sass", {}, diagnostics) == shipped);
  BOOST_TEST(find_listing("own", folder.path().string(), diagnostics) == own);
  BOOST_TEST(find_listing(own, {}, diagnostics) == own);
  BOOST_TEST(diagnostics.empty());
  BOOST_TEST(find_listing("nowhere", {}, diagnostics).empty());
  BOOST_TEST(test::contains(diagnostics.text(), "there is no file or name 'nowhere' in kernels"));
}
