// SPDX-License-Identifier: Apache-2.0
//
// One warp, one STG.
#include "gputlm/config/quantity.h"
#include "gputlm/workload/parameters.h"
#include "gputlm/workload/patterns/one_line.h"
#include "gputlm/workload/patterns/patterns.h"

namespace gputlm {

namespace {

class SingleStore final : public Pattern {
 public:
  void parameters(ParameterVisitor& v) override {
    v.buffer("buffer", buffer_, "what is written");
    v.bytes("offset", offset_, 0, std::uint64_t{1} << 40, "of the first lane's bytes from the buffer's start");
    visit_lane_bytes(v, lane_bytes_, kMaxLaneBytes);
    order_.visit_stores(v);
  }
  void check(const PatternContext& context, PatternProblems& problems) const override {
    check_one_warp(context, problems);
    if (!check_lane_bytes(lane_bytes_, problems)) return;
    if (offset_ % lane_bytes_ != 0)
      problems.add("offset", "is no multiple of lane_bytes", format_bytes(offset_),
                   "a multiple of " + format_bytes(lane_bytes_));
    check_within(context, buffer_, "offset", offset_, context.shape.lanes_of(0) * lane_bytes_, problems);
  }
  std::vector<std::string> written() const override { return {buffer_}; }
  std::unique_ptr<Kernel> make(const KernelSetup& setup, PatternProblems&) const override {
    const OneLineParameters p{offset_, 1, static_cast<unsigned>(lane_bytes_), true, false, order_.order()};
    return std::make_unique<OneLine>(setup, setup.buffer(buffer_), p);
  }

 private:
  std::string buffer_;
  std::uint64_t offset_ = 0, lane_bytes_ = 4;
  OrderParameters order_;
};

}  // namespace

std::unique_ptr<Pattern> make_single_store() {
  return std::make_unique<SingleStore>();
}

}  // namespace gputlm
