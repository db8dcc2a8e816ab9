// SPDX-License-Identifier: Apache-2.0
#include "gputlm/tlm/host_memory.h"

#include <sys/mman.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <mutex>
#include <new>

namespace gputlm {
namespace {

constexpr std::align_val_t kAlignment{64};  // a cache line
constexpr std::size_t kMapped = std::size_t{64} * 1024;
constexpr std::size_t kRegion = std::size_t{64} << 20;

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

void advise_huge_pages([[maybe_unused]] void* first, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  ::madvise(first, bytes, MADV_HUGEPAGE);  // a hint: a host without huge pages refuses it
#endif
}

/// Address space mapped ahead, from which ranges are cut one after the other. A huge page is granted only where all of
/// it is mapped when it is first touched, so ranges mapped one by one would not get any.
class Regions {
 public:
  void* take(std::size_t bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (left_ < bytes) map(std::max(bytes, kRegion));
    void* taken = next_;
    next_ += bytes;
    left_ -= bytes;
    return taken;
  }

 private:
  void map(std::size_t bytes) {
    void* mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    advise_huge_pages(mapped, bytes);
    next_ = static_cast<unsigned char*>(mapped);
    left_ = bytes;
  }

  std::mutex mutex_;
  unsigned char* next_ = nullptr;
  std::size_t left_ = 0;
};

Regions& regions() {
  static Regions all;
  return all;
}

std::size_t whole_pages(std::size_t bytes) {
  return (bytes + page_bytes() - 1) / page_bytes() * page_bytes();
}

}  // namespace

void* take_host_memory(std::size_t bytes) {
  if (bytes < kMapped) return std::memset(::operator new(bytes, kAlignment), 0, bytes);
  return regions().take(whole_pages(bytes));
}

void return_host_memory(void* data, std::size_t bytes) {
  if (bytes < kMapped)
    ::operator delete(data, kAlignment);
  else
    ::munmap(data, whole_pages(bytes));  // the addresses are not used again
}

void put_heap_on_huge_pages([[maybe_unused]] std::size_t bytes) {
#if defined(__GLIBC__)
  // The heap is one range that grows at its end: made to grow at once, and never to shrink, it can be advised as a
  // whole.
  constexpr std::size_t kNow = std::size_t{1} << 20, kMostMapped = std::size_t{32} << 20;  // limits of glibc's
  ::mallopt(M_MMAP_THRESHOLD, static_cast<int>(std::min(bytes / 2, kMostMapped)));
  ::mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  ::mallopt(M_TOP_PAD, static_cast<int>(bytes));
  void* volatile grown = std::malloc(kNow);  // NOLINT: only to make it grow; volatile, or the compiler drops the pair
  std::free(grown);                          // NOLINT
  ::mallopt(M_TOP_PAD, static_cast<int>(kMapped));
  const auto end = reinterpret_cast<std::uintptr_t>(::sbrk(0));
  const std::uintptr_t first = (end - bytes) / page_bytes() * page_bytes();
  advise_huge_pages(reinterpret_cast<void*>(first), end - first);  // NOLINT(performance-no-int-to-ptr): sbrk's own
#endif
}

}  // namespace gputlm
