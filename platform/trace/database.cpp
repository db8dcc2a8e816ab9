// SPDX-License-Identifier: Apache-2.0
#include "gputlm/trace/database.h"

#include <sqlite3.h>

#include <stdexcept>
#include <utility>

namespace gputlm {

Database::Database(std::string file, Access access) : file_(std::move(file)) {
  const int flags = access == Access::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  if (sqlite3_open_v2(file_.c_str(), &handle_, flags, nullptr) == SQLITE_OK) return;
  const std::string why = handle_ != nullptr ? sqlite3_errmsg(handle_) : "out of memory";
  sqlite3_close(handle_);
  throw std::runtime_error(file_ + ": " + why);
}

Database::~Database() {
  sqlite3_close(handle_);
}

void Database::fail() const {
  throw std::runtime_error(file_ + ": " + sqlite3_errmsg(handle_));
}

void Database::execute(const std::string& sql) {
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

void Database::close() {
  if (sqlite3_close(handle_) != SQLITE_OK) fail();
  handle_ = nullptr;
}

Query::Query(Database& database, const std::string& sql) : database_(database) {
  check(sqlite3_prepare_v2(database.handle(), sql.c_str(), -1, &statement_, nullptr));
}

Query::~Query() {
  sqlite3_finalize(statement_);
}

void Query::check(int result) const {
  if (result != SQLITE_OK) database_.fail();
}

Query& Query::operator<<(std::int64_t value) {
  check(sqlite3_bind_int64(statement_, ++bound_, value));
  return *this;
}

Query& Query::operator<<(double value) {
  check(sqlite3_bind_double(statement_, ++bound_, value));
  return *this;
}

Query& Query::operator<<(const std::string& value) {
  check(sqlite3_bind_text(statement_, ++bound_, value.c_str(), static_cast<int>(value.size()), SQLITE_TRANSIENT));
  return *this;
}

Query& Query::operator<<(const std::optional<std::int64_t>& value) {
  if (value) return *this << *value;
  check(sqlite3_bind_null(statement_, ++bound_));
  return *this;
}

bool Query::step() {
  const int result = sqlite3_step(statement_);
  if (result == SQLITE_ROW) return true;
  if (result != SQLITE_DONE) database_.fail();
  bound_ = 0;
  check(sqlite3_reset(statement_));
  return false;
}

bool Query::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}
std::int64_t Query::integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}
double Query::real(int column) const {
  return sqlite3_column_double(statement_, column);
}
std::string Query::text(int column) const {
  const unsigned char* text = sqlite3_column_text(statement_, column);
  return text == nullptr ? std::string() : reinterpret_cast<const char*>(text);
}

}  // namespace gputlm
