// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <string>
#include <vector>

#include "gputlm/config/yaml_reader.h"

using namespace gputlm;

namespace {

const std::string kFile = "test.yaml";

YamlNode parse(const std::string& text, Diagnostics& diagnostics) {
  YamlNode root;
  parse_yaml(text, kFile, root, diagnostics);
  return root;
}

/// The only diagnostic of a text that is no acceptable document.
std::string refusal(const std::string& text, const YamlLimits& limits = {}) {
  Diagnostics diagnostics;
  YamlNode root;
  BOOST_TEST(!parse_yaml(text, kFile, root, diagnostics, limits));
  BOOST_REQUIRE(diagnostics.count() == 1u);
  return diagnostics.list()[0].text();
}

}  // namespace

BOOST_AUTO_TEST_CASE(fields_of_every_type_are_read) {
  Diagnostics diagnostics;
  const YamlNode root = parse(
      "name: die\nsize: 128 MiB\nat: 4.4 ns\nclock: 2.6 GHz\nseed: 7\nmix: 0.5\ncheck: true\npolicy: lru\n"
      "sms: [0, 1, 0x7f]\nphases:\n  - {kernel: a}\n  - {kernel: b}\nimage: {fill: zeros}\n",
      diagnostics);
  YamlReader reader(root, "", kFile, diagnostics);
  std::string name, policy, fill;
  std::uint64_t size = 0;
  unsigned seed = 0;
  double clock = 0, mix = 0;
  Fs at = 0;
  bool check = false;
  std::vector<std::uint64_t> sms;
  BOOST_TEST(reader.text("name", name));
  BOOST_TEST(reader.bytes("size", size));
  BOOST_TEST(reader.time("at", at));
  BOOST_TEST(reader.frequency("clock", clock, {1, 1e12}));
  BOOST_TEST(reader.count("seed", seed));
  BOOST_TEST(reader.real("mix", mix, {0, 1}));
  BOOST_TEST(reader.boolean("check", check));
  BOOST_TEST(reader.choice("policy", policy, {"rrip", "lru"}));
  BOOST_TEST(reader.counts("sms", sms, {0, 127}));
  std::string kernels;
  for (YamlReader& phase : reader.maps("phases")) {
    std::string kernel;
    phase.text("kernel", kernel);
    phase.finish();
    kernels += kernel;
  }
  YamlReader image = reader.map("image");
  image.text("fill", fill);
  image.finish();
  reader.finish();
  BOOST_TEST(diagnostics.text() == "");
  BOOST_TEST(name == "die");
  BOOST_TEST(size == 128u << 20);
  BOOST_TEST(at == 4'400'000);
  BOOST_TEST(clock == 2.6e9);
  BOOST_TEST(seed == 7u);
  BOOST_TEST(mix == 0.5);
  BOOST_TEST(check);
  BOOST_TEST(policy == "lru");
  BOOST_TEST((sms == std::vector<std::uint64_t>{0, 1, 127}));
  BOOST_TEST(kernels == "ab");
  BOOST_TEST(fill == "zeros");
}

BOOST_AUTO_TEST_CASE(all_mistakes_are_reported_with_their_places) {
  Diagnostics diagnostics;
  const YamlNode root = parse(
      "size: 128\nmix: 2\nnmae: x\npolicy: fifo\nphases:\n  - {kernel: [1]}\n  - 3\n"
      "sms: [1, x]\n",
      diagnostics);
  YamlReader reader(root, "", kFile, diagnostics);
  std::string name, policy, kernel;
  std::uint64_t size = 5;
  double mix = 0;
  std::vector<std::uint64_t> sms;
  reader.text("name", name);
  reader.bytes("size", size, {1, 1024});
  reader.real("mix", mix, {0, 1});
  reader.choice("policy", policy, {"rrip", "lru"});
  for (YamlReader& phase : reader.maps("phases")) {
    phase.text("kernel", kernel);
    phase.finish();
  }
  reader.counts("sms", sms);
  reader.finish();
  BOOST_TEST(size == 5u);
  const std::string expected =  // by place, whatever the order of the questions
      "test.yaml:1:1: name: is missing\n"
      "test.yaml:1:7: size: needs a unit (found 128, allowed 1 B to 1 KiB, in B, KiB, MiB, GiB, TiB)\n"
      "test.yaml:2:6: mix: out of range (found 2, allowed 0 to 1)\n"
      "test.yaml:3:1: nmae: unknown key; did you mean name? (allowed name, size, mix, policy, phases, sms)\n"
      "test.yaml:4:9: policy: not one of the names allowed (found fifo, allowed rrip, lru)\n"
      "test.yaml:6:14: phases[0].kernel: must be a single value (found a list, allowed a text)\n"
      "test.yaml:7:5: phases[1]: must be a map of keys and values (found 3)\n"
      "test.yaml:8:10: sms: not a whole number (found x, allowed a whole number)";
  BOOST_CHECK_EXCEPTION(diagnostics.throw_if_any(), ConfigError,
                        [&](const ConfigError& e) { return e.what() == expected && e.diagnostics().size() == 8; });
}

