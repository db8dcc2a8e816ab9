// SPDX-License-Identifier: Apache-2.0
#include "gputlm/replay/trace_lines.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace gputlm {
namespace {

class TextBytes final : public TraceBytes {
 public:
  explicit TextBytes(std::string text) : text_(std::move(text)) {}
  std::size_t read(char* to, std::size_t size) override {
    const std::size_t n = text_.copy(to, size, at_);
    at_ += n;
    return n;
  }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

}  // namespace

std::unique_ptr<TraceBytes> trace_text(std::string text) {
  return std::make_unique<TextBytes>(std::move(text));
}

TraceLines::TraceLines(std::string file, std::unique_ptr<TraceBytes> bytes)
    : file_(std::move(file)), bytes_(std::move(bytes)) {}

Place TraceLines::place() const {
  constexpr std::uint64_t kLast = std::numeric_limits<unsigned>::max();
  return {file_, static_cast<unsigned>(std::min(line_, kLast)), 1};
}

// Moves what is left to the front and reads on behind it; false when nothing came.
bool TraceLines::fill() {
  constexpr std::size_t kBlock = std::size_t{1} << 16;
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (buffer_.size() < end_ + kBlock) buffer_.resize(end_ + kBlock);
  const std::size_t n = bytes_->read(buffer_.data() + end_, kBlock);
  end_ += n;
  bytes_read_ += n;
  ended_ = n == 0;
  return !ended_;
}

bool TraceLines::next(std::string_view& line) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  try {
    if (!read_line(line)) return false;
  } catch (const ConfigError&) {
    ended_ = true;
    begin_ = end_;
    throw;
  }
  if (line_ == 1 && line.substr(0, kByteOrderMark.size()) == kByteOrderMark) line.remove_prefix(kByteOrderMark.size());
  return true;
}

bool TraceLines::read_line(std::string_view& line) {
  std::size_t looked_at = 0;
  for (;;) {
    const std::string_view there(buffer_.data() + begin_, end_ - begin_);
    std::size_t length = there.find('\n', looked_at);
    if (length == std::string_view::npos && !ended_) {
      looked_at = there.size();
      if (looked_at > kLongestLine) {
        Diagnostics d;
        ++line_;
        d.add(place(), {}, "the line does not end", {}, "at most 1 MiB");
        d.throw_if_any();
      }
      fill();
      continue;
    }
    if (length == std::string_view::npos && there.empty()) return false;
    ++line_;
    used_ = length == std::string_view::npos ? there.size() : length + 1;
    line = there.substr(0, std::min(length, there.size()));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    begin_ += used_;
    return true;
  }
}

}  // namespace gputlm
