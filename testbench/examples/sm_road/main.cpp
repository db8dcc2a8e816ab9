// SPDX-License-Identifier: Apache-2.0
//
// The road of an SM from its load/store unit on: L1, address translation, crossbar, L2, DRAM. SM 0 is driven with warp
// accesses (32 lanes with addresses of their own, and a sideband that says what is meant), SM 1 by a plain initiator
// that knows nothing of either. Both use virtual addresses; the page table is the program's.
#include <array>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <vector>

#include <tlm_utils/simple_initiator_socket.h>

#include <gputlm/gpu.h>

namespace {

using namespace gputlm;

constexpr std::uint64_t kVirtual = 0x7f4000000000, kPhysical = 0;
constexpr std::uint64_t kArray = kVirtual, kCounter = kVirtual + 0x10000, kFlag = kVirtual + 0x20000;

/// Warp accesses in order, each after the answer to the one before.
class MyWarp : public sc_core::sc_module {
 public:
  MyWarp(const sc_core::sc_module_name& name, PayloadPool& pool)
      : sc_module(name), socket("socket", *this), pool_(pool) {
    GPUTLM_HAS_PROCESS(MyWarp);
    SC_THREAD(run);
  }

  InitiatorSocket<MyWarp> socket;  ///< The project's own: requests and responses instead of phases.
  bool right = false;

  // Socket owner.
  void on_accepted(std::size_t, Payload&, Fs) {}
  bool on_response(std::size_t, Payload&, Fs delay) {
    answered_.notify(to_sc_time(delay));
    return true;
  }
  void on_debug_written(std::size_t, std::uint64_t, std::uint64_t) {}

 private:
  template <class AddressOf>
  PayloadRef access(Operation operation, AddressOf address_of) {
    PayloadRef p = pool_.warp(operation);
    WarpLanes& lanes = *find_sideband(*p)->lanes;
    for (unsigned i = 0; i < kLanes; ++i) lanes.address[i] = address_of(i);
    lanes.active = ~0U;
    lanes.lane_bytes = 4;
    finish_warp(*p);
    return p;
  }
  static std::uint32_t* words(const PayloadRef& p) { return reinterpret_cast<std::uint32_t*>(p->get_data_ptr()); }
  /// Returns when the access is answered.
  bool carry_out(const PayloadRef& p) {
    Fs delay = 0;
    if (socket.request(*p, delay) != Sent::responded) sc_core::wait(answered_);
    return p->is_response_ok();
  }

  void run() {
    // array[i] = 100 + i, one coalesced store.
    const PayloadRef store = access(Operation::store, [](unsigned i) { return kArray + 4 * i; });
    for (unsigned i = 0; i < kLanes; ++i) words(store)[i] = 100 + i;
    bool ok = carry_out(store);

    // Every lane adds 1 to the same counter: lanes that share a word are served in lane order.
    const PayloadRef add = access(Operation::atomic, [](unsigned) { return kCounter; });
    for (unsigned i = 0; i < kLanes; ++i) words(add)[i] = 1;
    ok = carry_out(add) && ok;
    for (unsigned i = 0; i < kLanes; ++i) ok = ok && words(add)[i] == i;

    // A gather, backwards, that may hit L1.
    const PayloadRef load = access(Operation::load, [](unsigned i) { return kArray + 4 * (kLanes - 1 - i); });
    find_sideband(*load)->semantics = Semantics::weak;
    ok = carry_out(load) && ok;
    for (unsigned i = 0; i < kLanes; ++i) ok = ok && words(load)[i] == 100 + kLanes - 1 - i;

    // A fence of GPU scope, then the flag that the other SM polls.
    const PayloadRef fence = access(Operation::fence, [](unsigned) { return std::uint64_t{0}; });
    find_sideband(*fence)->scope = Scope::gpu;
    ok = carry_out(fence) && ok;
    const PayloadRef flag = access(Operation::store, [](unsigned i) { return kFlag + 4 * i; });
    for (unsigned i = 0; i < kLanes; ++i) words(flag)[i] = 1;
    right = carry_out(flag) && ok;
  }

  PayloadPool& pool_;
  sc_core::sc_event answered_;
};

/// A plain initiator: its accesses go past L1, so that it never sees stale data.
class MyProcessor : public sc_core::sc_module {
 public:
  explicit MyProcessor(const sc_core::sc_module_name& name) : sc_module(name) {
    GPUTLM_HAS_PROCESS(MyProcessor);
    SC_THREAD(run);
  }
  tlm_utils::simple_initiator_socket<MyProcessor> socket{"socket"};
  bool right = false;

 private:
  std::uint32_t read(std::uint64_t address) {
    std::uint32_t value = 0;
    tlm::tlm_generic_payload p;
    p.set_read();
    p.set_address(address);
    p.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    p.set_data_length(sizeof value);
    p.set_streaming_width(sizeof value);
    sc_core::sc_time delay;
    socket->b_transport(p, delay);
    sc_core::wait(delay);
    if (!p.is_response_ok()) SC_REPORT_ERROR(name(), p.get_response_string().c_str());
    return value;
  }
  void run() {
    while (read(kFlag) == 0) sc_core::wait(100, sc_core::SC_NS);
    right = read(kCounter) == kLanes;
    for (unsigned i = 0; i < kLanes; ++i) right = right && read(kArray + 4 * i) == 100 + i;
  }
};

}  // namespace

int sc_main(int, char**) {
  const Config config = Config::load("tiny");
  Gpu gpu("gpu", config);
  gpu.pages.map(kVirtual, kPhysical, config.mmu.page_bytes);
  MyWarp warp("warp", gpu.mem.pool);
  MyProcessor processor("processor");
  ViolationLog log;
  ProtocolChecker first("first", log), second("second", log);  // optional: bind `external` directly instead
  first.connect(warp.socket, gpu.sms[0]->lsu.external);
  second.connect(processor.socket, gpu.sms[1]->lsu.external);
  sc_core::sc_start();

  log.print(std::cerr);
  std::cout << (warp.right && processor.right ? "right" : "wrong") << " at " << sc_core::sc_time_stamp() << '\n';
  return warp.right && processor.right && log.total() == 0 && gpu.idle() ? 0 : 1;
}
