// SPDX-License-Identifier: Apache-2.0
//
// What a driver wrote, kept in a file: its channels, the GPFIFO entries with the pushbuffer words they name, and the
// doorbells, in the order of writing. docs/host.md has the layout.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "gputlm/tlm/time.h"

namespace gputlm {

/// A channel as it was made.
struct DumpChannel {
  std::uint32_t channel = 0;         ///< Its number.
  std::uint32_t token = 0;           ///< Work-submit token.
  std::uint32_t entries = 0;         ///< Of its GPFIFO ring.
  std::uint64_t gpfifo_address = 0;  ///< GPU virtual address of the ring.
};

/// An entry with its words. Nothing here need be well-formed: a dump also tells what a driver did wrong.
struct DumpEntry {
  std::uint32_t channel = 0;
  std::uint32_t index = 0;  ///< In the ring.
  std::uint32_t word0 = 0, word1 = 0;
  std::vector<std::uint32_t> words;
  std::uint64_t file_offset = 0;  ///< Of word0 in the file it was read from.
};

/// A write to the doorbell.
struct DumpDoorbell {
  std::uint32_t token = 0;
  std::uint32_t gp_put = 0;  ///< In the channel's USERD when it rang.
  Fs time = 0;
};

using DumpRecord = std::variant<DumpChannel, DumpEntry, DumpDoorbell>;

struct PushbufferDump {
  std::vector<DumpRecord> records;

  /// Throws ConfigError for a file that cannot be written; then nothing is left of it.
  void write(const std::string& file) const;
  /// Throws ConfigError that names file, offset and what was found, for a file that is none or is damaged.
  static PushbufferDump read(const std::string& file);
};

}  // namespace gputlm
