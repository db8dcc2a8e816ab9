// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "gputlm/launchspec/array_file.h"
#include "gputlm/launchspec/launch_spec.h"
#include "gputlm/launchspec/parameter_block.h"

namespace gputlm {

namespace {

// CUDA C++ Programming Guide, technical specifications of compute capability 8.9.
constexpr LaunchDimensions kMaxGrid{0x7fffffff, 65535, 65535};
constexpr LaunchDimensions kMaxBlock{1024, 1024, 64};
constexpr std::uint64_t kMaxThreads = 1024;
constexpr std::uint64_t kMaxBlocks = 0xffffffff;     ///< The model's own limit: a block's number has 32 bits.
constexpr std::uint32_t kMaxLocalBytes = 512 << 10;  ///< Of a thread (CUDA, compute capability 8.9).

std::string dimensions_text(const LaunchDimensions& d) {
  return fmt::format("{},{},{}", d.x, d.y, d.z);
}

bool within(const LaunchDimensions& d, const LaunchDimensions& limit) {
  return d.x >= 1 && d.y >= 1 && d.z >= 1 && d.x <= limit.x && d.y <= limit.y && d.z <= limit.z;
}

class LaunchCheck {
 public:
  LaunchCheck(LaunchSpec& spec, const LaunchPlaces& places, Diagnostics& diagnostics)
      : spec_(spec), places_(places), diagnostics_(diagnostics) {
    for (const LaunchArgument& a : spec.arguments)
      if (a.array) arrays_.push_back(a.name);
  }

  void run() {
    check_dimensions();
    check_arguments();
    for (std::size_t i = 0; i < spec_.read.size(); ++i) {
      const bool twice = std::find(spec_.read.begin(), spec_.read.begin() + offset(i), spec_.read[i]) !=
                         spec_.read.begin() + offset(i);
      check_array(spec_.read[i], twice, part(places_.read, i, "--read"));
    }
    for (std::size_t i = 0; i < spec_.expect.size(); ++i) check_expectation(i, part(places_.expect, i, "--expect"));
  }

 private:
  using Part = LaunchPlaces::Part;

  static std::ptrdiff_t offset(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }
  static Part part(const std::vector<Part>& parts, std::size_t i, const char* option) {
    return i < parts.size() ? parts[i] : Part{{}, option};
  }
  void report(const Part& at, std::string message, std::string found, std::string allowed) {
    diagnostics_.add(at.place, at.path, std::move(message), std::move(found), std::move(allowed));
  }

  void check_dimensions() {
    if (!within(spec_.grid, kMaxGrid))
      report(places_.grid, "is no grid that can be launched", dimensions_text(spec_.grid),
             "1 to " + dimensions_text(kMaxGrid));
    else if (std::uint64_t{spec_.grid.x} * spec_.grid.y > kMaxBlocks / spec_.grid.z)
      report(places_.grid, "has too many blocks", dimensions_text(spec_.grid), fmt::format("{} in all", kMaxBlocks));
    if (spec_.local_bytes > kMaxLocalBytes)
      report(places_.local, "is more local memory than a thread can have", fmt::format("{} bytes", spec_.local_bytes),
             fmt::format("{} bytes", kMaxLocalBytes));
    const LaunchDimensions& b = spec_.block;
    // In three steps, since 32 bits times 32 bits times 32 bits may not fit.
    const std::uint64_t plane = std::uint64_t{b.x} * b.y;
    if (plane > kMaxThreads || plane * b.z > kMaxThreads)
      report(places_.block, "has too many threads", dimensions_text(b), fmt::format("{} in all", kMaxThreads));
    else if (!within(b, kMaxBlock))
      report(places_.block, "is no block that can be launched", dimensions_text(b),
             "1 to " + dimensions_text(kMaxBlock));
  }

  void check_arguments() {
    for (std::size_t i = 0; i < spec_.arguments.size(); ++i)
      if (spec_.index_of(spec_.arguments[i].name) != i)
        report(part(places_.arguments, i, "--arg"), "is another argument's name", spec_.arguments[i].name,
               "a name of its own");
    const std::uint64_t bytes = parameter_bytes(spec_.arguments);
    if (bytes > kMaxParameterBytes)
      report(part(places_.arguments, spec_.arguments.size() - 1, "--arg"),
             "takes the arguments beyond what a launch has", fmt::format("{} bytes", bytes),
             fmt::format("{} bytes", kMaxParameterBytes));
  }

  bool check_array(const std::string& name, bool twice, const Part& at) {
    const LaunchArgument* argument = spec_.find_argument(name);
    const std::string allowed = arrays_.empty() ? "nothing: no argument is an array" : join_names(arrays_);
    if (argument == nullptr)
      report(at, "is no argument" + did_you_mean(name, arrays_), excerpt(name), allowed);
    else if (!argument->array)
      report(at, "is a scalar, which no kernel can change", name, allowed);
    else if (twice)
      report(at, "is named twice", name, "each array once");
    return argument != nullptr && argument->array && !twice;
  }

  void check_expectation(std::size_t i, const Part& at) {
    Expectation& expectation = spec_.expect[i];
    const bool twice = spec_.find_expectation(expectation.name) != &expectation;
    if (check_array(expectation.name, twice, at))
      read_array_file(expectation.file, spec_.find_argument(expectation.name)->bytes(), expectation.data, at.place,
                      at.path, diagnostics_);
  }

  LaunchSpec& spec_;
  const LaunchPlaces& places_;
  Diagnostics& diagnostics_;
  std::vector<std::string> arrays_;
};

}  // namespace

void check_launch(LaunchSpec& spec, Diagnostics& diagnostics, const LaunchPlaces& places) {
  LaunchCheck(spec, places, diagnostics).run();
}

}  // namespace gputlm
