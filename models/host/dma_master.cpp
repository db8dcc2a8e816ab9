// SPDX-License-Identifier: Apache-2.0
#include "gputlm/host/dma_master.h"

#include <algorithm>
#include <utility>

namespace gputlm {
namespace {

/// The part of a line that a range covers.
struct LineSpan {
  unsigned first, count;  ///< Within the line.
  std::size_t offset;     ///< Of its first byte within the range.
};

LineSpan span_of(std::uint64_t line, std::uint64_t address, std::size_t bytes) {
  const std::uint64_t first = std::max(line, address), end = std::min(line + kLineBytes, address + bytes);
  return {static_cast<unsigned>(first - line), static_cast<unsigned>(end - first), first - address};
}

}  // namespace

DmaMaster::DmaMaster(PayloadPool& pool, const GpuAddressSpace& space)
    : host("host_bus", *this, kHost),
      device("device_bus", *this, kDevice),
      pool_(pool),
      space_(space),
      wakeup_("dma", [this] { run(); }) {}

void DmaMaster::read(std::uint64_t address, std::size_t bytes, ReadDone done, bool physical) {
  Transfer transfer;
  transfer.address = address;
  transfer.physical = physical;
  transfer.data.resize(bytes);
  transfer.read_done = std::move(done);
  start(std::move(transfer));
}

void DmaMaster::write(std::uint64_t address, Data data, WriteDone done, bool physical) {
  Transfer transfer;
  transfer.address = address;
  transfer.physical = physical;
  transfer.data = std::move(data);
  transfer.write_done = std::move(done);
  start(std::move(transfer));
}

void DmaMaster::start(Transfer transfer) {
  const std::uint64_t id = next_id_++;
  transfer.since = now();
  // The end of a range may be 2^64, which is 0: lines are counted, not compared.
  const std::uint64_t first = line_of(transfer.address), last = line_of(transfer.address + transfer.data.size() - 1);
  const std::size_t lines = (last - first) / kLineBytes + 1;
  transfer.lines_left = lines;
  Transfer& kept = transfers_[id] = std::move(transfer);
  for (std::size_t n = 0; n < lines; ++n) queue_line(id, kept, first + n * kLineBytes);
  wakeup_.at(now());
}

std::optional<GpuLocation> DmaMaster::physical_location(std::uint64_t line) const {
  if (line >= space_.device_bytes()) return std::nullopt;
  return GpuLocation{false, line};
}

void DmaMaster::queue_line(std::uint64_t id, Transfer& transfer, std::uint64_t line) {
  const auto location = transfer.physical ? physical_location(line) : space_.locate(line);
  if (!location) {
    transfer.ok = false;
    if (--transfer.lines_left == 0) done_.push(now(), id);
    return;
  }
  waiting_[location->in_host ? kHost : kDevice].push_back(make_line(id, transfer, line, location->physical));
}

PayloadRef DmaMaster::make_line(std::uint64_t id, const Transfer& transfer, std::uint64_t line,
                                std::uint64_t physical) {
  const bool reads = transfer.read_done != nullptr;
  PayloadRef p = pool_.line(reads ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND, physical,
                            reads ? Operation::load : Operation::store);
  Sideband& s = *find_sideband(*p);
  s.creator = this;
  s.cookie = id;
  s.virtual_address = line;
  const LineSpan span = span_of(line, transfer.address, transfer.data.size());
  const ByteMask mask = ByteMask::range(span.first, span.count);
  if (reads) {
    set_enables(*p, ByteMask::sectors(mask.touched_sectors()));
  } else {
    std::copy_n(transfer.data.data() + span.offset, span.count, p->get_data_ptr() + span.first);
    set_enables(*p, mask);
  }
  return p;
}

void DmaMaster::pump(std::size_t number) {
  InitiatorSocket<DmaMaster>& socket = bus(number);
  Ring<PayloadRef>& waiting = waiting_[number];
  while (!waiting.empty() && !socket.busy() && free_at_[number] <= now()) {
    const PayloadRef p = waiting.pop_front();
    under_way_.emplace(p.get(), p);
    Fs delay = 0;
    const Sent sent = socket.request(*p, delay);
    if (sent == Sent::withheld) return;
    free_at_[number] = now() + delay;
    if (sent == Sent::responded) take_answer(*p, now() + delay);
  }
  if (!waiting.empty() && !socket.busy()) wakeup_.at(free_at_[number]);
}

void DmaMaster::on_accepted(std::size_t bus, Payload&, Fs delay) {
  free_at_[bus] = now() + delay;
  wakeup_.at(free_at_[bus]);
}

bool DmaMaster::on_response(std::size_t, Payload& p, Fs delay) {
  take_answer(p, now() + delay);
  return true;
}

void DmaMaster::take_answer(const Payload& p, Fs at) {
  const Sideband& s = *find_sideband(p);
  Transfer& transfer = transfers_.at(s.cookie);
  if (!p.is_response_ok()) {
    transfer.ok = false;
  } else if (p.is_read()) {
    const LineSpan span = span_of(s.virtual_address, transfer.address, transfer.data.size());
    std::copy_n(p.get_data_ptr() + span.first, span.count, transfer.data.data() + span.offset);
  }
  if (--transfer.lines_left == 0) {
    done_.push(at, s.cookie);
    wakeup_.at(done_.next());
  }
  under_way_.erase(&p);
}

void DmaMaster::finish(std::uint64_t id) {
  const auto found = transfers_.find(id);
  const Transfer transfer = std::move(found->second);
  transfers_.erase(found);
  if (transfer.read_done)
    transfer.read_done(transfer.ok, transfer.data);
  else
    transfer.write_done(transfer.ok);
}

void DmaMaster::run() {
  while (done_.next() <= now()) finish(done_.pop());
  pump(kHost);
  pump(kDevice);
  if (!done_.empty()) wakeup_.at(std::max(now(), done_.next()));
}

void DmaMaster::reset() {
  transfers_.clear();
  for (auto& waiting : waiting_) waiting.clear();
  under_way_.clear();
  free_at_ = {};
  done_.clear();
  wakeup_.cancel();
  host.reset();
  device.reset();
}

void DmaMaster::list_waits(const sc_core::sc_object& unit, WaitList& waits) const {
  for (const auto& [id, transfer] : transfers_)
    waits.add(unit,
              std::string(transfer.read_done ? "read" : "write") + " of " + std::to_string(transfer.data.size()) +
                  " bytes at " + hex_text(transfer.address),
              transfer.since, std::to_string(transfer.lines_left) + " lines are not answered");
}

}  // namespace gputlm
