// SPDX-License-Identifier: Apache-2.0
//
// Crossbar, L2, controllers and DRAM under SM models of your own: four initiators that know nothing of this project
// beyond `port(i)`. Each has eight accesses under way; every access owns a region that it writes, reads back and
// compares, so any mix-up of data or of responses shows.
#include <algorithm>
#include <iostream>
#include <memory>
#include <random>
#include <vector>

#include <tlm_utils/simple_initiator_socket.h>

#include <gputlm/checker.h>
#include <gputlm/memory_system.h>

namespace {

constexpr unsigned kSms = 4, kAccesses = 8, kRounds = 200, kRegion = 4096;

/// An approximately timed initiator of your own.
class MySm : public sc_core::sc_module, private tlm::tlm_mm_interface {
 public:
  MySm(const sc_core::sc_module_name& name, unsigned number) : sc_module(name), random_(number), accesses_(kAccesses) {
    GPUTLM_HAS_PROCESS(MySm);
    socket.register_nb_transport_bw(this, &MySm::nb_transport_bw);
    for (unsigned i = 0; i < kAccesses; ++i) {
      accesses_[i].region = (std::uint64_t{number} * kAccesses + i) * kRegion;
      ready_.push_back(&accesses_[i]);
    }
    SC_METHOD(send);
    sensitive << wake_;
  }

  tlm_utils::simple_initiator_socket<MySm> socket{"socket"};

  unsigned compared() const { return compared_; }
  unsigned wrong() const { return wrong_; }

 private:
  /// One access under way: a write, then the read of what was written.
  struct Access {
    tlm::tlm_generic_payload payload;
    std::uint64_t region = 0;
    std::vector<unsigned char> written, read, enables;
    bool writing = false;
    unsigned rounds = 0;
  };

  // One request at a time, each as soon as the one before has been accepted.
  void send() {
    if (requesting_ != nullptr || ready_.empty()) return;
    if (free_at_ > sc_core::sc_time_stamp()) return wake_.notify(free_at_ - sc_core::sc_time_stamp());
    Access& a = *ready_.back();
    ready_.pop_back();
    prepare(a);
    requesting_ = &a.payload;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    const tlm::tlm_sync_enum result = socket->nb_transport_fw(a.payload, phase, delay);
    if (result == tlm::TLM_ACCEPTED) return;
    request_over(delay);
    if (result == tlm::TLM_COMPLETED) finish(a.payload);
  }
  /// END_REQ, or what implies it: the next request no earlier than that.
  void request_over(const sc_core::sc_time& delay) {
    requesting_ = nullptr;
    free_at_ = sc_core::sc_time_stamp() + delay;
    wake_.notify(delay);
  }

  void prepare(Access& a) {
    a.writing = !a.writing;
    if (a.writing) {  // a new round begins with a write
      const unsigned length = 1 + random_() % 300;
      a.written.resize(length);
      for (unsigned char& b : a.written) b = static_cast<unsigned char>(random_());
      a.enables.assign(1 + random_() % 5, 0xff);
      a.enables.back() = random_() % 2 != 0 ? 0xff : 0;
    }
    tlm::tlm_generic_payload& p = a.payload;
    p.set_mm(this);
    p.acquire();
    p.set_command(a.writing ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    p.set_address(a.region + a.rounds % 7);
    a.read.assign(a.written.size(), 0);
    p.set_data_ptr(a.writing ? a.written.data() : a.read.data());
    p.set_data_length(static_cast<unsigned>(a.written.size()));
    p.set_streaming_width(p.get_data_length());
    p.set_byte_enable_ptr(a.enables.data());
    p.set_byte_enable_length(static_cast<unsigned>(a.enables.size()));
    p.set_dmi_allowed(false);
    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (requesting_ == &p) request_over(delay);
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    finish(p);
    return tlm::TLM_COMPLETED;
  }

  void finish(tlm::tlm_generic_payload& p) {
    Access& a = *std::find_if(accesses_.begin(), accesses_.end(), [&p](const Access& x) { return &x.payload == &p; });
    if (!p.is_response_ok()) ++wrong_;
    if (!a.writing) compare(a);
    p.release();
    if (a.writing || ++a.rounds < kRounds) ready_.push_back(&a);
    wake_.notify(sc_core::SC_ZERO_TIME);
  }
  void compare(const Access& a) {
    for (std::size_t i = 0; i < a.written.size(); ++i) {
      const bool enabled = a.enables[i % a.enables.size()] != 0;
      if (enabled && a.read[i] != a.written[i]) ++wrong_;
      compared_ += enabled ? 1 : 0;
    }
  }
  void free(tlm::tlm_generic_payload*) override {}

  std::mt19937_64 random_;
  std::vector<Access> accesses_;
  std::vector<Access*> ready_;
  tlm::tlm_generic_payload* requesting_ = nullptr;
  sc_core::sc_time free_at_;
  sc_core::sc_event wake_;
  unsigned compared_ = 0, wrong_ = 0;
};

}  // namespace

int sc_main(int, char**) {
  const gputlm::Config config = gputlm::Config::load("tiny", {"sm.count=" + std::to_string(kSms)});
  gputlm::MemorySystem memory("memory", config);
  gputlm::ViolationLog log;
  std::vector<std::unique_ptr<MySm>> sms;
  std::vector<std::unique_ptr<gputlm::ProtocolChecker>> checkers;  // optional: bind the port directly instead
  for (unsigned i = 0; i < kSms; ++i) {
    sms.push_back(std::make_unique<MySm>(("sm" + std::to_string(i)).c_str(), i));
    checkers.push_back(std::make_unique<gputlm::ProtocolChecker>(("checker" + std::to_string(i)).c_str(), log));
    checkers.back()->connect(sms.back()->socket, memory.port(i));
  }
  sc_core::sc_start();

  unsigned compared = 0, wrong = 0;
  for (const auto& sm : sms) compared += sm->compared(), wrong += sm->wrong();
  log.print(std::cerr);
  memory.waits().print(std::cerr);
  std::cout << compared << " bytes compared, " << wrong << " wrong, at " << sc_core::sc_time_stamp() << '\n';
  const bool enough = compared > kSms * kAccesses * kRounds;
  return enough && wrong == 0 && log.total() == 0 && memory.idle() ? 0 : 1;
}
