// SPDX-License-Identifier: Apache-2.0
//
// Every shipped card: it loads, says of each value how well it is known and from where, moves what its maker says, and
// its address functions give every byte a place of its own.
#include "gputlm/test_support/sc_test.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "gputlm/config/data_dir.h"
#include "gputlm/config/schema.h"
#include "gputlm/config/show.h"
#include "gputlm/crossbar/slice_function.h"
#include "gputlm/dram/dram_map.h"
#include "gputlm/l2/set_index.h"
#include "gputlm/test_support/temp_folder.h"
#include "gputlm/tlm/byte_mask.h"

using namespace gputlm;
using gputlm::test::TempFolder;

namespace {

std::vector<std::string> cards() {
  return list_yaml(kConfigFolder);
}

std::string contents(const std::string& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Keys explained in the comment at the head of a card's file.
std::set<std::string> sources_in_head(const std::string& file) {
  std::set<std::string> keys;
  std::istringstream lines(contents(file));
  for (std::string line; std::getline(lines, line) && line.rfind('#', 0) == 0;) {
    std::string words = line.substr(1);
    if (const auto key = words.find("source:"); key != std::string::npos) words.erase(0, key + 7);
    std::istringstream in(words);
    if (std::string word; in >> word) keys.insert(word);
  }
  return keys;
}

/// Of the card's file and of those that it starts from.
std::set<std::string> known_sources(const Config& card) {
  std::set<std::string> files, keys;
  for (const EffectiveValue& v : card.effective.values()) files.insert(v.origin.file);
  for (const std::string& file : files) keys.merge(sources_in_head(file));
  return keys;
}

double bus_bytes_per_ns(const Config& card) {
  const DramSpec& d = card.dram;
  return static_cast<double>(d.controllers * d.channels_per_controller) * kSectorBytes * d.timing.clock_hz /
         d.timing.burst / 1e9;
}

/// A card's address functions.
struct Addresses {
  explicit Addresses(const Config& card)
      : slice(make_slice_function(card.crossbar)),
        set(make_set_index(card.l2.set_index, card.l2.sets)),
        per_controller(card.crossbar.slices_per_controller),
        map(DramMap::make(card.dram, [this](std::uint64_t a) { return controller_of(a); })) {}

  unsigned controller_of(std::uint64_t a) const { return slice->slice_of(a) / per_controller; }

  std::unique_ptr<SliceFunction> slice;
  std::unique_ptr<SetIndex> set;
  unsigned per_controller;
  std::unique_ptr<DramMap> map;
};

/// Where a range would end up twice: 0 on a card that gives every sector a place of its own.
std::uint64_t places_used_twice(const Config& card, std::uint64_t base, std::uint64_t size) {
  const Addresses at(card);
  std::set<std::tuple<unsigned, unsigned, unsigned, std::uint64_t, unsigned>> places;
  for (std::uint64_t a = base; a < base + size; a += kSectorBytes) {
    const DramLocation l = at.map->locate(a);
    BOOST_REQUIRE_LT(l.row, card.dram.rows);
    places.insert({at.controller_of(a), l.channel, l.bank, l.row, l.column});
  }
  return size / kSectorBytes - places.size();
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_cards_that_are_promised_are_shipped_and_describe_themselves) {
  const std::vector<std::string> all = cards();
  for (const char* name : {"rtx4090", "l40", "l40s", "rtx4080", "a100", "teach", "tiny"})
    BOOST_TEST((std::find(all.begin(), all.end(), name) != all.end()), name);
  std::set<std::string> names;
  for (const std::string& card : all) {
    const Config config = Config::load(card);
    BOOST_TEST(!config.description.empty(), card);
    BOOST_TEST(config.description.find('\n') == std::string::npos, card);
    names.insert(config.name);
  }
  BOOST_TEST(names.size() == all.size());  // probes tell cards by their names
}

BOOST_AUTO_TEST_CASE(every_card_shown_as_yaml_loads_to_the_same_configuration) {
  for (const std::string& card : cards()) {
    const TempFolder dir;
    const Config before = Config::load(card);
    std::ostringstream shown;
    show_yaml(shown, before);
    const Config after = Config::load(dir.file("effective.yaml", shown.str()));
    for (const Parameter& parameter : Schema::instance().parameters()) {
      const EffectiveValue& was = *before.effective.find(parameter.path);
      const EffectiveValue& is = *after.effective.find(parameter.path);
      BOOST_TEST(
          (is.text == was.text && is.confidence == was.confidence && is.source == was.source && is.note == was.note),
          card << ": " << parameter.path);
      for (const Field& field : parameter.fields)
        BOOST_TEST((field.get(before) == field.get(after)), card << ": " << parameter.path);
    }
  }
}

BOOST_AUTO_TEST_CASE(every_value_of_every_card_has_a_confidence_and_a_source_that_its_files_explain) {
  for (const std::string& card : cards()) {
    const Config config = Config::load(card);
    const std::set<std::string> known = known_sources(config);
    for (const Parameter& parameter : Schema::instance().parameters()) {
      if (parameter.kind == Kind::text) continue;
      const EffectiveValue& v = *config.effective.find(parameter.path);
      BOOST_TEST(!v.confidence.empty(), card << ": " << v.path);
      BOOST_TEST(!v.source.empty(), card << ": " << v.path);
      std::istringstream sources(v.source);
      for (std::string source; std::getline(sources >> std::ws, source, ',');)
        BOOST_TEST((known.count(source) == 1), card << ": " << v.path << ": " << source);
    }
  }
}

BOOST_AUTO_TEST_CASE(every_cards_bus_moves_what_its_maker_says) {
  const std::map<std::string, double> published{
      {"rtx4090", 1008}, {"l40", 864}, {"l40s", 864}, {"rtx4080", 716.8}, {"a100", 2039}};
  for (const auto& [card, gbytes] : published)
    BOOST_TEST(bus_bytes_per_ns(Config::load(card)) == gbytes, boost::test_tools::tolerance(0.0005));
  BOOST_TEST(bus_bytes_per_ns(Config::load("teach")) == 8.0, boost::test_tools::tolerance(1e-9));  // 32 B in 4 ns
}

BOOST_AUTO_TEST_CASE(every_cards_l2_holds_what_its_maker_says) {
  const std::map<std::string, unsigned> kib{{"rtx4090", 72 << 10}, {"l40", 96 << 10},  {"l40s", 96 << 10},
                                            {"rtx4080", 64 << 10}, {"a100", 40 << 10}, {"teach", 2}};
  for (const auto& [card, size] : kib) {
    const Config c = Config::load(card);
    BOOST_TEST(std::uint64_t{c.crossbar.slices} * c.l2.sets * c.l2.ways * kLineBytes == std::uint64_t{size} << 10,
               card);
  }
}

BOOST_AUTO_TEST_CASE(every_sector_of_every_card_has_a_place_of_its_own_in_dram) {
  for (const std::string& card : cards()) {
    const Config config = Config::load(card);
    // Whole windows and whole turns through channels and banks: 960 KiB is a multiple of 3 and 5 times 64 KiB.
    constexpr std::uint64_t kSize = 15 * (64 << 10), kStride = 480 * kSize;
    const std::uint64_t most = config.dram.capacity / kSize * kSize - kSize;
    for (const std::uint64_t base : {std::uint64_t{0}, std::min(kStride, most), most})
      BOOST_TEST(places_used_twice(config, base, kSize) == 0U, card << " from " << base);
  }
}

// As many lines as L2 holds, from 0: a set that gets more than its ways would thrash although there is room.
BOOST_AUTO_TEST_CASE(contiguous_memory_of_l2s_size_fills_every_set_of_the_cards_exactly) {
  for (const char* card : {"l40", "rtx4080", "a100", "teach"}) {
    const Config c = Config::load(card);
    const Addresses at(c);
    std::vector<unsigned> lines(std::size_t{c.crossbar.slices} * c.l2.sets);
    for (std::uint64_t a = 0; a < lines.size() * c.l2.ways * kLineBytes; a += kLineBytes)
      ++lines[std::size_t{at.slice->slice_of(a)} * c.l2.sets + at.set->set_of(a)];
    const auto [least, most] = std::minmax_element(lines.begin(), lines.end());
    BOOST_TEST(*least == c.l2.ways, card);
    BOOST_TEST(*most == c.l2.ways, card);
  }
}

BOOST_AUTO_TEST_CASE(a_files_provenance_holds_for_values_that_say_nothing_themselves) {
  const TempFolder dir;
  const Config c = Config::load(dir.file("c.yaml",
                                         "base: rtx4090\nname: mine\n"
                                         "provenance: {confidence: inferred, source: LAB, note: all of it}\n"
                                         "l2: {ways: 8, fetch_entries: {value: 7, confidence: measured, source: X}}\n"),
                                {"l1.ways=2"});
  const auto shown = [&](const char* path) {
    const EffectiveValue& v = *c.effective.find(path);
    return v.confidence + "/" + v.source + "/" + v.note;
  };
  BOOST_TEST(shown("l2.ways") == "inferred/LAB/all of it");
  BOOST_TEST(shown("l2.fetch_entries") == "measured/X/");
  BOOST_TEST(shown("l1.ways") == "//");  // an override is not of the file
  BOOST_TEST(shown("name") == "//");     // a text is no figure
  BOOST_TEST(shown("l2.sets") == "assumed/READS/measured of the NVIDIA GeForce RTX 4090");  // the base's own
}

BOOST_AUTO_TEST_CASE(a_files_provenance_that_is_wrong_is_refused_by_its_place) {
  const TempFolder dir;
  const auto says = [&](const std::string& provenance, const std::string& wanted) {
    const std::string file = dir.file("c.yaml", "base: rtx4090\nprovenance: " + provenance + "\n");
    std::string text;
    try {
      Config::load(file);
    } catch (const ConfigError& e) {
      text = e.what();
    }
    BOOST_TEST(text.find(wanted) != std::string::npos, text);
    BOOST_TEST(text.find("c.yaml:2:") != std::string::npos, text);
  };
  says("{confidence: certain, source: X}", "provenance.confidence");
  says("{confidence: assumed}", "provenance.source");
  says("{confidence: assumed, source: X, who: me}", "provenance.who");
  says("assumed", "provenance");
}
