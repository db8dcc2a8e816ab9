// SPDX-License-Identifier: Apache-2.0
//
// A small platform of plain tlm_utils sockets: RAM, and a bus that decodes addresses.
//
//   0x0000'0000  16 MiB   RAM
//   0xe000'0000  64 KiB   BAR0: the card's usermode region
//   0x20'0000'0000        BAR1: the card's memory
#pragma once

#include <cstdint>
#include <vector>

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <gputlm/pcie_card.h>

inline constexpr std::uint64_t kRamBytes = 16 << 20, kBar0 = 0xe0000000, kBar1 = 0x2000000000;

/// Loosely timed memory. Byte enables are honoured: the card writes whole lines with them.
class Ram : public sc_core::sc_module {
 public:
  explicit Ram(const sc_core::sc_module_name& name) : sc_module(name), bytes_(kRamBytes) {
    socket.register_b_transport(this, &Ram::b_transport);
    socket.register_transport_dbg(this, &Ram::transport_dbg);
  }
  tlm_utils::simple_target_socket<Ram> socket{"socket"};

 private:
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    delay += sc_core::sc_time(50, sc_core::SC_NS);
    access(p);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& p) {
    access(p);
    return p.is_response_ok() ? p.get_data_length() : 0;
  }
  void access(tlm::tlm_generic_payload& p) {
    const std::uint64_t at = p.get_address();
    if (at >= kRamBytes || p.get_data_length() > kRamBytes - at) {
      p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    const unsigned char* enables = p.get_byte_enable_ptr();
    for (unsigned i = 0; i < p.get_data_length(); ++i) {
      if (enables != nullptr && enables[i % p.get_byte_enable_length()] == 0) continue;
      if (p.is_write()) bytes_[at + i] = p.get_data_ptr()[i];
      if (p.is_read()) p.get_data_ptr()[i] = bytes_[at + i];
    }
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  std::vector<unsigned char> bytes_;
};

/// Two masters, RAM and the card.
class Bus : public sc_core::sc_module {
 public:
  explicit Bus(const sc_core::sc_module_name& name) : sc_module(name) {
    cpu.register_b_transport(this, &Bus::b_transport);
    dma.register_b_transport(this, &Bus::b_transport);  // the socket turns the card's non-blocking calls into these
  }
  tlm_utils::simple_target_socket<Bus> cpu{"cpu"}, dma{"dma"};
  tlm_utils::simple_initiator_socket<Bus> ram{"ram"}, card{"card"};

 private:
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    const std::uint64_t address = p.get_address();
    if (address < kRamBytes) {
      ram->b_transport(p, delay);
    } else if (address >= kBar1) {
      p.set_address(address - kBar1 + gputlm::Apertures::kBar1Base);
      card->b_transport(p, delay);
    } else if (address - kBar0 < gputlm::Apertures::kUsermodeBytes) {
      p.set_address(address - kBar0 + gputlm::Apertures::kUsermodeBase);
      card->b_transport(p, delay);
    } else {
      p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    p.set_address(address);
  }
};
