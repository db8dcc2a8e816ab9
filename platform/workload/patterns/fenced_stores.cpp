// SPDX-License-Identifier: Apache-2.0
//
// A stream of stores with a fence after every so many of a warp's.
#include "gputlm/workload/parameters.h"
#include "gputlm/workload/patterns/patterns.h"
#include "gputlm/workload/patterns/store_stream.h"

namespace gputlm {

namespace {

class FencedStores final : public Pattern {
 public:
  void parameters(ParameterVisitor& v) override {
    v.buffer("buffer", buffer_, "what is written");
    v.count("every", every_, 1, kMaxRounds, "stores of a warp between two fences");
    v.choice("fence", fence_, {"sc", "acq_rel"}, "membar (sc) or fence.acq_rel");
    v.choice("scope", scope_, kScopeNames, "scope of the fence: cta, gpu (membar.gl) or sys");
    walk_.visit(v);
    hint_.visit(v);
  }
  void check(const PatternContext& context, PatternProblems& problems) const override {
    walk_.check(context, "buffer", buffer_, problems);
  }
  std::vector<std::string> written() const override { return {buffer_}; }
  std::unique_ptr<Kernel> make(const KernelSetup& setup, PatternProblems&) const override {
    const StoreStream::Fences fences{every_, {semantics_named(fence_), scope_named(scope_)}};
    return std::make_unique<StoreStream>(setup, buffer_, walk_, hint_.order(), fences);
  }

 private:
  std::string buffer_, fence_ = "sc", scope_ = "gpu";
  std::uint64_t every_ = 1;
  WalkParameters walk_;
  HintParameter hint_;
};

}  // namespace

std::unique_ptr<Pattern> make_fenced_stores() {
  return std::make_unique<FencedStores>();
}

}  // namespace gputlm
