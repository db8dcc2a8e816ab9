// SPDX-License-Identifier: Apache-2.0
//
// A launch as a user describes it, and the mistakes that can be found in it without a card and without the listing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gputlm/config/diagnostics.h"
#include "gputlm/launchspec/argument.h"

namespace gputlm {

struct LaunchDimensions {
  std::uint32_t x = 1, y = 1, z = 1;
};

/// What an array must hold after the launch.
struct Expectation {
  std::string name;                 ///< Of the array.
  std::string file;                 ///< As it can be opened.
  std::vector<unsigned char> data;  ///< The file's bytes, as many as the array has: read by check_launch().
};

struct LaunchSpec {
  std::string listing;  ///< File, as it can be opened.
  std::string kernel;
  LaunchDimensions grid, block;
  std::uint32_t shared_bytes = 0;         ///< Dynamic shared memory of a block.
  std::uint32_t local_bytes = 0;          ///< Local memory of a thread, for stack and arrays that the code keeps there.
  std::vector<LaunchArgument> arguments;  ///< In the kernel's order.
  std::vector<std::string> read;          ///< Arrays that the user wants to see.
  std::vector<Expectation> expect;
  bool cache_control = true;  ///< L2 is written back and invalidated between the uploads and the kernel.
  std::uint64_t seed = 1;     ///< Of random contents.

  const LaunchArgument* find_argument(const std::string& name) const;
  /// Index in `arguments`; the name must be there.
  std::size_t index_of(const std::string& name) const;
  const Expectation* find_expectation(const std::string& name) const;
  /// What the host copies back: the arrays of `read`, then those of `expect` that are not among them.
  std::vector<std::string> copied_back() const;
};

/// Where the parts of a launch were written, for messages: by default, on the command line.
struct LaunchPlaces {
  struct Part {
    Place place;
    std::string path;
  };
  Part grid{{}, "--grid"}, block{{}, "--block"}, local{{}, "--local"};
  std::vector<Part> arguments, read, expect;  ///< One each, or none at all: --arg, --read, --expect.
};

/// `X[,Y[,Z]]`, each at least 1. Throws ConfigError whose diagnostic has `where` as its path.
LaunchDimensions parse_dimensions(const std::string& text, const std::string& where);
/// Bytes of shared or local memory: `1024`, `1 KiB`. Throws likewise.
std::uint32_t parse_memory(const std::string& text, const std::string& where);
/// `NAME=FILE`, as --expect takes it. Throws likewise.
Expectation parse_expectation(const std::string& text, const std::string& where);

/// Reports what is wrong with the launch as a whole: names given twice, read or expect of what is no array, files of
/// expected bytes that cannot be read or have another size, dimensions beyond CUDA's limits, too many parameters.
void check_launch(LaunchSpec& spec, Diagnostics& diagnostics, const LaunchPlaces& places = {});

}  // namespace gputlm
