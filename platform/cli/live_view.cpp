// SPDX-License-Identifier: Apache-2.0
#include "live_view.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/ostream.h>

#include "gputlm/tlm/byte_mask.h"

namespace gputlm {
namespace {

/// One of the series: its value at a sample, given the one before, and what the card can do at most.
struct Series {
  const char* name;
  const char* unit;
  double (*value)(const Sample& now, const Sample& before);
  double (*capacity)(const Config& card);
};

double rate(std::uint64_t now, std::uint64_t before, const Sample& a, const Sample& b) {
  return a.time > b.time ? static_cast<double>(now - before) / to_ns(a.time - b.time) : 0;  // bytes per ns: GB/s
}

double sum(const std::vector<unsigned>& lines) {
  return std::accumulate(lines.begin(), lines.end(), 0.0);
}

constexpr double kMiB = 1024.0 * 1024.0, kGiga = 1e9;

unsigned controllers(const Config& c) {
  return c.crossbar.slices / c.crossbar.slices_per_controller;
}

unsigned channels(const Config& c) {
  return controllers(c) * c.dram.channels_per_controller;
}

double dram_rate(const Config& c) {
  return channels(c) * kSectorBytes * c.dram.timing.clock_hz / c.dram.timing.burst / kGiga;
}

const Series kSeries[] = {
    {"stored", "GB/s", [](const Sample& a, const Sample& b) { return rate(a.bytes_stored, b.bytes_stored, a, b); },
     [](const Config& c) { return c.sms * c.lsu.exit_bytes_per_cycle * c.lsu.clock_hz / kGiga; }},
    {"loaded", "GB/s", [](const Sample& a, const Sample& b) { return rate(a.bytes_loaded, b.bytes_loaded, a, b); },
     [](const Config& c) { return c.sms * c.l1.hit_bytes_per_cycle * c.l1.clock_hz / kGiga; }},
    {"DRAM read", "GB/s",
     [](const Sample& a, const Sample& b) { return rate(a.dram_bytes_read, b.dram_bytes_read, a, b); }, dram_rate},
    {"DRAM write", "GB/s",
     [](const Sample& a, const Sample& b) { return rate(a.dram_bytes_written, b.dram_bytes_written, a, b); },
     dram_rate},
    {"L2 dirty", "MiB", [](const Sample& a, const Sample&) { return static_cast<double>(a.l2_dirty_bytes) / kMiB; },
     [](const Config& c) {
       return static_cast<double>(c.crossbar.slices) * c.l2.sets * c.l2.ways * kLineBytes / kMiB;
     }},
    {"write backlog", "lines", [](const Sample& a, const Sample&) { return sum(a.write_backlog); },
     [](const Config& c) { return static_cast<double>(controllers(c)) * c.dram.write_queue_entries; }},
    {"read queues", "lines", [](const Sample& a, const Sample&) { return sum(a.read_backlog); },
     [](const Config& c) { return static_cast<double>(channels(c)) * c.dram.read_queue_entries; }},
    {"throttled", "SMs", [](const Sample& a, const Sample&) { return static_cast<double>(a.sms_throttled); },
     [](const Config& c) { return static_cast<double>(c.sms); }}};

/// "12 %", narrow where it says little.
std::string share(double value, double capacity) {
  if (capacity <= 0) return "-";
  const double percent = 100 * value / capacity;
  return fmt::format("{:.{}f} %", percent, percent < 10 ? 1 : 0);
}

/// Columns of a curve that a line of the terminal has room for, beside the figures.
std::size_t room() {
  constexpr std::size_t kFigures = 52, kMost = 120;
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) size.ws_col = 100;
  return std::clamp<std::size_t>(size.ws_col, kFigures + 8, kFigures + kMost) - kFigures;
}

/// A curve of eighths, scaled to its largest value.
std::string curve(const std::vector<double>& values) {
  static constexpr const char* kEighths[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const double most = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
  std::string text;
  for (const double v : values) text += kEighths[most > 0 ? static_cast<std::size_t>(std::lround(v / most * 8)) : 0];
  return text;
}

}  // namespace

LiveView::LiveView(const TimeSeries& series, const Config& card)
    : series_(series),
      card_(card),
      terminal_(::isatty(STDERR_FILENO) != 0),
      between_(terminal_ ? std::chrono::milliseconds(200) : std::chrono::milliseconds(1000)),
      shown_(Clock::now()) {
  if (terminal_) return;
  fmt::print(std::cerr, "{:>12}", "time us");
  for (const Series& s : kSeries) fmt::print(std::cerr, "  {:>24}", fmt::format("{} {}", s.name, s.unit));
  fmt::print(std::cerr, "\n{:>12}", "capacity");
  for (const Series& s : kSeries) fmt::print(std::cerr, "  {:>24.1f}", s.capacity(card_));
  std::cerr << '\n';
}

void LiveView::show(const Progress& /*progress*/) {
  if (Clock::now() - shown_ < between_ || series_.samples().empty()) return;
  shown_ = Clock::now();
  terminal_ ? draw() : print_row();
}

void LiveView::finish() {
  if (series_.samples().empty()) return;
  terminal_ ? draw() : print_row();
}

void LiveView::draw() {
  const std::size_t shown = room();
  const std::vector<Sample>& samples = series_.samples();
  const std::size_t first = samples.size() > shown ? samples.size() - shown : 0;
  if (drawn_) fmt::print(std::cerr, "\033[{}F", std::size(kSeries) + 1);
  drawn_ = true;
  fmt::print(std::cerr, "\033[K{:.2f} us simulated; a column is {:.3g} us\n", to_ns(samples.back().time) / 1e3,
             to_ns(series_.interval()) / 1e3);
  for (const Series& s : kSeries) {
    std::vector<double> values;
    for (std::size_t i = first; i < samples.size(); ++i)
      values.push_back(s.value(samples[i], i == 0 ? Sample{} : samples[i - 1]));
    const double capacity = s.capacity(card_);
    fmt::print(std::cerr, "\033[K{:<13} {:>9.1f} of {:>8.1f} {:<5} {:>7}  {}\n", s.name, values.back(), capacity,
               s.unit, share(values.back(), capacity), curve(values));
  }
  std::cerr << std::flush;
}

void LiveView::print_row() {
  const Sample& now = series_.samples().back();
  if (now.time == last_.time && now.time != 0) return;  // nothing new: memory is being checked, or a sample takes long
  fmt::print(std::cerr, "{:>12.3f}", to_ns(now.time) / 1e3);
  for (const Series& s : kSeries) {
    const double value = s.value(now, last_);
    fmt::print(std::cerr, "  {:>24}", fmt::format("{:.1f} {:>9}", value, '(' + share(value, s.capacity(card_)) + ')'));
  }
  std::cerr << std::endl;
  last_ = now;
}

}  // namespace gputlm
