// SPDX-License-Identifier: Apache-2.0
//
// A full base-protocol checker for one arrow. It is bound in the middle of the arrow, passes every call through
// untouched and judges it by the rules of tlm/protocol_rules.h. What it finds goes to a ViolationLog; it never alters,
// delays or stops anything (unless the log is told to escalate), so a run with checkers takes the same simulated course
// as one without.
//
// It leaves out: rules about several sockets of one component (order between arrows), except that an error seen further
// down may not turn into OK further up.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "gputlm/tlm/protocol_log.h"
#include "gputlm/tlm/protocol_table.h"
#include "gputlm/tlm/unit.h"

namespace gputlm {

/// Statistics: transactions begun, calls passed, violations (of the whole log). Sockets: `in` faces the initiator,
/// `out` the target.
class ProtocolChecker : public Unit, private tlm::tlm_fw_transport_if<>, private tlm::tlm_bw_transport_if<> {
 public:
  ProtocolChecker(const sc_core::sc_module_name& name, ViolationLog& log);

  tlm::tlm_target_socket<32> in;
  tlm::tlm_initiator_socket<32> out;

  /// Binds the checker between two sockets and takes their names for its messages.
  template <class Initiator, class Target>
  void connect(Initiator& initiator, Target& target) {
    initiator.bind(in);
    out.bind(target);
    set_ends(initiator.name(), target.name());
  }
  /// Names the two ends when the sockets are bound by hand.
  void set_ends(std::string initiator, std::string target);

  /// End of simulation: nothing may be in flight on this arrow.
  void finish();

  /// A transaction that is open on this arrow.
  struct Open {
    const ProtocolChecker* arrow;
    const Payload* payload;  ///< For identity only; it may no longer exist.
    OpenTransaction::Phase phase;
    Fs since;
    PayloadSummary summary;
    /// The sockets at the end that waits, and at the end whose turn it is.
    const std::string& waiting() const;
    const std::string& holder() const;
    /// Who waits for whom, and for which call.
    std::string text() const;
  };
  /// All open transactions, oldest first.
  std::vector<Open> open_transactions() const;

  std::uint64_t transactions() const { return transactions_; }
  std::uint64_t calls() const { return calls_; }

  void reset() override;
  void report(StatisticsSink& sink) const override;
  bool idle() const override { return open_.size() == 0; }
  void list_waits(WaitList& waits) const override;

 private:
  // How a call came in, to judge what came back.
  struct Call {
    Payload& payload;
    PayloadSummary summary;
    tlm::tlm_phase phase;
    sc_core::sc_time delay;
    Fs time;
    sc_dt::uint64 delta;
    std::uint64_t serial;
  };

  // protocol_checker.cpp: the calls
  tlm::tlm_sync_enum nb_transport_fw(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t) override;
  tlm::tlm_sync_enum nb_transport_bw(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t) override;
  void b_transport(Payload& p, sc_core::sc_time& t) override;
  unsigned transport_dbg(Payload& p) override;
  bool get_direct_mem_ptr(Payload& p, tlm::tlm_dmi& dmi) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override;
  Call enter(Payload& p, const tlm::tlm_phase& phase, const sc_core::sc_time& t);
  void check_elapsed(const Call& call, ProtocolRule rule);
  void check_return(const Call& call, tlm::tlm_sync_enum result, const tlm::tlm_phase& phase,
                    const sc_core::sc_time& t);
  void return_of_request(const Call& call, tlm::tlm_sync_enum result, const tlm::tlm_phase& phase, Fs effective);
  void return_of_response(const Call& call, tlm::tlm_sync_enum result, const tlm::tlm_phase& phase, Fs effective);

  // protocol_phases.cpp: what a phase means for the transaction
  void begin_request(Payload& p, Fs effective);
  void end_request(OpenTransaction& open, Payload& p, Fs effective);
  void begin_response(OpenTransaction& open, Payload& p, Fs effective);
  void end_response(Payload& p, Fs effective);
  void completed(OpenTransaction& open, Payload& p, Fs effective);
  void close(const Payload& p, Fs effective);
  void start(Payload& p, OpenTransaction::Phase phase, Fs effective);
  void enter_phase(OpenTransaction& open, OpenTransaction::Phase phase);
  void advance(OpenTransaction& open, Fs effective);
  void advance_arrow(Fs& latest, Fs effective, const PayloadSummary& summary);
  void check_life(const Payload& p);
  void check_start(const Payload& p);
  void check_fixed(const PayloadSnapshot& then, const Payload& p);
  void check_all(const PayloadSnapshot& then, const Payload& p);
  void check_answer(const Payload& p);

  void expect(bool holds, ProtocolRule rule, const Payload& p) {
    if (!holds) violation(rule, PayloadSummary::of(p));
  }
  void violation(ProtocolRule rule, const PayloadSummary& summary, std::string_view detail = {});

  ViolationLog& log_;
  std::string initiator_, target_;
  OpenTransactions open_;
  const Payload* requesting_ = nullptr;  // has the request channel
  const Payload* responding_ = nullptr;  // has the response channel
  Fs request_time_ = 0, response_time_ = 0;
  std::uint64_t transactions_ = 0, calls_ = 0;
};

}  // namespace gputlm
