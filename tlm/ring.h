// SPDX-License-Identifier: Apache-2.0
//
// Growable ring buffer: a queue that allocates only while it is growing to its working size.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace gputlm {

/// First-in first-out queue with random access from the front (index 0).
template <class T>
class Ring {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return slots_[(head_ + i) & mask_]; }
  const T& operator[](std::size_t i) const { return slots_[(head_ + i) & mask_]; }
  T& front() { return (*this)[0]; }
  const T& front() const { return (*this)[0]; }
  T& back() { return (*this)[size_ - 1]; }

  void push_back(T value) {
    if (size_ > mask_ || slots_.empty()) grow();
    ++size_;
    back() = std::move(value);
  }
  T pop_front() {
    T value = std::move(front());
    front() = T{};
    head_ = (head_ + 1) & mask_;
    --size_;
    return value;
  }
  /// Removes element i, keeping the order of the others.
  T take(std::size_t i) {
    T value = std::move((*this)[i]);
    for (; i > 0; --i) (*this)[i] = std::move((*this)[i - 1]);
    pop_front();
    return value;
  }
  void clear() {
    while (!empty()) pop_front();
  }

 private:
  void grow() {
    std::vector<T> bigger(slots_.empty() ? 8 : 2 * slots_.size());
    for (std::size_t i = 0; i < size_; ++i) bigger[i] = std::move((*this)[i]);
    slots_ = std::move(bigger);
    mask_ = slots_.size() - 1;
    head_ = 0;
  }
  std::vector<T> slots_;
  std::size_t mask_ = 0;  // slots less one; dividing by an element's size for each access would cost more
  std::size_t head_ = 0, size_ = 0;
};

}  // namespace gputlm
