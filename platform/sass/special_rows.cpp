// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sass/binding.h"
#include "gputlm/tlm/time.h"

namespace gputlm {
namespace {

Dimensions thread_index(const WarpState& w, Lane l) {
  const std::uint32_t linear = w.warp * kWarpLanes + l;
  const Dimensions& block = w.launch.block;
  return {linear % block.x, linear / block.x % block.y, linear / block.x / block.y};
}

LaneMask up_to(Lane l) {
  return l == kWarpLanes - 1 ? kAllLaneBits : (LaneMask{2} << l) - 1;
}

std::uint64_t cycles(const WarpState& w) {
  return static_cast<std::uint64_t>(static_cast<double>(now()) * 1e-15 * w.launch.spec.clock_hz);
}

std::uint64_t nanoseconds() {
  return static_cast<std::uint64_t>(now() / kFsPerNs);
}

/// The value of a special register; of a clock, both halves.
using Reading = std::uint64_t (*)(const WarpState&, Lane);

struct SpecialRegister {
  const char* name;
  Reading read;
};

// SR_VIRTID holds the warp in bits 8 to 14, as %warpid takes it from there.
constexpr SpecialRegister kRegisters[] = {
    {"SRZ", [](const WarpState&, Lane) { return std::uint64_t{0}; }},
    {"SR_TID.X", [](const WarpState& w, Lane l) { return std::uint64_t{thread_index(w, l).x}; }},
    {"SR_TID.Y", [](const WarpState& w, Lane l) { return std::uint64_t{thread_index(w, l).y}; }},
    {"SR_TID.Z", [](const WarpState& w, Lane l) { return std::uint64_t{thread_index(w, l).z}; }},
    {"SR_CTAID.X", [](const WarpState& w, Lane) { return std::uint64_t{w.cta.index.x}; }},
    {"SR_CTAID.Y", [](const WarpState& w, Lane) { return std::uint64_t{w.cta.index.y}; }},
    {"SR_CTAID.Z", [](const WarpState& w, Lane) { return std::uint64_t{w.cta.index.z}; }},
    {"SR_NTID.X", [](const WarpState& w, Lane) { return std::uint64_t{w.launch.block.x}; }},
    {"SR_NCTAID.X", [](const WarpState& w, Lane) { return std::uint64_t{w.launch.grid.x}; }},
    {"SR_LANEID", [](const WarpState&, Lane l) { return std::uint64_t{l}; }},
    {"SR_EQMASK", [](const WarpState&, Lane l) { return std::uint64_t{LaneMask{1} << l}; }},
    {"SR_LTMASK", [](const WarpState&, Lane l) { return std::uint64_t{up_to(l) >> 1U}; }},
    {"SR_LEMASK", [](const WarpState&, Lane l) { return std::uint64_t{up_to(l)}; }},
    {"SR_GTMASK", [](const WarpState&, Lane l) { return std::uint64_t{LaneMask{~up_to(l)}}; }},
    {"SR_GEMASK", [](const WarpState&, Lane l) { return std::uint64_t{LaneMask{~(up_to(l) >> 1U)}}; }},
    {"SR_CLOCKLO", [](const WarpState& w, Lane) { return cycles(w); }},
    {"SR_CLOCKHI", [](const WarpState& w, Lane) { return cycles(w) >> 32U; }},
    {"SR_GLOBALTIMERLO", [](const WarpState&, Lane) { return nanoseconds(); }},
    {"SR_GLOBALTIMERHI", [](const WarpState&, Lane) { return nanoseconds() >> 32U; }},
    {"SR_VIRTUALSMID", [](const WarpState& w, Lane) { return std::uint64_t{w.cta.sm}; }},
    {"SR_SMID", [](const WarpState& w, Lane) { return std::uint64_t{w.cta.sm}; }},
    {"SR_VIRTID", [](const WarpState& w, Lane) { return std::uint64_t{w.warp} << 8U; }},
};

// CS2R without .32 writes a pair.
void bind_s2r(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  for (const SpecialRegister& r : kRegisters) {
    if (o.special != r.name) continue;
    const bool wide = i.opcode == "CS2R" && !i.has("32");
    b.once = i.opcode == "S2UR";
    return run_lanes(i, b, [d = o.d[0], read = r.read, wide](WarpState& w, Lane l) {
      const std::uint64_t v = read(w, l);
      wide ? d.write_pair(w, l, v) : d.write(w, l, static_cast<std::uint32_t>(v));
    });
  }
  throw Unsupported("the special register " + o.special + " is not supported");
}

void bind_r2ur(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  run_warp(i, b, [o](WarpState& w, LaneMask lanes) {
    const Lane first = lowest_lane(lanes);
    o.d[0].write(w, first, o.s[0].integer(w, first));
  });
}

// The result of the reduction at the barrier that the warp passed last.
void bind_b2r(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  run_warp(i, b, [o](WarpState& w, LaneMask lanes) {
    const std::uint32_t passed = w.barriers_arrived[w.last_barrier];
    const CtaState::Reduction& r = w.cta.reductions[w.last_barrier][passed % 2];
    for_each_lane_of(lanes, [&](Lane l) { o.d[0].write(w, l, r.count); });
    if (!o.p.empty()) w.set_predicate(o.p[0], lanes, r.holds ? kAllLaneBits : 0);
  });
}

void bind_nothing(const SassInstruction& i, const Operands&, BoundInstruction& b) {
  run_warp(i, b, [](WarpState&, LaneMask) {});
}

void bind_depbar(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  bind_nothing(i, o, b);
  b.waits = static_cast<std::uint8_t>(1U << o.barrier);
}

void bind_trap(const SassInstruction& i, const Operands&, BoundInstruction& b) {
  run_warp(i, b, [text = i.text](WarpState& w, LaneMask) { w.raise("the kernel traps: " + text); });
}

}  // namespace

const std::vector<InstructionRow>& special_rows() {
  static const std::vector<InstructionRow> rows{
      {"S2R", "", "d x", "special register", Latency::special_register, bind_s2r},
      {"S2UR", "", "d x", "special register to a uniform one", Latency::special_register, bind_s2r},
      {"CS2R", "32", "d x", "special register or zero to a pair (.32: one register)", Latency::special_register,
       bind_s2r},
      {"R2UR", "", "d s", "the lowest active lane's register to a uniform one", Latency::special_register, bind_r2ur},
      {"B2R", "RESULT", "d p?", "result of BAR.RED", Latency::special_register, bind_b2r},
      {"DEPBAR", "LE", "k i?", "waits for a scoreboard (for all that hold it)", Latency::fixed, bind_depbar},
      {"NOP", "", "", "nothing", Latency::fixed, bind_nothing},
      {"ERRBAR", "", "", "nothing: errors of accesses end the run by themselves", Latency::fixed, bind_nothing},
      {"BPT", "TRAP", "i?", "ends the kernel with a fault", Latency::fixed, bind_trap},
  };
  return rows;
}

}  // namespace gputlm
