#include "grasp/sweep/store/trial_columns.hpp"

#include <fmt/format.h>

#include "grasp/sweep/trials/trial_fields.hpp"

namespace graspmap {
namespace {

/// A column of integers is declared so. One of doubles has no type: in a column of type REAL,
/// SQLite turns -0.0 into 0.
const char* type_of(const double&) { return ""; }
const char* type_of(const std::int64_t&) { return " INTEGER"; }
const char* type_of(const Outcome&) { return " INTEGER"; }

std::string insert_statement() {
  std::string text = "INSERT INTO trials VALUES (?";
  visit_trial_values(TrialRow{}, [&](const char*, const auto&) { text += ", ?"; });
  return text + ")";
}

/// Throws when a damaged file has another number where only 0, 1, ... size - 1 can be.
Outcome checked_outcome(const sqlite::Database& database, std::int64_t number) {
  if (number >= 0 && number < static_cast<std::int64_t>(kOutcomeCount)) {
    return static_cast<Outcome>(number);
  }
  throw sqlite::damaged(database.file(), fmt::format("there is no outcome {}", number));
}

/// Puts the values of a row into a statement.
class ValueBinder {
 public:
  explicit ValueBinder(sqlite::Statement& statement) : statement_(statement) {}

  void operator()(const char*, double value) { statement_.bind_number(value); }
  void operator()(const char*, std::int64_t value) { statement_.bind_integer(value); }
  void operator()(const char*, Outcome value) {
    statement_.bind_integer(static_cast<std::int64_t>(value));
  }

 private:
  sqlite::Statement& statement_;
};

/// Takes the values of a row out of a query.
class ValueReader {
 public:
  ValueReader(const sqlite::Database& database, sqlite::Statement& query)
      : database_(database), query_(query) {}

  void operator()(const char*, double& value) { value = query_.next_number(); }
  void operator()(const char*, std::int64_t& value) { value = query_.next_integer(); }
  void operator()(const char*, Outcome& value) {
    value = checked_outcome(database_, query_.next_integer());
  }

 private:
  const sqlite::Database& database_;
  sqlite::Statement& query_;
};

}  // namespace

std::string trial_column_definitions() {
  std::string list = "trial INTEGER PRIMARY KEY";
  visit_trial_values(TrialRow{}, [&](const char* name, const auto& value) {
    list += fmt::format(", {}{}", name, type_of(value));
  });
  return list;
}

std::string view_columns() {
  std::string list;
  visit_trial_values(TrialRow{}, [&](const std::string& name, const auto&) {
    list += list.empty() ? "" : ", ";
    list += name == "outcome" ? "outcomes.name AS outcome" : name;
  });
  return list;
}

TrialInserter::TrialInserter(const sqlite::Database& database)
    : statement_(database, insert_statement()) {}

void TrialInserter::insert(const TrialRow& row) {
  statement_.bind_integer(row.index);
  visit_trial_values(row, ValueBinder(statement_));
  statement_.run();
}

std::vector<TrialRow> select_trials(const sqlite::Database& database,
                                    const PlacementSweep& placement, TrialRange range) {
  sqlite::Statement query(database,
                          "SELECT * FROM trials WHERE trial >= ? AND trial < ? ORDER BY trial");
  query.bind_integer(range.first);
  query.bind_integer(range.end);
  std::vector<TrialRow> rows(static_cast<std::size_t>(range.trials()));
  std::int64_t index = range.first;
  for (TrialRow& row : rows) {
    if (!query.step() || query.next_integer() != index) {
      throw sqlite::damaged(database.file(), fmt::format("trial {} is not there", index));
    }
    row.set_cell(cell_of_trial(placement, index));
    row.index = index++;
    visit_trial_values(row, ValueReader(database, query));
  }
  return rows;
}

}  // namespace graspmap
