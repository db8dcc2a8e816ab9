// SPDX-License-Identifier: Apache-2.0
#include "gputlm/trace/staged_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace gputlm {

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
  if (!out_) fail();
}

void StagedText::fail() const {
  throw std::runtime_error("cannot write " + name_.file() + ": " + std::strerror(errno != 0 ? errno : EIO));
}

void StagedText::write(const std::string& text) {
  errno = 0;
  out_ << text;
  if (!out_) fail();
}

void StagedText::keep() {
  errno = 0;
  out_.close();
  if (!out_) fail();
  name_.keep();
}

}  // namespace gputlm
