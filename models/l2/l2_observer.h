// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/tlm/payload_pool.h"

namespace gputlm {

/// What an L2 slice tells whoever watches it. The slice is the point of coherence: the order of on_store, on_load and
/// on_atomic calls for a line is the order of its memory. A way index is within the set.
class L2Observer {
 public:
  enum class LineEvent : std::uint8_t {
    allocated,        ///< The way now holds this line (no valid byte yet).
    load_hit,         ///< All wanted bytes were valid.
    load_miss,        ///< Bytes had to be fetched.
    store_hit,        ///< The line was present.
    dirty_victim,     ///< Chosen as victim while dirty: handed to the controller, entered the set's write-back FIFO.
    janitor_clean,    ///< Cleaned in place by the janitor.
    flush_clean,      ///< Cleaned in place by a flush.
    write_back_sent,  ///< Its dirty bytes left for the controller (BEGIN_REQ).
    write_back_accepted,  ///< The controller accepted them (END_REQ): clean unless stored again meanwhile.
    written_to_dram,      ///< The channel reported them written (BEGIN_RESP).
    fifo_popped,          ///< Left the write-back FIFO; its way is free.
    evicted,              ///< A clean line was replaced.
    filled                ///< Fetched sectors were merged.
  };
  virtual ~L2Observer() = default;
  /// A store is about to be written into its slot. From here on its bytes are what loads see.
  virtual void on_store(unsigned /*slice*/, const Payload& /*store*/) {}
  /// A load took its place in the order of memory: it must return the bytes of now, whatever is stored later.
  virtual void on_load(unsigned /*slice*/, const Payload& /*load*/) {}
  /// The load's data are complete in the payload.
  virtual void on_load_done(unsigned /*slice*/, const Payload& /*load*/) {}
  /// A reduction or atomic is about to be performed; operands are in the payload's data.
  virtual void on_atomic(unsigned /*slice*/, const Payload& /*atomic*/) {}
  /// It was performed; an atomic's old values are in the payload's data.
  virtual void on_atomic_done(unsigned /*slice*/, const Payload& /*atomic*/) {}
  /// Whether on_line() is worth a call, several for each request: asked once, when the observer is added to others.
  virtual bool watches_lines() const { return true; }
  /// Something happened to a way.
  virtual void on_line(unsigned /*slice*/, LineEvent /*event*/, unsigned /*set*/, unsigned /*way*/,
                       std::uint64_t /*line*/) {}
};

}  // namespace gputlm
