// SPDX-License-Identifier: Apache-2.0
//
// Work done in a forked child that hands one JSON value back. SystemC elaborates once per process, and what a child
// does to the platform it inherits stays in the child.
#pragma once

#include <sys/types.h>

#include <functional>
#include <stdexcept>
#include <string>

#include <nlohmann/json.hpp>

namespace gputlm {

/// A child died before it had an answer: a fault of the program, whatever its input was.
class ChildCrashed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One child; started by the constructor, waited for at the latest by the destructor (which kills it). It ends with its
/// parent, however that ends (with the thread that made it).
class ChildProcess {
 public:
  /// Forks; the child runs `work`, writes what it returns and ends without running the parent's destructors. An
  /// exception in `work` becomes the child's failure. Throws std::runtime_error when no process can be made.
  explicit ChildProcess(const std::function<nlohmann::json()>& work);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Readable when the child has something to say or has ended: for poll().
  int descriptor() const { return from_; }
  /// Takes in what can be read without waiting, after descriptor() was found readable. False: the child has said
  /// everything.
  bool take();
  /// Waits for the end and returns the value. Throws ChildCrashed when the child died without one, and
  /// std::runtime_error with the text of its exception.
  nlohmann::json result();

 private:
  pid_t child_ = -1;
  int from_ = -1;
  std::string bytes_;
};

/// Runs `work` for each index below `count` in children of their own, at most `jobs` at a time, and gives each result
/// to `done` as it comes. Stops starting and kills what runs when `keep_going` returns false. A child's failure is
/// thrown, after the others were killed.
void run_in_children(std::size_t count, unsigned jobs, const std::function<nlohmann::json(std::size_t)>& work,
                     const std::function<void(std::size_t, nlohmann::json)>& done,
                     const std::function<bool()>& keep_going);

}  // namespace gputlm
