// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "gputlm/hostformats/method_header.h"

namespace gputlm {

/// Writes the words of one pushbuffer segment. Throws FormatError for what a header cannot hold.
class PushbufferWriter {
 public:
  using Words = std::vector<std::uint32_t>;

  /// data[i] to method + 4 i.
  PushbufferWriter& incrementing(unsigned subchannel, unsigned method, const Words& data);
  /// All of them to one method.
  PushbufferWriter& non_incrementing(unsigned subchannel, unsigned method, const Words& data);
  /// data[0] to the method, the rest to method + 4.
  PushbufferWriter& increment_once(unsigned subchannel, unsigned method, const Words& data);
  /// A datum of up to 13 bits in the header itself.
  PushbufferWriter& immediate(unsigned subchannel, unsigned method, unsigned datum);
  /// What is written behind it is not read.
  PushbufferWriter& end_segment();

  const Words& words() const { return words_; }
  /// The words so far; the writer starts anew.
  Words take();

 private:
  PushbufferWriter& burst(MethodOpcode opcode, unsigned subchannel, unsigned method, const Words& data);

  Words words_;
};

}  // namespace gputlm
