// SPDX-License-Identifier: Apache-2.0
#include "gputlm/coverage/coverage.h"

#include <algorithm>
#include <cerrno>
#include <map>

#include <fmt/ostream.h>

#include "gputlm/config/diagnostics.h"
#include "gputlm/config/regular_file.h"

namespace gputlm {
namespace {

// Every bin's name and count take some KiB.
constexpr std::uint64_t kLargestFile = std::uint64_t{16} << 20;

[[noreturn]] void refuse(const std::string& file, const std::string& key, const std::string& message) {
  Diagnostics diagnostics;
  diagnostics.add({file, 0, 0}, key, message);
  throw ConfigError(diagnostics);
}

/// The counts under `key`, each by the name of one of `bins`.
template <class Bin>
void read_counts(const nlohmann::json& document, const std::string& key, const std::vector<Bin>& bins,
                 const std::string& file, std::vector<std::uint64_t>& counts) {
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < bins.size(); ++i) index[bins[i].name] = i;
  for (const auto& [name, hits] : document[key].items()) {
    const auto known = index.find(name);
    if (known == index.end()) refuse(file, key + "." + excerpt(name), "no such bin in this version");
    if (!hits.is_number_unsigned()) refuse(file, key + "." + name, "not a count");
    counts[known->second] = hits.template get<std::uint64_t>();
  }
}

}  // namespace

void Coverage::add(const Coverage& other) {
  for (std::size_t i = 0; i < hits_.size(); ++i) hits_[i] += other.hits_[i];
  for (std::size_t i = 0; i < excluded_hits_.size(); ++i) excluded_hits_[i] += other.excluded_hits_[i];
}

std::vector<std::string> Coverage::unhit() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < hits_.size(); ++i)
    if (hits_[i] == 0) names.push_back(coverage_bins()[i].name);
  return names;
}

std::vector<std::string> Coverage::impossible() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < excluded_hits_.size(); ++i)
    if (excluded_hits_[i] > 0) names.push_back(excluded_bins()[i].name);
  return names;
}

nlohmann::ordered_json Coverage::to_json() const {
  nlohmann::ordered_json bins = nlohmann::ordered_json::object(), impossible = bins;
  for (std::size_t i = 0; i < hits_.size(); ++i) bins[coverage_bins()[i].name] = hits_[i];
  for (std::size_t i = 0; i < excluded_hits_.size(); ++i)
    if (excluded_hits_[i] > 0) impossible[excluded_bins()[i].name] = excluded_hits_[i];
  return {{"bins", bins}, {"impossible", impossible}};
}

Coverage Coverage::from_json(const nlohmann::json& document, const std::string& file) {
  if (!document.is_object() || !document.contains("bins") || !document["bins"].is_object())
    refuse(file, "", "no coverage: the document has no object \"bins\"");
  Coverage coverage;
  read_counts(document, "bins", coverage_bins(), file, coverage.hits_);
  if (document.contains("impossible") && document["impossible"].is_object())
    read_counts(document, "impossible", excluded_bins(), file, coverage.excluded_hits_);
  return coverage;
}

Coverage Coverage::read(const std::string& file) {
  const nlohmann::json document = nlohmann::json::parse(read_input_file(file, kLargestFile), nullptr, false);
  if (document.is_discarded()) refuse(file, "", "is no JSON");
  return from_json(document, file);
}

void Coverage::write(const std::string& file) const {
  check_output_file(file);
  if (!replace_file(file, to_json().dump(1) + '\n')) refuse(file, "", "cannot be written");
}

void Coverage::print(std::ostream& out) const {
  for (std::size_t i = 0; i < hits_.size(); ++i)
    fmt::print(out, "{:>12}  {:<52}{}\n", hits_[i] == 0 ? "-" : std::to_string(hits_[i]), coverage_bins()[i].name,
               coverage_bins()[i].description);
  for (std::size_t i = 0; i < excluded_hits_.size(); ++i)
    fmt::print(out, "{:>12}  {:<52}{}\n", excluded_hits_[i] == 0 ? "excluded" : std::to_string(excluded_hits_[i]),
               excluded_bins()[i].name, excluded_bins()[i].reason);
  fmt::print(out, "\n{} of {} bins hit, {} crosses excluded\n", hits_.size() - unhit().size(), hits_.size(),
             excluded_bins().size());
}

}  // namespace gputlm
