// SPDX-License-Identifier: Apache-2.0
//
// Contents of a range of memory as a function of the address, so that neither an image nor an expectation takes memory
// in proportion to its size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace gputlm {

/// Bytes by address. Which address space is said where a source is used.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual void bytes(std::uint64_t address, std::size_t length, unsigned char* out) const = 0;
};

using ByteSourcePtr = std::shared_ptr<const ByteSource>;

/// Zero everywhere.
class ZeroSource final : public ByteSource {
 public:
  void bytes(std::uint64_t address, std::size_t length, unsigned char* out) const override;
};

/// fill_pattern() of a seed.
class PatternSource final : public ByteSource {
 public:
  explicit PatternSource(std::uint64_t seed) : seed_(seed) {}
  void bytes(std::uint64_t address, std::size_t length, unsigned char* out) const override;

 private:
  std::uint64_t seed_;
};

/// pattern_float() of a seed in every aligned 4-byte word.
class FloatSource final : public ByteSource {
 public:
  explicit FloatSource(std::uint64_t seed) : seed_(seed) {}
  void bytes(std::uint64_t address, std::size_t length, unsigned char* out) const override;

 private:
  std::uint64_t seed_;
};

/// Given bytes from `base` on, zero after their end.
class DataSource final : public ByteSource {
 public:
  DataSource(std::uint64_t base, std::vector<unsigned char> data) : base_(base), data_(std::move(data)) {}
  void bytes(std::uint64_t address, std::size_t length, unsigned char* out) const override;

 private:
  std::uint64_t base_;
  std::vector<unsigned char> data_;
};

}  // namespace gputlm
