#include "grasp/decide/compare/experiment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>

#include "geometry/assert.hpp"
#include "grasp/base/io/csv.hpp"
#include "grasp/base/io/number.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/decide/compare/shared_cells.hpp"
#include "grasp/sweep/config/scenario_number.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {
namespace {

constexpr std::int64_t kMostTrialsOfCell = 1'000'000'000;

/// What a line "# key = value" says; nothing for any other line.
std::optional<std::string_view> value_of(std::string_view line, std::string_view key) {
  line = trimmed(line.substr(1));
  if (!line.starts_with(key)) return std::nullopt;
  line = trimmed(line.substr(key.size()));
  if (!line.starts_with('=')) return std::nullopt;
  return trimmed(line.substr(1));
}

/// The column "session", if there is one.
class SessionColumn {
 public:
  explicit SessionColumn(const CsvTable& table)
      : table_(table), column_(table.find_column("session")) {}

  /// The number of a row's session.
  std::size_t read(const CsvRow& row) {
    if (!column_) return 0;
    const std::string word = printable(row.fields[*column_]);
    if (word.empty()) table_.fail(row, *column_, "is empty; must name the session of every row");
    const auto [found, is_new] = numbers_.try_emplace(word, names_.size());
    if (is_new) names_.push_back(word);
    return found->second;
  }

  [[nodiscard]] std::vector<std::string> names() const { return names_; }

 private:
  const CsvTable& table_;
  std::optional<std::size_t> column_;
  std::map<std::string, std::size_t> numbers_;
  std::vector<std::string> names_;
};

std::int64_t read_count(const CsvTable& table, const CsvRow& row, std::size_t column,
                        std::int64_t most, const char* allowed) {
  const std::int64_t count = table.integer(row, column);
  if (count < 0 || count > most) table.fail(row, column, fmt::format("{}; {}", count, allowed));
  return count;
}

/// Whether two ranges have more in common than a border.
bool overlap(double a_min, double a_max, double b_min, double b_max) {
  const double common = std::min(a_max, b_max) - std::max(a_min, b_min);
  return common > kBorderRounding * std::min(a_max - a_min, b_max - b_min);
}

bool overlap(const ExperimentCell& a, const ExperimentCell& b) {
  return overlap(a.x_min_mm, a.x_max_mm, b.x_min_mm, b.x_max_mm) &&
         overlap(a.y_min_mm, a.y_max_mm, b.y_min_mm, b.y_max_mm);
}

/// Whether an experiment may not have both.
bool exclude_each_other(const ExperimentCell& a, const ExperimentCell& b) {
  return overlap(a, b) && (a.session == b.session || Rectangle(a) != Rectangle(b));
}

/// Throws when two cells overlap, naming their lines. Sorted by x, a cell can only overlap those
/// that begin before it ends.
void check_no_overlap(const CsvTable& table, const std::vector<ExperimentCell>& cells) {
  std::vector<std::size_t> order(cells.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return cells[a].x_min_mm < cells[b].x_min_mm;
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const ExperimentCell& cell = cells[order[i]];
    for (std::size_t k = i + 1; k < order.size() && cells[order[k]].x_min_mm < cell.x_max_mm; ++k) {
      if (!exclude_each_other(cell, cells[order[k]])) continue;
      const auto [first, second] = std::minmax(order[i], order[k]);
      throw config_error(
          table.place(table.rows[second]), "",
          fmt::format("the cell overlaps that of line {}; cells must not{}", table.rows[first].line,
                      cell.session == cells[order[k]].session
                          ? ""
                          : ", unless they are the same rectangle"));
    }
  }
}

std::vector<ExperimentCell> read_cells(const CsvTable& table, SessionColumn& sessions) {
  const std::size_t x_min = table.column("x_min_mm");
  const std::size_t x_max = table.column("x_max_mm");
  const std::size_t y_min = table.column("y_min_mm");
  const std::size_t y_max = table.column("y_max_mm");
  const std::size_t trials = table.column("trials");
  const std::size_t successes = table.column("successes");
  std::vector<ExperimentCell> cells;
  cells.reserve(table.rows.size());
  for (const CsvRow& row : table.rows) {
    ExperimentCell cell;
    cell.x_min_mm = table.number(row, x_min);
    cell.x_max_mm = table.number(row, x_max);
    cell.y_min_mm = table.number(row, y_min);
    cell.y_max_mm = table.number(row, y_max);
    if (!(cell.x_min_mm < cell.x_max_mm)) {
      table.fail(row, x_min, fmt::format("{}; must be below x_max_mm", cell.x_min_mm));
    }
    if (!(cell.y_min_mm < cell.y_max_mm)) {
      table.fail(row, y_min, fmt::format("{}; must be below y_max_mm", cell.y_min_mm));
    }
    cell.trials = read_count(table, row, trials, kMostTrialsOfCell, "must be 0 to 10^9");
    cell.successes =
        read_count(table, row, successes, cell.trials, "must be 0 to the cell's trials");
    cell.session = sessions.read(row);
    cells.push_back(cell);
  }
  check_no_overlap(table, cells);
  return cells;
}

/// 1 or 0, yes or no, true or false, in any case.
bool read_success(const CsvTable& table, const CsvRow& row, std::size_t column) {
  std::string word = row.fields[column];
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const char* yes : {"1", "yes", "y", "true"}) {
    if (word == yes) return true;
  }
  for (const char* no : {"0", "no", "n", "false"}) {
    if (word == no) return false;
  }
  table.fail(row, column,
             fmt::format("\"{}\"; must be 1 or 0, yes or no, true or false, or empty: not yet made",
                         printable(row.fields[column])));
}

