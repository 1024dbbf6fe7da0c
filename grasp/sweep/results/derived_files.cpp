#include "grasp/sweep/results/derived_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/csv.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/probability/proportions.hpp"
#include "grasp/sweep/figures/map_figures.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {

namespace fs = std::filesystem;

RunSummary summarize(const RunStore& store, const RunTotals& totals) {
  RunSummary summary = summarize(store.config(), totals, store.trials_asked());
  summary.unmet = count_unmet(store, summary.totals);
  return summary;
}

RunTiming timing(const RunStore& store) {
  RunTiming timing;
  for (const StoreProcess& process : store.processes()) {
    timing.wall_s += process.wall_s;
    timing.threads = process.threads;
  }
  return timing;
}

bool derived_files_have(const fs::path& folder, std::int64_t trials) {
  for (const char* file : {run_files::kConfig, run_files::kMap, run_files::kSummary}) {
    if (!fs::exists(folder / file)) return false;
  }
  try {
    return read_map_csv(folder / run_files::kMap).total().trials() >= trials;
  } catch (const ConfigError&) {
    return false;  // not a map any more: the store can give it again
  }
}

void write_derived_files(const fs::path& folder, const RunStore& store, const RunTotals& totals,
                         const RunSummary& summary) {
  const std::string map = map_csv(totals.map(), map_intervals(store.config()));
  write_run_files(folder, {store.config_toml(), map,
                           json_document(summary_fields(summary, timing(store), folder))});
}

namespace {

/// The columns of map.csv for a cell, in their order: visit(name, value).
template <typename Visit>
void visit_map_columns(const SuccessMap& map, std::size_t number, MapIntervals intervals,
                       const Visit& visit) {
  const CellCounts& cell = map.cells[number];
  const auto [i, j, k] = map.cell(number);
  visit("cell_x", i);
  visit("cell_y", j);
  visit("cell_theta", k);
  visit("x_min_mm", map.x_mm.cell_min(i));
  visit("x_max_mm", map.x_mm.cell_max(i));
  visit("y_min_mm", map.y_mm.cell_min(j));
  visit("y_max_mm", map.y_mm.cell_max(j));
  visit("theta_min_rad", map.theta_rad.cell_min(k));
  visit("theta_max_rad", map.theta_rad.cell_max(k));
  visit("trials", cell.trials());
  for (const Outcome outcome : kOutcomes) visit(name(outcome), cell.count(outcome));
  visit("success_probability", cell.success_probability());
  const Interval wilson = cell.success_interval();
  visit("wilson_low", wilson.low);
  visit("wilson_high", wilson.high);
  if (intervals == MapIntervals::kWilsonAndAnytime) {
    const Interval anytime = anytime_interval(SampleCounts{
        cell.count(Outcome::kSuccess), cell.valid_trials(), cell.count(Outcome::kFailed)});
    visit("anytime_low", anytime.low);
    visit("anytime_high", anytime.high);
  }
  visit("effective_trials", cell.effective_trials());
}

/// Puts the rows of map.csv into a map.
class MapReader {
 public:
  explicit MapReader(const CsvTable& table)
      : table_(table),
        cell_x_(table.column("cell_x")),
        cell_y_(table.column("cell_y")),
        cell_theta_(table.column("cell_theta")),
        trials_(table.column("trials")),
        effective_trials_(table.find_column("effective_trials")) {
    for (std::size_t k = 0; k < kOutcomeCount; ++k) counts_[k] = table.column(name(kOutcomes[k]));
  }

  SuccessMap read() {
    const Axis x = axis_with_width(cell_x_, "x_min_mm", "x_max_mm");
    const Axis y = axis_with_width(cell_y_, "y_min_mm", "y_max_mm");
    const Axis theta = angle_axis();
    const std::int64_t cells = std::int64_t{x.cells} * y.cells * theta.cells;
    if (std::ssize(table_.rows) != cells) {
      table_.fail(table_.rows.back(), cell_x_,
                  fmt::format("the file has {} rows; must have {} for {} x {} x {} cells",
                              table_.rows.size(), cells, x.cells, y.cells, theta.cells));
    }
    SuccessMap map(x, y, theta);
    std::vector<bool> seen(map.cells.size());
    for (const CsvRow& row : table_.rows) {
      // Within the map: its axes are as long as the largest number of each column asks for.
      const auto number = [&](std::size_t column) {
        return static_cast<int>(table_.integer(row, column));
      };
      const std::size_t cell = map.index(number(cell_x_), number(cell_y_), number(cell_theta_));
      if (seen[cell]) table_.fail(row, cell_x_, "cell named twice; each cell has one row");
      seen[cell] = true;
      map.cells[cell] = counts(row);
    }
    return map;
  }

