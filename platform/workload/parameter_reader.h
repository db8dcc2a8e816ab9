// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gputlm/config/yaml_reader.h"
#include "gputlm/workload/pattern.h"

namespace gputlm {

/// Reads a pattern's parameters from its kernel's map.
class ParameterReader final : public ParameterVisitor {
 public:
  ParameterReader(YamlReader& reader, const std::vector<BufferSpec>& buffers) : reader_(reader), buffers_(buffers) {}

  void count(const char* name, std::uint64_t& value, std::uint64_t min, std::uint64_t max, const char*) override;
  void bytes(const char* name, std::uint64_t& value, std::uint64_t min, std::uint64_t max, const char*) override;
  void real(const char* name, double& value, double min, double max, const char*) override;
  void boolean(const char* name, bool& value, const char*) override;
  void choice(const char* name, std::string& value, const std::vector<std::string>& names, const char*) override;
  void text(const char* name, std::string& value, const char*) override;
  void buffer(const char* name, std::string& value, const char*) override;
  void accesses(const char* name, std::vector<LaneAccess>& value, const char*) override;
  void counts(const char* name, std::vector<std::uint64_t>& value, const char*) override;
  void steps(const char* name, std::vector<ScriptStep>& value, const char*) override;

  /// False when a buffer is missing or unknown, so that the parameters cannot be checked against it.
  bool complete() const { return complete_; }

 private:
  YamlReader& reader_;
  const std::vector<BufferSpec>& buffers_;
  bool complete_ = true;
};

/// Reads the name of a buffer that must exist; false when it is missing or unknown.
bool read_buffer_name(YamlReader& reader, const char* key, const std::vector<BufferSpec>& buffers, std::string& name,
                      YamlReader::Need need = YamlReader::Need::required);

}  // namespace gputlm
