// SPDX-License-Identifier: Apache-2.0
//
// One argument of a launch as a user writes it, on the command line and in an experiment alike:
//
//     NAME=TYPE[COUNT]                       an array without contents: allocated, not uploaded, memory reads zero
//     NAME=TYPE[COUNT]:VALUE                 every element the same
//     NAME=TYPE[COUNT]:ramp                  0, 1, 2, ...; ramp(FIRST,STEP)
//     NAME=TYPE[COUNT]:random                seeded; random(LOW,HIGH), random(LOW,HIGH,SEED)
//     NAME=TYPE[COUNT]:@FILE                 the bytes of a file, little-endian, of exactly the array's size
//     NAME=TYPE:VALUE                        a scalar
//     NAME=VALUE                             a scalar: int (or the first of uint, int64, uint64 that it fits), or float
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gputlm/launchspec/element_type.h"

namespace gputlm {

/// An array in device memory, of which the kernel gets the address, or a scalar.
struct LaunchArgument {
  enum class Contents { none, constant, ramp, random, file };

  std::string name;
  ElementType type = ElementType::int32;
  bool array = false;
  std::uint64_t count = 1;  ///< Elements; 1 for a scalar.
  Contents contents = Contents::none;
  ElementValue first;                 ///< The constant; of a ramp, the first; of random, the lowest.
  ElementValue second;                ///< Of a ramp of whole numbers or not, the step; of random, the highest.
  std::optional<std::uint64_t> seed;  ///< Of random; without one, the launch's seed and the name give it.
  std::string file;                   ///< Where `data` came from.
  std::vector<unsigned char> data;    ///< Contents::file.

  std::uint64_t bytes() const { return count * size_of(type); }
  /// False for an array that is only allocated.
  bool has_contents() const { return contents != Contents::none; }
  /// Little-endian, bytes() of them; zeros without contents. The same on every machine.
  std::vector<unsigned char> initial_bytes(std::uint64_t launch_seed) const;
};

/// Reads the grammar above. A relative FILE is sought in `folder` (default: the working directory). Throws ConfigError
/// whose diagnostic has `where` (an option, or a key's path) as its path.
LaunchArgument parse_argument(const std::string& text, const std::string& where, const std::string& folder = {});

}  // namespace gputlm