void read_single_trials(const CsvTable& table, SessionColumn& sessions, Experiment& experiment) {
  const std::size_t x = table.column("x_mm");
  const std::size_t y = table.column("y_mm");
  const std::size_t success = table.column("success");
  const std::optional<std::size_t> theta = find_angle_column(table);
  for (const CsvRow& row : table.rows) {
    ExperimentTrial trial;
    trial.x_mm = table.number(row, x);
    trial.y_mm = table.number(row, y);
    const bool is_planned = row.fields[success].empty();
    if (!is_planned) trial.success = read_success(table, row, success);
    trial.session = sessions.read(row);
    if (theta) trial.theta_rad = read_placed_angle_rad(table, row, *theta);
    (is_planned ? experiment.planned : experiment.single_trials).push_back(trial);
  }
}

std::string column_list(const CsvTable& table) {
  std::vector<std::string> names;
  for (const std::string& name : table.header.fields) names.push_back(printable(name));
  return fmt::format("{}", fmt::join(names, ", "));
}

constexpr std::array kColumns = {"x_mm",     "y_mm",     "success",  "theta_rad",
                                 "session",  "x_min_mm", "x_max_mm", "y_min_mm",
                                 "y_max_mm", "trials",   "successes"};

/// Calls the columns of a laboratory's own log as this program does.
void rename_columns(const std::vector<std::string>& columns, CsvTable& table) {
  for (const std::string& word : columns) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    if (equals == std::string::npos ||
        std::find(kColumns.begin(), kColumns.end(), name) == kColumns.end()) {
      throw ConfigError(fmt::format("--columns: '{}'; must be NAME=COLUMN, where NAME is {}", word,
                                    fmt::join(kColumns, ", ")));
    }
    const std::string own = word.substr(equals + 1);
    const auto column = table.find_column(own);
    if (!column) {
      throw config_error(
          table.place(table.header), "",
          fmt::format("the columns are {}; --columns names '{}'", column_list(table), own));
    }
    table.header.fields[*column] = name;
  }
}

void read_rows(const CsvTable& table, Experiment& experiment) {
  const bool has_cells = table.find_column("x_min_mm").has_value();
  const bool has_single_trials = table.find_column("x_mm").has_value();
  if (has_cells == has_single_trials) {
    throw config_error(
        table.place(table.header), "",
        fmt::format("{}; the columns must be either "
                    "x_min_mm,x_max_mm,y_min_mm,y_max_mm,trials,successes or x_mm,y_mm,success; "
                    "others are named by --columns x_mm=X,y_mm=Y,success=OK",
                    has_cells ? "columns of cells and of single trials"
                              : "the columns are " + column_list(table)));
  }
  SessionColumn sessions(table);
  if (has_cells) {
    experiment.cells = read_cells(table, sessions);
  } else {
    read_single_trials(table, sessions, experiment);
  }
  experiment.sessions = sessions.names();
}

