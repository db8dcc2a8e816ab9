// SPDX-License-Identifier: Apache-2.0
//
// One byte of every sector of a buffer: the smallest store that touches as much memory as full lines do.
#include "gputlm/tlm/byte_mask.h"
#include "gputlm/workload/parameters.h"
#include "gputlm/workload/patterns/patterns.h"
#include "gputlm/workload/patterns/strided.h"

namespace gputlm {

namespace {

class BytePerSector final : public Pattern {
 public:
  void parameters(ParameterVisitor& v) override {
    v.buffer("buffer", buffer_, "whose sectors are touched");
    visit_operation(v, operation_);
    v.count("byte", byte_, 0, kSectorBytes - 1, "which byte of each sector");
    visit_walk_order(v, walk_order_);
    visit_repeat(v, repeat_);
    visit_unroll(v, unroll_);
    hint_.visit(v);
  }
  void check(const PatternContext& context, PatternProblems& problems) const override {
    check_within(context, buffer_, "byte", byte_, 1, problems);
  }
  std::vector<std::string> written() const override {
    return operation_ == "store" ? std::vector<std::string>{buffer_} : std::vector<std::string>{};
  }
  std::unique_ptr<Kernel> make(const KernelSetup& setup, PatternProblems& problems) const override {
    if (!check_unroll(unroll_, setup, problems)) return nullptr;
    StridedParameters p;
    p.buffer = buffer_;
    p.offset = byte_;
    p.stride = kSectorBytes;
    p.lane_bytes = 1;
    p.blocked = walk_order_ == "blocked";
    p.store = operation_ == "store";
    p.repeat = repeat_;
    p.unroll = static_cast<unsigned>(unroll_);
    p.order = hint_.order();
    return std::make_unique<Strided>(setup, p);
  }

 private:
  std::string buffer_, operation_ = "store", walk_order_ = "grid_stride";
  std::uint64_t byte_ = 0, repeat_ = 1, unroll_ = 4;
  HintParameter hint_;
};

}  // namespace

std::unique_ptr<Pattern> make_byte_per_sector() {
  return std::make_unique<BytePerSector>();
}

}  // namespace gputlm
