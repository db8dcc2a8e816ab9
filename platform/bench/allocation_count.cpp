// SPDX-License-Identifier: Apache-2.0
#include "gputlm/bench/allocation_count.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::uint64_t> count{0};

void* counted(std::size_t bytes) {
  count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  if (void* p = std::malloc(bytes == 0 ? 1 : bytes)) return p;  // NOLINT: this is operator new
  throw std::bad_alloc();
}

}  // namespace

std::uint64_t gputlm::allocations() {
  return count.load(std::memory_order_relaxed);
}

// The array forms of the standard library call these; its nothrow form would too, but not under a sanitizer.
void* operator new(std::size_t bytes) {
  return counted(bytes);
}
void* operator new(std::size_t bytes, const std::nothrow_t& /*tag*/) noexcept {
  try {
    return counted(bytes);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* p) noexcept {
  std::free(p);  // NOLINT: pairs with counted()
}
void operator delete(void* p, std::size_t) noexcept {
  std::free(p);  // NOLINT: pairs with counted()
}
