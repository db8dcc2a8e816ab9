// SPDX-License-Identifier: Apache-2.0
#include "gputlm/report/json_document.h"

#include "gputlm/config/diagnostics.h"
#include "gputlm/config/regular_file.h"

namespace gputlm {
namespace {

// What is deeper would be written, and taken down, by as many nested calls.
constexpr int kDeepest = 64;

}  // namespace

Json parse_json_object(const std::string& text, const std::string& file) {
  bool deep = false;
  const auto within = [&](int depth, Json::parse_event_t /*event*/, Json& /*value*/) {
    deep = deep || depth > kDeepest;
    return !deep;
  };
  Json document = Json::parse(text, within, false);
  Diagnostics mistakes;
  if (deep)
    mistakes.add({file}, {}, "is nested too deeply", {}, std::to_string(kDeepest) + " levels");
  else if (!document.is_object())
    mistakes.add({file}, {}, "is no whole JSON document");
  mistakes.throw_if_any();
  return document;
}

Json read_json_object(const std::string& file) {
  return parse_json_object(read_input_file(file, kLargestReportInput), file);
}

}  // namespace gputlm
