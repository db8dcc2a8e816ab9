// SPDX-License-Identifier: Apache-2.0
//
// One controller of the card with its channels, driven as its slices would. Every arrow has a protocol checker, every
// channel the command checker.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "dram_facts.h"
#include "gputlm/dram/gddr6x_channel.h"
#include "gputlm/dram/memory_controller.h"
#include "gputlm/dram_checker/command_checker.h"
#include "gputlm/tlm/protocol_checker.h"

namespace gputlm {

/// The three slices of one controller: sends what it is told, as soon as each arrow is free, and keeps what came back.
class SliceDriver : public sc_core::sc_module {
 public:
  struct Done {
    PayloadRef payload;
    Fs sent = 0, accepted = kNever, answered = kNever;
    bool is_write = false;
  };

  SliceDriver(const sc_core::sc_module_name& name, unsigned slices, PayloadPool& pool)
      : sc_module(name), pool_(pool), queued_(2 * slices), current_(2 * slices, SIZE_MAX), wake_("wake", [this] {
          pump();
        }) {
    for (unsigned port = 0; port < 2 * slices; ++port)
      sockets.push_back(
          std::make_unique<InitiatorSocket<SliceDriver>>(("out_" + std::to_string(port)).c_str(), *this, port));
  }

  std::vector<std::unique_ptr<InitiatorSocket<SliceDriver>>> sockets;  // reads of each slice, then writes
  std::vector<Done> log;                                               // in the order of read() and write()
  bool keep_payloads = true;
  std::size_t answered = 0;
  std::vector<std::size_t> answer_order;

  unsigned slices() const { return static_cast<unsigned>(sockets.size() / 2); }
  std::size_t read(unsigned slice, std::uint64_t line, ByteMask mask = ByteMask::full()) {
    PayloadRef p = pool_.line(tlm::TLM_READ_COMMAND, line, Operation::load);
    std::memset(p->get_data_ptr(), 0xee, kLineBytes);
    return enqueue(slice, std::move(p), mask);
  }
  std::size_t write(unsigned slice, std::uint64_t line, const unsigned char* data, ByteMask mask = ByteMask::full()) {
    PayloadRef p = pool_.line(tlm::TLM_WRITE_COMMAND, line, Operation::store);
    std::memcpy(p->get_data_ptr(), data, kLineBytes);
    return enqueue(slices() + slice, std::move(p), mask);
  }
  std::size_t write(unsigned slice, std::uint64_t line, unsigned char fill, ByteMask mask = ByteMask::full()) {
    unsigned char data[kLineBytes];
    std::memset(data, fill, sizeof data);
    return write(slice, line, data, mask);
  }
  std::size_t send(std::size_t port, PayloadRef p) {
    queued_[port].push_back(log.size());
    log.push_back({std::move(p)});
    wake_.at(now());
    return log.size() - 1;
  }
  std::size_t waiting(std::size_t port) const { return queued_[port].size(); }
  const unsigned char* data(std::size_t i) const { return log[i].payload->get_data_ptr(); }

  void reset() {
    for (auto& q : queued_) q.clear();
    for (auto& s : sockets) s->reset();
    wake_.cancel();
    log.clear();
    answered = 0;
    answer_order.clear();
    std::fill(current_.begin(), current_.end(), SIZE_MAX);
  }

  void on_accepted(std::size_t port, Payload& /*p*/, Fs delay) {
    log[current_[port]].accepted = now() + delay;
    current_[port] = SIZE_MAX;
    wake_.at(now());
  }
  bool on_response(std::size_t /*port*/, Payload& p, Fs delay) {
    answer(static_cast<std::size_t>(find_sideband(p)->cookie), delay);
    return true;
  }
  void on_debug_written(std::size_t /*port*/, std::uint64_t /*first*/, std::uint64_t /*last*/) {}

