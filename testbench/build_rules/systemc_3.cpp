// SPDX-License-Identifier: Apache-2.0
//
// All that a platform includes, and a module with processes of its own; compiled with systemc_3_spelling.h in front.
#include "gputlm/launch/hosted_gpu.h"
#include "gputlm/launch/pcie_card.h"

class Clocked : public sc_core::sc_module {
 public:
  explicit Clocked(const sc_core::sc_module_name& name) : sc_module(name) {
    GPUTLM_HAS_PROCESS(Clocked);
    SC_THREAD(run);
    SC_METHOD(look);
  }

 private:
  void run() {}
  void look() {}
};

gputlm::HierarchyScope* scope = nullptr;
Clocked* clocked = nullptr;
