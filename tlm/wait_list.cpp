// SPDX-License-Identifier: Apache-2.0
#include "gputlm/tlm/wait_list.h"

#include <sstream>
#include <utility>

namespace gputlm {

std::string hex_text(std::uint64_t address) {
  std::ostringstream text;
  text << "0x" << std::hex << address;
  return text.str();
}

std::string ns_text(Fs t) {
  std::ostringstream text;
  text.precision(12);
  text << to_ns(t) << " ns";
  return text.str();
}

std::string name_of(const Payload& p) {
  const Sideband* s = find_sideband(p);
  return std::string(s != nullptr ? name_of(s->operation) : "request") + " of line " + hex_text(p.get_address());
}

std::string Wait::text() const {
  return what + (since == kNever ? "" : " since " + ns_text(since)) + (why.empty() ? "" : ": " + why);
}

void WaitList::add(const sc_core::sc_object& unit, const Origin& origin, std::string what, Fs since, std::string why) {
  all_.push_back({unit.name(), origin, std::move(what), since, std::move(why)});
}

void WaitList::add(const sc_core::sc_object& unit, std::string what, Fs since, std::string why) {
  add(unit, Origin{}, std::move(what), since, std::move(why));
}

void WaitList::add(const sc_core::sc_object& unit, const Payload& p, const std::string& what, Fs since,
                   std::string why) {
  const Sideband* s = find_sideband(p);
  add(unit, s != nullptr ? s->origin : Origin{}, name_of(p) + what, since, std::move(why));
}

void WaitList::print(std::ostream& out) const {
  for (const Wait& w : all_) out << w.unit << ": " << w.text() << '\n';
}

}  // namespace gputlm
