// SPDX-License-Identifier: Apache-2.0
//
// A configuration as parameters of SystemC CCI, where CCI is installed: one immutable text parameter each, named
// PREFIX.path, whose preset in the broker is taken over. In the elaboration of a platform:
//
//     gputlm::ParameterView view("rtx4090");
//     gputlm::CciParameters parameters("card", view);  // reads the broker's presets of card.*
//     gputlm::MemorySystem memory("memory", view.config());
//
// In CMake, link gputlm::cci, which is there where CCI was found. GPUTLM_HAS_CCI is 1 where the header is on the
// compiler's paths, else 0, and then there is no CciParameters. Written against CCI 1.0; the rest of gputlm neither
// needs CCI nor is compiled with it.
#pragma once

#if !__has_include(<cci_configuration>)
#define GPUTLM_HAS_CCI 0
#else
#define GPUTLM_HAS_CCI 1

#include <cci_configuration>
#include <memory>
#include <string>
#include <vector>

#include "gputlm/config/parameter_view.h"

namespace gputlm {

class CciParameters {
 public:
  /// Throws ConfigError for a preset that is not allowed.
  CciParameters(const std::string& prefix, ParameterView& view) {
    const std::vector<ParameterText> defaults = view.parameters();
    for (const ParameterText& p : defaults) {
      const std::string name = prefix + "." + p.path;
      parameters_.push_back(std::make_unique<Text>(name, p.value, p.description, cci::CCI_ABSOLUTE_NAME));
      const std::string& chosen = parameters_.back()->get_value();
      if (chosen != p.value) view.set(p.path, chosen, "CCI preset " + name);
    }
  }

 private:
  using Text = cci::cci_param<std::string, cci::CCI_IMMUTABLE_PARAM>;
  std::vector<std::unique_ptr<Text> > parameters_;
};

}  // namespace gputlm

#endif
