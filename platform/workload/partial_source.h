// SPDX-License-Identifier: Apache-2.0
//
// What kernels state about the memory they leave behind.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gputlm/workload/buffer.h"
#include "gputlm/workload/expectation.h"

namespace gputlm {

/// The whole of a buffer with one source, asked for virtual addresses.
inline ExpectedRange expected_buffer(const Buffer& b, ByteSourcePtr source) {
  return {b.physical_address, b.physical_address + b.size, b.shift(), std::move(source), {}};
}

/// The whole of a buffer, not determinate.
inline ExpectedRange unknown_buffer(const Buffer& b, std::string reason) {
  return {b.physical_address, b.physical_address + b.size, 0, nullptr, std::move(reason)};
}

/// A buffer of which some bytes have been overwritten: `written(address)` tells which (virtual addresses), `after` with
/// what, `before` what the others hold.
template <class Written>
class PartialSource final : public ByteSource {
 public:
  PartialSource(const Buffer& buffer, std::shared_ptr<const ExpectedMemory> before, ByteSourcePtr after,
                Written written)
      : buffer_(buffer), before_(std::move(before)), after_(std::move(after)), written_(std::move(written)) {}

  void bytes(std::uint64_t address, std::size_t length, unsigned char* out) const override {
    before_->bytes(buffer_.physical(address), length, out);
    unsigned char after[kChunk];
    for (std::size_t done = 0; done < length; done += kChunk) {
      const std::size_t part = std::min(kChunk, length - done);
      after_->bytes(address + done, part, after);
      for (std::size_t i = 0; i < part; ++i)
        if (written_(address + done + i)) out[done + i] = after[i];
    }
  }

 private:
  static constexpr std::size_t kChunk = 512;

  Buffer buffer_;
  std::shared_ptr<const ExpectedMemory> before_;
  ByteSourcePtr after_;
  Written written_;
};

/// The range of a buffer that a PartialSource describes; not determinate when what lies beneath is not.
template <class Written>
ExpectedRange partly_written_buffer(const Buffer& b, const std::shared_ptr<const ExpectedMemory>& before,
                                    ByteSourcePtr after, Written written) {
  if (!before->determinate(b.physical_address, b.size))
    return unknown_buffer(b, before->reason(b.physical_address, b.size));
  return expected_buffer(b, std::make_shared<PartialSource<Written>>(b, before, std::move(after), std::move(written)));
}

}  // namespace gputlm
