// SPDX-License-Identifier: Apache-2.0
//
// As much of SQLite as a recording needs. Errors are std::runtime_error with the file and SQLite's words.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace gputlm {

class Database {
 public:
  enum class Access : std::uint8_t { create, read };

  Database(std::string file, Access access);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// One or more statements without a result.
  void execute(const std::string& sql);
  void close();

  sqlite3* handle() const { return handle_; }
  [[noreturn]] void fail() const;

 private:
  std::string file_;
  sqlite3* handle_ = nullptr;
};

/// A prepared statement. Values are bound in order by `<<`; an empty optional is NULL.
class Query {
 public:
  Query(Database& database, const std::string& sql);
  ~Query();
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  Query& operator<<(std::int64_t value);
  Query& operator<<(double value);
  Query& operator<<(const std::string& value);
  Query& operator<<(const std::optional<std::int64_t>& value);

  /// The next row; false when there is none, and the statement is ready to be bound again.
  bool step();
  /// Of a statement without a result: runs it and makes it ready again.
  void run() { step(); }

  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;

 private:
  void check(int result) const;

  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

}  // namespace gputlm
