// SPDX-License-Identifier: Apache-2.0
#include "gputlm/hostformats/pushbuffer_writer.h"

#include <utility>

namespace gputlm {

PushbufferWriter& PushbufferWriter::incrementing(unsigned subchannel, unsigned method, const Words& data) {
  return burst(MethodOpcode::incrementing, subchannel, method, data);
}

PushbufferWriter& PushbufferWriter::non_incrementing(unsigned subchannel, unsigned method, const Words& data) {
  return burst(MethodOpcode::non_incrementing, subchannel, method, data);
}

PushbufferWriter& PushbufferWriter::increment_once(unsigned subchannel, unsigned method, const Words& data) {
  return burst(MethodOpcode::increment_once, subchannel, method, data);
}

PushbufferWriter& PushbufferWriter::immediate(unsigned subchannel, unsigned method, unsigned datum) {
  words_.push_back(encode(MethodHeader{MethodOpcode::immediate, subchannel, method, datum}));
  return *this;
}

PushbufferWriter& PushbufferWriter::end_segment() {
  words_.push_back(encode(MethodHeader{MethodOpcode::end_segment, 0, 0, 0}));
  return *this;
}

PushbufferWriter::Words PushbufferWriter::take() {
  return std::exchange(words_, {});
}

PushbufferWriter& PushbufferWriter::burst(MethodOpcode opcode, unsigned subchannel, unsigned method,
                                          const Words& data) {
  words_.push_back(encode(MethodHeader{opcode, subchannel, method, static_cast<unsigned>(data.size())}));
  words_.insert(words_.end(), data.begin(), data.end());
  return *this;
}

}  // namespace gputlm
