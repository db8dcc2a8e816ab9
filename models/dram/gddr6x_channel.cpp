// SPDX-License-Identifier: Apache-2.0
#include "gputlm/dram/gddr6x_channel.h"

#include <cmath>

#include "gputlm/dram/due.h"
#include "gputlm/tlm/debug_span.h"
#include "gputlm/tlm/line_contract.h"

namespace gputlm {
namespace {

// A sector's enables: whole, equal for both bytes of every pair (one mask bit covers both), or neither.
WriteMask mask_kind(std::uint32_t bytes) {
  if (bytes == 0xffffffffU) return WriteMask::none;
  return ((bytes ^ bytes >> 1) & 0x55555555U) == 0 ? WriteMask::double_byte : WriteMask::single_byte;
}

}  // namespace

Gddr6xChannel::Gddr6xChannel(const sc_core::sc_module_name& name, const DramSpec& spec, unsigned controller,
                             unsigned channel, const DramMap& map, SparseMemory& memory)
    : Unit(name),
      commands("commands", *this),
      spec_(spec),
      map_(map),
      memory_(memory),
      timing_(spec_, controller * spec.channels_per_controller + channel),
      merges_partial_sectors_(spec.ecc == "codeword"),
      columns_ahead_(static_cast<unsigned>(timing_.cycles(spec.look_ahead) / std::max(1U, spec.timing.burst))),
      columns_refill_(static_cast<unsigned>(std::ceil(columns_ahead_ * spec.look_ahead_refill))),
      banks_(spec_, timing_, controller, channel),
      respond_("respond", [this] { send_responses(); }) {}

Fs Gddr6xChannel::data_bus_busy() const {
  const BankStatistics& b = banks_.statistics();
  return timing_.time_of(static_cast<Ck>((b.columns_read + b.columns_written) * spec_.timing.burst));
}

void Gddr6xChannel::set_row(unsigned bank, std::uint64_t row) {
  banks_.advance(timing_.at_or_after(now()));
  banks_.set_row(bank, row);
}

void Gddr6xChannel::reset() {
  commands.reset();
  responses_.clear();
  respond_.cancel();
  banks_.reset(timing_.at_or_after(now()));
  statistics_ = {};
}

tlm::tlm_response_status Gddr6xChannel::check(const Payload& p) const {
  if (p.is_read() || p.is_write()) {
    const tlm::tlm_response_status status = check_line(p);
    if (status != tlm::TLM_OK_RESPONSE) return status;
    return memory_.contains(p.get_address()) ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  return tlm::TLM_COMMAND_ERROR_RESPONSE;
}

void Gddr6xChannel::add_writes(ByteMask mask, ColumnRequest& request) {
  request.writes = mask.touched_sectors();
  for (unsigned s = 0; s < kSectorsPerLine; ++s) {
    if ((request.writes >> s & 1U) == 0) continue;
    request.masks[s] = mask_kind(mask.sector(s));
    if (!merges_partial_sectors_ || request.masks[s] == WriteMask::none) continue;
    request.masks[s] = WriteMask::none;
    request.reads = static_cast<SectorSet>(request.reads | 1U << s);
    ++statistics_.merged_sectors;
    statistics_.bytes_read += kSectorBytes;
  }
}

ColumnRequest Gddr6xChannel::perform(Payload& p, ByteMask mask) {
  ColumnRequest request;
  request.at = map_.locate(p.get_address());
  if (p.is_write()) {
    add_writes(mask, request);
    memory_.write(p.get_address(), p.get_data_ptr(), mask);
    ++statistics_.writes;
    statistics_.bytes_written += std::uint64_t{count_sectors(request.writes)} * kSectorBytes;
    statistics_.bytes_enabled += mask.count();
    return request;
  }
  request.reads = mask.touched_sectors();
  alignas(64) unsigned char line[kLineBytes];
  memory_.read(p.get_address(), line);
  copy_masked(p.get_data_ptr(), line, mask);
  ++statistics_.reads;
  statistics_.bytes_read += std::uint64_t{count_sectors(request.reads)} * kSectorBytes;
  return request;
}

Admission Gddr6xChannel::on_request(std::size_t /*port*/, Payload& p, Fs& delay) {
  const tlm::tlm_response_status status = check(p);
  if (status != tlm::TLM_OK_RESPONSE) {
    p.set_response_status(status);
    return Admission::complete;
  }
  const Ck from = timing_.at_or_after(now() + delay);
  banks_.advance(from);
  const ByteMask mask = ByteMask::of(p);
  if (mask.empty()) {
    if (p.is_read()) banks_.open_row(map_.locate(p.get_address()));
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    return Admission::complete;
  }
  const Ck data_end = banks_.book(perform(p, mask));
  const Fs response = timing_.time_of(data_end) + spec_.response_latency;
  responses_.push(response, PayloadRef(p));
  respond_.at(responses_.next());
  // A transaction that overtakes what keeps the bus booked is accepted no later than it is answered.
  delay = std::max(delay, std::min(accept_delay(from), response - now()));
  return Admission::accept;
}

// The bus may be booked `look_ahead` ahead. Once it is, more is taken when `look_ahead_refill` of that is left, so that
// several lines are handed over per event.
Fs Gddr6xChannel::accept_delay(Ck from) const {
  const CommandCalendar& calendar = banks_.calendar();
  Ck release = from;
  if (calendar.columns_from(from) > columns_ahead_) release = calendar.columns_drained_to(columns_refill_, from);
  release = std::max(release, calendar.last_column() - calendar.horizon() / 2);
  return release == from ? 0 : timing_.time_of(release) - now();
}

void Gddr6xChannel::send_responses() {
  while (is_due(responses_.next())) {
    const PayloadRef p = responses_.pop();
    if (!responses_.empty()) responses_.front().prefetch();
    p->set_response_status(tlm::TLM_OK_RESPONSE);
    commands.respond(*p);
  }
  if (!responses_.empty()) respond_.at(responses_.next());
}

unsigned Gddr6xChannel::on_debug(std::size_t /*port*/, Payload& p) {
  const DebugSpan span(p);
  if (!memory_.contains(p.get_address()) || !(p.is_read() || p.is_write())) {
    p.set_response_status(p.is_read() || p.is_write() ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                                                      : tlm::TLM_COMMAND_ERROR_RESPONSE);
    return 0;
  }
  alignas(64) unsigned char image[kLineBytes];
  if (p.is_read()) {
    memory_.read(span.line, image);
    span.to_payload(image, p);
  } else {
    span.from_payload(p, image);
    memory_.write(span.line, image, span.mask);
  }
  p.set_response_status(tlm::TLM_OK_RESPONSE);
  return span.count;
}

void Gddr6xChannel::report(StatisticsSink& sink) const {
  const ChannelStatistics& s = statistics_;
  const BankStatistics& b = banks_.statistics();
  sink.count("reads", "line", "line reads taken from the controller", s.reads);
  sink.count("writes", "line", "line writes taken from the controller", s.writes);
  sink.count("bytes_read", "byte", "32 for every column read, those of a merge included", s.bytes_read);
  sink.count("bytes_written", "byte", "32 for every column write", s.bytes_written);
  sink.count("bytes_enabled", "byte", "unmasked bytes of the writes", s.bytes_enabled);
  sink.count("merged_sectors", "sector", "partial sectors read, merged and written (ecc codeword)", s.merged_sectors);
  sink.count("activates", "command", "rows opened", b.activates);
  sink.count("precharges", "command", "rows closed, refreshes apart", b.precharges);
  sink.count("refreshes", "command", "refreshes of a bank pair, booked up to the look-ahead window", b.refreshes);
  sink.count("row_hits", "line", "line transactions that found their row open", b.row_hits);
  sink.count("row_misses", "line", "line transactions that found their bank closed", b.row_misses);
  sink.count("row_conflicts", "line", "line transactions that found another row open", b.row_conflicts);
  sink.count("columns_read", "command", "column reads, those of a merge included", b.columns_read);
  sink.count("columns_written", "command", "column writes", b.columns_written);
  sink.count("writes_unmasked", "command", "column writes without mask (WOM)", b.writes_by_mask[0]);
  sink.count("writes_double_byte", "command", "column writes with a mask per byte pair (WDM)", b.writes_by_mask[1]);
  sink.count("writes_single_byte", "command", "column writes with a mask per byte (WSM)", b.writes_by_mask[2]);
  sink.count("refresh_stalls", "line", "line transactions pushed behind a refresh", b.refresh_stalls);
  sink.value("refresh_stall", "ns", "time line transactions lost to refreshes",
             to_ns(timing_.time_of(b.refresh_stall_clocks)));
  sink.value("data_bus_busy", "ns", "time of the data bus taken by columns", to_ns(data_bus_busy()));
}

void Gddr6xChannel::list_waits(WaitList& waits) const {
  responses_.for_each(
      [&](Fs due, const PayloadRef& p) { waits.add(*this, *p, " is in the DRAM until " + ns_text(due), kNever); });
}

}  // namespace gputlm
