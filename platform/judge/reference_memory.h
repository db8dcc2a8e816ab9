// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "gputlm/judge/digest.h"
#include "gputlm/judge/digest_table.h"
#include "gputlm/judge/findings.h"
#include "gputlm/judge/line_table.h"
#include "gputlm/tlm/payload_pool.h"

namespace gputlm {

/// Memory as it must be, in the order in which the slices serialise: digests of what was stored, and the initial image
/// for the rest. Where bytes are needed (a store of part of a sector, an atomic) they are read from the model itself
/// and believed only if their digests are right. Lines with an atomic that is ordered but not yet performed are kept as
/// bytes, since the model does not hold their values yet.
class ReferenceMemory {
 public:
  /// Writes the 128 bytes of the line at a physical address.
  using LineReader = std::function<void(std::uint64_t line, unsigned char* bytes)>;
  /// A set of lines; an empty function is the empty set.
  using Lines = std::function<bool(std::uint64_t line)>;

  /// `image`: contents before the first store. `debug_read`: the model's coherent contents now, L1 not asked.
  ReferenceMemory(std::uint64_t memory_bytes, LineReader image, LineReader debug_read, FindingLog& findings);

  bool covers(std::uint64_t line) const { return digests_.covers(line); }
  /// Asks the host for the line's digests.
  void prefetch(std::uint64_t line) const { __builtin_prefetch(digests_.find(line)); }
  /// A store takes its place in the order. `digests`: sector_digests(data, mask).
  void store(std::uint64_t line, const unsigned char* data, ByteMask mask, const SectorDigests& digests, unsigned sm);
  /// line_digest() of the bytes that a load ordered now must return.
  std::uint64_t expected(std::uint64_t line, ByteMask mask, unsigned sm);
  /// An atomic takes its place in the order. Returns line_digest() of the old values under its mask.
  std::uint64_t begin_atomic(std::uint64_t line, const Payload& atomic, const Sideband& sideband);
  /// The model has performed one atomic of this line.
  void end_atomic(std::uint64_t line);
  /// A host writes past the road: call it before the model's memory changes.
  void debug_write(std::uint64_t address, const unsigned char* data, std::uint64_t bytes);

  /// Compares the model's contents of every stored line with what was stored, but for those of `apart`.
  void audit(const Lines& apart);
  /// Compares the model's contents of one line, `bytes`, with what was stored, if anything was.
  void audit_line(std::uint64_t line, const unsigned char* bytes);
  /// Compares the model's contents of a byte range with what `expected` says. Returns the number of wrong bytes.
  std::uint64_t check_range(std::uint64_t first, std::uint64_t bytes, const LineReader& expected);
  /// Describes where loaded bytes differ from the model's present contents, for the text of a finding.
  std::string difference(std::uint64_t line, const unsigned char* loaded, ByteMask mask) const;

  void reset();
  void count_checked(std::uint64_t bytes) { bytes_checked_ += bytes; }
  std::uint64_t bytes_checked() const { return bytes_checked_; }
  std::size_t pending_lines() const { return pending_.size(); }
  std::size_t host_bytes() const { return digests_.bytes(); }

 private:
  /// Bytes of a line with atomics that are ordered and not performed.
  struct Pending {
    unsigned char bytes[kLineBytes];
    unsigned atomics = 0;
  };

  SectorDigests current(std::uint64_t line) const;
  void read_verified(std::uint64_t line, SectorSet sectors, unsigned char* bytes, unsigned sm);
  void store_partly(std::uint64_t line, const unsigned char* data, ByteMask mask, unsigned sm);

  DigestTable digests_;
  const LineReader image_, debug_read_;
  FindingLog& findings_;
  LineTable<Pending> pending_;
  std::uint64_t bytes_checked_ = 0;
};

}  // namespace gputlm
