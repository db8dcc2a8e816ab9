// SPDX-License-Identifier: Apache-2.0
//
// L2Slice: what it tells about itself.
#include <ostream>

#include "gputlm/l2/l2_slice.h"

namespace gputlm {

void L2Slice::report(StatisticsSink& sink) const {
  const L2Counters& c = counters_;
  sink.count("requests", "request", "requests served", c.requests);
  sink.count("refused", "request", "requests answered with an error status at the door", c.refused);
  sink.count("stores", "request", "stores taken", c.stores);
  sink.count("store_hits", "request", "stores to a line that was present", c.store_hits);
  if (fetch_on_store_)
    sink.count("store_fetches", "request", "stores that fetched what they left out of their sectors", c.store_fetches);
  sink.count("loads", "request", "loads taken", c.loads);
  sink.count("load_hits", "request", "loads whose bytes were all valid", c.load_hits);
  sink.count("load_misses", "request", "loads that waited for DRAM", c.load_misses);
  sink.count("partial_sector_loads", "request", "load misses on a sector of which some bytes were valid",
             c.partial_sector_loads);
  sink.count("atomics", "request", "atomics performed or waiting for their bytes", c.atomics);
  sink.count("reductions", "request", "reductions performed or waiting for their bytes", c.reductions);
  sink.count("fetches", "request", "reads sent to the controller", c.fetches);
  sink.count("fetched_sectors", "sector", "sectors read from the controller", c.fetched_sectors);
  sink.count("fetches_held", "request", "fetches that waited for a write-back of their line", c.fetches_held);
  sink.count("fetch_errors", "request", "fetches answered with an error status", c.fetch_errors);
  sink.count("write_backs", "line", "write-backs sent to the controller", c.write_backs);
  sink.count("write_back_bytes", "byte", "dirty bytes in them", c.write_back_bytes);
  sink.count("write_back_errors", "line", "write-backs answered with an error status", c.write_back_errors);
  sink.count("write_back_list_peak", "line", "most write-backs waiting for the controller", c.write_back_list_peak);
  sink.count("janitor_cleans", "line", "of these, cleaned ahead of need by the janitor", c.janitor_cleans);
  sink.count("flush_cleans", "line", "of these, cleaned by a flush", c.flush_cleans);
  sink.count("fifo_entries", "line", "dirty victims that entered a write-back FIFO", c.fifo_entries);
  sink.count("fifo_pops", "line", "lines that left a write-back FIFO and freed their way", c.fifo_pops);
  sink.count("forced_pops", "line", "of these, popped ahead of count because no clean victim was left", c.forced_pops);
  sink.count("fifo_rescues", "line", "lines taken out of a write-back FIFO by a store", c.fifo_rescues);
  sink.count("evictions", "line", "clean lines replaced or invalidated", c.evictions);
  sink.count("dirty_lines", "line", "dirty lines now, neither in a FIFO nor handed to the write-back list",
             dirty_lines_);
  sink.count("dirty_lines_peak", "line", "most dirty lines at once", c.dirty_lines_peak);
  sink.count("dirty_lines_per_set_peak", "line", "most dirty lines of one set", c.dirty_lines_per_set_peak);
  sink.count("dirty_bytes", "byte", "bytes now that the controller has not accepted", dirty_bytes_);
  sink.count("fetches_in_flight_peak", "request", "most fetches at once", c.fetches_in_flight_peak);
  auto stall = [&](const char* name, const char* description, Stall cause) {
    sink.value(name, "ns", description, to_ns(stall_.total(cause, now())));
  };
  stall("stall_write_back_list_ns", "request held: the write-back list was full", Stall::write_back_list);
  stall("stall_ways_busy_ns", "request held: every way of its set was on its way in or out", Stall::ways_busy);
  stall("stall_fetch_entries_ns", "request held: no fetch entry was free", Stall::fetch_entries);
  sink.histogram("load_latency", "request at the slice to data leaving it, loads and atomics", load_latency_);
  sink.histogram("store_latency", "request at the slice to its acknowledgement, stores and reductions", store_latency_);
  sink.histogram("fetch_latency", "miss to fill", fetch_latency_);
}

bool L2Slice::idle() const {
  return held_.payload == nullptr && waiting_writes_.empty() && !sent_.open &&
         free_writes_.size() == writes_in_flight_.size() && fetches_.used() == 0 && acknowledgements_.empty() &&
         data_.empty() && !flushing_;
}

void L2Slice::list_waits(WaitList& waits) const {
  static constexpr const char* causes[] = {
      "the write-back list is full: the controller holds back END_REQ",
      "every way of its set is on its way in or out",
      "no fetch entry is free: the controller has not answered",
  };
  if (held_.payload != nullptr)
    waits.add(*this, *held_.payload, " held", held_.arrived,
              stall_.stalled() ? causes[static_cast<unsigned>(held_.stall)] : "the port is busy with the one before");
  const auto line = [&](std::uint64_t address, const char* what) {
    waits.add(*this, "line " + hex_text(address) + ' ' + what);
  };
  if (sent_.open) line(lines_.line(sent_.slot), "write-back waits for the controller's END_REQ");
  for (std::size_t i = 0; i < waiting_writes_.size(); ++i)
    line(lines_.line(waiting_writes_[i].slot), "write-back waits for the one before");
  for (const WriteInFlight& write : writes_in_flight_)
    if (write.payload) line(write.payload->get_address(), "write-back is on its way to DRAM");
  fetches_.for_each([&](unsigned /*entry*/, const Fetch& fetch) {
    const char* const why = fetch.held ? "it waits for a write-back of its line" : "the controller has not answered";
    waits.add(*this, *fetch.payload, " fetched, " + std::to_string(count_sectors(fetch.sectors)) + " sectors",
              fetch.started, why);
    fetches_.for_each_waiter(*fetches_.find(fetch.slot), [&](const Waiter& w) {
      waits.add(*this, *w.request, " waits for fetched bytes", w.arrived, why);
    });
  });
  for (const auto* queue : {&acknowledgements_, &data_})
    queue->for_each([&](Fs due, const Response& r) {
      waits.add(*this, *r.payload, " is answered at " + ns_text(due) + " or when the data bus is free", kNever);
    });
  if (flushing_) waits.add(*this, "flushing, " + std::to_string(dirty_lines_) + " dirty lines left");
}

}  // namespace gputlm
