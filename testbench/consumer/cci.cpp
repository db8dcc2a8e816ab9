// SPDX-License-Identifier: Apache-2.0
//
// A broker's presets reach a card by gputlm/cci_parameters.h; minimal_cci/ stands in for CCI.
#include <gputlm/cci_parameters.h>
#include <gputlm/memory_system.h>

#include <cstdio>

static_assert(GPUTLM_HAS_CCI == 1);

int sc_main(int, char**) {
  cci::minimal_presets()["card.l2.janitor.dirty_threshold"] = "4";
  gputlm::ParameterView view("tiny");
  gputlm::CciParameters parameters("card", view);
  const gputlm::Config config = view.config();
  const bool taken = config.l2.janitor.dirty_threshold == 4;
  const bool all = cci::minimal_parameters().size() == view.parameters().size();
  const bool named = view.find("l2.janitor.dirty_threshold")->origin.find("CCI preset card.l2") != std::string::npos;
  cci::minimal_presets()["other.l2.ways"] = "many";
  bool refused = false;
  try {
    gputlm::CciParameters wrong("other", view);
  } catch (const gputlm::ConfigError&) {
    refused = true;
  }
  gputlm::MemorySystem memory("memory", config);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const bool right = taken && all && named && refused && memory.config().l2.janitor.dirty_threshold == 4;
  std::puts(right ? "cci ok" : "cci wrong");
  return right ? 0 : 1;
}
