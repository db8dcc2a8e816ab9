// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "gputlm/config/figure_text.h"
#include "gputlm/system/summary.h"

namespace gputlm {
namespace {

std::string bytes_text(const Json& bytes) {
  return size_text(bytes.get<double>());
}

std::string count_text(const Json& count) {
  return fmt::format("{}", count.get<std::uint64_t>());
}

/// How many of all did something; nothing when there were none.
std::string share_text(const Json& part, const Json& whole, const char* what) {
  const double all = whole.get<double>();
  return all == 0 ? "" : fmt::format("{:.1f} % {}", 100 * part.get<double>() / all, what);
}

std::string time_text(const Json& ns, const char* missing) {
  return ns.is_null() ? missing : fmt::format("{:.3f}", ns.get<double>() / 1e3);
}

std::string text(const Json& j) {
  return j.get<std::string>();
}

/// GB/s of `bytes` over the row's time; what has not ended has none.
std::string rate_text(const Json& row, double bytes) {
  if (row["start_ns"].is_null() || row["end_ns"].is_null()) return "-";
  const double time = row["end_ns"].get<double>() - row["start_ns"].get<double>();
  return time > 0 ? fmt::format("{:.1f}", bytes / time) : "-";
}

constexpr const char* kRow = "  {:<22}{:>11}{:>11}{:>12}{:>12}{:>9}{:>11}{:>11}\n";

void print_row(std::ostream& out, const std::string& name, const Json& row) {
  const bool has_dram = row.contains("dram_bytes_read");
  const auto rate = [&](const char* key) { return rate_text(row, row[key].get<double>()); };
  fmt::print(out, kRow, name, time_text(row["start_ns"], "not begun"), time_text(row["end_ns"], "unfinished"),
             bytes_text(row["bytes_stored"]), bytes_text(row["bytes_loaded"]),
             rate_text(row, row["bytes_stored"].get<double>() + row["bytes_loaded"].get<double>()),
             has_dram ? rate("dram_bytes_read") : "", has_dram ? rate("dram_bytes_written") : "");
}

void print_phases(std::ostream& out, const Json& phases) {
  fmt::print(out, kRow, "", "", "", "", "", "program", "DRAM read", "DRAM write");
  fmt::print(out, kRow, "phase", "start us", "end us", "stored", "loaded", "GB/s", "GB/s", "GB/s");
  for (const Json& p : phases) {
    print_row(out, text(p["name"]), p);
    if (p["kernels"].size() > 1)
      for (const Json& k : p["kernels"]) print_row(out, "  " + text(k["name"]), k);
  }
}

/// The lines below the phases: a name, a figure and what it means.
class Figures {
 public:
  explicit Figures(std::ostream& out) : out_(out) {}
  void line(const char* name, const std::string& value, const std::string& meaning) {
    print_figure(out_, name, value, meaning);
  }
  void latency(const Json& all, const char* key, const char* name) {
    if (!all.contains(key)) return;
    const Json& h = all[key];
    line(name, fmt::format("{} ns", h["mean"].get<double>()),
         fmt::format("mean; p50 {}, p99 {}, max {}", h["p50"].get<double>(), h["p99"].get<double>(),
                     h["max"].get<double>()));
  }

 private:
  std::ostream& out_;
};

void print_l2(Figures& f, const Json& l2) {
  f.line("L2 stores", count_text(l2["stores"]), share_text(l2["store_hits"], l2["stores"], "found the line present"));
  f.line("L2 loads", count_text(l2["loads"]), share_text(l2["load_hits"], l2["loads"], "found all bytes valid"));
  f.line("L2 write-backs", count_text(l2["write_backs"]),
         "lines handed to a memory controller, " + count_text(l2["janitor_cleans"]) + " by the janitor");
  f.line("L2 dirty at the end", bytes_text(l2["dirty_bytes_end"]), "stored and not in DRAM");
}

void print_sm_side(Figures& f, const Json& j) {
  const Json &l1 = j["l1"], &tlb = j["tlb"], &latency = j["latency_ns"];
  f.latency(latency, "load_latency", "load latency");
  f.latency(latency, "store_latency", "store to ack");
  f.latency(latency, "atomic_latency", "atomic latency");
  f.latency(latency, "fence_latency_cta", "fence, cta");
  f.latency(latency, "fence_latency_gpu", "fence, gpu");
  f.latency(latency, "fence_latency_sys", "fence, sys");
  if (l1["loads"] != 0) f.line("L1 loads", count_text(l1["loads"]), share_text(l1["load_hits"], l1["loads"], "hit"));
  if (tlb["lookups"] != 0)
    f.line("TLB lookups", count_text(tlb["lookups"]), share_text(tlb["misses"], tlb["lookups"], "missed"));
  f.line("SMs throttled, peak", count_text(j["sm"]["throttled_peak"]), "an access waited at the LSU's door");
}

void print_checks(Figures& f, const Json& j) {
  const Json& s = j["scoreboard"];
  f.line("mismatches", count_text(s["mismatches"]),
         fmt::format("of {} checked on the road, {} by programs, {} in memory at the end", bytes_text(s["on_the_road"]),
                     bytes_text(s["by_programs"]), bytes_text(s["in_memory_at_the_end"])));
  if (!j.contains("checker")) return;
  const Json& c = j["checker"];
  f.line("protocol checker", count_text(c["transactions"]),
         fmt::format("transactions on {} arrows, {} DRAM commands, {} violations of either", count_text(c["arrows"]),
                     count_text(c["dram_commands"]), count_text(c["violations"])));
}

}  // namespace

void print_summary(std::ostream& out, const Json& j) {
  fmt::print(out, "\n{} on {}: {}\n\n", text(j["experiment"]), text(j["configuration"]), text(j["end"]));
  print_phases(out, j["phases"]);
  out << '\n';
  Figures f(out);
  const Json& dram = j["dram"];
  const auto of_peak = [](const Json& share) { return fmt::format("{:.1f} %", 100 * share.get<double>()); };
  f.line("simulated", fmt::format("{:.3f} us", j["simulated_ns"].get<double>() / 1e3),
         j["complete"].get<bool>() ? "power-on to the last write drained" : "power-on to where the run ended");
  f.line("line transactions", count_text(j["line_transactions"]), "requests that left an LSU");
  print_sm_side(f, j);
  print_l2(f, j["l2"]);
  f.line("DRAM read", bytes_text(dram["bytes_read"]),
         fmt::format("{} of the peak of {:.0f} GB/s over the whole run", of_peak(dram["read_utilisation"]),
                     dram["peak_bytes_per_ns"].get<double>()));
  f.line("DRAM written", bytes_text(dram["bytes_written"]), of_peak(dram["write_utilisation"]) + " of the peak");
  print_checks(f, j);
  const double wall = std::max(j["wall_s"].get<double>(), 1e-3);
  f.line("wall time", fmt::format("{:.2f} s", j["wall_s"].get<double>()),
         fmt::format("{:.0f} lines/s, peak memory {:.0f} MiB", j["line_transactions"].get<double>() / wall,
                     j["memory_peak_mib"].get<double>()));
  if (j["timing"] == "loose") out << kLooseNote;
}

}  // namespace gputlm
