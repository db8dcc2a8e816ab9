// SPDX-License-Identifier: Apache-2.0
#include "gputlm/trace/sqlite_writer.h"

#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

namespace gputlm {
namespace {

constexpr const char* kSchema = R"(
PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;
CREATE TABLE run(key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE tracks(id INTEGER PRIMARY KEY, unit TEXT, number INTEGER, name TEXT);
CREATE TABLE transactions(id INTEGER PRIMARY KEY, parent INTEGER, kind TEXT, op TEXT, va INTEGER, pa INTEGER,
  line INTEGER, bytes INTEGER, sm INTEGER, warp INTEGER, instruction INTEGER, kernel INTEGER, cta INTEGER,
  failed INTEGER, begin_fs INTEGER, end_fs INTEGER);
CREATE TABLE phases(transaction_id INTEGER, hop INTEGER, track INTEGER, request_fs INTEGER, accepted_fs INTEGER,
  response_fs INTEGER, done_fs INTEGER, depth INTEGER);
CREATE TABLE events(time_fs INTEGER, track INTEGER, name TEXT, transaction_id INTEGER, line INTEGER, set_index INTEGER,
  way INTEGER, rrpv INTEGER, valid INTEGER, dirty INTEGER, bank INTEGER, row INTEGER, col INTEGER);
CREATE TABLE series(id INTEGER PRIMARY KEY, name TEXT, unit TEXT);
CREATE TABLE samples(time_fs INTEGER, series INTEGER, value REAL);
CREATE TABLE statistics(place TEXT, name TEXT, unit TEXT, description TEXT, value REAL);
CREATE TABLE configuration(path TEXT PRIMARY KEY, value TEXT, confidence TEXT, source TEXT, origin TEXT);
)";

constexpr const char* kIndexes = R"(
CREATE INDEX transactions_parent ON transactions(parent);
CREATE INDEX transactions_line ON transactions(line);
CREATE INDEX transactions_origin ON transactions(sm, warp, instruction);
CREATE INDEX phases_transaction ON phases(transaction_id);
CREATE INDEX phases_track ON phases(track, request_fs);
CREATE INDEX events_line ON events(line);
CREATE INDEX events_transaction ON events(transaction_id);
CREATE INDEX samples_series ON samples(series, time_fs);
)";

using Maybe = std::optional<std::int64_t>;

Maybe time_column(Fs t) {
  return t == kNever ? Maybe() : Maybe(t);
}
Maybe address_column(std::uint64_t a) {
  return a == kNoAddress ? Maybe() : Maybe(static_cast<std::int64_t>(a));
}
Maybe number_column(bool there, std::uint64_t n) {
  return there ? Maybe(static_cast<std::int64_t>(n)) : Maybe();
}

/// A row for each figure of a unit.
class StatisticRows : public StatisticsSink {
 public:
  StatisticRows(Query& insert, std::string place) : insert_(insert), place_(std::move(place)) {}
  void count(std::string_view name, std::string_view unit, std::string_view description, std::uint64_t n) override {
    value(name, unit, description, static_cast<double>(n));
  }
  void value(std::string_view name, std::string_view unit, std::string_view description, double v) override {
    insert_ << place_ << std::string(name) << std::string(unit) << std::string(description) << v;
    insert_.run();
  }
  void histogram(std::string_view name, std::string_view description, const Histogram& h) override {
    constexpr double kMedian = 0.5, kTail = 0.99;
    const std::string n(name);
    value(n + ".count", "", description, static_cast<double>(h.count()));
    value(n + ".mean", "ns", description, h.mean_ns());
    value(n + ".p50", "ns", description, to_ns(h.quantile(kMedian)));
    value(n + ".p99", "ns", description, to_ns(h.quantile(kTail)));
    value(n + ".max", "ns", description, to_ns(h.max()));
  }

 private:
  Query& insert_;
  const std::string place_;
};

}  // namespace

struct SqliteWriter::Insertions {
  explicit Insertions(Database& d)
      : transaction(d, "INSERT INTO transactions VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"),
        phase(d, "INSERT INTO phases VALUES(?,?,?,?,?,?,?,?)"),
        event(d, "INSERT INTO events VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)"),
        sample(d, "INSERT INTO samples VALUES(?,?,?)") {}
  Query transaction, phase, event, sample;
};

SqliteWriter::SqliteWriter(const std::string& file, const Gpu& gpu) : gpu_(gpu), name_(file) {
  std::error_code ignored;
  std::filesystem::remove(name_.staged(), ignored);  // what a run that was killed has left
  database_ = std::make_unique<Database>(name_.staged(), Database::Access::create);
  database_->execute(kSchema);
  insert_ = std::make_unique<Insertions>(*database_);
}

