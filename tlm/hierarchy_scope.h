// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/tlm/systemc_guard.h"

namespace gputlm {

/// While it lives, new modules and sockets become children of a module whose constructor has ended, as if they were
/// made in it. During elaboration only. SystemC 3.0 has a class for this; 2.3.4 has the functions that it is made of.
class HierarchyScope {
 public:
#if defined(IEEE_1666_SYSTEMC) && IEEE_1666_SYSTEMC >= 202301L
  explicit HierarchyScope(sc_core::sc_module& parent) : scope_(parent.get_hierarchy_scope()) {}

 private:
  sc_core::sc_hierarchy_scope scope_;

 public:
#else
  explicit HierarchyScope(sc_core::sc_module& parent) {
    sc_core::sc_get_curr_simcontext()->hierarchy_push(&parent);
  }
  ~HierarchyScope() {
    sc_core::sc_get_curr_simcontext()->hierarchy_pop();
  }
#endif
  HierarchyScope(const HierarchyScope&) = delete;
  HierarchyScope& operator=(const HierarchyScope&) = delete;
};

}  // namespace gputlm