 private:
  /// The axis whose cells are numbered in column `cell`: its bounds are the outermost cell bounds.
  [[nodiscard]] Axis axis(std::size_t cell, const char* min, const char* max) const {
    constexpr std::int64_t kMostCells = 1'000'000;
    const std::size_t min_column = table_.column(min);
    const std::size_t max_column = table_.column(max);
    Axis axis;
    for (const CsvRow& row : table_.rows) {
      const std::int64_t i = table_.integer(row, cell);
      if (i < 0 || i >= kMostCells) table_.fail(row, cell, "no cell number; must be >= 0");
      if (i == 0) axis.min = table_.number(row, min_column);
      if (i + 1 < axis.cells) continue;
      axis.cells = static_cast<int>(i + 1);
      axis.max = table_.number(row, max_column);
    }
    return axis;
  }

  [[nodiscard]] Axis axis_with_width(std::size_t cell, const char* min, const char* max) const {
    const Axis found = axis(cell, min, max);
    if (found.min < found.max) return found;
    table_.fail(table_.rows.empty() ? table_.header : table_.rows.front(), table_.column(min),
                fmt::format("the cells have no width; {} must be below {}", min, max));
  }

  /// The angles: one of them has no width.
  [[nodiscard]] Axis angle_axis() const {
    const Axis found = axis(cell_theta_, "theta_min_rad", "theta_max_rad");
    if (found.cells == 1 && found.is_fixed()) return found;
    return axis_with_width(cell_theta_, "theta_min_rad", "theta_max_rad");
  }

  [[nodiscard]] CellCounts counts(const CsvRow& row) const {
    CellCounts cell;
    for (std::size_t k = 0; k < kOutcomeCount; ++k) {
      constexpr std::int64_t kMostTrials = 1'000'000'000'000;  // sums of all cells are exact
      const std::int64_t count = table_.integer(row, counts_[k]);
      if (count < 0) table_.fail(row, counts_[k], "negative count; must be >= 0");
      if (count > kMostTrials) table_.fail(row, counts_[k], "must be at most 10^12");
      cell.by_outcome[k] = count;
    }
    if (cell.trials() != table_.integer(row, trials_)) {
      table_.fail(row, trials_, "not the sum of the outcomes; must be");
    }
    if (effective_trials_ && cell.valid_trials() > 0) {
      const double effective = table_.number(row, *effective_trials_);
      if (!(effective >= static_cast<double>(cell.valid_trials()))) {
        table_.fail(row, *effective_trials_,
                    "fewer than the trials that did not fail; must not be");
      }
      cell.design_effect = static_cast<double>(cell.valid_trials()) / effective;
    }
    return cell;
  }

  const CsvTable& table_;
  std::size_t cell_x_;
  std::size_t cell_y_;
  std::size_t cell_theta_;
  std::size_t trials_;
  std::optional<std::size_t> effective_trials_;  ///< not in files of earlier versions
  std::array<std::size_t, kOutcomeCount> counts_{};
};

}  // namespace

MapIntervals map_intervals(const SweepConfig& config) {
  return config.adaptive ? MapIntervals::kWilsonAndAnytime : MapIntervals::kWilson;
}

std::string map_csv(const SuccessMap& map, MapIntervals intervals) {
  std::string text;
  const auto add_line = [&](std::size_t cell, const auto& field) {
    visit_map_columns(map, cell, intervals, [&](const char* column, auto value) {
      fmt::format_to(std::back_inserter(text), "{},", field(column, value));
    });
    text.back() = '\n';
  };
  add_line(0, [](const char* column, auto) { return column; });
  for (std::size_t cell = 0; cell < map.cells.size(); ++cell) {
    add_line(cell, [](const char*, auto value) { return value; });
  }
  return text;
}

