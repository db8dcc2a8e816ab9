// SPDX-License-Identifier: Apache-2.0
#include "gputlm/host/apertures.h"

namespace gputlm {

Apertures::Apertures(const sc_core::sc_module_name& name, std::uint64_t bar1_bytes)
    : Unit(name),
      requests("requests", *this),
      usermode("usermode", *this, kUsermode),
      bar1("bar1", *this, kBar1),
      bar1_bytes_(bar1_bytes) {}

std::size_t Apertures::aperture_of(std::uint64_t address) const {
  if (address - kUsermodeBase < kUsermodeBytes) return kUsermode;
  return address - kBar1Base < bar1_bytes_ ? kBar1 : kNone;
}

Admission Apertures::on_request(std::size_t, Payload& p, Fs& delay) {
  const std::uint64_t address = p.get_address();
  const std::size_t aperture = aperture_of(address);
  if (aperture == kNone) {
    ++refused_;
    p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return Admission::complete;
  }
  ++(aperture == kUsermode ? doorbells_ : p.is_read() ? reads_ : writes_);
  p.set_address(address - base_of(aperture));
  switch (exit(aperture).request(p, delay)) {
    case Sent::accepted:
      return Admission::accept;
    case Sent::withheld:
      withheld_since_ = now() + delay;
      return Admission::withhold;
    case Sent::responded:
      break;
  }
  p.set_address(address);
  return Admission::complete;
}

void Apertures::on_accepted(std::size_t, Payload& p, Fs delay) {
  withheld_since_ = kNever;
  requests.accept(p, delay);
}

bool Apertures::on_response(std::size_t aperture, Payload& p, Fs delay) {
  p.set_address(p.get_address() + base_of(aperture));
  requests.respond(p, delay);
  return true;
}

unsigned Apertures::on_debug(std::size_t, Payload& p) {
  const std::uint64_t address = p.get_address();
  const std::size_t aperture = aperture_of(address);
  if (aperture == kNone) {
    p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return 0;
  }
  p.set_address(address - base_of(aperture));
  const unsigned count = exit(aperture)->transport_dbg(p);
  p.set_address(address);
  return count;
}

void Apertures::on_debug_written(std::size_t aperture, std::uint64_t first, std::uint64_t last) {
  requests.announce_debug_write(first + base_of(aperture), last + base_of(aperture));
}

void Apertures::reset() {
  requests.reset();
  usermode.reset();
  bar1.reset();
  withheld_since_ = kNever;
  doorbells_ = reads_ = writes_ = refused_ = 0;
}

void Apertures::report(StatisticsSink& sink) const {
  sink.count("usermode", "request", "requests to the usermode region", doorbells_);
  sink.count("bar1_reads", "line", "lines of the card's memory that the host read", reads_);
  sink.count("bar1_writes", "line", "lines of the card's memory that the host wrote", writes_);
  sink.count("refused", "request", "requests to addresses that are in no aperture", refused_);
}

void Apertures::list_waits(WaitList& waits) const {
  if (withheld_since_ != kNever)
    waits.add(*this, "a request of the host waits", withheld_since_, "its target withholds END_REQ");
}

}  // namespace gputlm
