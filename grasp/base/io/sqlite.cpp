#include "grasp/base/io/sqlite.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cstring>
#include <limits>
#include <new>

#include "grasp/base/io/atomic_file.hpp"

namespace graspmap::sqlite {
namespace fs = std::filesystem;
namespace {

/// How long we wait for another process that reads or writes the file.
constexpr int kBusyTimeoutS = 60;

/// A block of trials fits into the cache, so that writing one locks readers out for the moment of
/// the commit only.
constexpr const char* kWriterPragmas = "PRAGMA cache_size = -16384; PRAGMA synchronous = FULL";

int open_flags(Database::Mode mode) {
  // Readers too may have to roll back what a killed writer left, so they open for writing when the
  // file lets them. No mutexes: a connection is for one thread at a time.
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
  return mode == Database::Mode::kCreate ? flags | SQLITE_OPEN_CREATE : flags;
}

/// SQLite's words for what went wrong, with the system's.
std::string reason(sqlite3* handle) {
  std::string text = sqlite3_errmsg(handle);
  if (const int number = sqlite3_system_errno(handle)) {
    text += fmt::format(": {}", std::strerror(number));
  }
  return text;
}

}  // namespace

ConfigError damaged(const fs::path& file, std::string_view what) {
  return ConfigError(fmt::format(
      "{}: is damaged ({}); use a copy of it, or simulate the sweep again", file.string(), what));
}

Database::Database(const fs::path& file, Mode mode) : file_(file) {
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(file.c_str(), &handle, open_flags(mode), nullptr);
  handle_.reset(handle);
  if (handle == nullptr) throw std::bad_alloc();
  sqlite3_extended_result_codes(handle, 1);
  check(code);
  sqlite3_busy_timeout(handle, kBusyTimeoutS * 1000);
  execute("PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF");
  execute(mode == Mode::kRead ? "PRAGMA query_only = ON" : kWriterPragmas);
  if (mode != Mode::kRead && sqlite3_db_readonly(handle, "main") == 1) {
    throw IoError(fmt::format("{}: cannot be written: it is read-only", file.string()));
  }
}

void Database::execute(const std::string& sql) const {
  check(sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr));
}

std::int64_t Database::integer(const std::string& sql) const {
  Statement query(*this, sql);
  if (!query.step()) throw damaged(file_, "a table is empty");
  return query.next_integer();
}

std::int64_t Database::last_row_id() const { return sqlite3_last_insert_rowid(handle_.get()); }

void Database::check(int code) const {
  if (code != SQLITE_OK) fail(code);
}

void Database::fail(int code) const {
  const std::string text = reason(handle_.get());
  switch (code & 0xFF) {
    case SQLITE_NOTADB:
      throw config_error(
          {file_.string()}, "",
          fmt::format("is not a run store, or a damaged one ({}); give the run.sqlite of a run",
                      text));
    case SQLITE_ERROR:  // a table or a column is not there
    case SQLITE_CORRUPT:
    case SQLITE_FORMAT:
    case SQLITE_CONSTRAINT:  // something is there already that is not where it belongs
    case SQLITE_TOOBIG:
    case SQLITE_MISMATCH:
      throw damaged(file_, text);
    case SQLITE_BUSY:
      throw IoError(fmt::format("{}: another process has held it for more than {} s ({})",
                                file_.string(), kBusyTimeoutS, text));
    case SQLITE_NOMEM:
      throw std::bad_alloc();
    default:
      break;
  }
  if (code == SQLITE_IOERR_SHORT_READ) throw damaged(file_, text);
  throw IoError(fmt::format("{}: {}", file_.string(), text));
}

void Database::Close::operator()(sqlite3* handle) const { sqlite3_close(handle); }

Statement::Statement(const Database& database, std::string_view sql) : database_(&database) {
  sqlite3_stmt* handle = nullptr;
  database.check(sqlite3_prepare_v2(database.handle_.get(), sql.data(),
                                    static_cast<int>(sql.size()), &handle, nullptr));
  handle_.reset(handle);
}

void Statement::bind_integer(std::int64_t value) {
  database_->check(sqlite3_bind_int64(handle_.get(), ++bound_, value));
}

void Statement::bind_number(double value) {
  database_->check(sqlite3_bind_double(handle_.get(), ++bound_, value));
}

void Statement::bind_text(std::string_view value) {
  database_->check(sqlite3_bind_text(handle_.get(), ++bound_, value.data(),
                                     static_cast<int>(value.size()), SQLITE_TRANSIENT));
}

void Statement::bind_null() { database_->check(sqlite3_bind_null(handle_.get(), ++bound_)); }

bool Statement::step() {
  read_ = 0;
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_->fail(code);
  return false;
}

void Statement::run() {
  step();
  reset();
}

void Statement::reset() {
  sqlite3_reset(handle_.get());  // its code is that of the last step, which was looked at
  bound_ = 0;
}

std::int64_t Statement::next_integer() { return sqlite3_column_int64(handle_.get(), read_++); }

double Statement::next_number() {
  const int column = read_++;
  if (sqlite3_column_type(handle_.get(), column) == SQLITE_NULL) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return sqlite3_column_double(handle_.get(), column);
}

std::string Statement::next_text() {
  const int column = read_++;
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(handle_.get(), column));
  if (text == nullptr) return {};
  return {text, static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column))};
}

void Statement::Finalize::operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }

Transaction::Transaction(const Database& database) : database_(database) {
  database_.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  sqlite3* handle = database_.handle_.get();
  // An error may have rolled it back already.
  if (sqlite3_get_autocommit(handle) == 0) {
    sqlite3_exec(handle, "ROLLBACK", nullptr, nullptr, nullptr);
  }
}

void Transaction::commit() {
  database_.execute("COMMIT");
  note_written();
}

}  // namespace graspmap::sqlite
