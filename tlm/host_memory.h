// SPDX-License-Identifier: Apache-2.0
//
// Host memory for what is large and touched at random: zero pages until touched, and huge ones where the host grants
// them, since most of the cost of such an access is the walk through the page table.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace gputlm {

/// Zeroed host memory, aligned to at least 64 bytes. Small ranges come from the heap; large ones cost address space
/// only until they are touched, and lie side by side, so that huge pages span them. Throws std::bad_alloc.
void* take_host_memory(std::size_t bytes);
void return_host_memory(void* data, std::size_t bytes);

/// Puts `bytes` of the heap, ahead of what is allocated next, on huge pages: the units' own state is tens of MiB that
/// are touched at random all the time. For applications, once, before they elaborate; does nothing where the host
/// cannot.
void put_heap_on_huge_pages(std::size_t bytes);

/// An owned range of such memory.
class HostMemory {
 public:
  HostMemory() = default;
  explicit HostMemory(std::size_t bytes) : data_(bytes == 0 ? nullptr : take_host_memory(bytes)), bytes_(bytes) {}
  HostMemory(HostMemory&& o) noexcept : data_(std::exchange(o.data_, nullptr)), bytes_(std::exchange(o.bytes_, 0)) {}
  HostMemory& operator=(HostMemory o) noexcept {
    std::swap(data_, o.data_);
    std::swap(bytes_, o.bytes_);
    return *this;
  }
  ~HostMemory() {
    if (data_ != nullptr) return_host_memory(data_, bytes_);
  }

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  /// All zero again; touched pages go back to the host.
  void clear() { *this = HostMemory(std::exchange(*this, HostMemory()).bytes_); }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Fixed-size array whose elements start as zero bytes.
template <class T>
class ZeroedArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  explicit ZeroedArray(std::size_t count) : memory_(count * sizeof(T)) {}
  T& operator[](std::size_t i) { return static_cast<T*>(memory_.data())[i]; }
  const T& operator[](std::size_t i) const { return static_cast<const T*>(memory_.data())[i]; }
  std::size_t size() const { return memory_.bytes() / sizeof(T); }
  /// All zero again.
  void clear() { memory_.clear(); }

 private:
  HostMemory memory_;
};

/// Equal blocks of host memory, cut from larger pieces so that huge pages hold them; all given back together.
class BlockArena {
 public:
  explicit BlockArena(std::size_t block_bytes) : block_bytes_(block_bytes) {}
  /// A block of zeros.
  void* take() {
    if (used_ == kBlocks || chunks_.empty()) {
      chunks_.emplace_back(kBlocks * block_bytes_);
      used_ = 0;
    }
    return static_cast<unsigned char*>(chunks_.back().data()) + block_bytes_ * used_++;
  }
  void clear() { chunks_.clear(); }

 private:
  static constexpr std::size_t kBlocks = 32;

  std::size_t block_bytes_, used_ = 0;
  std::vector<HostMemory> chunks_;
};

/// Lets a standard container live in HostMemory's kind of memory.
template <class T>
struct HostAllocator {
  using value_type = T;
  HostAllocator() = default;
  template <class U>
  HostAllocator(const HostAllocator<U>&) {}  // NOLINT(google-explicit-constructor): as the standard asks
  T* allocate(std::size_t n) { return static_cast<T*>(take_host_memory(n * sizeof(T))); }
  void deallocate(T* p, std::size_t n) { return_host_memory(p, n * sizeof(T)); }
  friend bool operator==(const HostAllocator&, const HostAllocator&) { return true; }
  friend bool operator!=(const HostAllocator&, const HostAllocator&) { return false; }
};
template <class T>
using HostVector = std::vector<T, HostAllocator<T>>;

}  // namespace gputlm
