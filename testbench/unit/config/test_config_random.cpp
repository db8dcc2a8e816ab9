// SPDX-License-Identifier: Apache-2.0
//
// Damaged files: whatever is done to the card's YAML, loading it either succeeds or throws ConfigError.
#include "gputlm/test_support/sc_test.h"

#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "gputlm/config/config.h"
#include "gputlm/config/data_dir.h"
#include "gputlm/config/schema.h"
#include "gputlm/test_support/temp_folder.h"

using namespace gputlm;
using gputlm::test::TempFolder;

namespace {

std::string card_text() {
  std::ifstream in(find_yaml("rtx4090", kConfigFolder));
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// True when it loads, false when it is refused; anything else fails the test.
bool loads(const std::string& file, const std::vector<std::string>& overrides = {}) {
  try {
    Config::load(file, overrides);
    return true;
  } catch (const ConfigError& error) {
    BOOST_TEST(!error.diagnostics().empty());
    BOOST_TEST(!std::string(error.what()).empty());
    return false;
  }
}

class Damage {
 public:
  explicit Damage(unsigned seed) : random_(seed) {}

  void apply(std::string& text) {
    static const std::vector<std::string> tokens{
        "{",   "}",  "[",     "]",      ":", "&a ",   "*a ", "\n", "- ", "'",    "\"",
        "nan", "-1", "1e999", "!!int ", "%", "---\n", "? ",  "| ", "\t", "\xff", "9999999999999999999"};
    const std::size_t at = below(text.size());
    switch (below(5)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, below(80));
        break;
      case 2:
        text.insert(at, tokens[below(tokens.size())]);
        break;
      case 3:
        text.insert(at, text.substr(below(text.size()), below(200)));
        break;
      default:
        text.resize(at + 1);
    }
  }

  std::size_t below(std::size_t bound) { return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random_); }

 private:
  std::mt19937 random_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(damaged_files_load_or_are_refused) {
  const TempFolder dir;
  const std::string card = card_text();
  std::size_t refused = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    Damage damage(seed);
    std::string text = card;
    for (std::size_t n = 1 + damage.below(4); n > 0; --n) damage.apply(text);
    BOOST_TEST_CONTEXT("seed " << seed) refused += loads(dir.file("damaged.yaml", text)) ? 0 : 1;
  }
  BOOST_TEST(refused > 10u);
}

BOOST_AUTO_TEST_CASE(any_value_of_any_parameter_is_taken_or_refused) {
  const TempFolder dir;
  const std::vector<std::string> values{
      "0",     "1",     "-1",    "7",  "64",     "1e30", "nan", "4.4 ns",
      "2 MiB", "3 GHz", "x",     "[]", "[1, 2]", "{}",   "~",   "18446744073709551615",
      "true",  "\"",    "1 TiB", "0x", "[[[["};
  const std::string file = find_yaml("rtx4090", kConfigFolder);
  std::vector<std::string> all;
  std::size_t refused = 0;
  Damage pick(1);
  for (const std::string& path : Schema::instance().paths()) {
    const std::string text = path + "=" + values[pick.below(values.size())];
    BOOST_TEST_CONTEXT(text) refused += loads(file, {text}) ? 0 : 1;
    for (const std::string& value : values) all.push_back(path + "=" + value);
  }
  BOOST_TEST(refused > Schema::instance().paths().size() / 2);
  BOOST_TEST(!loads(file, all));
}
