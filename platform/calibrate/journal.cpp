// SPDX-License-Identifier: Apache-2.0
#include "gputlm/calibrate/journal.h"

#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <sstream>

#include "gputlm/config/diagnostics.h"
#include "gputlm/config/regular_file.h"

namespace gputlm {

namespace {

// Keys of a line.
constexpr const char *kAt = "at", *kGave = "gave";

[[noreturn]] void refuse(const std::string& file, unsigned line, const std::string& why) {
  Diagnostics diagnostics;
  diagnostics.add({file, line, line == 0 ? 0U : 1U}, {}, why);
  throw ConfigError(diagnostics);
}

[[noreturn]] void refuse_writing(const std::string& file) {
  refuse(file, 0, std::string("cannot be written: ") + std::strerror(errno));
}

std::string line_of(const std::vector<std::string>& settings, const nlohmann::json& answer) {
  return nlohmann::json{{kAt, settings}, {kGave, answer}}.dump(-1, ' ', false,
                                                               nlohmann::json::error_handler_t::replace) +
         '\n';
}

std::size_t lines_in(const std::string& content) {
  return static_cast<std::size_t>(std::count(content.begin(), content.end(), '\n'));
}

}  // namespace

Journal::Journal(std::string file, const nlohmann::json& subject, bool resume)
    : file_(std::move(file)),
      head_(subject.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n'),
      out_(nullptr, &std::fclose) {
  check_output_file(file_);
  out_.reset(std::fopen(file_.c_str(), "ae"));
  if (out_ == nullptr) refuse_writing(file_);
  if (::flock(::fileno(out_.get()), LOCK_EX | LOCK_NB) != 0) refuse(file_, 0, "another calibration is writing it");
  std::string content, problem;
  if (!read_regular_file(file_, std::numeric_limits<std::int64_t>::max(), content, problem)) refuse(file_, 0, problem);
  content.erase(content.rfind('\n') + 1);  // a line without an end is none
  begun_ = resume && !content.empty();
  new_file_ = content.empty();
  if (begun_) {
    read(content);
    taken_over_ = known_.size();
    cut(content.size());
  } else if (!content.empty()) {
    dropped_ = lines_in(content) - 1;
  }
}

Journal::~Journal() {
  if (!begun_ && new_file_) std::remove(file_.c_str());
}

void Journal::begin() {
  if (begun_) return;
  begun_ = true;
  cut(0);
  append(head_ + waiting_);
}

void Journal::cut(std::size_t size) {
  if (::ftruncate(::fileno(out_.get()), static_cast<off_t>(size)) != 0) refuse_writing(file_);
}

void Journal::read(const std::string& content) {
  std::istringstream in(content);
  std::string text;
  std::getline(in, text);
  if (text + '\n' != head_)
    refuse(file_, 1,
           "is of another calibration: targets, configuration or program were others; without --resume it is "
           "begun anew");
  for (unsigned line = 2; std::getline(in, text); ++line) {
    const nlohmann::json entry = nlohmann::json::parse(text, nullptr, false);
    const bool whole =
        entry.is_object() && entry.contains(kAt) && entry.contains(kGave) && entry[kAt].is_array() &&
        std::all_of(entry[kAt].begin(), entry[kAt].end(), [](const nlohmann::json& j) { return j.is_string(); });
    if (!whole) refuse(file_, line, "is no evaluation: the journal is damaged; without --resume it is begun anew");
    known_[entry[kAt].get<std::vector<std::string>>()] = entry[kGave];
  }
}

void Journal::append(const std::string& line) {
  const bool written = std::fwrite(line.data(), 1, line.size(), out_.get()) == line.size();
  if (std::fflush(out_.get()) != 0 || !written) refuse_writing(file_);
}

const nlohmann::json* Journal::find(const std::vector<std::string>& settings) const {
  const auto found = known_.find(settings);
  return found == known_.end() ? nullptr : &found->second;
}

void Journal::add(const std::vector<std::string>& settings, const nlohmann::json& answer) {
  const std::string line = line_of(settings, answer);
  if (begun_)
    append(line);
  else
    waiting_ += line;
  known_[settings] = answer;
}

void Journal::put_in_order(const std::vector<std::vector<std::string>>& order) {
  std::string content = head_;
  std::map<std::vector<std::string>, nlohmann::json> rest = known_;
  for (const auto& settings : order)
    if (const auto at = rest.find(settings); at != rest.end()) {
      content += line_of(settings, at->second);
      rest.erase(at);
    }
  for (const auto& [settings, answer] : rest) content += line_of(settings, answer);
  if (!replace_file(file_, content)) refuse_writing(file_);
}

}  // namespace gputlm
