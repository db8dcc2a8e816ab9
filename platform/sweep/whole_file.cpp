// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sweep/whole_file.h"

#include <stdexcept>

#include "gputlm/config/regular_file.h"

namespace gputlm {

void write_whole(const std::filesystem::path& file, const std::string& text) {
  if (!replace_file(file.string(), text)) throw std::runtime_error("cannot write " + file.string());
}

std::optional<Json> read_json(const std::filesystem::path& file) {
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 30;
  std::string text, problem;
  if (!read_regular_file(file.string(), kLargest, text, problem)) return {};
  Json document = Json::parse(text, nullptr, false);
  if (document.is_discarded()) return {};
  return document;
}

}  // namespace gputlm
