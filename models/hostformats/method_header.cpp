// SPDX-License-Identifier: Apache-2.0
#include "gputlm/hostformats/method_header.h"

#include "gputlm/hostformats/bit_range.h"
#include "gputlm/hostformats/format_error.h"

namespace gputlm {
namespace {

constexpr BitRange kMethod{11, 0}, kReserved{12, 12}, kSubchannel{15, 13}, kCount{28, 16}, kOpcode{31, 29};

MethodOpcode opcode_of(std::uint32_t word) {
  const auto opcode = static_cast<MethodOpcode>(kOpcode.get(word));
  switch (opcode) {
    case MethodOpcode::incrementing:
    case MethodOpcode::non_incrementing:
    case MethodOpcode::immediate:
    case MethodOpcode::increment_once:
    case MethodOpcode::end_segment:
      return opcode;
  }
  throw FormatError("method header: opcode in " + hex_word(word), std::to_string(kOpcode.get(word)),
                    "1 incrementing, 3 non-incrementing, 4 immediate, 5 increment once, 7 end of segment");
}

}  // namespace

const char* name_of(MethodOpcode opcode) {
  switch (opcode) {
    case MethodOpcode::incrementing:
      return "incrementing";
    case MethodOpcode::non_incrementing:
      return "non-incrementing";
    case MethodOpcode::immediate:
      return "immediate";
    case MethodOpcode::increment_once:
      return "increment once";
    case MethodOpcode::end_segment:
      return "end of segment";
  }
  return "?";
}

std::uint32_t encode(const MethodHeader& header) {
  if (header.method % 4 != 0 || header.method > MethodHeader::kLastMethod)
    throw FormatError("method header: method", hex_word(header.method),
                      "a multiple of 4 up to " + hex_word(MethodHeader::kLastMethod));
  check_range("method header: subchannel", header.subchannel, 0, MethodHeader::kMostSubchannel);
  check_range("method header: count", header.count, 0, MethodHeader::kMostCount);
  return kMethod.put(header.method / 4) | kSubchannel.put(header.subchannel) | kCount.put(header.count) |
         kOpcode.put(static_cast<std::uint32_t>(header.opcode));
}

MethodHeader decode_method_header(std::uint32_t word) {
  MethodHeader header;
  header.opcode = opcode_of(word);
  if (kReserved.get(word) != 0) throw FormatError("method header: reserved bit 12", hex_word(word), "0 there");
  header.subchannel = kSubchannel.get(word);
  header.method = 4 * kMethod.get(word);
  header.count = kCount.get(word);
  return header;
}

std::optional<MethodCall> MethodReader::take(std::uint32_t word) {
  if (left_ > 0) {
    --left_;
    const MethodCall call{header_.subchannel, header_.method, word};
    if (header_.opcode != MethodOpcode::non_incrementing) header_.method += 4;
    if (header_.opcode == MethodOpcode::increment_once) header_.opcode = MethodOpcode::non_incrementing;
    return call;
  }
  header_ = decode_method_header(word);
  ended_ = header_.opcode == MethodOpcode::end_segment;
  if (ended_) return {};
  if (header_.opcode == MethodOpcode::immediate) return MethodCall{header_.subchannel, header_.method, header_.count};
  if (header_.opcode == MethodOpcode::incrementing && header_.count > 0)
    check_range("method header: last method of the burst, in words", header_.method / 4 + header_.count - 1, 0,
                MethodHeader::kLastMethod / 4);
  left_ = header_.count;
  return {};
}

void MethodReader::check_whole() const {
  if (left_ > 0)
    throw FormatError("pushbuffer segment: ends inside a burst for method " + hex_word(header_.method), "the end",
                      std::to_string(left_) + " more words");
}

}  // namespace gputlm