bool has_trials(const Experiment& experiment) {
  return !experiment.single_trials.empty() ||
         std::any_of(experiment.cells.begin(), experiment.cells.end(),
                     [](const ExperimentCell& cell) { return cell.trials > 0; });
}

}  // namespace

const char* name(ExperimentOrigin origin) {
  constexpr std::array kNames = {"measured", "digitised", "simulated"};
  return kNames[static_cast<std::size_t>(origin)];
}

TableHead read_head(std::string_view text, const std::string& file,
                    const std::optional<ExperimentOrigin>& without) {
  std::optional<ExperimentOrigin> origin;
  std::optional<std::string> source;
  std::string_view rest = without_mark(text);
  for (int number = 1; rest.starts_with('#'); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const auto fail = [&](const std::string& problem) {
      throw config_error({file, number}, "", problem);
    };
    if (const auto word = value_of(line, "origin")) {
      if (origin) fail("origin: given twice; must be given once");
      const auto found = std::find_if(kExperimentOrigins.begin(), kExperimentOrigins.end(),
                                      [&](ExperimentOrigin known) { return name(known) == *word; });
      if (found == kExperimentOrigins.end()) {
        fail(
            fmt::format("origin: is \"{}\"; must be measured (counted in a lab), digitised (read "
                        "off a published figure) or simulated",
                        printable(*word)));
      }
      origin = *found;
    }
    if (const auto words = value_of(line, "source")) {
      if (source) fail("source: given twice; must be given at most once");
      source = printable(*words);
    }
  }
  if (!origin) origin = without;
  if (!origin) {
    throw config_error({file, 1}, "origin",
                       "missing; the file must begin with the line \"# origin = measured\" (or "
                       "digitised, simulated)");
  }
  return {*origin, source.value_or("")};
}

std::vector<ExperimentCell> pooled_cells(const Experiment& experiment) {
  std::map<Rectangle, std::size_t> places;
  std::vector<ExperimentCell> pooled;
  for (const ExperimentCell& cell : experiment.cells) {
    const auto [found, is_new] = places.try_emplace(cell, pooled.size());
    if (is_new) {
      pooled.push_back(cell);
      pooled.back().session = 0;
    } else {
      pooled[found->second].trials += cell.trials;
      pooled[found->second].successes += cell.successes;
    }
  }
  return pooled;
}

RequestField columns_field(std::vector<std::string>& member) {
  return words_field("columns LIST", member,
                     "what the experiment's columns are called, of a laboratory's own log: "
                     "x_mm=X,y_mm=Y,success=OK");
}

Experiment read_experiment(const std::filesystem::path& file,
                           const std::vector<std::string>& columns, bool results_needed) {
  const std::string text = read_table_text(file);
  Experiment experiment;
  experiment.file = file.string();
  const std::optional without =
      columns.empty() ? std::nullopt : std::optional(ExperimentOrigin::kMeasured);
  const TableHead head = read_head(text, experiment.file, without);
  experiment.origin = head.origin;
  experiment.source = head.source;
  CsvTable table = parse_csv(text, experiment.file);
  rename_columns(columns, table);
  read_rows(table, experiment);
  if (!has_trials(experiment) && (results_needed || experiment.planned.empty())) {
    throw config_error(table.place(table.header), "",
                       experiment.planned.empty()
                           ? "no trials; there must be at least one"
                           : "no trial has a result; there must be at least one");
  }
  return experiment;
}

Experiment experiment_of_map(const SuccessMap& map, int slice, std::string file) {
  Experiment experiment;
  experiment.file = std::move(file);
  experiment.origin = ExperimentOrigin::kSimulated;
  GRASPMAP_CHECK(0 <= slice && slice < map.theta_rad.cells);
  for (std::size_t k = map.index(0, 0, slice); k < map.index(0, 0, slice + 1); ++k) {
    const CellCounts& counts = map.cells[k];
    experiment.cells.push_back(
        {rectangle_of(map, k), counts.valid_trials(), counts.count(Outcome::kSuccess)});
    experiment.failed += counts.count(Outcome::kFailed);
  }
  if (!has_trials(experiment)) {
    throw config_error({experiment.file}, "", "no trials; there must be at least one");
  }
  return experiment;
}

}  // namespace graspmap
