// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "gputlm/replay/trace_lines.h"

namespace gputlm {
namespace {

[[noreturn]] void cannot_read(const std::string& file, std::string problem) {
  Diagnostics d;
  d.add({file}, {}, std::move(problem));
  throw ConfigError(d);
}

/// A regular file: both readings of a trace find the same in it.
class PlainFile final : public TraceBytes {
 public:
  explicit PlainFile(std::string file)
      : file_(std::move(file)), number_(::open(file_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
    struct stat status {};
    if (number_ < 0 || ::fstat(number_, &status) != 0) fail();
    if (S_ISREG(status.st_mode)) return;
    ::close(number_);
    cannot_read(file_, S_ISDIR(status.st_mode) ? "is a directory, not a file" : "is no regular file");
  }
  ~PlainFile() override { ::close(number_); }
  PlainFile(const PlainFile&) = delete;
  PlainFile& operator=(const PlainFile&) = delete;

  std::size_t read(char* to, std::size_t size) override {
    for (;;) {
      const ssize_t n = ::read(number_, to, size);
      if (n >= 0) return static_cast<std::size_t>(n);
      if (errno != EINTR) fail();
    }
  }
  void rewind() const { ::lseek(number_, 0, SEEK_SET); }

 private:
  [[noreturn]] void fail() const { cannot_read(file_, std::string("cannot be read: ") + std::strerror(errno)); }

  std::string file_;
  int number_;
};

class XzFile final : public TraceBytes {
 public:
  XzFile(std::string file, std::unique_ptr<TraceBytes> compressed)
      : file_(std::move(file)), compressed_(std::move(compressed)) {
    if (lzma_stream_decoder(&stream_, kMostMemory, LZMA_CONCATENATED) != LZMA_OK)
      cannot_read(file_, "the decompressor cannot start");
  }
  ~XzFile() override { lzma_end(&stream_); }
  XzFile(const XzFile&) = delete;
  XzFile& operator=(const XzFile&) = delete;

  std::size_t read(char* to, std::size_t size) override {
    if (ended_) return 0;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): liblzma's type of a byte
    stream_.next_out = reinterpret_cast<std::uint8_t*>(to);
    stream_.avail_out = size;
    while (stream_.avail_out == size && !ended_) {
      if (stream_.avail_in == 0) refill();
      const lzma_ret result = lzma_code(&stream_, stream_.avail_in == 0 ? LZMA_FINISH : LZMA_RUN);
      ended_ = result == LZMA_STREAM_END;
      if (!ended_ && result != LZMA_OK) cannot_read(file_, problem_of(result));
    }
    return size - stream_.avail_out;
  }

 private:
  /// xz -9 takes 65 MiB.
  static constexpr std::uint64_t kMostMemory = std::uint64_t{1} << 30;

  static std::string problem_of(lzma_ret result) {
    switch (result) {
      case LZMA_BUF_ERROR:
        return "the xz file is cut short";
      case LZMA_MEMLIMIT_ERROR:
        return "the xz file needs more than 1 GiB to be decompressed";
      case LZMA_OPTIONS_ERROR:
        return "the xz file uses an unknown method";
      default:
        return "the xz file is damaged";
    }
  }

  void refill() {
    stream_.avail_in = compressed_->read(block_.data(), block_.size());
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): liblzma's type of a byte
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(block_.data());
  }

  std::string file_;
  std::unique_ptr<TraceBytes> compressed_;
  lzma_stream stream_ = LZMA_STREAM_INIT;
  std::array<char, 1 << 16> block_{};
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<TraceBytes> open_trace(const std::string& file) {
  constexpr std::array<char, 6> kXz{'\xfd', '7', 'z', 'X', 'Z', '\0'};
  auto plain = std::make_unique<PlainFile>(file);
  std::array<char, kXz.size()> first{};
  const bool xz = plain->read(first.data(), first.size()) == first.size() && first == kXz;
  plain->rewind();
  if (!xz) return plain;
  return std::make_unique<XzFile>(file, std::move(plain));
}

}  // namespace gputlm
