// SPDX-License-Identifier: Apache-2.0
#include "gputlm/replay/traceg_header.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <string_view>
#include <vector>

#include "gputlm/replay/trace_words.h"

namespace gputlm {
namespace {

constexpr std::uint32_t kMostThreads = 1024;                           // of a block, since compute capability 2.0
constexpr std::uint32_t kMostRegisters = 255, kMostShared = 1U << 20;  // of any card so far

/// Lines `-key = value`.
class HeaderReader {
 public:
  explicit HeaderReader(TraceLines& lines) : lines_(lines) {}

  TracegHeader read() {
    std::string_view line;
    bool ended = false;
    while (!ended && lines_.next(line)) {
      line = trimmed(line);
      if (line.empty()) continue;
      if (line[0] == '-')
        read_key(line);
      else
        ended = ends_header(line);
    }
    if (!ended && diagnostics_.empty()) report("the header does not end: no thread block follows", {}, "#BEGIN_TB");
    check();
    diagnostics_.throw_if_any();
    return header_;
  }

 private:
  void report(std::string message, std::string_view found, std::string allowed) {
    diagnostics_.add(lines_.place(), {}, std::move(message), std::string(found), std::move(allowed));
  }

  bool ends_header(std::string_view line) {
    if (line[0] == '#') {
      lines_.put_back();
      return true;
    }
    report("a header line is -key = value", excerpt(line), "-kernel name, -grid dim, -block dim, ...");
    if (diagnostics_.count() > 3) diagnostics_.throw_if_any();  // no trace at all
    return false;
  }

  void read_key(std::string_view line) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) return report("no = behind the key", excerpt(line), "-key = value");
    const std::string_view key = trimmed(line.substr(1, equals - 1)), value = trimmed(line.substr(equals + 1));
    const auto known = std::find_if(keys().begin(), keys().end(), [&](const Key& k) { return k.name == key; });
    if (known == keys().end()) return;  // newer tracers write more
    if (!read_.insert(known->name).second) report("the header says this twice", excerpt(line), "each key once");
    known->read(*this, value);
  }

  struct Key {
    std::string_view name;
    void (*read)(HeaderReader& r, std::string_view value);
  };

  static const std::vector<Key>& keys() {
    static const std::vector<Key> all{
        {"kernel name", [](HeaderReader& r, std::string_view v) { r.header_.kernel = excerpt(v); }},
        {"kernel id", [](HeaderReader& r, std::string_view v) { r.number(v, r.header_.id); }},
        {"grid dim", [](HeaderReader& r, std::string_view v) { r.dimensions(v, r.header_.grid); }},
        {"block dim", [](HeaderReader& r, std::string_view v) { r.dimensions(v, r.header_.block); }},
        {"shmem", [](HeaderReader& r, std::string_view v) { r.number(v, r.header_.shared_bytes, kMostShared); }},
        {"nregs", [](HeaderReader& r, std::string_view v) { r.number(v, r.header_.registers, kMostRegisters); }},
        {"binary version", [](HeaderReader& r, std::string_view v) { r.number(v, r.header_.binary_version); }},
        {"cuda stream id", [](HeaderReader& r, std::string_view v) { r.number(v, r.header_.stream); }},
        {"shmem base_addr", [](HeaderReader& r, std::string_view v) { r.address(v, r.header_.shared_base); }},
        {"local mem base_addr", [](HeaderReader& r, std::string_view v) { r.address(v, r.header_.local_base); }},
        {"accelsim tracer version", [](HeaderReader& r, std::string_view v) { r.version(v); }},
        {"enable lineinfo", [](HeaderReader& r, std::string_view v) { r.lineinfo(v); }}};
    return all;
  }

  bool has(std::string_view key) const { return read_.count(key) != 0; }

  template <class T>
  void number(std::string_view value, T& to, T most = std::numeric_limits<T>::max()) {
    const auto parsed = number_of<T>(value);
    if (!parsed || *parsed > most) return report("not a number", excerpt(value), "0 to " + std::to_string(most));
    to = *parsed;
  }

  void address(std::string_view value, std::uint64_t& to) {
    const auto parsed = hex_of(value);
    if (!parsed) return report("not an address", excerpt(value), "a hexadecimal number");
    to = *parsed;
  }

  void dimensions(std::string_view value, Dimensions& to) {
    std::array<std::uint32_t, 3> n{};
    const bool enclosed = value.size() >= 2 && value.front() == '(' && value.back() == ')';
    const bool good =
        enclosed && three_numbers(value.substr(1, value.size() - 2), n) && n[0] != 0 && n[1] != 0 && n[2] != 0;
    if (good) to = {n[0], n[1], n[2]};
    if (!good) report("not three dimensions", excerpt(value), "(x,y,z), each 1 or more");
  }

  void lineinfo(std::string_view value) {
    has_lines_ = value == "1";
    if (value != "0" && value != "1") report("enable lineinfo", excerpt(value), "0 or 1");
  }

  void version(std::string_view value) {
    const std::string_view whole = value.substr(0, value.find('.'));
    const auto major = number_of<unsigned>(whole);
    const bool decimals = whole.size() == value.size() || number_of<unsigned>(value.substr(whole.size() + 1));
    if (!major || !decimals || *major > 5)
      return report("a version of the tracer that is not known", excerpt(value), "absent, or 0 to 5, as 1.2");
    if (*major == 3) header_.version = TracegVersion::plain;
    if (*major == 4) header_.version = TracegVersion::lined;
    if (*major == 5) header_.version = TracegVersion::immediates;
  }

  void check() {
    if (!diagnostics_.empty()) return;
    header_.lines = has_lines_ && header_.version >= TracegVersion::lined;
    if (!has("grid dim")) report("the header has no grid", {}, "-grid dim = (x,y,z)");
    if (!has("block dim")) report("the header has no block", {}, "-block dim = (x,y,z)");
    if (exceeds(header_.block, kMostThreads)) report("a block has too many threads", {}, "1024 at most");
    if (exceeds(header_.grid, 0xffff'ffff)) report("the grid has too many blocks", {}, "2^32 - 1 at most");
  }

  /// In a product that may not fit 64 bits.
  static bool exceeds(const Dimensions& d, std::uint64_t most) {
    const std::uint64_t plane = std::uint64_t{d.x} * d.y;
    return plane > most || plane * d.z > most;
  }

  TraceLines& lines_;
  TracegHeader header_;
  std::set<std::string_view> read_;  ///< Of the keys.
  bool has_lines_ = false;
  Diagnostics diagnostics_;
};

}  // namespace

Space TracegHeader::space_of(std::uint64_t address) const {
  const auto within = [address](std::uint64_t base) { return base != 0 && address - base < kWindowBytes; };
  if (within(shared_base)) return Space::shared;
  return within(local_base) ? Space::local : Space::global;
}

TracegHeader read_traceg_header(TraceLines& lines) {
  return HeaderReader(lines).read();
}

}  // namespace gputlm
