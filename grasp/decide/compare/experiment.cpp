#include "grasp/decide/compare/experiment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>

#include "grasp/base/io/csv.hpp"
#include "grasp/base/io/number.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/sweep/config/scenario_number.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {
namespace {

constexpr const char* kOriginLine = "\"# origin = measured\" (or digitised, simulated)";
constexpr std::int64_t kMostTrialsOfCell = 1'000'000'000;

/// What a line "# key = value" says; nothing for any other line.
std::optional<std::string_view> value_of(std::string_view line, std::string_view key) {
  line = trimmed(line.substr(1));
  if (!line.starts_with(key)) return std::nullopt;
  line = trimmed(line.substr(key.size()));
  if (!line.starts_with('=')) return std::nullopt;
  return trimmed(line.substr(1));
}

/// The lines before the CSV header that begin with '#'.
class ExperimentHead {
 public:
  explicit ExperimentHead(const std::string& file) : file_(file) {}

  void read_line(std::string_view line) {
    ++line_;
    if (const auto word = value_of(line, "origin")) set_origin(*word);
    if (const auto text = value_of(line, "source")) set_source(*text);
  }

  void finish(Experiment& experiment) const {
    if (!origin_) {
      throw ConfigError(fmt::format("{}:1: origin: missing; the file must begin with the line {}",
                                    file_, kOriginLine));
    }
    experiment.origin = *origin_;
    experiment.source = source_.value_or("");
  }

 private:
  void set_origin(std::string_view word) {
    if (origin_) fail("origin: given twice; must be given once");
    const auto found = std::find_if(kExperimentOrigins.begin(), kExperimentOrigins.end(),
                                    [&](ExperimentOrigin origin) { return name(origin) == word; });
    if (found == kExperimentOrigins.end()) {
      fail(
          fmt::format("origin: is \"{}\"; must be measured (counted in a lab), digitised (read off "
                      "a published figure) or simulated",
                      printable(word)));
    }
    origin_ = *found;
  }

  void set_source(std::string_view text) {
    if (source_) fail("source: given twice; must be given at most once");
    source_ = printable(text);
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw ConfigError(fmt::format("{}:{}: {}", file_, line_, problem));
  }

  const std::string& file_;
  int line_ = 0;
  std::optional<ExperimentOrigin> origin_;
  std::optional<std::string> source_;
};

/// Reads the lines that begin with '#' at the start of `text` and empties them, so that what is
/// left is CSV whose lines keep their numbers.
void take_head(std::string& text, Experiment& experiment) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  ExperimentHead head(experiment.file);
  std::string empty_lines;
  std::string_view rest = text;
  while (rest.starts_with('#')) {
    const std::size_t length = std::min(rest.find('\n'), rest.size());
    head.read_line(rest.substr(0, length));
    empty_lines += '\n';
    rest.remove_prefix(std::min(length + 1, rest.size()));
  }
  head.finish(experiment);
  text = empty_lines + std::string(rest);
}

/// The columns of a table of cells.
struct CellColumns {
  explicit CellColumns(const CsvTable& table)
      : x_min(table.column("x_min_mm")),
        x_max(table.column("x_max_mm")),
        y_min(table.column("y_min_mm")),
        y_max(table.column("y_max_mm")),
        trials(table.column("trials")),
        successes(table.column("successes")) {}

  std::size_t x_min, x_max, y_min, y_max, trials, successes;
};

/// The column "session", if there is one.
class SessionColumn {
 public:
  explicit SessionColumn(const CsvTable& table)
      : table_(table), column_(table.find_column("session")) {}

