#include "grasp/sweep/store/uncertain_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>

namespace graspmap {
namespace {

/// More columns than SQLite has in a table are left out.
constexpr std::size_t kMostColumns = 1900;

std::size_t column_count(const UncertainColumns& columns) {
  return std::min(columns.size(), kMostColumns);
}

std::string in_lower_case(std::string text) {
  for (char& letter : text) letter = static_cast<char>(std::tolower(letter));
  return text;
}

/// The keys as names of columns: SQLite does not tell capitals from small letters.
std::string column_names(const UncertainColumns& columns) {
  std::set<std::string> taken;
  std::string text;
  for (std::size_t k = 0; k < column_count(columns); ++k) {
    std::string name = columns.key(k);
    while (!taken.insert(in_lower_case(name)).second) name += " again";
    text += fmt::format(", \"{}\"", name);
  }
  return text;
}

std::string insert_values(const UncertainColumns& columns) {
  std::string text = "INSERT INTO uncertain VALUES (?";
  for (std::size_t k = 0; k < column_count(columns); ++k) text += ", ?";
  return text + ")";
}

bool has_table(const sqlite::Database& database) {
  sqlite::Statement query(
      database, "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'uncertain'");
  return query.step();
}

}  // namespace

void create_uncertain_table(const sqlite::Database& database, const SweepConfig& config) {
  const UncertainColumns columns(config);
  if (columns.size() == 0) return;
  database.execute(
      fmt::format("CREATE TABLE uncertain (trial INTEGER PRIMARY KEY{})", column_names(columns)));
}

UncertainInserter::UncertainInserter(const sqlite::Database& database, const SweepConfig& config)
    : columns_(config) {
  if (columns_.size() == 0 || !has_table(database)) return;
  statement_.emplace(database, insert_values(columns_));
}

void UncertainInserter::insert(std::int64_t index) {
  if (!statement_) return;
  statement_->bind_integer(index);
  const std::vector<double> values = columns_.of(index);
  for (std::size_t k = 0; k < column_count(columns_); ++k) statement_->bind_number(values[k]);
  statement_->run();
}

}  // namespace graspmap
