// SPDX-License-Identifier: Apache-2.0
#include "gputlm/trace/staged_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace gputlm {

void cannot_write(const std::string& file) {
  throw std::runtime_error("cannot write " + file + ": " + std::strerror(errno != 0 ? errno : EIO));
}

StagedName::~StagedName() {
  std::error_code ignored;
  if (!kept_) std::filesystem::remove(staged_, ignored);
}

void StagedName::keep() {
  std::error_code failed;
  std::filesystem::rename(staged_, file_, failed);
  if (failed) throw std::runtime_error("cannot replace " + file_ + ": " + failed.message());
  kept_ = true;
}

StagedText::StagedText(const std::string& file) : name_(file) {
  errno = 0;
  out_.open(name_.staged(), std::ios::binary | std::ios::trunc);
  if (!out_) cannot_write(name_.file());
}

void StagedText::write(const std::string& text) {
  errno = 0;
  out_ << text;
  if (!out_) cannot_write(name_.file());
}

void StagedText::close() {
  if (!out_.is_open()) return;
  errno = 0;
  out_.close();
  if (!out_) cannot_write(name_.file());
}

void StagedText::keep() {
  close();
  name_.keep();
}

}  // namespace gputlm
