// SPDX-License-Identifier: Apache-2.0
//
// A row stays open until another row of its bank is wanted or the bank is refreshed.
#include "gputlm/dram/page_policy.h"

namespace gputlm {
namespace {

class OpenPage : public PagePolicy {
 public:
  Ck closes_at(Ck /*last_column*/) const override { return kNever; }
};

}  // namespace

std::unique_ptr<PagePolicy> make_open_page() {
  return std::make_unique<OpenPage>();
}

}  // namespace gputlm
