// SPDX-License-Identifier: Apache-2.0
//
// Method headers of a pushbuffer, and the reader that makes method calls of its words.
#pragma once

#include <cstdint>
#include <optional>

namespace gputlm {

/// How a header's data words find their methods. The other three codes belong to older classes and are refused.
enum class MethodOpcode : std::uint8_t {
  incrementing = 1,      ///< Word i goes to method + 4 i.
  non_incrementing = 3,  ///< All words go to the method.
  immediate = 4,         ///< The count field is the datum; no words follow.
  increment_once = 5,    ///< The first word goes to the method, all others to method + 4.
  end_segment = 7        ///< The rest of the segment is not read.
};

struct MethodHeader {
  static constexpr unsigned kLastMethod = 0x3ffc, kMostCount = 0x1fff, kMostSubchannel = 7;

  MethodOpcode opcode = MethodOpcode::incrementing;
  unsigned subchannel = 0;
  unsigned method = 0;  ///< Byte offset in the class, a multiple of 4.
  unsigned count = 0;   ///< Data words that follow, or the datum of `immediate`.

  friend bool operator==(const MethodHeader& a, const MethodHeader& b) {
    return a.opcode == b.opcode && a.subchannel == b.subchannel && a.method == b.method && a.count == b.count;
  }
};

const char* name_of(MethodOpcode opcode);

/// Throws FormatError for what a header cannot hold.
std::uint32_t encode(const MethodHeader& header);
/// Throws FormatError for an opcode that is none, or the reserved bit.
MethodHeader decode_method_header(std::uint32_t word);

/// One datum for one method.
struct MethodCall {
  unsigned subchannel, method;
  std::uint32_t data;
};

/// Turns the words of a segment into method calls, one word at a time. A segment holds whole bursts.
class MethodReader {
 public:
  /// The call that this word completes; a header that only announces words completes none. Throws FormatError.
  std::optional<MethodCall> take(std::uint32_t word);
  /// Words that the last header announced and that have not come yet.
  unsigned missing() const { return left_; }
  /// The last header ended the segment.
  bool ended() const { return ended_; }
  /// The next word is a header.
  void reset() { *this = MethodReader(); }
  /// Throws FormatError when a segment of which all words were taken ends inside a burst.
  void check_whole() const;

 private:
  MethodHeader header_;
  unsigned left_ = 0;
  bool ended_ = false;
};

}  // namespace gputlm
