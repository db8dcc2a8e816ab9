// SPDX-License-Identifier: Apache-2.0
//
// Kernels' traces; what was read as an instruction is written and read again. Every reading is done twice: the lenient
// one must come to an end whatever stands in the file.
#include <memory>
#include <stdexcept>

#include "fuzz_target.h"
#include "gputlm/replay/traceg_reader.h"
#include "gputlm/replay/traceg_writer.h"

namespace gputlm {
namespace {

/// Compares each instruction with what its own line says.
class Again final : public TracegSink {
 public:
  explicit Again(TracegOpcodes& opcodes) : opcodes_(opcodes) { header_.version = TracegVersion::immediates; }
  void on_warp(unsigned) override {}
  void on_instruction(const TracegInstruction& i) override {
    const TracegLineReader reader(header_, opcodes_);
    TracegInstruction again;
    LineProblem problem;
    const std::string line = traceg_line(i);
    // An access of no lane is written without addresses; one outside of memory is nobody's.
    if (i.mask == 0 || !reader.read(line, again, problem)) return;
    if (traceg_line(again) != line) throw std::logic_error("read otherwise than written: " + line);
  }

 private:
  TracegOpcodes& opcodes_;
  TracegHeader header_;
};

void read(const std::string& text, bool lenient) {
  TracegOpcodes opcodes;
  Damage damage(lenient);
  TracegReader reader(std::make_unique<TraceLines>("fuzz.traceg", trace_text(text)), opcodes, damage);
  Again sink(opcodes);
  while (reader.read_block(sink)) {
  }
  damage.throw_if_strict();
}

}  // namespace
}  // namespace gputlm

void gputlm::fuzz(const std::string& text) {
  read(text, true);
  read(text, false);
}
