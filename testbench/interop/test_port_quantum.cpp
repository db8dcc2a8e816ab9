// SPDX-License-Identifier: Apache-2.0
//
// Loosely timed initiators that run ahead of the simulation under a quantum keeper.
#include "port_bench.h"
//
#include <tlm_utils/tlm_quantumkeeper.h>

using namespace gputlm;
using namespace gputlm::test;

namespace {

/// A quantum of one's own instead of the global one.
struct Keeper : tlm_utils::tlm_quantumkeeper {
  explicit Keeper(const sc_core::sc_time& own) : quantum(own) {}
  sc_core::sc_time compute_local_quantum() override { return quantum; }
  const sc_core::sc_time quantum;
};

/// Computes for a while, accesses memory, computes: in its own time, ahead of the simulation's.
class Decoupled : public sc_core::sc_module {
 public:
  Decoupled(const sc_core::sc_module_name& name, Fs quantum, unsigned seed)
      : sc_module(name), keeper_(to_sc_time(quantum)), seed_(seed) {
    GPUTLM_HAS_PROCESS(Decoupled);
    SC_THREAD(run);
  }
  tlm_utils::simple_initiator_socket<Decoupled> socket{"socket"};
  std::vector<unsigned char> seen;  ///< Everything that it has read.
  Fs end = kNever;                  ///< In its own time.

 private:
  void run() {
    std::mt19937_64 random(seed_);
    keeper_.reset();
    for (unsigned i = 0; i < 200; ++i) {
      keeper_.inc(to_sc_time(from_ns(1 + static_cast<double>(random() % 40))));
      std::vector<unsigned char> data = random_bytes(random, 1 + random() % 64);
      access(random() % 2 != 0, seed_ * 0x10000 + random() % 2048, data);
      if (keeper_.need_sync()) keeper_.sync();
    }
    end = to_fs(keeper_.get_current_time());
  }
  void access(bool reads, std::uint64_t address, std::vector<unsigned char>& data) {
    tlm::tlm_generic_payload p;
    p.set_command(reads ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
    p.set_address(address);
    p.set_data_ptr(data.data());
    p.set_data_length(static_cast<unsigned>(data.size()));
    p.set_streaming_width(static_cast<unsigned>(data.size()));
    sc_core::sc_time ahead = keeper_.get_local_time();
    socket->b_transport(p, ahead);
    keeper_.set(ahead);
    BOOST_TEST(p.is_response_ok());
    if (reads) seen.insert(seen.end(), data.begin(), data.end());
  }

  Keeper keeper_;
  const unsigned seed_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(two_initiators_get_the_same_results_and_times_under_any_quantum) {
  const Config config = Config::load("tiny");
  const Fs short_quantum = from_ns(10), long_quantum = from_ns(2000);
  MemorySystem a("a", config), b("b", config);
  Decoupled a0("a0", short_quantum, 1), a1("a1", short_quantum, 2), b0("b0", long_quantum, 1),
      b1("b1", long_quantum, 2);
  a0.socket.bind(a.port(0));
  a1.socket.bind(a.port(1));
  b0.socket.bind(b.port(0));
  b1.socket.bind(b.port(1));
  sc_core::sc_start();
  BOOST_TEST(!a0.seen.empty());
  BOOST_TEST((a0.seen == b0.seen));
  BOOST_TEST((a1.seen == b1.seen));
  BOOST_TEST(a0.end != kNever);
  BOOST_TEST(std::abs(a0.end - b0.end) <= long_quantum);
  BOOST_TEST(std::abs(a1.end - b1.end) <= long_quantum);
  BOOST_TEST(a0.end == b0.end);  // a call waits until the simulation has come to its time, so nothing is lost at all
  BOOST_TEST(a1.end == b1.end);
  BOOST_TEST(a.idle());
  BOOST_TEST(b.idle());
}
