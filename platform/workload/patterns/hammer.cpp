// SPDX-License-Identifier: Apache-2.0
//
// Every warp accesses the same line, again and again.
#include "gputlm/config/quantity.h"
#include "gputlm/tlm/byte_mask.h"
#include "gputlm/workload/parameters.h"
#include "gputlm/workload/patterns/one_line.h"
#include "gputlm/workload/patterns/patterns.h"

namespace gputlm {

namespace {

class Hammer final : public Pattern {
 public:
  void parameters(ParameterVisitor& v) override {
    v.buffer("buffer", buffer_, "where the line lies");
    v.bytes("offset", offset_, 0, std::uint64_t{1} << 40, "of the line from the buffer's start");
    visit_operation(v, operation_);
    visit_lane_bytes(v, lane_bytes_, kLineBytes / kLanes);
    v.count("count", count_, 1, kMaxRounds, "accesses per warp");
    v.boolean("vary", vary_,
              "each store of a warp has other data; with several warps the end is left to the scoreboard");
    order_.visit_both(v);
  }
  void check(const PatternContext& context, PatternProblems& problems) const override {
    if (!check_lane_bytes(lane_bytes_, problems)) return;
    check_work(context.shape.warps(), "count", count_, problems);
    check_within(context, buffer_, "offset", offset_, kLineBytes, problems);
    if (offset_ % kLineBytes != 0)
      problems.add("offset", "is no start of a line", format_bytes(offset_), "a multiple of 128 B");
  }
  std::vector<std::string> written() const override {
    return operation_ == "store" ? std::vector<std::string>{buffer_} : std::vector<std::string>{};
  }
  std::unique_ptr<Kernel> make(const KernelSetup& setup, PatternProblems&) const override {
    const OneLineParameters p{offset_, count_,        static_cast<unsigned>(lane_bytes_), operation_ == "store",
                              vary_,   order_.order()};
    return std::make_unique<OneLine>(setup, setup.buffer(buffer_), p);
  }

 private:
  std::string buffer_, operation_ = "store";
  std::uint64_t offset_ = 0, lane_bytes_ = 4, count_ = 256;
  bool vary_ = false;
  OrderParameters order_;
};

}  // namespace

std::unique_ptr<Pattern> make_hammer() {
  return std::make_unique<Hammer>();
}

}  // namespace gputlm
