#include "grasp/trial_columns.hpp"

#include <fmt/format.h>

#include <array>

namespace graspmap {
namespace {

/// A column of integers is declared so. One of doubles has no type: in a column of type REAL,
/// SQLite turns -0.0 into 0.
struct Column {
  const char* name;
  const char* type;
};

constexpr std::array kColumns = {
    Column{"trial", " INTEGER PRIMARY KEY"},
    Column{"x_mm", ""},
    Column{"y_mm", ""},
    Column{"theta_rad", ""},
    Column{"mu_jaw", ""},
    Column{"mu_support", ""},
    Column{"outcome", " INTEGER"},
    Column{"end_time_s", ""},
    Column{"part_x_mm", ""},
    Column{"part_y_mm", ""},
    Column{"part_theta_rad", ""},
    Column{"jaw_right_x_mm", ""},
    Column{"jaw_left_x_mm", ""},
    Column{"worst_residual", ""},
    Column{"worst_gap_mm", ""},
    Column{"least_dissipation_mn_mm", ""},
    Column{"steps", " INTEGER"},
    Column{"newton_iterations", " INTEGER"},
    Column{"steps_warm", " INTEGER"},
    Column{"steps_cold", " INTEGER"},
    Column{"steps_damped", " INTEGER"},
    Column{"steps_pattern", " INTEGER"},
    Column{"steps_halved", " INTEGER"},
};

std::string insert_statement() {
  std::string text = "INSERT INTO trials VALUES (?";
  for (std::size_t k = 1; k < kColumns.size(); ++k) text += ", ?";
  return text + ")";
}

/// A list of texts, one for each column, separated by commas.
template <typename TextOf>
std::string column_list(TextOf text_of) {
  std::string list;
  for (const Column& column : kColumns) {
    list += list.empty() ? "" : ", ";
    list += text_of(column);
  }
  return list;
}

/// Throws when a damaged file has another number where only 0, 1, ... size - 1 can be.
Outcome checked_outcome(const sqlite::Database& database, std::int64_t number) {
  if (number >= 0 && number < static_cast<std::int64_t>(kOutcomeCount)) {
    return static_cast<Outcome>(number);
  }
  throw sqlite::damaged(database.file(), fmt::format("there is no outcome {}", number));
}

/// The columns after `trial`.
void read_columns(const sqlite::Database& database, sqlite::Statement& query, TrialRow& row) {
  row.parameters.placement_x_mm = query.next_number();
  row.parameters.placement_y_mm = query.next_number();
  row.parameters.theta_rad = query.next_number();
  row.parameters.mu_jaw = query.next_number();
  row.parameters.mu_support = query.next_number();
  row.outcome = checked_outcome(database, query.next_integer());
  row.end_time_s = query.next_number();
  row.final_pose.position_mm.x() = query.next_number();
  row.final_pose.position_mm.y() = query.next_number();
  row.final_pose.angle_rad = query.next_number();
  row.jaw_right_mm = query.next_number();
  row.jaw_left_mm = query.next_number();
  row.statistics.worst_residual = query.next_number();
  row.statistics.worst_gap_mm = query.next_number();
  row.statistics.least_dissipation = query.next_number();
  row.statistics.steps = query.next_integer();
  row.statistics.newton_iterations = query.next_integer();
  for (std::int64_t& steps : row.statistics.by_rung) steps = query.next_integer();
}

}  // namespace

std::string trial_column_definitions() {
  return column_list([](const Column& column) { return std::string(column.name) + column.type; });
}

std::string view_columns() {
  std::string list = column_list([](const Column& column) -> std::string {
    return column.name == std::string_view("outcome") ? "outcomes.name AS outcome" : column.name;
  });
  return list.substr(list.find("x_mm"));
}

TrialInserter::TrialInserter(const sqlite::Database& database)
    : statement_(database, insert_statement()) {}

void TrialInserter::insert(const TrialRow& row) {
  statement_.bind_integer(row.index);
  statement_.bind_number(row.parameters.placement_x_mm);
  statement_.bind_number(row.parameters.placement_y_mm);
  statement_.bind_number(row.parameters.theta_rad);
  statement_.bind_number(row.parameters.mu_jaw);
  statement_.bind_number(row.parameters.mu_support);
  statement_.bind_integer(static_cast<std::int64_t>(row.outcome));
  statement_.bind_number(row.end_time_s);
  statement_.bind_number(row.final_pose.position_mm.x());
  statement_.bind_number(row.final_pose.position_mm.y());
  statement_.bind_number(row.final_pose.angle_rad);
  statement_.bind_number(row.jaw_right_mm);
  statement_.bind_number(row.jaw_left_mm);
  statement_.bind_number(row.statistics.worst_residual);
  statement_.bind_number(row.statistics.worst_gap_mm);
  statement_.bind_number(row.statistics.least_dissipation);
  statement_.bind_integer(row.statistics.steps);
  statement_.bind_integer(row.statistics.newton_iterations);
  for (const std::int64_t steps : row.statistics.by_rung) statement_.bind_integer(steps);
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
    const CellIndex cell = cell_of_trial(placement, index);
    row.index = index++;
    row.cell_x = cell.x;
    row.cell_y = cell.y;
    read_columns(database, query, row);
  }
  return rows;
}

}  // namespace graspmap
