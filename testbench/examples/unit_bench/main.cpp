// SPDX-License-Identifier: Apache-2.0
//
// A bench for one unit, to start from: a stimulus above it, a stand-in below it, a checker on every arrow, and an
// observer that sees each phase. Here the unit is one L2 slice and the stand-in a memory controller; for another unit
// exchange its Spec, its sockets and what the stand-in answers.
#include <algorithm>
#include <cstring>
#include <iostream>
#include <map>
#include <vector>

#include <gputlm/checker.h>
#include <gputlm/config.h>
#include <gputlm/l2/l2_slice.h>

namespace {

using namespace gputlm;

/// Sends requests in order, as fast as the unit takes them, and keeps them until they are answered.
class Stimulus : public sc_core::sc_module {
 public:
  Stimulus(const sc_core::sc_module_name& name, PayloadPool& pool)
      : sc_module(name), socket("socket", *this), pool_(pool), wake_("wake", [this] { send(); }) {}

  InitiatorSocket<Stimulus> socket;
  unsigned answered = 0, wrong = 0;

  void store(std::uint64_t line, unsigned char value) {
    PayloadRef p = pool_.line(tlm::TLM_WRITE_COMMAND, line, Operation::store);
    std::memset(p->get_data_ptr(), value, kLineBytes);
    queue(std::move(p));
  }
  void load(std::uint64_t line, unsigned char expected) {
    PayloadRef p = pool_.line(tlm::TLM_READ_COMMAND, line, Operation::load);
    find_sideband(*p)->cookie = expected;
    queue(std::move(p));
  }

  // Socket owner.
  void on_accepted(std::size_t, Payload&, Fs delay) { wake_.at(now() + delay); }
  bool on_response(std::size_t, Payload& p, Fs) {
    take(p);
    return true;
  }
  void on_debug_written(std::size_t, std::uint64_t, std::uint64_t) {}

 private:
  void queue(PayloadRef p) {
    waiting_.push_back(std::move(p));
    wake_.at(now());
  }
  void send() {
    if (socket.busy() || waiting_.empty()) return;
    const PayloadRef p = waiting_.pop_front();
    open_[p.get()] = p;
    Fs delay = 0;
    const Sent sent = socket.request(*p, delay);
    if (sent == Sent::responded) take(*p);
    if (sent != Sent::withheld) wake_.at(now() + delay);
  }
  void take(const Payload& p) {
    ++answered;
    const bool right = !p.is_read() || p.get_data_ptr()[0] == find_sideband(p)->cookie;
    if (!p.is_response_ok() || !right) ++wrong;
    open_.erase(&p);
  }

  PayloadPool& pool_;
  Ring<PayloadRef> waiting_;
  std::map<const Payload*, PayloadRef> open_;
  Wakeup wake_;
};

/// Stands in for what is below: takes every request at once and answers after a constant time.
class FakeController : public sc_core::sc_module {
 public:
  explicit FakeController(const sc_core::sc_module_name& name)
      : sc_module(name), reads("reads", *this, 0), writes("writes", *this, 1), wake_("wake", [this] { answer(); }) {}

  TargetSocket<FakeController> reads, writes;
  unsigned fetches = 0, write_backs = 0;

  // Socket owner.
  Admission on_request(std::size_t port, Payload& p, Fs& delay) {
    ++(port == 0 ? fetches : write_backs);
    auto& line = lines_[p.get_address()];
    line.resize(kLineBytes);
    if (p.is_write())
      copy_masked(line.data(), p.get_data_ptr(), ByteMask::of(p));
    else
      copy_masked(p.get_data_ptr(), line.data(), ByteMask::of(p));
    due_.push(now() + delay + from_ns(200), {PayloadRef(p), port});
    wake_.at(due_.next());
    return Admission::accept;
  }
  void on_response_taken(std::size_t, Payload&, Fs) {}
  unsigned on_debug(std::size_t, Payload&) { return 0; }

 private:
  struct Due {
    PayloadRef payload;
    std::size_t port = 0;
  };
  void answer() {
    while (due_.next() <= now()) {
      const Due due = due_.pop();
      due.payload->set_response_status(tlm::TLM_OK_RESPONSE);
      (due.port == 0 ? reads : writes).respond(*due.payload);
    }
    if (!due_.empty()) wake_.at(due_.next());
  }

  std::map<std::uint64_t, std::vector<unsigned char>> lines_;
  TimedQueue<Due> due_;
  Wakeup wake_;
};

/// Sees every phase on an arrow. A scoreboard of your own is one of these.
struct Observer : tlm::tlm_analysis_if<ArrowEvent> {
  void write(const ArrowEvent& e) override {
    if (e.phase == ArrowEvent::Phase::begin_req) begun[e.payload] = e.time;
    if (e.phase == ArrowEvent::Phase::begin_resp) slowest = std::max(slowest, e.time - begun[e.payload]);
  }
  std::map<const Payload*, Fs> begun;
  Fs slowest = 0;
};

/// Prints what a unit has counted.
struct Printer : StatisticsSink {
  void count(std::string_view name, std::string_view unit, std::string_view, std::uint64_t value) override {
    if (value != 0) std::cout << "  " << name << " = " << value << ' ' << unit << '\n';
  }
  void value(std::string_view, std::string_view, std::string_view, double) override {}
  void histogram(std::string_view name, std::string_view, const Histogram& h) override {
    if (h.count() != 0) std::cout << "  " << name << ": mean " << h.mean_ns() << " ns of " << h.count() << '\n';
  }
};

}  // namespace

int sc_main(int, char**) {
  const Config config = Config::load("tiny");  // the Spec of every unit, filled in
  PayloadPool pool;
  ViolationLog log;
  Stimulus stimulus("stimulus", pool);
  L2Slice slice("slice", config.l2, 0, pool);
  FakeController controller("controller");
  ProtocolChecker above("above", log), reads("reads", log), writes("writes", log);
  above.connect(stimulus.socket, slice.requests);
  reads.connect(slice.reads, controller.reads);
  writes.connect(slice.writes, controller.writes);
  Observer observer;
  slice.requests.arrow.bind(observer);

  constexpr unsigned kLines = 64;
  for (unsigned i = 0; i < kLines; ++i) stimulus.store(i * kLineBytes, static_cast<unsigned char>(i + 1));
  for (unsigned i = 0; i < 2 * kLines; ++i)  // the second half was never written: fetched, zeros
    stimulus.load(i * kLineBytes, static_cast<unsigned char>(i < kLines ? i + 1 : 0));
  sc_core::sc_start();
  slice.flush();
  sc_core::sc_start();

  Printer printer;
  slice.report(printer);
  slice.explain(std::cerr);  // what waits, if anything does
  log.print(std::cerr);
  std::cout << "slowest answer after " << to_ns(observer.slowest) << " ns\n";
  const bool right = stimulus.answered == 3 * kLines && stimulus.wrong == 0 && controller.fetches == kLines &&
                     controller.write_backs == kLines && slice.idle() && log.total() == 0 && pool.outstanding() == 0;
  std::cout << (right ? "right" : "wrong") << '\n';
  return right ? 0 : 1;
}