BOOST_AUTO_TEST_CASE(absent_optional_fields_keep_their_values) {
  Diagnostics diagnostics;
  const YamlNode root = parse("a: 1\n", diagnostics);
  YamlReader reader(root, "", kFile, diagnostics);
  unsigned seed = 42;
  BOOST_TEST(!reader.count("seed", seed, YamlReader::kAnyUnsigned, YamlReader::Need::optional));
  YamlReader image = reader.map("image", YamlReader::Need::optional);
  std::string fill = "zeros";
  BOOST_TEST(!image.text("fill", fill));
  BOOST_TEST(seed == 42u);
  BOOST_TEST(fill == "zeros");
  BOOST_TEST(diagnostics.empty());
}

BOOST_AUTO_TEST_CASE(documents_that_are_no_map_are_refused) {
  BOOST_TEST(refusal("") == "test.yaml:1:1: the file is empty (allowed a map of keys and values)");
  BOOST_TEST(refusal("# only a comment\n") == "test.yaml:1:1: the file is empty (allowed a map of keys and values)");
  BOOST_TEST(refusal("- 1\n- 2\n") == "test.yaml:1:1: the file must be a map of keys and values (found a list)");
  BOOST_TEST(refusal("hello") == "test.yaml:1:1: the file must be a map of keys and values (found hello)");
  BOOST_TEST(refusal(std::string("\0\1\2", 3)) == "test.yaml:1:1: not a text file: it holds a control character");
  BOOST_TEST(refusal("a: 1\nb\x01: 2") == "test.yaml:2:2: not a text file: it holds a control character");
  BOOST_TEST(refusal("a: [1, 2\nb: }").substr(0, 24) == "test.yaml:2:2: not YAML:");
  BOOST_TEST(refusal("a: 1\n---\nb: 2\n") == "test.yaml:3:1: a second YAML document in one file");
}

BOOST_AUTO_TEST_CASE(a_key_given_twice_is_refused_where_it_stands) {
  BOOST_TEST(refusal("l2:\n  ways: 1\n  ways: 2\n") == "test.yaml:3:3: the key is given twice (found ways)");
  BOOST_TEST(refusal("? [a]\n: 1\n") == "test.yaml:1:3: a key must be a name (found a list)");
}

BOOST_AUTO_TEST_CASE(an_alias_copies_what_it_names) {
  Diagnostics diagnostics;
  const YamlNode root = parse("a: &x {b: 1}\nc: *x\n", diagnostics);
  BOOST_REQUIRE(diagnostics.empty());
  BOOST_TEST(root.find("c")->find("b")->text == "1");
  BOOST_TEST(refusal("a: &x [*x]\n").find("an alias inside what it names") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(growth_is_bounded) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string last = "*a" + std::to_string(i - 1) + " ";
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last;
    for (int k = 0; k < 9; ++k) bomb += ", " + last;
    bomb += "]\n";
  }
  BOOST_TEST(refusal(bomb).find("too large once its aliases are expanded") != std::string::npos);
  BOOST_TEST(refusal("a: " + std::string(100, '[')).find("nested deeper than 64 levels") != std::string::npos);
  BOOST_TEST(!refusal("a: " + std::string(100'000, '[')).empty());
  BOOST_TEST(!refusal("a: " + std::string(100'000, '{')).empty());
  YamlLimits small;
  small.file_bytes = 10;
  BOOST_TEST(refusal("a: 123456789", small) == "test.yaml: the file is too large (allowed up to 10 bytes)");
}

BOOST_AUTO_TEST_CASE(files_that_cannot_be_read_say_so) {
  Diagnostics diagnostics;
  YamlNode root;
  BOOST_TEST(!load_yaml("/no/such/file.yaml", root, diagnostics));
  BOOST_TEST(!load_yaml("/", root, diagnostics));
  BOOST_TEST(!load_yaml("/dev/zero", root, diagnostics));
  BOOST_TEST(diagnostics.text() ==
             "/no/such/file.yaml: cannot be read: No such file or directory\n"
             "/: is a directory, not a file\n"
             "/dev/zero: is no regular file");
}

BOOST_AUTO_TEST_CASE(diagnostics_are_counted_past_what_is_kept) {
  Diagnostics diagnostics;
  for (int i = 0; i < 1000; ++i) diagnostics.add({"f", 1, 1}, "p", "m");
  BOOST_TEST(diagnostics.count() == 1000u);
  BOOST_TEST(diagnostics.list().size() == Diagnostics::kKept);
  BOOST_TEST(diagnostics.text().find("... and 800 more") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(excerpts_stay_valid_text) {
  BOOST_TEST(excerpt("a\nb\tc") == "a?b?c");
  std::string accents;
  for (int i = 0; i < 40; ++i) accents += "\xc3\xa9";
  BOOST_TEST(excerpt("x" + accents).size() == 1u + 58u + 3u);
}

BOOST_AUTO_TEST_CASE(a_name_is_suggested_only_when_it_is_near) {
  BOOST_TEST(did_you_mean("l2.wayz", {"l1.ways", "l2.ways", "l2.sets"}) == "; did you mean l2.ways?");
  BOOST_TEST(did_you_mean("no.such", {"l1.ways", "l2.sets"}) == "");
  BOOST_TEST(did_you_mean("x", {}) == "");
}