SuccessMap read_map_csv(const std::filesystem::path& file) {
  const CsvTable table = read_csv(file);
  return MapReader(table).read();
}

namespace {

/// The solver's health is in trials.npz only, except the worst residual.
bool is_in_csv(std::string_view column) {
  return column != "newton_iterations" && !column.starts_with("steps_") &&
         column != "worst_gap_mm" && column != "least_dissipation_mn_mm";
}

}  // namespace

std::string trials_csv_header(const UncertainColumns& uncertain) {
  std::string text = "index";
  visit_trial_columns(TrialRow{}, [&](const char* column, const auto&) {
    if (is_in_csv(column)) text += fmt::format(",{}", column);
  });
  for (std::size_t k = 0; k < uncertain.size(); ++k) text += "," + uncertain.key(k);
  const ComputedColumns computed(uncertain.config());
  for (std::size_t k = 0; k < computed.size(); ++k) text += "," + computed.key(k);
  return text + "\n";
}

void append_trial_csv(std::string& text, const TrialRow& row, const UncertainColumns& uncertain,
                      std::span<const double> computed) {
  append_csv_value(text, row.index);
  visit_trial_columns(row, [&](const char* column, const auto& value) {
    if (!is_in_csv(column)) return;
    text += ',';
    append_csv_value(text, value);
  });
  const auto append = [&](double value) {
    text += ',';
    append_csv_value(text, value);
  };
  for (const double value : uncertain.of(row.index)) append(value);
  for (const double value : computed) append(value);
  text += '\n';
}

TrialsCsv::TrialsCsv(const std::filesystem::path& file, const UncertainColumns& uncertain)
    : writer_(file), uncertain_(uncertain), rows_(ComputedColumns(uncertain.config())) {
  writer_.write(trials_csv_header(uncertain_));
}

void TrialsCsv::add(const TrialRow& row) {
  rows_.add(row, [&](const auto& each, auto computed) { write(each, computed); });
}

void TrialsCsv::commit() {
  rows_.pass_on([&](const auto& each, auto computed) { write(each, computed); });
  writer_.commit();
}

void TrialsCsv::write(const TrialRow& row, std::span<const double> computed) {
  line_.clear();
  append_trial_csv(line_, row, uncertain_, computed);
  writer_.write(line_);
}

std::string trials_csv(const RunStore& store) {
  const UncertainColumns uncertain(store.config());
  std::string text = trials_csv_header(uncertain);
  RowsWithColumns rows{ComputedColumns(uncertain.config())};
  const auto append = [&](const TrialRow& row, auto computed) {
    append_trial_csv(text, row, uncertain, computed);
  };
  store.for_each([&](const TrialRow& row) { rows.add(row, append); });
  rows.pass_on(append);
  return text;
}

namespace {

/// The value of a column as the array holds it: NaN for one that is not known. A count of a trial
/// fits into 32 bits.
double element(const TrialRow&, double value) {
  return std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN();
}
std::uint8_t element(const TrialRow&, Outcome outcome) {
  return static_cast<std::uint8_t>(outcome);
}
std::int32_t element(const TrialRow& row, std::int64_t count) {
  if (!std::in_range<std::int32_t>(count)) {
    throw IoError(fmt::format("trial {}: a count of {} does not fit into a column of 32 bits",
                              row.index, count));
  }
  return static_cast<std::int32_t>(count);
}
std::int32_t element(const TrialRow&, int cell) { return cell; }

/// Calls visit(name, element) for each array.
template <typename Visit>
void visit_arrays(const TrialRow& row, const Visit& visit) {
  visit("index", row.index);
  visit_trial_columns(
      row, [&](const char* column, const auto& value) { visit(column, element(row, value)); });
}

/// The words of the outcomes in the order of their codes.
void add_outcome_names(NpzWriter& npz) {
  // numpy's text of fixed width: 4 bytes a character, zeros at the end.
  constexpr std::size_t kBytesPerCharacter = 4;
  std::size_t width = 0;
  for (const Outcome outcome : kOutcomes) {
    width = std::max(width, std::string_view(name(outcome)).size());
  }
  NpyArray& names = npz.add("outcome_names", fmt::format("<U{}", width));
  for (const Outcome outcome : kOutcomes) {
    const std::string_view word = name(outcome);
    std::string element(width * kBytesPerCharacter, '\0');
    for (std::size_t i = 0; i < word.size(); ++i) element[i * kBytesPerCharacter] = word[i];
    names.append_bytes(element);
  }
}

}  // namespace

