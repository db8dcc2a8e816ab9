// SPDX-License-Identifier: Apache-2.0
//
// FaultyArrow: whose turn it is to go wrong, and what happens to it.
#include <algorithm>
#include <cstring>
#include <utility>

#include "gputlm/faults/faulty_arrow.h"

namespace gputlm {
namespace {

bool carries_data_back(const Payload& p) {
  const Sideband* s = find_sideband(p);
  return p.is_read() || (s != nullptr && s->operation == Operation::atomic);
}

bool is_enabled(const Payload& p, unsigned byte) {
  if (const Sideband* s = find_sideband(p); s != nullptr && s->lanes != nullptr)
    return (s->lanes->active >> (byte / s->lanes->lane_bytes % kLanes) & 1U) != 0;
  const unsigned char* const enables = p.get_byte_enable_ptr();
  return enables == nullptr || enables[byte % p.get_byte_enable_length()] != 0;
}

// Whether the fault can befall this payload at all; others are not counted.
bool concerns(const InjectedFault& fault, const Payload& p) {
  switch (fault.target) {
    case FaultTarget::acknowledgement:
      return !carries_data_back(p);
    case FaultTarget::fill:
      return carries_data_back(p);
    default:
      break;
  }
  if (fault.kind == FaultKind::corrupt) return !p.is_read() && p.get_data_ptr() != nullptr;
  return fault.kind != FaultKind::mask || p.get_data_length() == kLineBytes;
}

}  // namespace

FaultyArrow::Place* FaultyArrow::due(FaultTarget target, const Payload& p) {
  Place* found = nullptr;
  for (Place& place : places_) {
    if (place.fault.target != target || !concerns(place.fault, p)) continue;
    ++place.seen;
    const bool now =
        place.seen == place.fault.n || (place.fault.kind == FaultKind::stick && place.seen > place.fault.n);
    if (now && found == nullptr) found = &place;
  }
  return found;
}

tlm::tlm_sync_enum FaultyArrow::faulty_request(Place& place, Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t) {
  const InjectedFault& fault = place.fault;
  switch (fault.kind) {
    case FaultKind::drop:
      phase = tlm::END_REQ;
      return tlm::TLM_UPDATED;
    case FaultKind::lose:
      later(to_fs(t) + kFsPerNs, Later::What::answer, PayloadRef(p));
      phase = tlm::END_REQ;
      return tlm::TLM_UPDATED;
    case FaultKind::stick:
      p.acquire();  // it is kept here for good
      return tlm::TLM_ACCEPTED;
    case FaultKind::delay:
      later(to_fs(t) + fault.by, Later::What::forward, PayloadRef(p));
      return tlm::TLM_ACCEPTED;
    case FaultKind::duplicate:
      later(to_fs(t), Later::What::forward, PayloadRef(p));
      break;
    case FaultKind::repeat:
      later(to_fs(t) + fault.by, Later::What::own_request, copy_of(p));
      break;
    case FaultKind::corrupt:
      flip_data(place, p);
      break;
    case FaultKind::mask:
      flip_mask(place, p);
      break;
    case FaultKind::leak:
      p.acquire();
      break;
    case FaultKind::early:
      break;  // befalls a channel, never an arrow
  }
  return send(p, phase, t);
}

tlm::tlm_sync_enum FaultyArrow::faulty_response(const Place& place, Payload& p, tlm::tlm_phase& phase,
                                                sc_core::sc_time& t) {
  const InjectedFault& fault = place.fault;
  if (fault.kind == FaultKind::drop) return tlm::TLM_COMPLETED;
  if (fault.kind == FaultKind::delay) {
    later(to_fs(t) + fault.by, Later::What::response, PayloadRef(p));
    return tlm::TLM_COMPLETED;
  }
  if (fault.kind == FaultKind::duplicate) later(to_fs(t), Later::What::response, PayloadRef(p));
  if (fault.kind == FaultKind::corrupt) {
    if (fault.target == FaultTarget::acknowledgement)
      p.set_response_status(p.is_response_ok() ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
    else
      flip_data(place, p);
  }
  return in->nb_transport_bw(p, phase, t);
}

void FaultyArrow::later(Fs delay, Later::What what, PayloadRef p) {
  later_.push(now() + delay, {what, std::move(p)});
  wake_.at(later_.next());
}

// Bit fault.bit of the enabled bytes, counted over these alone and around their end.
void FaultyArrow::flip_data(const Place& place, Payload& p) {
  std::vector<unsigned> bytes;
  for (unsigned i = 0; i < p.get_data_length(); ++i)
    if (is_enabled(p, i)) bytes.push_back(i);
  if (bytes.empty()) return;
  const unsigned bit = place.fault.bit;
  p.get_data_ptr()[bytes[bit / 8 % bytes.size()]] ^= static_cast<unsigned char>(1U << bit % 8);
}

// The payload's enables may be a constant that many share, so the flipped ones lie here.
void FaultyArrow::flip_mask(Place& place, Payload& p) {
  for (unsigned i = 0; i < kLineBytes; ++i) place.enables[i] = is_enabled(p, i) ? 0xff : 0x00;
  place.enables[place.fault.bit] ^= 0xffU;
  p.set_byte_enable_ptr(place.enables.data());
  p.set_byte_enable_length(kLineBytes);
}

PayloadRef FaultyArrow::copy_of(const Payload& p) {
  PayloadRef copy = pool_.line(p.get_command(), p.get_address(), Operation::store);
  std::memcpy(copy->get_data_ptr(), p.get_data_ptr(), kLineBytes);
  set_enables(*copy, ByteMask::of(p));
  return copy;
}

}  // namespace gputlm
