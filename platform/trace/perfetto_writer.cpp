// SPDX-License-Identifier: Apache-2.0
#include "gputlm/trace/perfetto_writer.h"

#include <algorithm>

#include <fmt/format.h>

namespace gputlm {
namespace {

/// Counters are a process of their own, after the units.
constexpr std::size_t kCounters = kTraceUnits + 1;

/// More than any transaction has arrows: tells the stays of one transaction apart.
constexpr std::uint64_t kMostHops = 64;

// Microseconds with three decimals. Rounding all times in one direction keeps what does not overlap from overlapping.
std::string stamp(Fs t) {
  const Fs ns = t / kFsPerNs;
  return fmt::format("{}.{:03}", ns / 1000, ns % 1000);
}

std::string span(Fs from, Fs to) {
  return stamp((to / kFsPerNs - from / kFsPerNs) * kFsPerNs);
}

std::string hex_or_null(std::uint64_t a) {
  return a == kNoAddress ? std::string("null") : fmt::format("\"{:#x}\"", a);
}

std::string whose_and_what(const TraceTransaction& t) {
  std::string text =
      fmt::format(R"("transaction":{},"parent":{},"kind":"{}","va":{},"pa":{},"bytes":{})", t.id, t.parent,
                  name_of(t.kind), hex_or_null(t.virtual_address), hex_or_null(t.physical_address), t.bytes);
  if (t.from_sm())
    text += fmt::format(R"(,"sm":{},"warp":{},"instruction":{},"kernel":{},"cta":{})", t.origin.sm, t.origin.warp,
                        t.origin.instruction, t.origin.kernel, t.origin.cta);
  if (t.failed) text += R"(,"failed":true)";
  return text;
}

bool has_request(const TraceHop& h) {
  return h.request_alone && h.accepted != kNever;
}
bool has_response(const TraceHop& h) {
  return h.response_alone && h.done != kNever;
}

}  // namespace

void PerfettoWriter::begin(const TraceDescription& description) {
  description_ = &description;
  used_.resize(2 * description.tracks.size());
  out_.write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
}

void PerfettoWriter::item(const std::string& json) {
  if (!first_) buffer_ += ",\n";
  first_ = false;
  buffer_ += json;
}

std::string PerfettoWriter::place(std::uint32_t track, bool response) const {
  return fmt::format(R"("pid":{},"tid":{})", static_cast<unsigned>(description_->tracks[track].unit) + 1,
                     2 * track + (response ? 2 : 1));
}

void PerfettoWriter::take(const SharedBatch& batch) {
  for (const TraceTransaction& t : batch->transactions) add(t);
  for (const TraceEvent& e : batch->events) add(e);
  for (const TraceSample& s : batch->samples) add(s);
  out_.write(buffer_);
  buffer_.clear();
}

void PerfettoWriter::add(const TraceTransaction& t) {
  for (std::size_t i = 0; i < t.hops.size(); ++i) add_hop(t, i);
  add_flow(t);
}

void PerfettoWriter::add_hop(const TraceTransaction& t, std::size_t number) {
  const TraceHop& h = t.hops[number];
  if (has_request(h)) {
    used_[2 * h.track] = true;
    item(fmt::format(R"({{"ph":"X","name":"{}","cat":"request",{},"ts":{},"dur":{},"args":{{"ns":{},{}}}}})",
                     t.operation, place(h.track, false), stamp(h.request), span(h.request, h.accepted),
                     to_ns(h.request), number == 0 ? whose_and_what(t) : fmt::format(R"("transaction":{})", t.id)));
  }
  // Most responses are taken at once; of those only the first unit's is shown, where the flow ends.
  if (has_response(h) && t.kind != TraceKind::row && (number == 0 || h.done > h.response)) {
    used_[2 * h.track + 1] = true;
    item(fmt::format(
        R"({{"ph":"X","name":"{}","cat":"response",{},"ts":{},"dur":{},"args":{{"ns":{},"transaction":{}}}}})",
        t.operation, place(h.track, true), stamp(h.response), span(h.response, h.done), to_ns(h.response), t.id));
  }
  if (h.done == kNever || t.kind == TraceKind::row) return;  // still under way: no end is known; or no stay at all
  used_[2 * h.track] = true;
  for (const bool end : {false, true})
    item(fmt::format(R"({{"ph":"{}","name":"{}: {}","cat":"stay","id":"{:#x}",{},"ts":{}}})", end ? 'e' : 'b',
                     description_->tracks[h.track].name, t.operation, t.id * kMostHops + number, place(h.track, false),
                     stamp(end ? h.done : h.request)));
}

// Down the road by the requests, and to the response at the hop where it began.
void PerfettoWriter::add_flow(const TraceTransaction& t) {
  if (t.hops.size() < 2) return;
  std::vector<std::pair<Fs, std::string>> stops;
  for (const TraceHop& h : t.hops)
    if (has_request(h)) stops.emplace_back(h.request, place(h.track, false));
  if (has_response(t.hops.front())) stops.emplace_back(t.hops.front().response, place(t.hops.front().track, true));
  if (stops.size() < 2) return;
  for (std::size_t i = 0; i < stops.size(); ++i) {
    const bool last = i + 1 == stops.size();
    item(fmt::format(R"({{"ph":"{}",{}"name":"{}","cat":"flow","id":{},{},"ts":{}}})",
                     i == 0 ? 's'
                     : last ? 'f'
                            : 't',
                     last ? R"("bp":"e",)" : "", t.operation, t.id, stops[i].second, stamp(stops[i].first)));
  }
}

void PerfettoWriter::add(const TraceEvent& e) {
  used_[2 * e.track] = true;
  std::string what;
  if (e.command) what = fmt::format(R"(,"bank":{},"row":{},"column":{})", e.bank, e.row, e.column);
  if (e.of_way)
    what = fmt::format(R"(,"set":{},"way":{},"rrpv":{},"valid":{},"dirty":{})", e.set, e.way, e.rrpv, e.valid.count(),
                       e.dirty.count());
  item(fmt::format(
      R"({{"ph":"i","s":"t","name":"{}","cat":"{}",{},"ts":{},"args":{{"ns":{},"line":{},"transaction":{}{}}}}})",
      e.name, e.command ? "command" : "line", place(e.track, false), stamp(e.time), to_ns(e.time), hex_or_null(e.line),
      e.transaction, what));
}

void PerfettoWriter::add(const TraceSample& s) {
  for (std::size_t i = 0; i < s.values.size(); ++i) {
    const TraceSeries& series = description_->series[i];
    item(fmt::format(R"x({{"ph":"C","name":"{} ({})","pid":{},"ts":{},"args":{{"value":{}}}}})x", series.name,
                     series.unit, kCounters, stamp(s.time), s.values[i]));
  }
}

void PerfettoWriter::add_names() {
  const auto name = [&](const char* kind, std::size_t pid, std::uint64_t tid, const std::string& text) {
    item(fmt::format(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":"{}"}}}})", kind, pid, tid, text));
  };
  for (std::size_t u = 0; u < kTraceUnits; ++u) {
    name("process_name", u + 1, 0, name_of(static_cast<TraceUnit>(u)));
    item(fmt::format(R"({{"ph":"M","name":"process_sort_index","pid":{},"tid":0,"args":{{"sort_index":{}}}}})", u + 1,
                     u));
  }
  name("process_name", kCounters, 0, "counters");
  for (std::uint64_t thread = 0; thread < used_.size(); ++thread) {
    const TraceTrack& t = description_->tracks[thread / 2];
    if (used_[thread])
      name("thread_name", static_cast<std::size_t>(t.unit) + 1, thread + 1,
           t.name + (thread % 2 == 0 ? "" : ", responses"));
  }
}

void PerfettoWriter::finish(const TraceLoss& loss) {
  add_names();
  out_.write(buffer_);
  out_.write(
      fmt::format("\n],\"otherData\":{{\"producer\":\"gputlm\",\"transactions_left_out\":{},"
                  "\"events_left_out\":{}}}}}\n",
                  loss.transactions, loss.events));
  out_.keep();
}

}  // namespace gputlm
