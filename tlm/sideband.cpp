// SPDX-License-Identifier: Apache-2.0
#include "gputlm/tlm/sideband.h"

#include <type_traits>

namespace gputlm {

// A wrong template argument here would make two extension types share one slot of the payload.
static_assert(std::is_base_of_v<tlm::tlm_extension<Sideband>, Sideband>);

Sideband& sideband_of(tlm::tlm_generic_payload& p) {
  Sideband* s = find_sideband(p);
  if (s == nullptr) {
    s = new Sideband;
    s->operation = p.is_write() ? Operation::store : Operation::load;
    s->virtual_address = p.get_address();
    if (p.has_mm())
      p.set_auto_extension(s);
    else
      p.set_extension(s);
  }
  return *s;
}

const char* name_of(Operation o) {
  static constexpr const char* names[] = {"load",          "store", "reduction",     "atomic",
                                          "l1_invalidate", "fence", "system_barrier"};
  return names[static_cast<unsigned>(o)];
}

const char* name_of(Semantics s) {
  static constexpr const char* names[] = {"weak", "relaxed", "acquire", "release", "acq_rel", "sc"};
  return names[static_cast<unsigned>(s)];
}

const char* name_of(Scope s) {
  static constexpr const char* names[] = {"cta", "gpu", "sys"};
  return names[static_cast<unsigned>(s)];
}

const char* name_of(AtomicFunction f) {
  static constexpr const char* names[] = {"add", "min.s", "min.u", "max.s", "max.u", "and", "or",
                                          "xor", "exch",  "cas",   "add.f", "inc",   "dec"};
  return names[static_cast<unsigned>(f)];
}

}  // namespace gputlm
