// SPDX-License-Identifier: Apache-2.0
//
// How a unit of the GPU reads and writes memory of either kind by virtual address: a range is cut into lines, each goes
// to the card's memory (through L2, coherently) or over the link, and the owner hears once, when all of them are
// answered. The owner is called from an event of its own, so it may ask for more from there.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "gputlm/host/gpu_address_space.h"
#include "gputlm/tlm/sockets.h"
#include "gputlm/tlm/wait_list.h"

namespace gputlm {

/// Lives inside a unit; its sockets are the unit's.
class DmaMaster {
 public:
  using Data = std::vector<unsigned char>;
  /// False: a part of the range is not mapped or was refused; then the data mean nothing.
  using ReadDone = std::function<void(bool ok, const Data& data)>;
  using WriteDone = std::function<void(bool ok)>;

  DmaMaster(PayloadPool& pool, const GpuAddressSpace& space);

  InitiatorSocket<DmaMaster> host;    ///< To the link.
  InitiatorSocket<DmaMaster> device;  ///< To the crossbar.

  /// `bytes` above 0. A physical address is one of the card's memory.
  void read(std::uint64_t address, std::size_t bytes, ReadDone done, bool physical = false);
  void write(std::uint64_t address, Data data, WriteDone done, bool physical = false);

  bool idle() const { return transfers_.empty(); }
  void reset();
  void list_waits(const sc_core::sc_object& unit, WaitList& waits) const;

  // Called by the sockets.
  void on_accepted(std::size_t bus, Payload& p, Fs delay);
  bool on_response(std::size_t bus, Payload& p, Fs delay);
  void on_debug_written(std::size_t /*bus*/, std::uint64_t /*first*/, std::uint64_t /*last*/) {}

 private:
  static constexpr std::size_t kHost = 0, kDevice = 1;

  struct Transfer {
    std::uint64_t address = 0;
    bool physical = false;
    Data data;
    std::size_t lines_left = 0;
    Fs since = 0;
    bool ok = true;
    ReadDone read_done;
    WriteDone write_done;
  };

  InitiatorSocket<DmaMaster>& bus(std::size_t number) { return number == kHost ? host : device; }
  void start(Transfer transfer);
  std::optional<GpuLocation> physical_location(std::uint64_t line) const;
  void queue_line(std::uint64_t id, Transfer& transfer, std::uint64_t line);
  PayloadRef make_line(std::uint64_t id, const Transfer& transfer, std::uint64_t line, std::uint64_t physical);
  void pump(std::size_t number);
  void take_answer(const Payload& p, Fs at);
  void finish(std::uint64_t id);
  void run();

  PayloadPool& pool_;
  const GpuAddressSpace& space_;
  std::unordered_map<std::uint64_t, Transfer> transfers_;
  std::uint64_t next_id_ = 0;
  std::array<Ring<PayloadRef>, 2> waiting_;
  std::array<Fs, 2> free_at_{};
  std::unordered_map<const Payload*, PayloadRef> under_way_;
  TimedQueue<std::uint64_t> done_;
  Wakeup wakeup_;
};

}  // namespace gputlm
