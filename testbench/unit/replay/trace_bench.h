// SPDX-License-Identifier: Apache-2.0
//
// Traces as text, and what a reader makes of them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gputlm/replay/traceg_reader.h"

namespace gputlm::test {

/// A header of that version (empty: none is said) for one block of `warps` warps.
inline std::string header(const std::string& version, const std::string& more = {}, unsigned warps = 1,
                          unsigned blocks = 1) {
  std::string text = "-kernel name = k\n-kernel id = 1\n-grid dim = (" + std::to_string(blocks) +
                     ",1,1)\n-block dim = (" + std::to_string(32 * warps) +
                     ",1,1)\n-shmem = 0\n-nregs = 16\n-binary version = 80\n-cuda stream id = 0\n" +
                     "-shmem base_addr = 0x00007f0000000000\n-local mem base_addr = 0x00007e0000000000\n";
  if (!version.empty()) text += "-accelsim tracer version = " + version + "\n";
  return text + more + "\n#traces format = whatever\n";
}

/// A block with one warp.
inline std::string block(const std::vector<std::string>& lines, unsigned x = 0) {
  std::string text = "#BEGIN_TB\n\nthread block = " + std::to_string(x) +
                     ",0,0\n\nwarp = 0\ninsts = " + std::to_string(lines.size()) + "\n";
  for (const std::string& l : lines) text += l + "\n";
  return text + "\n#END_TB\n\n";
}

/// All instructions of a kernel's trace.
struct Read final : TracegSink {
  explicit Read(const std::string& text, bool lenient = false) : damage(lenient) {
    TracegReader reader(std::make_unique<TraceLines>("t.traceg", trace_text(text)), opcodes, damage);
    header = reader.header();
    while (reader.read_block(*this)) {
    }
    blocks = reader.blocks();
  }
  void on_warp(unsigned warp) override { warps.push_back(warp); }
  void on_instruction(const TracegInstruction& i) override { instructions.push_back(i); }

  TracegOpcodes opcodes;
  Damage damage;
  TracegHeader header;
  std::vector<unsigned> warps;
  std::vector<TracegInstruction> instructions;
  std::uint64_t blocks = 0;
};

/// What is wrong with it, one mistake a line; empty: nothing.
inline std::string mistakes(const std::string& text) {
  try {
    const Read read(text);
    return read.damage.first().text();
  } catch (const ConfigError& e) {
    return e.what();
  }
}

}  // namespace gputlm::test
