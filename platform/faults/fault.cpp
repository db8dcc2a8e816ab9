// SPDX-License-Identifier: Apache-2.0
#include "gputlm/faults/fault.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "gputlm/config/diagnostics.h"
#include "gputlm/config/quantity.h"

namespace gputlm {
namespace {

using Kind = FaultKind;
using Target = FaultTarget;

constexpr const char* kTargetNames[] = {"request", "acceptance", "acknowledgement", "fill", "write_back", "command"};
constexpr const char* kGrammar = "KIND:TARGET@PLACE[:OPTION=VALUE,...]";

[[noreturn]] void refuse(const std::string& text, const std::string& message, const std::string& allowed) {
  Diagnostics diagnostics;
  diagnostics.add({"--fault", 0, 0}, "", message, excerpt(text), allowed);
  diagnostics.throw_if_any();
  throw ConfigError(diagnostics);
}

std::vector<std::string> names_of(const std::vector<Target>& targets) {
  std::vector<std::string> names;
  for (const Target t : targets) names.emplace_back(name_of(t));
  return names;
}

const FaultInfo& find_kind(const std::string& text, const std::string& name) {
  std::vector<std::string> names;
  for (const FaultInfo& info : fault_kinds()) {
    if (info.name == name) return info;
    names.emplace_back(info.name);
  }
  refuse(text, "no such kind of fault: " + excerpt(name), join_names(names));
}

// A write-back is what goes over a slice's write arrow.
bool is_write_arrow(const std::string& arrow) {
  constexpr std::string_view kEnd = ".writes";
  return arrow.size() > kEnd.size() && arrow.compare(arrow.size() - kEnd.size(), kEnd.size(), kEnd) == 0;
}

std::vector<std::string> places_for(Target target, const FaultPlaces& all) {
  if (target == Target::command) return all.channels;
  if (target != Target::write_back) return all.arrows;
  std::vector<std::string> places;
  std::copy_if(all.arrows.begin(), all.arrows.end(), std::back_inserter(places), is_write_arrow);
  return places;
}

std::uint64_t read_number(const std::string& text, const std::string& value, std::uint64_t least, std::uint64_t most) {
  std::uint64_t number = 0;
  const char* const last = value.data() + value.size();
  const auto [end, error] = std::from_chars(value.data(), last, number);
  if (error != std::errc() || end != last || number < least || number > most)
    refuse(text, "not a number it may be: " + excerpt(value), std::to_string(least) + " to " + std::to_string(most));
  return number;
}

void read_option(InjectedFault& fault, const FaultInfo& info, const std::string& option) {
  const std::size_t equals = option.find('=');
  const std::string name = option.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : option.substr(equals + 1);
  if (std::find(info.options.begin(), info.options.end(), name) == info.options.end()) {
    const std::vector<std::string> allowed(info.options.begin(), info.options.end());
    refuse(fault.text, std::string("a fault of kind ") + info.name + " has no option " + excerpt(name),
           allowed.empty() ? "no option" : join_names(allowed));
  }
  if (name == "n") {
    fault.n = read_number(fault.text, value, 1, UINT64_MAX);
  } else if (name == "by") {
    const Parsed<Fs> time = parse_time(value);
    if (!time) refuse(fault.text, "by: " + time.problem, "a duration such as 200ns");
    fault.by = time.value;
  } else if (name == "bit") {
    fault.bit = static_cast<unsigned>(read_number(fault.text, value, 0, 1023));
  } else {
    fault.bit = static_cast<unsigned>(read_number(fault.text, value, 0, 127));
  }
}

}  // namespace

const std::vector<FaultInfo>& fault_kinds() {
  static const std::vector<FaultInfo> kinds{
      {Kind::drop,
       "drop",
       {Target::request, Target::acceptance, Target::acknowledgement, Target::fill},
       {"n"},
       "is taken from its sender and goes no further"},
      {Kind::duplicate,
       "duplicate",
       {Target::request, Target::acknowledgement, Target::fill},
       {"n"},
       "arrives a second time"},
      {Kind::delay,
       "delay",
       {Target::request, Target::acknowledgement, Target::fill},
       {"n", "by"},
       "arrives later; what comes behind it may overtake it unless it waits for END_REQ"},
      {Kind::corrupt,
       "corrupt",
       {Target::request, Target::acknowledgement, Target::fill},
       {"n", "bit"},
       "one bit of its enabled data is flipped, of an acknowledgement its response status; counts requests that carry "
       "data"},
      {Kind::mask, "mask", {Target::request}, {"n", "byte"}, "one byte enable is flipped"},
      {Kind::lose, "lose", {Target::request, Target::write_back}, {"n"}, "is answered with OK and never performed"},
      {Kind::repeat, "repeat", {Target::write_back}, {"n", "by"}, "is performed once more later, with its old data"},
      {Kind::stick, "stick", {Target::request}, {"n"}, "from the n-th one on no request gets its END_REQ"},
      {Kind::leak, "leak", {Target::request}, {"n"}, "a reference to its payload is never given back"},
      {Kind::early,
       "early",
       {Target::command},
       {},
       "all of a channel's reads and writes may follow their activate a clock before tRCD is over"},
  };
  return kinds;
}

const char* name_of(FaultTarget target) {
  return kTargetNames[static_cast<std::size_t>(target)];
}

InjectedFault parse_fault(const std::string& text, const FaultPlaces& all) {
  InjectedFault fault;
  fault.text = text;
  const std::size_t colon = text.find(':'), at = text.find('@', colon == std::string::npos ? 0 : colon);
  if (colon == std::string::npos || at == std::string::npos) refuse(text, "no fault", kGrammar);
  const FaultInfo& info = find_kind(text, text.substr(0, colon));
  fault.kind = info.kind;

  const std::string target = text.substr(colon + 1, at - colon - 1);
  const auto known =
      std::find_if(info.targets.begin(), info.targets.end(), [&](Target t) { return name_of(t) == target; });
  if (known == info.targets.end())
    refuse(text, std::string("nothing to ") + info.name + ": " + excerpt(target), join_names(names_of(info.targets)));
  fault.target = *known;

  const std::size_t options = text.find(':', at);
  fault.place = text.substr(at + 1, options == std::string::npos ? options : options - at - 1);
  const std::vector<std::string> places = places_for(fault.target, all);
  if (std::find(places.begin(), places.end(), fault.place) == places.end())
    refuse(text, "no such place: " + excerpt(fault.place),
           "the places that gputlm list faults shows" + did_you_mean(fault.place, places));

  for (std::size_t from = options; from != std::string::npos;) {
    const std::size_t comma = text.find(',', ++from);
    read_option(fault, info, text.substr(from, comma == std::string::npos ? comma : comma - from));
    from = comma;
  }
  return fault;
}

}  // namespace gputlm
