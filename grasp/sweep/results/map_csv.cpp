#include "grasp/sweep/results/map_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "grasp/base/io/csv.hpp"
#include "grasp/base/probability/anytime_interval.hpp"

namespace graspmap {
namespace {

constexpr const char* kHeader =
    "cell_x,cell_y,cell_theta,x_min_mm,x_max_mm,y_min_mm,y_max_mm,theta_min_rad,theta_max_rad,"
    "trials,success,wedged,missed,timeout,blocked,failed,success_probability,wilson_low,"
    "wilson_high";

void append_row(std::string& text, const SuccessMap& map, std::size_t number) {
  const CellCounts& cell = map.cells[number];
  const auto [i, j, k] = map.cell(number);
  const Interval interval = cell.success_interval();
  auto out = std::back_inserter(text);
  fmt::format_to(out, "{},{},{},{},{},{},{},{},{},{}", i, j, k, map.x_mm.cell_min(i),
                 map.x_mm.cell_max(i), map.y_mm.cell_min(j), map.y_mm.cell_max(j),
                 map.theta_rad.cell_min(k), map.theta_rad.cell_max(k), cell.trials());
  for (const std::int64_t count : cell.by_outcome) fmt::format_to(out, ",{}", count);
  fmt::format_to(out, ",{},{},{}", cell.success_probability(), interval.low, interval.high);
}

void append_anytime_interval(std::string& text, const CellCounts& cell) {
  const Interval interval = anytime_interval_with_failed(
      cell.count(Outcome::kSuccess), cell.valid_trials(), cell.count(Outcome::kFailed));
  fmt::format_to(std::back_inserter(text), ",{},{}", interval.low, interval.high);
}

/// Puts the rows of map.csv into a map.
class MapReader {
 public:
  explicit MapReader(const CsvTable& table)
      : table_(table),
        cell_x_(table.column("cell_x")),
        cell_y_(table.column("cell_y")),
        cell_theta_(table.column("cell_theta")),
        trials_(table.column("trials")) {
    for (std::size_t k = 0; k < kOutcomeCount; ++k) counts_[k] = table.column(name(kOutcomes[k]));
  }

  SuccessMap read() {
    const Axis x = axis_with_width(cell_x_, "x_min_mm", "x_max_mm");
    const Axis y = axis_with_width(cell_y_, "y_min_mm", "y_max_mm");
    const Axis theta = angle_axis();
    check_row_count(x, y, theta);
    SuccessMap map(x, y, theta);
    std::vector<bool> seen(map.cells.size());
    for (const CsvRow& row : table_.rows) {
      const std::size_t cell = cell_index(map, row);
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

  void check_row_count(const Axis& x, const Axis& y, const Axis& theta) const {
    const std::int64_t cells = std::int64_t{x.cells} * y.cells * theta.cells;
    if (static_cast<std::int64_t>(table_.rows.size()) == cells) return;
    table_.fail(table_.rows.back(), cell_x_,
                fmt::format("the file has {} rows; must have {} for {} x {} x {} cells",
                            table_.rows.size(), cells, x.cells, y.cells, theta.cells));
  }

  [[nodiscard]] std::size_t cell_index(const SuccessMap& map, const CsvRow& row) const {
    // Within the map: its axes are as long as the largest number of each column asks for.
    const auto number = [&](std::size_t column) {
      return static_cast<int>(table_.integer(row, column));
    };
    return map.index(number(cell_x_), number(cell_y_), number(cell_theta_));
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
    return cell;
  }

  const CsvTable& table_;
  std::size_t cell_x_;
  std::size_t cell_y_;
  std::size_t cell_theta_;
  std::size_t trials_;
  std::array<std::size_t, kOutcomeCount> counts_{};
};

}  // namespace

std::string map_csv(const SuccessMap& map, MapIntervals intervals) {
  const bool anytime = intervals == MapIntervals::kWilsonAndAnytime;
  std::string text = kHeader;
  text += anytime ? ",anytime_low,anytime_high\n" : "\n";
  for (std::size_t number = 0; number < map.cells.size(); ++number) {
    append_row(text, map, number);
    if (anytime) append_anytime_interval(text, map.cells[number]);
    text += '\n';
  }
  return text;
}

SuccessMap read_map_csv(const std::filesystem::path& file) {
  const CsvTable table = read_csv(file);
  return MapReader(table).read();
}

}  // namespace graspmap
