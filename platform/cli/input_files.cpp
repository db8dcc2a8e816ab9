// SPDX-License-Identifier: Apache-2.0
#include "input_files.h"

#include <filesystem>

namespace gputlm {

std::vector<std::string> input_files(const std::string& file, const Experiment& experiment) {
  std::vector<std::string> files{file};
  for (const ImageSpec& image : experiment.images)
    if (!image.file.empty()) files.push_back((std::filesystem::path(file).parent_path() / image.file).string());
  return files;
}

std::vector<std::string> input_files(const std::string& file, const LaunchSpec& launch) {
  std::vector<std::string> files{launch.listing};
  if (!file.empty()) files.push_back(file);
  for (const LaunchArgument& a : launch.arguments)
    if (!a.file.empty()) files.push_back(a.file);
  for (const Expectation& e : launch.expect) files.push_back(e.file);
  return files;
}

void add_input_files(std::vector<std::string>& files, const Config& config) {
  const std::vector<std::string>& read = config.effective.files();
  files.insert(files.end(), read.begin(), read.end());
}

}  // namespace gputlm
