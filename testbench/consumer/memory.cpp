// SPDX-License-Identifier: Apache-2.0
//
// The memory system behind a plain initiator: a write with byte enables, read back by b_transport and transport_dbg.
#include <gputlm/memory_system.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <cstdio>

namespace {

using Word = std::array<unsigned char, 8>;

class Cpu : public sc_core::sc_module {
 public:
  explicit Cpu(const sc_core::sc_module_name& name) : sc_module(name) {
    GPUTLM_HAS_PROCESS(Cpu);
    SC_THREAD(run);
  }

  tlm_utils::simple_initiator_socket<Cpu> socket{"socket"};
  bool right = false;

 private:
  static void prepare(tlm::tlm_generic_payload& p, tlm::tlm_command command, Word& data, Word* enables) {
    p.set_command(command);
    p.set_address(0x100020);
    p.set_data_ptr(data.data());
    p.set_data_length(data.size());
    p.set_streaming_width(data.size());
    p.set_byte_enable_ptr(enables != nullptr ? enables->data() : nullptr);
    p.set_byte_enable_length(enables != nullptr ? enables->size() : 0);
    p.set_dmi_allowed(false);
    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }

  void run() {
    Word wrote{1, 2, 3, 4, 5, 6, 7, 8}, enables, read{}, seen{};
    enables.fill(TLM_BYTE_ENABLED);
    enables[1] = TLM_BYTE_DISABLED;
    tlm::tlm_generic_payload p;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    prepare(p, tlm::TLM_WRITE_COMMAND, wrote, &enables);
    socket->b_transport(p, delay);
    right = p.is_response_ok();
    prepare(p, tlm::TLM_READ_COMMAND, read, nullptr);
    socket->b_transport(p, delay);
    right = right && p.is_response_ok();
    prepare(p, tlm::TLM_READ_COMMAND, seen, nullptr);
    wrote[1] = 0;
    right = right && socket->transport_dbg(p) == seen.size() && read == wrote && seen == wrote;
  }
};

}  // namespace

int sc_main(int, char**) {
  gputlm::MemorySystem memory("memory", gputlm::Config::load("rtx4090"));
  Cpu cpu("cpu");
  cpu.socket.bind(memory.port(0));
  sc_core::sc_start();
  std::puts(cpu.right ? "memory ok" : "memory wrong");
  return cpu.right ? 0 : 1;
}
