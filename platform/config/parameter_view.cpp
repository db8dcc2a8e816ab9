// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/parameter_view.h"

#include <algorithm>
#include <optional>

#include "gputlm/config/config_loader.h"
#include "gputlm/config/plain_text.h"
#include "gputlm/config/schema.h"

namespace gputlm {

ParameterText parameter_text(const Config& config, std::size_t index) {
  const Parameter& parameter = Schema::instance().parameters()[index];
  const EffectiveValue& effective = config.effective.values()[index];
  return {parameter.path,         parameter.value_text(config), parameter.unit,   parameter.allowed(),
          parameter.description,  effective.confidence,         effective.source, effective.note,
          effective.origin.text()};
}

ParameterView::ParameterView(const std::string& name_or_path) : name_(name_or_path) {
  const Config config = Config::load(name_or_path);
  for (std::size_t i = 0; i < Schema::instance().parameters().size(); ++i)
    parameters_.push_back(parameter_text(config, i));
}

const ParameterText* ParameterView::find(std::string_view path) const {
  const std::size_t index = Schema::instance().find(path);
  return index == Schema::npos ? nullptr : &parameters_[index];
}

void ParameterView::set(const std::string& path, const std::string& value, const std::string& origin) {
  Diagnostics diagnostics;
  ConfigLoader loader(diagnostics);
  std::optional<Override> setting;
  if (const TextFault fault = find_text_fault(value)) {
    diagnostics.add({origin}, excerpt(path), std::string("not a text: ") + fault.problem);
  } else {
    setting = loader.read_override(path, value, origin);
    if (setting) loader.apply_override(*setting);
  }
  diagnostics.throw_if_any();
  const std::size_t index = Schema::instance().find(path);
  const EffectiveValue& effective = loader.effective(index);
  ParameterText& parameter = parameters_[index];
  parameter.value = effective.text;
  parameter.confidence = effective.confidence;
  parameter.source = effective.source;
  parameter.note = effective.note;
  parameter.origin = effective.origin.text();
  settings_.erase(std::remove_if(settings_.begin(), settings_.end(), [&](const Override& s) { return s.path == path; }),
                  settings_.end());
  settings_.push_back(*std::move(setting));
}

Config ParameterView::config() const {
  return Config::load(name_, settings_, {});
}

}  // namespace gputlm
