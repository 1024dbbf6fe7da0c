#include "grasp/map_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "grasp/csv.hpp"
#include "grasp/statistics/anytime_interval.hpp"

namespace graspmap {
namespace {

constexpr const char* kHeader =
    "cell_x,cell_y,x_min_mm,x_max_mm,y_min_mm,y_max_mm,trials,success,wedged,missed,timeout,"
    "blocked,"
    "failed,success_probability,wilson_low,wilson_high";

void append_row(std::string& text, const SuccessMap& map, int i, int j) {
  const CellCounts& cell = map.at(i, j);
  const Interval interval = cell.success_interval();
  auto out = std::back_inserter(text);
  fmt::format_to(out, "{},{},{},{},{},{},{}", i, j, map.x.cell_min_mm(i), map.x.cell_max_mm(i),
                 map.y.cell_min_mm(j), map.y.cell_max_mm(j), cell.trials());
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
        trials_(table.column("trials")) {
    for (std::size_t k = 0; k < kOutcomeCount; ++k) counts_[k] = table.column(name(kOutcomes[k]));
  }

  SuccessMap read() {
    SuccessMap map(axis(cell_x_, "x_min_mm", "x_max_mm"), axis(cell_y_, "y_min_mm", "y_max_mm"));
    check_row_count(map);
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
  [[nodiscard]] GridAxis axis(std::size_t cell, const char* min, const char* max) const {
    constexpr std::int64_t kMostCells = 1'000'000;
    const std::size_t min_column = table_.column(min);
    const std::size_t max_column = table_.column(max);
    GridAxis axis;
    for (const CsvRow& row : table_.rows) {
      const std::int64_t i = table_.integer(row, cell);
      if (i < 0 || i >= kMostCells) table_.fail(row, cell, "no cell number; must be >= 0");
      if (i == 0) axis.min_mm = table_.number(row, min_column);
      if (i + 1 < axis.cells) continue;
      axis.cells = static_cast<int>(i + 1);
      axis.max_mm = table_.number(row, max_column);
    }
    if (!(axis.min_mm < axis.max_mm)) {
      table_.fail(table_.rows.empty() ? table_.header : table_.rows.front(), min_column,
                  fmt::format("the cells have no width; {} must be below {}", min, max));
    }
    return axis;
  }

  void check_row_count(const SuccessMap& map) const {
    if (table_.rows.size() == map.cells.size()) return;
    table_.fail(table_.rows.back(), cell_x_,
                fmt::format("the file has {} rows; must have {} for {} x {} cells",
                            table_.rows.size(), map.cells.size(), map.x.cells, map.y.cells));
  }

  [[nodiscard]] std::size_t cell_index(const SuccessMap& map, const CsvRow& row) const {
    const std::int64_t i = table_.integer(row, cell_x_);
    const std::int64_t j = table_.integer(row, cell_y_);
    return static_cast<std::size_t>(j * map.x.cells + i);
  }

  [[nodiscard]] CellCounts counts(const CsvRow& row) const {
    CellCounts cell;
    for (std::size_t k = 0; k < kOutcomeCount; ++k) {
      cell.by_outcome[k] = table_.integer(row, counts_[k]);
      if (cell.by_outcome[k] < 0) table_.fail(row, counts_[k], "negative count; must be >= 0");
    }
    if (cell.trials() != table_.integer(row, trials_)) {
      table_.fail(row, trials_, "not the sum of the outcomes; must be");
    }
    return cell;
  }

  const CsvTable& table_;
  std::size_t cell_x_;
  std::size_t cell_y_;
  std::size_t trials_;
  std::array<std::size_t, kOutcomeCount> counts_{};
};

}  // namespace

std::string map_csv(const SuccessMap& map, MapIntervals intervals) {
  const bool anytime = intervals == MapIntervals::kWilsonAndAnytime;
  std::string text = kHeader;
  text += anytime ? ",anytime_low,anytime_high\n" : "\n";
  for (int j = 0; j < map.y.cells; ++j) {
    for (int i = 0; i < map.x.cells; ++i) {
      append_row(text, map, i, j);
      if (anytime) append_anytime_interval(text, map.at(i, j));
      text += '\n';
    }
  }
  return text;
}

SuccessMap read_map_csv(const std::filesystem::path& file) {
  const CsvTable table = read_csv(file);
  return MapReader(table).read();
}

}  // namespace graspmap
