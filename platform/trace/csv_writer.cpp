// SPDX-License-Identifier: Apache-2.0
#include "gputlm/trace/csv_writer.h"

#include <fmt/format.h>

namespace gputlm {
namespace {

std::string field_of_time(Fs t) {
  return t == kNever ? std::string() : fmt::format("{}.{:06}", t / kFsPerNs, t % kFsPerNs);
}

std::string field_of_address(std::uint64_t a) {
  return a == kNoAddress ? std::string() : fmt::format("{:#x}", a);
}

std::string fields_of_origin(const TraceTransaction& t) {
  if (!t.from_sm()) return ",,,,";
  return fmt::format("{},{},{},{},{}", t.origin.sm, t.origin.warp, t.origin.instruction, t.origin.kernel, t.origin.cta);
}

}  // namespace

void CsvWriter::begin(const TraceDescription& description) {
  description_ = &description;
  out_.write(
      "transaction,parent,kind,op,va,pa,bytes,sm,warp,instruction,kernel,cta,unit,number,track,"
      "request_ns,accepted_ns,response_ns,done_ns,depth\n");
}

void CsvWriter::take(const SharedBatch& batch) {
  std::string text;
  for (const TraceTransaction& t : batch->transactions) {
    const std::string whose = fmt::format("{},{},{},{},{},{},{},{}", t.id, t.parent, name_of(t.kind), t.operation,
                                          field_of_address(t.virtual_address), field_of_address(t.physical_address),
                                          t.bytes, fields_of_origin(t));
    for (const TraceHop& h : t.hops) {
      const TraceTrack& track = description_->tracks[h.track];
      text += fmt::format("{},{},{},\"{}\",{},{},{},{},{}\n", whose, name_of(track.unit), track.number, track.name,
                          field_of_time(h.request), field_of_time(h.accepted), field_of_time(h.response),
                          field_of_time(h.done), h.depth);
    }
  }
  out_.write(text);
}

void CsvWriter::finish(const TraceLoss& /*loss*/) {
  out_.keep();
}

}  // namespace gputlm
