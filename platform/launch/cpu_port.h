// SPDX-License-Identifier: Apache-2.0
//
// The CPU's end of the link: stores and loads of a program on the host to the card's apertures, in the order in which
// it makes them.
#pragma once

#include <functional>
#include <unordered_map>
#include <vector>

#include "gputlm/tlm/payload_pool.h"
#include "gputlm/tlm/sockets.h"
#include "gputlm/tlm/unit.h"

namespace gputlm {

class CpuPort : public Unit {
 public:
  /// False: refused; then the data mean nothing.
  using ReadDone = std::function<void(bool ok, const std::vector<unsigned char>& data)>;

  CpuPort(const sc_core::sc_module_name& name, PayloadPool& pool);

  InitiatorSocket<CpuPort> out;  ///< To PcieLink::host.

  /// Posted: nothing tells when it has arrived.
  void write(std::uint64_t address, const void* data, std::size_t bytes);
  /// `bytes` above 0.
  void read(std::uint64_t address, std::size_t bytes, ReadDone done);

  void reset() override;
  void report(StatisticsSink& sink) const override;
  bool idle() const override { return waiting_.empty() && under_way_.empty() && !out.busy(); }
  void list_waits(WaitList& waits) const override;

  // Socket owner.
  void on_accepted(std::size_t port, Payload& p, Fs delay);
  bool on_response(std::size_t port, Payload& p, Fs delay);
  void on_debug_written(std::size_t, std::uint64_t, std::uint64_t) {}

 private:
  struct Read {
    std::uint64_t address = 0;
    std::vector<unsigned char> data;
    std::size_t lines_left = 0;
    bool ok = true;
    ReadDone done;
  };

  void send();
  void answered(const Payload& p);

  PayloadPool& pool_;
  Ring<PayloadRef> waiting_;
  std::unordered_map<const Payload*, PayloadRef> under_way_;
  std::unordered_map<std::uint64_t, Read> reads_;  // by cookie
  std::uint64_t next_read_ = 1;                    // a write's cookie is 0
  Wakeup wakeup_;
  std::uint64_t writes_ = 0, loads_ = 0;
};

}  // namespace gputlm