TrialsNpz::TrialsNpz(const std::filesystem::path& file, const UncertainColumns& uncertain)
    : npz_(file), uncertain_(uncertain), rows_(ComputedColumns(uncertain.config())) {
  visit_arrays(TrialRow{}, [&](const char* column, auto value) {
    columns_.push_back(&npz_.add(column, npy_type<decltype(value)>()));
  });
  add_outcome_names(npz_);
  for (std::size_t k = 0; k < uncertain_.size(); ++k) {
    drawn_.push_back(&npz_.add(uncertain_.key(k), npy_type<double>()));
  }
  for (std::size_t k = 0; k < rows_.columns().size(); ++k) {
    drawn_.push_back(&npz_.add(rows_.columns().key(k), npy_type<double>()));
  }
}

void TrialsNpz::add(const TrialRow& row) {
  rows_.add(row, [&](const auto& each, auto computed) { write(each, computed); });
}

bool TrialsNpz::commit(const std::atomic<int>& stop) {
  rows_.pass_on([&](const auto& each, auto computed) { write(each, computed); });
  return npz_.commit(stop);
}

void TrialsNpz::write(const TrialRow& row, std::span<const double> computed) {
  auto array = columns_.begin();
  visit_arrays(row, [&](const char*, auto value) { (*array++)->append(value); });
  auto drawn = drawn_.begin();
  for (const double value : uncertain_.of(row.index)) (*drawn++)->append(value);
  for (const double value : computed) (*drawn++)->append(value);
}

namespace {

/// The success map shows all angles, the others that of the sweet spot, or the middle one without a
/// sweet spot.
std::vector<Figure> all_figures(const FigureInput& input, const MapReasons* reasons) {
  const SweetSpot& spot = input.sweet_spot;
  const int shown = spot.found ? spot.cell_theta : input.map.theta_rad.cells / 2;
  const SuccessMap slice = input.map.slice(shown);
  const FigureInput one_angle{slice, spot, input.plateau_probability, input.title, input.scenario};
  std::vector<Figure> figures{success_map_figure(input), histogram_figure(one_angle),
                              outcomes_figure(one_angle)};
  if (auto half = half_histogram_figure(one_angle)) figures.push_back(std::move(*half));
  if (auto trials = trials_figure(one_angle)) figures.push_back(std::move(*trials));
  if (reasons != nullptr) {
    auto why = reasons_figure(one_angle, slice_of(*reasons, input.map, shown));
    if (why) figures.push_back(std::move(*why));
  }
  return figures;
}

}  // namespace

void make_figures(const std::filesystem::path& run_dir, const SuccessMap& map,
                  const SweetSpot& sweet_spot, const std::string& title, double plateau_probability,
                  const Scenario* scenario, const MapReasons* reasons, const std::string& gnuplot) {
  draw_figures(run_dir / kFiguresFolder,
               all_figures({map, sweet_spot, plateau_probability, title, scenario}, reasons),
               gnuplot);
}

void make_figures(const RunStore& store, const SuccessMap& map, const SweetSpot& sweet_spot,
                  const std::optional<UnmetSummary>& unmet) {
  const SweepConfig& config = store.config();
  const std::filesystem::path folder = store.file().parent_path();
  const std::optional<MapReasons> reasons = map_reasons(store, map, unmet);
  make_figures(folder, map, sweet_spot, run_title(config.name, store.file()),
               config.plateau_probability, &config.scenario, reasons ? &*reasons : nullptr);
}

}  // namespace graspmap
