// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gputlm/host/pcie_link.h"

namespace gputlm {
namespace {

constexpr std::size_t index_of(PacketClass c) {
  return static_cast<std::size_t>(c);
}

bool is_barrier(const PacketItem& item) {
  return item.packet_class == PacketClass::non_posted && !item.payload->is_read();
}

}  // namespace

void PcieLink::schedule(std::size_t number) {
  Way& way = ways_[number];
  if (!way.queues.empty()) way.send->at(std::max({now(), way.wire_free, way.queues.ready()}));
}

void PcieLink::transmit(std::size_t number) {
  Way& way = ways_[number];
  if (way.wire_free > now()) {
    way.send->at(way.wire_free);
    return;
  }
  const auto c = way.queues.next(now(), far_side_has_room(way));
  if (c) {
    send_packet(way, *c);
    way.arrive->at(way.in_flight.next());
    admit_waiting(number);
  }
  note_starvation(way);
  if (way.queues.empty()) return;
  if (c) {
    schedule(number);
    return;
  }
  // Nothing may go now: at the next credit, or when something gets ready. A tag comes back with an arrival.
  Fs next = kNever;
  for (const auto& returning : way.returning)
    if (!returning.empty()) next = std::min(next, returning.front());
  if (way.queues.ready() > now()) next = std::min(next, way.queues.ready());
  if (next != kNever) way.send->at(next);
}

std::array<bool, kPacketClasses> PcieLink::far_side_has_room(Way& way) const {
  for (std::size_t c = 0; c < kPacketClasses; ++c)
    while (!way.returning[c].empty() && way.returning[c].front() <= now()) {
      way.returning[c].pop_front();
      ++way.credits[c];
    }
  return {way.credits[index_of(PacketClass::posted)] > 0,
          way.credits[index_of(PacketClass::non_posted)] > 0 && way.tags > 0, true};
}

// The oldest item of the class and those of its neighbours that share its packet.
void PcieLink::send_packet(Way& way, PacketClass c) {
  const PcieSpec& pcie = spec_.pcie;
  packet_.clear();
  packet_.push_back(take_from_queue(way, c));
  const auto continues = [&] {
    if (way.queues.next(now(), far_side_has_room(way)) != c) return false;
    const PacketItem& next = way.queues.front(c);
    const PacketItem& last = packet_.back();
    const std::uint64_t address = next.payload->get_address(), before = last.payload->get_address();
    return last.whole_line && next.whole_line && next.port == last.port && address == before + kLineBytes &&
           address / pcie.max_payload == before / pcie.max_payload;
  };
  while (continues()) packet_.push_back(take_from_queue(way, c));
  unsigned data = 0;
  for (const PacketItem& item : packet_) data += item.data;
  const unsigned packets = packet_[0].packets, bytes = data + packets * pcie.packet_overhead;
  const Fs duration = wire_time(bytes);
  way.wire_free = now() + duration;
  way.busy += duration;
  way.data += data;
  way.bytes += bytes;
  way.packets += packets;
  for (PacketItem& item : packet_) way.in_flight.push(way.wire_free + way.latency, std::move(item));
}

PacketItem PcieLink::take_from_queue(Way& way, PacketClass c) {
  if (c != PacketClass::completion) --way.credits[index_of(c)];
  if (c == PacketClass::non_posted) --way.tags;
  return way.queues.pop(c);
}

void PcieLink::note_starvation(Way& way) {
  const bool starved = way.wire_free <= now() && way.queues.ready() <= now();
  if (starved && way.starved_since == kNever) way.starved_since = now();
  if (starved || way.starved_since == kNever) return;
  way.starved += now() - way.starved_since;
  way.starved_since = kNever;
}

void PcieLink::arrive(std::size_t number) {
  Way& way = ways_[number];
  while (way.in_flight.next() <= now()) {
    PacketItem item = way.in_flight.pop();
    if (item.packet_class == PacketClass::posted) ++way.posted_waiting;
    // A completion may pass read requests that wait for their target, but no posted write.
    if (item.packet_class == PacketClass::completion && way.posted_waiting == 0)
      deliver_completion(number, item);
    else
      way.delivery.push_back(std::move(item));
  }
  deliver(number);
  if (!way.in_flight.empty()) way.arrive->at(way.in_flight.next());
}

void PcieLink::deliver(std::size_t number) {
  Way& way = ways_[number];
  // A barrier stays until what stood before it has taken effect, which a target says with its answer.
  const auto waits = [&way] { return way.posted_open > 0 && is_barrier(way.delivery.front()); };
  while (!way.delivery.empty() && !exit(number).busy() && !waits()) deliver_one(number, way.delivery.pop_front());
}

void PcieLink::deliver_completion(std::size_t number, const PacketItem& item) {
  const std::size_t asked_by = 1 - number;
  ++ways_[asked_by].tags;
  schedule(asked_by);
  if (item.payload->is_read()) read_round_trip_.add(now() - item.entered);
  entry(item.port).respond(*item.payload);
}

void PcieLink::deliver_one(std::size_t number, PacketItem item) {
  Way& way = ways_[number];
  if (item.packet_class == PacketClass::completion) {
    deliver_completion(number, item);
    return;
  }
  Fs delay = std::max<Fs>(0, way.exit_free - now());
  const PayloadRef p = item.payload;
  if (is_barrier(item)) {
    find_sideband(*p)->executed = true;
    p->set_response_status(tlm::TLM_OK_RESPONSE);
    return_credit(number, item.packet_class, now() + delay);
    answer(number, std::move(item), now() + delay);
    return;
  }
  const PacketClass c = item.packet_class;
  if (c == PacketClass::posted) ++way.posted_open;
  way.open.emplace(p.get(), std::move(item));
  const Sent sent = exit(number).request(*p, delay);
  if (sent == Sent::withheld) return;
  way.exit_free = now() + delay;
  return_credit(number, c, now() + delay);
  if (sent == Sent::responded) take_response(number, *p, now() + delay);
}

// The far side has taken a request: room for another, which the sender learns a latency later.
void PcieLink::return_credit(std::size_t number, PacketClass c, Fs at) {
  if (c == PacketClass::posted) --ways_[number].posted_waiting;
  ways_[number].returning[index_of(c)].push_back(at + ways_[1 - number].latency);
  if (!ways_[number].queues.empty()) ways_[number].send->at(at + ways_[1 - number].latency);
}

void PcieLink::on_accepted(std::size_t number, Payload& p, Fs delay) {
  Way& way = ways_[number];
  way.exit_free = now() + delay;
  return_credit(number, way.open.at(&p).packet_class, now() + delay);
  // The arrow is being called on: the next delivery has an event of its own.
  if (!way.delivery.empty()) way.arrive->at(now());
}

bool PcieLink::on_response(std::size_t number, Payload& p, Fs delay) {
  take_response(number, p, now() + delay);
  return true;
}

void PcieLink::take_response(std::size_t number, const Payload& p, Fs at) {
  Way& way = ways_[number];
  const auto found = way.open.find(&p);
  if (found == way.open.end()) return;  // asked before a reset, or answered already
  PacketItem item = std::move(found->second);
  way.open.erase(found);
  if (item.packet_class == PacketClass::non_posted) {
    answer(number, std::move(item), at);
    return;
  }
  if (!p.is_response_ok()) ++way.refused_posted;
  if (--way.posted_open == 0 && !way.delivery.empty()) way.arrive->at(std::max(now(), at));
}

}  // namespace gputlm
