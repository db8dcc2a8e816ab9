// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gputlm {

/// Where the reference machine stands in a litmus test.
struct MachineState {
  using Word = std::uint32_t;

  /// A store or reduction between its SM's L1 and L2.
  struct Pending {
    Word instruction, thread, operand;
  };
  /// How far a thread's next instruction has come.
  enum class Step : Word {
    begin,     ///< Not at all.
    fencing,   ///< A fence, or the fence of a release, waits.
    fenced,    ///< The fence of a release is done.
    acquiring  ///< The data of an acquire are there.
  };
  struct Thread {
    Word next = 0;
    Step step = Step::begin;
    Word waits_for = 0;  ///< Entries of its SM's road that its fence waits for.
    std::vector<Word> registers;
  };
  struct Line {
    Word present = 0, value = 0;
  };

  std::vector<Thread> threads;
  std::vector<Word> memory;                 ///< By location; of an alias, unused.
  std::vector<std::vector<Line>> l1;        ///< By SM and location.
  std::vector<std::vector<Pending>> roads;  ///< By SM, oldest first.

  /// The same for the same states of one test alone.
  std::string key() const {
    std::vector<Word> all;
    for (const Thread& t : threads) {
      all.insert(all.end(), {t.next, static_cast<Word>(t.step), t.waits_for});
      all.insert(all.end(), t.registers.begin(), t.registers.end());
    }
    all.insert(all.end(), memory.begin(), memory.end());
    for (const auto& lines : l1)
      for (const Line& l : lines) all.insert(all.end(), {l.present, l.present != 0 ? l.value : 0});
    for (const auto& road : roads) {
      all.push_back(static_cast<Word>(road.size()));
      for (const Pending& p : road) all.insert(all.end(), {p.instruction, p.thread, p.operand});
    }
    return {reinterpret_cast<const char*>(all.data()), all.size() * sizeof(Word)};
  }
};

}  // namespace gputlm
