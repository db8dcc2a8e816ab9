// SPDX-License-Identifier: Apache-2.0
#include "gputlm/replay/capture_target.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "gputlm/config/diagnostics.h"
#include "gputlm/config/regular_file.h"
#include "gputlm/trace/staged_file.h"

namespace gputlm {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExtension = ".traceg";

[[noreturn]] void refuse_target(const std::string& path, std::string message, std::string found = {},
                                std::string allowed = {}) {
  Diagnostics d;
  d.add({path}, {}, std::move(message), std::move(found), std::move(allowed));
  throw ConfigError(d);
}

}  // namespace

MadeDirectories::~MadeDirectories() {
  std::for_each(made_.rbegin(), made_.rend(), [](const fs::path& p) { ::rmdir(p.c_str()); });
}

void MadeDirectories::make(const fs::path& path) {
  std::error_code failed, ignored;
  if (path.empty() || fs::is_directory(path, ignored)) return;
  make(path.parent_path());
  if (fs::create_directory(path, failed)) made_.push_back(path);
  if (failed) refuse_target(path.string(), "cannot be made a directory: " + failed.message());
}

CaptureTarget::CaptureTarget(std::string path, std::vector<std::string> inputs)
    : path_(std::move(path)), inputs_(std::move(inputs)), single_(fs::path(path_).extension() == kExtension) {
  std::error_code ignored;
  if (single_)
    check_output_file(path_, inputs_);
  else if (fs::exists(path_, ignored) && !fs::is_directory(path_, ignored))
    refuse_target(path_, "is no directory, and its name does not end with .traceg");
}

MadeDirectories CaptureTarget::open(std::size_t kernels) const {
  MadeDirectories made;
  if (single_ && kernels != 1)
    refuse_target(path_, "a .traceg holds one kernel", fmt::format("{} kernels", kernels), "the name of a directory");
  if (!single_) {
    made.make(path_);
    check_output_file(list_file(), inputs_);
    check_replaceable(list_file());
  }
  for (std::size_t k = 0; k < kernels; ++k) check_replaceable(kernel_file(k));
  return made;
}

// Neither the file nor the name under which it is written first.
void CaptureTarget::check_replaceable(const std::string& file) const {
  std::error_code ignored;
  for (const std::string& name : {file, file + kStagedEnding})
    if (fs::exists(name, ignored)) check_output_file(name, inputs_);
}

std::string CaptureTarget::kernel_file(std::size_t number) const {
  return single_ ? path_ : (fs::path(path_) / fmt::format("kernel-{}{}", number + 1, kExtension)).string();
}

std::string CaptureTarget::list_file() const {
  return (fs::path(path_) / "kernelslist.g").string();
}

}  // namespace gputlm
