// SPDX-License-Identifier: Apache-2.0
#include "gputlm/tlm/protocol_log.h"

namespace gputlm {

void ViolationLog::record(ProtocolRule rule, const char* arrow, const PayloadSummary& payload,
                          std::string_view detail) {
  if (ignored_[static_cast<std::size_t>(rule)]) return;
  ++counts_[static_cast<std::size_t>(rule)];
  ++total_;
  if (violations_.size() < limit_) violations_.push_back({rule, now(), arrow, payload.text(), std::string(detail)});
  if (!escalates_) return;
  const std::string message = std::string(name_of(rule)) + ": " + statement_of(rule) + " (" + arrow + ", " +
                              payload.text() + (detail.empty() ? "" : ", ") + std::string(detail) + ")";
  sc_core::sc_report_handler::report(severity_, "gputlm/protocol", message.c_str(), __FILE__, __LINE__);
}

void ViolationLog::check_returned(const PayloadPool& pool, const char* pool_name) {
  if (pool.outstanding() == 0) return;
  record(ProtocolRule::payload_returned, pool_name, {}, std::to_string(pool.outstanding()) + " payloads are still out");
}

void ViolationLog::print(std::ostream& out) const {
  for (const Violation& v : violations_) {
    out << to_ns(v.time) << " ns " << v.arrow << ": " << name_of(v.rule) << ": " << statement_of(v.rule) << " ["
        << v.payload << ']';
    if (!v.detail.empty()) out << ' ' << v.detail;
    out << '\n';
  }
  for (std::size_t i = 0; i < kProtocolRules; ++i)
    if (counts_[i] != 0) out << name_of(static_cast<ProtocolRule>(i)) << ": " << counts_[i] << '\n';
}

void ViolationLog::reset() {
  counts_ = {};
  total_ = 0;
  violations_.clear();
  errors_.clear();
}

}  // namespace gputlm
