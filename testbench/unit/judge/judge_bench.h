// SPDX-License-Identifier: Apache-2.0
//
// A memory that stands for L2 over DRAM, and the calls that a load/store unit and a slice make on a scoreboard, one
// step at a time so that a test can spoil things in between.
#pragma once

#include <array>
#include <cstring>
#include <random>
#include <unordered_map>

#include "gputlm/judge/scoreboard.h"

namespace gputlm::test {

inline constexpr std::uint64_t kMemoryBytes = 1ULL << 30;

/// Contents before the run: never equal for neighbouring bytes or lines.
inline void initial_image(std::uint64_t line, unsigned char* bytes) {
  for (unsigned i = 0; i < kLineBytes; ++i) bytes[i] = static_cast<unsigned char>(line / kLineBytes * 31 + i * 7 + 3);
}

class JudgeBench {
 public:
  using Line = std::array<unsigned char, kLineBytes>;

  JudgeBench()
      : board(kMemoryBytes, initial_image,
              [this](std::uint64_t line, unsigned char* bytes) { std::memcpy(bytes, at(line).data(), kLineBytes); }) {}

  /// Memory's line, made from the image when first touched.
  Line& at(std::uint64_t line) {
    auto [entry, fresh] = memory_.try_emplace(line);
    if (fresh) initial_image(line, entry->second.data());
    return entry->second;
  }

  PayloadRef make(Operation operation, std::uint64_t line, ByteMask mask, unsigned sm = 1) {
    const tlm::tlm_command command = operation == Operation::load    ? tlm::TLM_READ_COMMAND
                                     : operation == Operation::store ? tlm::TLM_WRITE_COMMAND
                                                                     : tlm::TLM_IGNORE_COMMAND;
    PayloadRef p = pool.line(command, line, operation);
    set_enables(*p, mask);
    find_sideband(*p)->origin.sm = static_cast<std::uint16_t>(sm);
    std::memset(p->get_data_ptr(), 0, kLineBytes);
    return p;
  }
  PayloadRef store(std::uint64_t line, ByteMask mask, unsigned char value, unsigned sm = 1) {
    PayloadRef p = make(Operation::store, line, mask, sm);
    for (unsigned i = 0; i < kLineBytes; ++i) p->get_data_ptr()[i] = static_cast<unsigned char>(value + i);
    return p;
  }
  PayloadRef weak_load(std::uint64_t line, ByteMask mask, unsigned sm = 1) {
    PayloadRef p = make(Operation::load, line, mask, sm);
    find_sideband(*p)->semantics = Semantics::weak;
    return p;
  }
  PayloadRef atomic(std::uint64_t line, ByteMask mask, AtomicFunction function, std::uint32_t operand,
                    Operation operation = Operation::atomic) {
    PayloadRef p = make(operation, line, mask);
    find_sideband(*p)->function = function;
    for (unsigned i = 0; i < kLineBytes; i += 4) std::memcpy(p->get_data_ptr() + i, &operand, 4);
    return p;
  }

  static unsigned sm_of(const Payload& p) { return find_sideband(p)->origin.sm; }
  void request(Payload& p) { board.on_line_request(sm_of(p), p); }
  void respond(Payload& p, tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE) {
    p.set_response_status(status);
    board.on_line_response(sm_of(p), p);
  }
  void perform_store(Payload& p) {
    board.on_store(kSlice, p);
    copy_masked(at(p.get_address()).data(), p.get_data_ptr(), ByteMask::of(p));
  }
  void perform_load(Payload& p) {
    board.on_load(kSlice, p);
    copy_masked(p.get_data_ptr(), at(p.get_address()).data(), ByteMask::of(p));
    board.on_load_done(kSlice, p);
  }
  /// 32-bit add only.
  void add_words(Payload& p) {
    Line& line = at(p.get_address());
    const ByteMask mask = ByteMask::of(p);
    for (unsigned i = 0; i < kLineBytes; i += 4) {
      if (!mask.test(i)) continue;
      std::uint32_t old = 0, operand = 0;
      std::memcpy(&old, &line[i], 4);
      std::memcpy(&operand, p.get_data_ptr() + i, 4);
      const std::uint32_t value = old + operand;
      std::memcpy(&line[i], &value, 4);
      if (find_sideband(p)->operation == Operation::atomic) std::memcpy(p.get_data_ptr() + i, &old, 4);
    }
  }

  void whole_store(std::uint64_t line, ByteMask mask, unsigned char value, unsigned sm = 1) {
    const PayloadRef p = store(line, mask, value, sm);
    request(*p);
    perform_store(*p);
    respond(*p);
  }
  /// A strong load from request to answer.
  void whole_load(std::uint64_t line, ByteMask mask) {
    const PayloadRef p = make(Operation::load, line, mask);
    request(*p);
    perform_load(*p);
    respond(*p);
  }

  /// True when exactly one finding was made, of this kind.
  bool only(FindingKind kind) const { return board.mismatches() == 1 && board.mismatches(kind) == 1; }

  static constexpr unsigned kSlice = 5;
  PayloadPool pool;
  Scoreboard board;

 private:
  std::unordered_map<std::uint64_t, Line> memory_;
};

}  // namespace gputlm::test
