// SPDX-License-Identifier: Apache-2.0
//
// Every byte of a buffer is stored, contiguous across the lanes.
#include "gputlm/workload/parameters.h"
#include "gputlm/workload/patterns/patterns.h"
#include "gputlm/workload/patterns/store_stream.h"

namespace gputlm {

namespace {

class StreamStore final : public Pattern {
 public:
  void parameters(ParameterVisitor& v) override {
    v.buffer("buffer", buffer_, "what is written");
    walk_.visit(v);
    order_.visit_stores(v);
  }
  void check(const PatternContext& context, PatternProblems& problems) const override {
    walk_.check(context, "buffer", buffer_, problems);
  }
  std::vector<std::string> written() const override { return {buffer_}; }
  std::unique_ptr<Kernel> make(const KernelSetup& setup, PatternProblems&) const override {
    return std::make_unique<StoreStream>(setup, buffer_, walk_, order_.order(), StoreStream::Fences{});
  }

 private:
  std::string buffer_;
  WalkParameters walk_;
  OrderParameters order_;
};

}  // namespace

std::unique_ptr<Pattern> make_stream_store() {
  return std::make_unique<StreamStore>();
}

}  // namespace gputlm
