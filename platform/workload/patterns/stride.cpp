// SPDX-License-Identifier: Apache-2.0
//
// Lanes access places a fixed distance apart.
#include "gputlm/config/quantity.h"
#include "gputlm/workload/parameters.h"
#include "gputlm/workload/patterns/patterns.h"
#include "gputlm/workload/patterns/strided.h"

namespace gputlm {

namespace {

class Stride final : public Pattern {
 public:
  void parameters(ParameterVisitor& v) override {
    v.buffer("buffer", buffer_, "where the places lie");
    visit_operation(v, operation_);
    v.bytes("stride", stride_, 1, std::uint64_t{1} << 40, "distance from one lane's place to the next");
    v.bytes("offset", offset_, 0, std::uint64_t{1} << 40, "of the first place from the buffer's start");
    walk_.visit(v);
    visit_unroll(v, unroll_);
    order_.visit_both(v);
  }
  void check(const PatternContext& context, PatternProblems& problems) const override {
    if (!check_lane_bytes(walk_.lane_bytes, problems)) return;
    if (stride_ % walk_.lane_bytes != 0)
      problems.add("stride", "is no multiple of lane_bytes", format_bytes(stride_),
                   "a multiple of " + format_bytes(walk_.lane_bytes));
    if (offset_ % walk_.lane_bytes != 0)
      problems.add("offset", "is no multiple of lane_bytes", format_bytes(offset_),
                   "a multiple of " + format_bytes(walk_.lane_bytes));
    check_within(context, buffer_, "offset", offset_, walk_.lane_bytes, problems);
  }
  std::vector<std::string> written() const override {
    return operation_ == "store" ? std::vector<std::string>{buffer_} : std::vector<std::string>{};
  }
  std::unique_ptr<Kernel> make(const KernelSetup& setup, PatternProblems& problems) const override {
    if (!check_unroll(unroll_, setup, problems)) return nullptr;
    StridedParameters p;
    p.buffer = buffer_;
    p.offset = offset_;
    p.stride = stride_;
    p.lane_bytes = static_cast<unsigned>(walk_.lane_bytes);
    p.blocked = walk_.order == "blocked";
    p.store = operation_ == "store";
    p.repeat = walk_.repeat;
    p.unroll = static_cast<unsigned>(unroll_);
    p.order = order_.order();
    return std::make_unique<Strided>(setup, p);
  }

 private:
  std::string buffer_, operation_ = "store";
  std::uint64_t stride_ = 128, offset_ = 0, unroll_ = 4;
  WalkParameters walk_;
  OrderParameters order_;
};

}  // namespace

std::unique_ptr<Pattern> make_stride() {
  return std::make_unique<Stride>();
}

}  // namespace gputlm
