// SPDX-License-Identifier: Apache-2.0
//
// How often each bin of coverage_bins.h was hit: by one run, or by several together.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gputlm/coverage/coverage_bins.h"

namespace gputlm {

class Coverage {
 public:
  Coverage() : hits_(coverage_bins().size()), excluded_hits_(excluded_bins().size()) {}

  void hit(int bin, std::uint64_t times = 1) {
    if (bin >= 0)
      hits_[static_cast<std::size_t>(bin)] += times;
    else
      excluded_hits_[static_cast<std::size_t>(-1 - bin)] += times;
  }
  void add(const Coverage& other);
  std::uint64_t hits(std::size_t bin) const { return hits_[bin]; }
  /// Names of the bins without a hit.
  std::vector<std::string> unhit() const;
  /// Names of the excluded crosses that were hit after all: their reason is wrong, or the model.
  std::vector<std::string> impossible() const;

  /// {"bins": {name: hits, ...}, "impossible": {name: hits, ...}}: every bin, and the excluded crosses that were hit.
  nlohmann::ordered_json to_json() const;
  /// Throws ConfigError when the document is no coverage of this program's bins; `file` is for messages.
  static Coverage from_json(const nlohmann::json& document, const std::string& file);
  /// Reads and writes a file. Both throw ConfigError when that is impossible.
  static Coverage read(const std::string& file);
  void write(const std::string& file) const;

  /// A line for each bin: name, hits, description; then the sum. Excluded crosses are listed with their reason.
  void print(std::ostream& out) const;

 private:
  std::vector<std::uint64_t> hits_, excluded_hits_;
};

}  // namespace gputlm
