// SPDX-License-Identifier: Apache-2.0
#include "gputlm/warp/warp_program.h"

#include <array>
#include <new>
#include <vector>

namespace gputlm {
namespace {

constexpr std::size_t kStep = 64, kClasses = 16;  // sizes up to 1 KiB, by cache lines; larger programs are not kept

/// Memory of ended programs by size.
struct Kept {
  ~Kept() {
    for (auto& memory : by_size)
      for (void* p : memory) ::operator delete(p);
  }
  std::array<std::vector<void*>, kClasses> by_size;
};

Kept& kept() {
  thread_local Kept all;
  return all;
}

std::size_t class_of(std::size_t bytes) {
  return (bytes + kStep - 1) / kStep;
}

}  // namespace

void* WarpProgram::memory_for(std::size_t bytes) {
  const std::size_t size = class_of(bytes);
  if (size >= kClasses) return ::operator new(bytes);
  std::vector<void*>& memory = kept().by_size[size];
  if (memory.empty()) return ::operator new(size* kStep);
  void* p = memory.back();
  memory.pop_back();
  return p;
}

void WarpProgram::keep_memory(void* program, std::size_t bytes) {
  const std::size_t size = class_of(bytes);
  if (size >= kClasses)
    ::operator delete(program);
  else
    kept().by_size[size].push_back(program);
}

}  // namespace gputlm