  /// The number of a row's session.
  std::size_t read(const CsvRow& row) {
    if (!column_) return 0;
    const std::string word = printable(trimmed(row.fields[*column_]));
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

ExperimentCell read_cell(const CsvTable& table, const CsvRow& row, const CellColumns& columns) {
  ExperimentCell cell;
  cell.x_min_mm = table.number(row, columns.x_min);
  cell.x_max_mm = table.number(row, columns.x_max);
  cell.y_min_mm = table.number(row, columns.y_min);
  cell.y_max_mm = table.number(row, columns.y_max);
  if (!(cell.x_min_mm < cell.x_max_mm)) {
    table.fail(row, columns.x_min, fmt::format("{}; must be below x_max_mm", cell.x_min_mm));
  }
  if (!(cell.y_min_mm < cell.y_max_mm)) {
    table.fail(row, columns.y_min, fmt::format("{}; must be below y_max_mm", cell.y_min_mm));
  }
  cell.trials = read_count(table, row, columns.trials, kMostTrialsOfCell, "must be 0 to 10^9");
  cell.successes =
      read_count(table, row, columns.successes, cell.trials, "must be 0 to the cell's trials");
  return cell;
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

bool are_one_rectangle(const ExperimentCell& a, const ExperimentCell& b) {
  return a.x_min_mm == b.x_min_mm && a.x_max_mm == b.x_max_mm && a.y_min_mm == b.y_min_mm &&
         a.y_max_mm == b.y_max_mm;
}

/// Whether an experiment may not have both.
bool exclude_each_other(const ExperimentCell& a, const ExperimentCell& b) {
  return overlap(a, b) && (a.session == b.session || !are_one_rectangle(a, b));
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
      throw ConfigError(fmt::format(
          "{}:{}: the cell overlaps that of line {}; cells must not{}", table.file,
          table.rows[second].line, table.rows[first].line,
          cell.session == cells[order[k]].session ? "" : ", unless they are the same rectangle"));
    }
  }
}

std::vector<ExperimentCell> read_cells(const CsvTable& table, SessionColumn& sessions) {
  const CellColumns columns(table);
  std::vector<ExperimentCell> cells;
  cells.reserve(table.rows.size());
  for (const CsvRow& row : table.rows) {
    cells.push_back(read_cell(table, row, columns));
    cells.back().session = sessions.read(row);
  }
  check_no_overlap(table, cells);
  return cells;
}

std::vector<ExperimentTrial> read_single_trials(const CsvTable& table, SessionColumn& sessions) {
  const std::size_t x = table.column("x_mm");
  const std::size_t y = table.column("y_mm");
  const std::size_t success = table.column("success");
  const std::optional<std::size_t> theta = table.find_column("theta_rad");
  std::vector<ExperimentTrial> trials;
  trials.reserve(table.rows.size());
  for (const CsvRow& row : table.rows) {
    ExperimentTrial trial;
    trial.x_mm = table.number(row, x);
    trial.y_mm = table.number(row, y);
    trial.success = read_count(table, row, success, 1, "must be 0 or 1") == 1;
    trial.session = sessions.read(row);
    if (theta) trial.theta_rad = read_placed_angle_rad(table, row, *theta);
    trials.push_back(trial);
  }
  return trials;
}

void read_rows(const CsvTable& table, Experiment& experiment) {
  const bool has_cells = table.find_column("x_min_mm").has_value();
  const bool has_single_trials = table.find_column("x_mm").has_value();
  if (has_cells == has_single_trials) {
    throw ConfigError(fmt::format(
        "{}:{}: {}; the columns must be either x_min_mm,x_max_mm,y_min_mm,y_max_mm,trials,"
        "successes or x_mm,y_mm,success",
        table.file, table.header.line,
        has_cells ? "columns of cells and of single trials" : "missing columns"));
  }
  SessionColumn sessions(table);
  if (has_cells) {
    experiment.cells = read_cells(table, sessions);
  } else {
    experiment.single_trials = read_single_trials(table, sessions);
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
  switch (origin) {
    case ExperimentOrigin::kMeasured:
      return "measured";
    case ExperimentOrigin::kDigitised:
      return "digitised";
    case ExperimentOrigin::kSimulated:
      return "simulated";
  }
  return "";
}

std::vector<ExperimentCell> pooled_cells(const Experiment& experiment) {
  using Corners = std::array<double, 4>;
  std::map<Corners, std::size_t> places;
  std::vector<ExperimentCell> pooled;
  for (const ExperimentCell& cell : experiment.cells) {
    const Corners corners = {cell.x_min_mm, cell.x_max_mm, cell.y_min_mm, cell.y_max_mm};
    const auto [found, is_new] = places.try_emplace(corners, pooled.size());
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

Experiment read_experiment(const std::filesystem::path& file) {
  std::string text = read_table_text(file);
  Experiment experiment;
  experiment.file = file.string();
  take_head(text, experiment);
  const CsvTable table = parse_csv(text, experiment.file);
  read_rows(table, experiment);
  if (!has_trials(experiment)) {
    throw ConfigError(fmt::format("{}:{}: no trials; there must be at least one", experiment.file,
                                  table.header.line));
  }
  return experiment;
}

Experiment experiment_of_map(const SuccessMap& map, int slice, std::string file) {
  Experiment experiment;
  experiment.file = std::move(file);
  experiment.origin = ExperimentOrigin::kSimulated;
  for (int j = 0; j < map.y_mm.cells; ++j) {
    for (int i = 0; i < map.x_mm.cells; ++i) {
      const CellCounts& counts = map.cells[map.index(i, j, slice)];
      experiment.cells.push_back({map.x_mm.cell_min(i), map.x_mm.cell_max(i), map.y_mm.cell_min(j),
                                  map.y_mm.cell_max(j), counts.valid_trials(),
                                  counts.count(Outcome::kSuccess)});
      experiment.failed += counts.count(Outcome::kFailed);
    }
  }
  if (!has_trials(experiment)) {
    throw ConfigError(fmt::format("{}: no trials; there must be at least one", experiment.file));
  }
  return experiment;
}

}  // namespace graspmap
