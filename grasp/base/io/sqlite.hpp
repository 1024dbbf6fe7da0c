#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "grasp/base/io/errors.hpp"
#include "grasp/base/process/orderly_end.hpp"

struct sqlite3;
struct sqlite3_stmt;

/// SQLite with C++'s lifetimes and this program's errors: ConfigError for a file that is no
/// database or a damaged one, IoError for everything that the machine does not let us do (disk
/// full, no permission, another process holds the file for too long).
namespace graspmap::sqlite {

/// The error "FILE: is damaged (WHAT); ..." that says what to do.
ConfigError damaged(const std::filesystem::path& file, std::string_view what);

/// A connection to a database file. For one thread at a time.
class Database {
 public:
  enum class Mode {
    kCreate,     ///< the file is made when it is not there
    kReadWrite,  ///< throws IoError when the file may not be written
    kRead  ///< changes nothing, except that it rolls back what a killed process left half-done
  };

  Database(const std::filesystem::path& file, Mode mode);

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

  /// Runs statements that give no rows.
  void execute(const std::string& sql) const;
  /// Runs a statement that gives no rows, with these values.
  template <typename... Values>
  void run(std::string_view sql, const Values&... values) const;
  /// The only value that a statement gives.
  [[nodiscard]] std::int64_t integer(const std::string& sql) const;
  /// The number that SQLite gave the row that was inserted last.
  [[nodiscard]] std::int64_t last_row_id() const;

 private:
  friend class Statement;
  friend class Transaction;

  void check(int code) const;
  [[noreturn]] void fail(int code) const;

  struct Close {
    void operator()(sqlite3* handle) const;
  };

  std::filesystem::path file_;
  std::unique_ptr<sqlite3, Close> handle_;
};

/// A statement. Values are bound and columns are read from left to right:
///   Statement query(database, "SELECT a, b FROM t WHERE c = ?");
///   query.bind_integer(3);
///   while (query.step()) { use(query.next_integer(), query.next_text()); }
/// It holds a lock on the file from its first row to its last, or to reset() or its end.
class Statement {
 public:
  Statement(const Database& database, std::string_view sql);

  void bind_integer(std::int64_t value);
  void bind_number(double value);  ///< NaN becomes NULL
  void bind_text(std::string_view value);
  void bind_null();
  /// A number, a text, or an enumeration as an integer.
  template <typename Value>
  void bind(const Value& value) {
    if constexpr (std::is_floating_point_v<Value>) {
      bind_number(value);
    } else if constexpr (std::is_convertible_v<Value, std::string_view>) {
      bind_text(value);
    } else {
      bind_integer(static_cast<std::int64_t>(value));
    }
  }

  /// Goes to the next row; false at the end.
  bool step();
  /// For a statement without rows: runs it, and makes it ready for other values.
  void run();
  /// Ends it, and makes it ready for other values.
  void reset();

  std::int64_t next_integer();
  double next_number();  ///< NULL becomes NaN
  std::string next_text();
  /// The next column as what `value` is.
  template <typename Value>
  void read(Value& value) {
    if constexpr (std::is_same_v<Value, std::string>) {
      value = next_text();
    } else if constexpr (std::is_floating_point_v<Value>) {
      value = next_number();
    } else {
      value = static_cast<Value>(next_integer());
    }
  }

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* handle) const;
  };

  const Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
  int bound_ = 0;  ///< values bound so far
  int read_ = 0;   ///< columns of this row read so far
};

template <typename... Values>
void Database::run(std::string_view sql, const Values&... values) const {
  Statement statement(*this, sql);
  (statement.bind(values), ...);
  statement.run();
}

/// What is done while it lives is on the disk after `commit`, or not done at all. A signal ends the
/// process before or after, so that SQLite leaves no journal behind.
class Transaction {
 public:
  explicit Transaction(const Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  void commit();

 private:
  Unbroken unbroken_;
  const Database& database_;
};

}  // namespace graspmap::sqlite
