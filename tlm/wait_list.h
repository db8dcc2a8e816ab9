// SPDX-License-Identifier: Apache-2.0
//
// What the units wait for, said so that it can be joined: an access has the same origin in every unit that holds it, so
// the last unit of the road that names it is the one that holds it up.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "gputlm/tlm/payload_pool.h"
#include "gputlm/tlm/time.h"

namespace gputlm {

/// One thing that waits in a unit.
struct Wait {
  /// `origin.instruction` of a warp as a whole, in place of one of its accesses.
  static constexpr std::uint32_t kWholeWarp = 0xffffffff;

  std::string unit;  ///< Hierarchical name of the unit that says so.
  Origin origin;     ///< Whose access it is; sm 0xffff: nobody's in particular.
  std::string what;  ///< What waits: "store of line 0x80 held".
  Fs since;          ///< kNever: not known, or no measure of progress.
  std::string why;   ///< May be empty.

  bool of_sm() const { return origin.sm != Origin{}.sm; }
  /// "what since 3 ns: why".
  std::string text() const;
};

/// Filled in by the units, in the order of the road.
class WaitList {
 public:
  void add(const sc_core::sc_object& unit, const Origin& origin, std::string what, Fs since, std::string why = {});
  /// A wait that is nobody's in particular.
  void add(const sc_core::sc_object& unit, std::string what, Fs since = kNever, std::string why = {});
  /// `what` begins with the payload in words.
  void add(const sc_core::sc_object& unit, const Payload& p, const std::string& what, Fs since, std::string why = {});

  const std::vector<Wait>& all() const { return all_; }
  /// One line each: the unit and the wait's text.
  void print(std::ostream& out) const;

 private:
  std::vector<Wait> all_;
};

/// "store of line 0x80".
std::string name_of(const Payload& p);
/// "0x80".
std::string hex_text(std::uint64_t address);
/// "3.25 ns".
std::string ns_text(Fs t);

}  // namespace gputlm