SqliteWriter::~SqliteWriter() {
  insert_.reset();
  database_.reset();
}

void SqliteWriter::begin(const TraceDescription& description) {
  database_->execute("BEGIN");
  Query track(*database_, "INSERT INTO tracks VALUES(?,?,?,?)");
  for (std::size_t i = 0; i < description.tracks.size(); ++i) {
    const TraceTrack& t = description.tracks[i];
    track << static_cast<std::int64_t>(i) << std::string(name_of(t.unit)) << std::int64_t{t.number} << t.name;
    track.run();
  }
  Query series(*database_, "INSERT INTO series VALUES(?,?,?)");
  for (std::size_t i = 0; i < description.series.size(); ++i) {
    series << static_cast<std::int64_t>(i) << description.series[i].name << description.series[i].unit;
    series.run();
  }
  database_->execute("COMMIT");
}

void SqliteWriter::take(const SharedBatch& batch) {
  database_->execute("BEGIN");
  for (const TraceTransaction& t : batch->transactions) add(t);
  for (const TraceEvent& e : batch->events) add(e);
  for (const TraceSample& s : batch->samples) add(s);
  database_->execute("COMMIT");
}

void SqliteWriter::add(const TraceTransaction& t) {
  const bool sm = t.from_sm();
  const auto id = static_cast<std::int64_t>(t.id);
  insert_->transaction << id << number_column(t.parent != 0, t.parent) << std::string(name_of(t.kind))
                       << std::string(t.operation) << address_column(t.virtual_address)
                       << address_column(t.physical_address) << address_column(t.line()) << std::int64_t{t.bytes}
                       << number_column(sm, t.origin.sm) << number_column(sm, t.origin.warp)
                       << number_column(sm, t.origin.instruction) << number_column(sm, t.origin.kernel)
                       << number_column(sm, t.origin.cta) << std::int64_t{t.failed ? 1 : 0} << time_column(t.begin())
                       << time_column(t.end());
  insert_->transaction.run();
  for (std::size_t i = 0; i < t.hops.size(); ++i) {
    const TraceHop& h = t.hops[i];
    insert_->phase << id << static_cast<std::int64_t>(i) << std::int64_t{h.track} << time_column(h.request)
                   << time_column(h.accepted) << time_column(h.response) << time_column(h.done)
                   << std::int64_t{h.depth};
    insert_->phase.run();
  }
}

void SqliteWriter::add(const TraceEvent& e) {
  const bool line = e.of_way;
  insert_->event << std::int64_t{e.time} << std::int64_t{e.track} << std::string(e.name)
                 << number_column(e.transaction != 0, e.transaction) << address_column(e.line)
                 << number_column(line, e.set) << number_column(line, e.way) << number_column(line, e.rrpv)
                 << number_column(line, e.valid.count()) << number_column(line, e.dirty.count())
                 << number_column(e.command, e.bank) << number_column(e.command, e.row)
                 << number_column(e.command, e.column);
  insert_->event.run();
}

void SqliteWriter::add(const TraceSample& s) {
  for (std::size_t i = 0; i < s.values.size(); ++i) {
    insert_->sample << std::int64_t{s.time} << static_cast<std::int64_t>(i) << s.values[i];
    insert_->sample.run();
  }
}

void SqliteWriter::add_statistics() {
  Query insert(*database_, "INSERT INTO statistics VALUES(?,?,?,?,?)");
  for (const Unit* unit : gpu_.units()) {
    StatisticRows rows(insert, unit->name());
    unit->report(rows);
  }
}

void SqliteWriter::add_configuration() {
  Query insert(*database_, "INSERT INTO configuration VALUES(?,?,?,?,?)");
  for (const EffectiveValue& v : gpu_.config().effective.values()) {
    insert << v.path << v.text << v.confidence << v.source << v.origin.text();
    insert.run();
  }
}

void SqliteWriter::add_run(const TraceLoss& loss) {
  Query insert(*database_, "INSERT INTO run VALUES(?,?)");
  const auto row = [&](const char* key, std::int64_t value) {
    insert << std::string(key) << std::to_string(value);
    insert.run();
  };
  row("schema", 1);
  row("end_fs", now());
  row("transactions_left_out", static_cast<std::int64_t>(loss.transactions));
  row("events_left_out", static_cast<std::int64_t>(loss.events));
}

void SqliteWriter::finish(const TraceLoss& loss) {
  database_->execute("BEGIN");
  add_statistics();
  add_configuration();
  add_run(loss);
  database_->execute(kIndexes);
  database_->execute("COMMIT");
  insert_.reset();
  database_->close();
  name_.keep();
}

}  // namespace gputlm
