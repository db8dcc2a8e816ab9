// SPDX-License-Identifier: Apache-2.0
#include "gputlm/report/frame_series.h"

#include <stdexcept>
#include <string>
#include <utility>

namespace gputlm {
namespace {

/// The sets of one frame after the other, as text and back.
class SetColumn {
 public:
  Json encode(const std::vector<SetCounts>& dirty) {
    start(dirty.size(), dirty.empty() ? 0 : dirty.front().size());
    Json texts = Json::array();
    for (std::size_t i = 0; i < dirty.size(); ++i) texts.push_back(encode_sets(before_[i], dirty[i]));
    before_ = dirty;
    return texts;
  }
  const std::vector<SetCounts>& decode(const Json& texts, std::size_t sets) {
    start(texts.size(), sets);
    if (texts.size() != before_.size()) throw std::invalid_argument("the number of slices changes");
    for (std::size_t i = 0; i < texts.size(); ++i)
      if (!decode_sets(texts[i].get_ref<const std::string&>(), before_[i]))
        throw std::invalid_argument("no picture of a slice's sets");
    return before_;
  }

 private:
  void start(std::size_t slices, std::size_t sets) {
    constexpr std::size_t kMost = std::size_t{1} << 26;  // of all slices: a document may say anything
    if (sets > kMost || slices * sets > kMost) throw std::invalid_argument("more sets than a card has");
    if (before_.empty()) before_.assign(slices, SetCounts(sets));
  }
  std::vector<SetCounts> before_;
};

}  // namespace

void FrameSeries::add(Frame frame) {
  const Fs time = frame.time;
  frames_.push_back(std::move(frame));
  next_ = time - time % interval_ + interval_;
  if (frames_.size() < kMost) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < frames_.size(); i += 2) {
    if (kept != i) frames_[kept] = std::move(frames_[i]);
    ++kept;
  }
  frames_.resize(kept);
  interval_ *= 2;
  next_ = time - time % interval_ + interval_;
}

void FrameSeries::add_last(Frame frame) {
  while (!frames_.empty() && frames_.back().time >= frame.time) frames_.pop_back();
  frames_.push_back(std::move(frame));
  next_ = kNever;
}

Json FrameSeries::document() const {
  Json list = Json::array();
  SetColumn sets;
  for (const Frame& f : frames_)
    list.push_back({{"time_ns", to_ns(f.time)},
                    {"warps", f.warps},
                    {"accesses", f.accesses},
                    {"throttled", f.throttled},
                    {"queued", f.queued},
                    {"requests", f.requests},
                    {"dirty", sets.encode(f.dirty)},
                    {"writes", f.writes},
                    {"reads", f.reads},
                    {"turns", f.turns},
                    {"read_columns", f.read_columns},
                    {"write_columns", f.write_columns},
                    {"refreshing", f.refreshing}});
  const std::size_t slices = frames_.empty() ? 0 : frames_.front().dirty.size();
  return {{"sets", slices == 0 ? 0 : frames_.front().dirty.front().size()}, {"list", std::move(list)}};
}

Json thin_frames(const Json& document) {
  SetColumn before, after;
  const Json& list = document.at("list");
  Json kept = Json::array();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto& dirty = before.decode(list[i].at("dirty"), document.at("sets").get<std::size_t>());
    if (i % 2 != 0 && i + 1 != list.size()) continue;
    kept.push_back(list[i]);
    kept.back()["dirty"] = after.encode(dirty);
  }
  return {{"sets", document.at("sets")}, {"list", std::move(kept)}};
}

}  // namespace gputlm
