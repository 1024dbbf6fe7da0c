#include "grasp/base/io/search_file.hpp"

#include <fmt/format.h>

#include <utility>

namespace graspmap {

SearchFile::SearchFile(const std::filesystem::path& file, const std::string& search,
                       SearchTables tables)
    : database_(file, sqlite::Database::Mode::kCreate), tables_(std::move(tables)) {
  sqlite::Transaction transaction(database_);
  database_.execute(fmt::format(
      "CREATE TABLE IF NOT EXISTS search (text TEXT NOT NULL);\n"
      "CREATE TABLE IF NOT EXISTS {} (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);\n"
      "CREATE TABLE IF NOT EXISTS {} (\n{}) WITHOUT ROWID;\n",
      tables_.kinds, tables_.ends, tables_.columns));
  std::string there;
  {
    sqlite::Statement query(database_, "SELECT text FROM search");
    if (query.step()) there = query.next_text();
  }
  if (there != search) {
    has_replaced_ = !there.empty();
    database_.execute(fmt::format("DELETE FROM search; DELETE FROM {}; DELETE FROM {}",
                                  tables_.kinds, tables_.ends));
    database_.run("INSERT INTO search VALUES (?)", search);
  }
  transaction.commit();
}

std::int64_t SearchFile::kind_number(const std::string& kind) const {
  database_.run(fmt::format("INSERT OR IGNORE INTO {} (text) VALUES (?)", tables_.kinds), kind);
  sqlite::Statement query(database_,
                          fmt::format("SELECT id FROM {} WHERE text = ?", tables_.kinds));
  query.bind(kind);
  query.step();
  return query.next_integer();
}

}  // namespace graspmap