 private:
  std::size_t enqueue(std::size_t port, PayloadRef p, ByteMask mask) {
    set_enables(*p, mask);
    find_sideband(*p)->cookie = log.size();
    return send(port, std::move(p));
  }
  void answer(std::size_t i, Fs delay) {
    log[i].answered = now() + delay;
    ++answered;
    answer_order.push_back(i);
    if (!keep_payloads) log[i].payload.reset();
  }
  void pump() {
    for (std::size_t port = 0; port < sockets.size(); ++port)
      while (!sockets[port]->busy() && !queued_[port].empty()) {
        const std::size_t i = queued_[port].pop_front();
        current_[port] = i;
        log[i].sent = now();
        Fs delay = 0;
        const PayloadRef p = log[i].payload;
        const Sent sent = sockets[port]->request(*p, delay);
        if (sent == Sent::withheld) break;
        current_[port] = SIZE_MAX;
        log[i].accepted = now() + delay;
        if (sent == Sent::responded) answer(i, delay);
      }
  }

  PayloadPool& pool_;
  std::vector<Ring<std::size_t>> queued_;
  std::vector<std::size_t> current_;
  Wakeup wake_;
};

/// Controller 0 of the card and all that it needs.
struct DramBench {
  /// `watched`: with checkers on every arrow and channel.
  explicit DramBench(DramSpec s = rtx4090_dram(), bool watched = true)
      : spec(std::move(s)),
        map(DramMap::make(spec, published_controller)),
        memory(spec.capacity),
        commands(spec),
        controller("controller", spec, 0, pool, *map),
        slices("slices", spec.slices_per_controller, pool) {
    for (unsigned c = 0; c < spec.channels_per_controller; ++c) {
      channels.push_back(
          std::make_unique<Gddr6xChannel>(("gddr_" + std::to_string(c)).c_str(), spec, 0, c, *map, memory));
      if (watched) channels.back()->set_observer(&commands);
      connect(*controller.channels[c], channels.back()->commands, watched);
    }
    for (unsigned port = 0; port < 2 * spec.slices_per_controller; ++port) {
      const bool write = port >= spec.slices_per_controller;
      connect(*slices.sockets[port],
              write ? *controller.writes[port - spec.slices_per_controller] : *controller.reads[port], watched);
    }
  }

  template <class From, class To>
  void connect(From& from, To& to, bool watched) {
    if (!watched) {
      from.bind(to);
      return;
    }
    checkers.push_back(
        std::make_unique<ProtocolChecker>(("checker_" + std::to_string(checkers.size())).c_str(), violations));
    checkers.back()->connect(from, to);
  }
  static void run(Fs duration) { sc_core::sc_start(to_sc_time(duration)); }
  /// Runs until nothing is left to do.
  static void drain() { sc_core::sc_start(); }

  /// The n-th line (from 0) of this controller on a channel whose location satisfies a condition.
  template <class Condition>
  std::uint64_t find_line(Condition wanted, std::uint64_t from = 0) const {
    for (std::uint64_t line = from; line < spec.capacity; line += kLineBytes)
      if (published_controller(line) == 0 && wanted(map->locate(line))) return line;
    return spec.capacity;
  }
  /// The first `count` lines of this controller from an address on, in address order.
  std::vector<std::uint64_t> lines(std::size_t count, std::uint64_t from = 0) const {
    std::vector<std::uint64_t> found;
    for (std::uint64_t line = from; found.size() < count; line += kLineBytes)
      if (published_controller(line) == 0) found.push_back(line);
    return found;
  }

  DramSpec spec;
  PayloadPool pool;
  std::unique_ptr<DramMap> map;
  SparseMemory memory;
  CommandChecker commands;
  ViolationLog violations;
  MemoryController controller;
  SliceDriver slices;
  std::vector<std::unique_ptr<Gddr6xChannel>> channels;
  std::vector<std::unique_ptr<ProtocolChecker>> checkers;
};

}  // namespace gputlm
