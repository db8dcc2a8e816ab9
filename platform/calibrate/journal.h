// SPDX-License-Identifier: Apache-2.0
//
// The evaluations of a calibration that have ended, in a file that grows by a line with each of them: whatever happens
// to the program, they need not be made again.
#pragma once

#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace gputlm {

/// One file, held by one calibration at a time.
class Journal {
 public:
  /// `subject` says of what: a journal of something else is not gone on with. With `resume` the evaluations in the file
  /// are taken over, without it they are dropped when this one begins. Throws ConfigError when the file cannot be
  /// written, is held by another calibration, or (to be gone on with) is damaged or of another subject. A last line
  /// that a kill cut short is none.
  Journal(std::string file, const nlohmann::json& subject, bool resume);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  /// Leaves things as they were unless it has begun.
  ~Journal();

  const std::string& file() const { return file_; }
  /// Evaluations known at the start.
  std::size_t taken_over() const { return taken_over_; }
  /// Evaluations that are in the file, and no longer once this one begins.
  std::size_t dropped() const { return dropped_; }

  /// What the evaluation of these settings gave; null: it has not been made.
  const nlohmann::json* find(const std::vector<std::string>& settings) const;
  /// From now on what is added is in the file, with what was added before. One that is gone on with has begun.
  void begin();
  /// Keeps it; once this has begun in the file before this returns.
  void add(const std::vector<std::string>& settings, const nlohmann::json& answer);
  /// Writes the file again with its evaluations in this order, whichever order they ended in.
  void put_in_order(const std::vector<std::vector<std::string>>& order);

 private:
  void read(const std::string& content);
  void cut(std::size_t size);
  void append(const std::string& line);

  std::string file_, head_, waiting_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> out_;
  std::map<std::vector<std::string>, nlohmann::json> known_;
  std::size_t taken_over_ = 0, dropped_ = 0;
  bool begun_ = false, new_file_ = false;
};

}  // namespace gputlm
