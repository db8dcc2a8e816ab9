// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "gputlm/config/diagnostics.h"
#include "gputlm/launchspec/argument.h"
#include "gputlm/launchspec/array_file.h"
#include "gputlm/launchspec/element_reader.h"

namespace gputlm {

namespace {

constexpr const char* kForms = "NAME=TYPE[COUNT], NAME=TYPE[COUNT]:CONTENTS, NAME=TYPE:VALUE or NAME=VALUE";
/// Larger than any card's memory, small enough that sizes and addresses cannot overflow.
constexpr std::uint64_t kMaxArrayBytes = std::uint64_t{1} << 40U;

bool is_identifier(std::string_view name) {
  const auto letter = [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (name.empty() || !letter(name[0])) return false;
  return std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

/// One use: reads one argument, or throws.
class ArgumentReader {
 public:
  ArgumentReader(const std::string& where, const std::string& folder) : where_(where), folder_(folder) {}

  LaunchArgument read(std::string_view text) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) fail("is no argument", text, kForms);
    const std::string_view name = text.substr(0, equals), rest = text.substr(equals + 1);
    if (!is_identifier(name)) fail("is no name", name, "letters, digits and _, not beginning with a digit");
    argument_.name = name;
    const auto type_end = rest.find_first_of("[:");
    if (type_end == std::string_view::npos) {
      read_untyped(rest);
    } else {
      read_type(rest.substr(0, type_end));
      if (rest[type_end] == '[')
        read_array(rest.substr(type_end + 1));
      else
        read_constant(rest.substr(type_end + 1));
    }
    return std::move(argument_);
  }

 private:
  [[noreturn]] void fail(std::string message, std::string_view found, std::string allowed) const {
    Diagnostics mistake;
    const std::string shown = found.empty() ? "an empty text" : excerpt(found);
    mistake.add({}, where_, of_argument() + std::move(message), shown, std::move(allowed));
    throw ConfigError(mistake);
  }

  std::string of_argument() const { return argument_.name.empty() ? "" : excerpt(argument_.name) + ": "; }

  void read_type(std::string_view name) {
    const auto type = find_element_type(name);
    if (!type)
      fail("is no element type" + did_you_mean(name, element_type_names()), name, join_names(element_type_names()));
    argument_.type = *type;
  }

  ElementValue value(ElementType type, std::string_view text) const {
    const Parsed<ElementValue> parsed = parse_element(type, text);
    if (!parsed) fail(parsed.problem, text, describe_elements(type));
    return parsed.value;
  }

  void read_constant(std::string_view text) {
    argument_.contents = LaunchArgument::Contents::constant;
    argument_.first = value(argument_.type, text);
  }

  void read_untyped(std::string_view text) {
    if (find_element_type(text)) fail("has a type and no value", text, fmt::format("{0}:VALUE or {0}[COUNT]", text));
    const bool hex = text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X";
    std::vector<ElementType> types{ElementType::float32};
    if (hex || text.find_first_of(".eE") == std::string_view::npos)
      types = {ElementType::int32, ElementType::uint32, ElementType::int64, ElementType::uint64};
    for (const ElementType type : types)
      if (parse_element(type, text)) {
        argument_.type = type;
        return read_constant(text);
      }
    fail(parse_element(types.back(), text).problem, text,
         "a whole number of up to 64 bits, a float with . or e, TYPE:VALUE or TYPE[COUNT]");
  }

  void read_array(std::string_view text) {
    argument_.array = true;
    const auto close = text.find(']');
    if (close == std::string_view::npos) fail("has no ] after its count", text, kForms);
    const Parsed<std::uint64_t> count = parse_count(text.substr(0, close));
    const std::uint64_t most = kMaxArrayBytes / size_of(argument_.type);
    if (!count || count.value == 0 || count.value > most)
      fail(count ? "count out of range" : "count: " + count.problem, text.substr(0, close),
           fmt::format("1 to {}", most));
    argument_.count = count.value;
    text.remove_prefix(close + 1);
    if (text.empty()) return;
    if (text[0] != ':') fail("has something after its count", text, "nothing, or : and contents");
    read_contents(text.substr(1));
  }

  void read_contents(std::string_view text) {
    if (!text.empty() && text[0] == '@') return read_file(text.substr(1));
    const std::string_view word = text.substr(0, text.find('('));
    if (word == "ramp") return read_ramp(text, parameters(text));
    if (word == "random") return read_random(text, parameters(text));
    read_constant(text);
  }

  /// What stands between the parentheses after a word, cut at its commas.
  std::vector<std::string_view> parameters(std::string_view text) const {
    const auto open = text.find('(');
    if (open == std::string_view::npos) return {};
    if (text.back() != ')') fail("has no ) at its end", text, "ramp(FIRST,STEP), random(LOW,HIGH[,SEED])");
    std::vector<std::string_view> list;
    for (std::string_view rest = text.substr(open + 1, text.size() - open - 2);;) {
      const auto comma = rest.find(',');
      std::string_view item = rest.substr(0, comma);
      while (!item.empty() && item.front() == ' ') item.remove_prefix(1);
      while (!item.empty() && item.back() == ' ') item.remove_suffix(1);
      list.push_back(item);
      if (comma == std::string_view::npos) return list;
      rest.remove_prefix(comma + 1);
    }
  }

  void read_ramp(std::string_view text, const std::vector<std::string_view>& given) {
    if (!given.empty() && given.size() != 2) fail("has not the parameters of a ramp", text, "ramp, ramp(FIRST,STEP)");
    argument_.contents = LaunchArgument::Contents::ramp;
    // A step of whole numbers may lead down, whatever the type.
    const ElementType step = is_floating(argument_.type) ? argument_.type : ElementType::int64;
    argument_.first = given.empty() ? ElementValue{} : value(argument_.type, given[0]);
    argument_.second = given.empty() ? ElementValue{1, 1} : value(step, given[1]);
    if (!ramp_fits())
      fail(fmt::format("leaves the range of {} before its last element", name_of(argument_.type)), text,
           describe_elements(argument_.type));
  }

  bool ramp_fits() const {
    const std::uint64_t steps = argument_.count - 1;
    ElementValue last{0, argument_.first.real + static_cast<double>(steps) * argument_.second.real};
    if (is_floating(argument_.type)) return holds(argument_.type, last);
    const bool down = argument_.second.integer >> 63U != 0;
    std::uint64_t way = 0;
    if (__builtin_mul_overflow(steps, down ? 0 - argument_.second.integer : argument_.second.integer, &way))
      return false;
    const auto moved = [&](auto from, auto* to) {
      return down ? !__builtin_sub_overflow(from, way, to) : !__builtin_add_overflow(from, way, to);
    };
    std::int64_t below = 0;
    const bool fits = is_signed(argument_.type) ? moved(static_cast<std::int64_t>(argument_.first.integer), &below)
                                                : moved(argument_.first.integer, &last.integer);
    if (is_signed(argument_.type)) last.integer = static_cast<std::uint64_t>(below);
    return fits && holds(argument_.type, last);
  }

  void read_random(std::string_view text, const std::vector<std::string_view>& given) {
    if (given.size() == 1 || given.size() > 3)
      fail("has not the parameters of random", text, "random, random(LOW,HIGH), random(LOW,HIGH,SEED)");
    argument_.contents = LaunchArgument::Contents::random;
    argument_.first = given.empty() ? lowest_drawn(argument_.type) : value(argument_.type, given[0]);
    argument_.second = given.empty() ? highest_drawn(argument_.type) : value(argument_.type, given[1]);
    if (!holds(argument_.type, argument_.first) || !holds(argument_.type, argument_.second))
      fail("has a bound that is not finite", text, "finite numbers");
    if (is_less(argument_.type, argument_.second, argument_.first))
      fail("has a LOW above its HIGH", text, "random(LOW,HIGH) with LOW at most HIGH");
    if (given.size() == 3) argument_.seed = value(ElementType::uint64, given[2]).integer;
  }

  void read_file(std::string_view name) {
    if (name.empty()) fail("has no name of a file after @", name, "@FILE");
    argument_.contents = LaunchArgument::Contents::file;
    argument_.file = file_in(folder_, std::string(name));
    Diagnostics mistakes;
    read_array_file(argument_.file, argument_.bytes(), argument_.data, {}, where_, mistakes);
    mistakes.throw_if_any();
  }

  const std::string& where_;
  const std::string& folder_;
  LaunchArgument argument_;
};

}  // namespace

LaunchArgument parse_argument(const std::string& text, const std::string& where, const std::string& folder) {
  return ArgumentReader(where, folder).read(text);
}

}  // namespace gputlm
