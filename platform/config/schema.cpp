// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/schema.h"

#include "gputlm/config/schema_builder.h"

namespace gputlm {

const Schema& Schema::instance() {
  static const Schema schema;
  return schema;
}

Schema::Schema() {
  SchemaBuilder table;
  describe_card(table);
  describe_sm(table);
  describe_l1(table);
  describe_mmu(table);
  describe_crossbar(table);
  describe_l2(table);
  describe_dram(table);
  describe_host(table);
  parameters_ = table.take();
  for (std::size_t i = 0; i < parameters_.size(); ++i) index_.emplace(parameters_[i].path, i);
}

std::size_t Schema::find(std::string_view path) const {
  const auto found = index_.find(path);
  return found == index_.end() ? npos : found->second;
}

bool Schema::is_group(std::string_view path) const {
  const std::string prefix = std::string(path) + ".";
  const auto next = index_.lower_bound(prefix);
  return next != index_.end() && next->first.compare(0, prefix.size(), prefix) == 0;
}

std::vector<std::string> Schema::paths() const {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters_) names.push_back(parameter.path);
  return names;
}

}  // namespace gputlm
