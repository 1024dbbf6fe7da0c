#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "grasp/base/io/sqlite.hpp"

namespace graspmap {

/// The tables of a search's file, besides its text.
struct SearchTables {
  std::string kinds;  ///< texts that tell apart what is simulated, with their numbers
  std::string ends;   ///< what was simulated
  /// Of `ends`, with its primary key. Numbers have no type: SQLite would write -0.0 into a REAL
  /// column as 0.
  std::string columns;
};

/// An SQLite file from which an interrupted search continues.
class SearchFile {
 public:
  /// What the file has of another `search`, a text that has all that its trials depend on, is
  /// removed. Throws IoError, ConfigError.
  SearchFile(const std::filesystem::path& file, const std::string& search, SearchTables tables);

  /// Whether it had something of another search.
  [[nodiscard]] bool has_replaced() const { return has_replaced_; }
  [[nodiscard]] const sqlite::Database& database() const { return database_; }
  /// The number of a kind; one that is not there is added.
  [[nodiscard]] std::int64_t kind_number(const std::string& kind) const;

 private:
  sqlite::Database database_;
  SearchTables tables_;
  bool has_replaced_ = false;
};

}  // namespace graspmap
