#include "grasp/map_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "grasp/random.hpp"
#include "grasp/statistics/count_distribution.hpp"
#include "grasp/success_map.hpp"

namespace graspmap {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
enum class Origin : std::uint32_t { kRun = 0, kExperiment = 1 };

/// A map whose cells have counts or are unknown.
class CountMap {
 public:
  explicit CountMap(const CellGrid& grid)
      : counts_(grid.x, grid.y), probabilities_{grid.x, grid.y, {}} {
    probabilities_.values.assign(counts_.cells.size(), kNone);
  }

  void set(std::size_t place, const SampleCounts& counts) {
    CellCounts& cell = counts_.cells[place];
    cell.by_outcome[static_cast<std::size_t>(Outcome::kSuccess)] = counts.successes;
    cell.by_outcome[static_cast<std::size_t>(Outcome::kWedged)] = counts.trials - counts.successes;
    probabilities_.values[place] = counts.probability();
  }

  [[nodiscard]] const SuccessMap& counts() const { return counts_; }
  [[nodiscard]] const ProbabilityGrid& probabilities() const { return probabilities_; }

 private:
  SuccessMap counts_;  ///< those that do not succeed are called wedged
  ProbabilityGrid probabilities_;
};

/// The successes of a map's cells, drawn anew in each replicate.
class Replicates {
 public:
  Replicates(const std::vector<SampleCounts>& cells, std::int64_t replicates, std::uint64_t seed,
             Origin origin)
      : cells_(cells), successes_(cells.size() * static_cast<std::size_t>(replicates)) {
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const auto table = CountDistribution::binomial(cells[c].trials, cells[c].probability());
      const auto draw = static_cast<std::uint32_t>(2 * c) + static_cast<std::uint32_t>(origin);
      for (std::size_t r = 0; r < static_cast<std::size_t>(replicates); ++r) {
        const double u = uniform_open(seed, r, draw);
        successes_[r * cells.size() + c] = static_cast<std::int32_t>(table.quantile(u));
      }
    }
  }

  [[nodiscard]] SampleCounts counts(std::size_t replicate, std::size_t cell) const {
    return {successes_[replicate * cells_.size() + cell], cells_[cell].trials, 0};
  }

 private:
  const std::vector<SampleCounts>& cells_;
  std::vector<std::int32_t> successes_;
};

/// All numbers of one map in the order of MapNumbers::numbers.
std::vector<double> numbers_of(const CountMap& map, const MapNumbersInput& input, double x_mm,
                               double y_mm) {
  const SweetSpot spot = find_sweet_spot(map.counts(), input.sweet_spot_half_width_mm);
  std::vector<double> numbers = {plateau_area_mm2(map.probabilities(), input.plateau_probability),
                                 spot.found ? spot.x_mm : kNone, spot.found ? spot.y_mm : kNone};
  for (const Side side : kSides) {
    const SideShape shape = std::isnan(x_mm) ? SideShape{kNone, kNone, kNone}
                                             : side_shape(map.probabilities(), x_mm, y_mm, side);
    numbers.insert(numbers.end(), {shape.drop_off_mm, shape.low_begins_mm, shape.low_extent_mm});
  }
  return numbers;
}

/// The names of the numbers, without values.
std::vector<MapNumber> named_numbers(double plateau_probability) {
  const auto number = [](std::string name, std::string key, const char* unit) {
    return MapNumber{std::move(name), std::move(key), unit, {}, {}, {}};
  };
  std::vector<MapNumber> numbers = {
      number(fmt::format("plateau (p >= {})", plateau_probability), "plateau_area_mm2", "mm2"),
      number("sweet spot, x", "sweet_spot_x_mm", "mm"),
      number("sweet spot, y", "sweet_spot_y_mm", "mm")};
  for (const Side side : kSides) {
    const std::string full = name(side);
    const std::string word = full.substr(0, full.find(' '));
    numbers.push_back(
        number("drop-off (p 0.9 to 0.1), " + full, fmt::format("drop_off_{}_mm", word), "mm"));
    numbers.push_back(
        number("low (p < 0.5) begins, " + full, fmt::format("low_begins_{}_mm", word), "mm"));
    numbers.push_back(
        number("low extends, " + full, fmt::format("low_extent_{}_mm", word), "mm"));
  }
  return numbers;
}

/// Everything that is computed of the two maps of a replicate.
struct Values {
  std::vector<double> run;
  std::vector<double> experiment;
  double overlap = kNone;
  double displacement_mm = kNone;
};

Values values_of(const CountMap& run, const CountMap& experiment, const MapNumbersInput& input,
                 double x_mm, double y_mm) {
  Values values{numbers_of(run, input, x_mm, y_mm), numbers_of(experiment, input, x_mm, y_mm)};
  values.overlap = plateau_overlap(run.probabilities(), experiment.probabilities(),
                                   input.plateau_probability);
  values.displacement_mm = std::hypot(values.experiment[1] - values.run[1],
                                      values.experiment[2] - values.run[2]);
  return values;
}

/// The interval that holds the middle of what exists of the values; widens `interval`.
void widen(Interval& interval, std::vector<double> values, double confidence) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty()) return;
  std::sort(values.begin(), values.end());
  const double most = static_cast<double>(values.size() - 1);
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(std::lround(share * most))];
  };
  interval.low = std::fmin(interval.low, at((1 - confidence) / 2));
  interval.high = std::fmax(interval.high, at((1 + confidence) / 2));
}

/// The two maps, and what their replicates say.
class Bootstrap {
 public:
  explicit Bootstrap(const MapNumbersInput& input) : input_(input) {
    for (const SharedCell& cell : input.cells) {
      if (cell.run.trials < kLeastTrialsOfCell) continue;
      if (cell.experiment.trials >= kLeastTrialsOfCell) cells_.push_back(&cell);
    }
  }

  MapNumbers run() {
    MapNumbers result;
    result.plateau_probability = input_.plateau_probability;
    result.cells = static_cast<std::int64_t>(cells_.size());
    result.replicates = input_.replicates;
    result.numbers = named_numbers(input_.plateau_probability);
    const CountMap run = map_of([&](std::size_t c) { return cells_[c]->run; });
    const CountMap experiment = map_of([&](std::size_t c) { return cells_[c]->experiment; });
    const SweetSpot spot = find_sweet_spot(run.counts(), input_.sweet_spot_half_width_mm);
    result.x_mm = spot.found ? spot.x_mm : kNone;
    result.y_mm = spot.found ? spot.y_mm : kNone;
    set_values(result, values_of(run, experiment, input_, result.x_mm, result.y_mm));
    replicate(result, FailedTrials::kNoSuccess);
    if (any_failed()) replicate(result, FailedTrials::kSuccess);
    return result;
  }

 private:
  template <typename Counts>
  [[nodiscard]] CountMap map_of(const Counts& counts) const {
    CountMap map(input_.grid);
    for (std::size_t c = 0; c < cells_.size(); ++c) map.set(cells_[c]->place, counts(c));
    return map;
  }

  [[nodiscard]] bool any_failed() const {
    return std::any_of(cells_.begin(), cells_.end(),
                       [](const SharedCell* cell) { return cell->run.failed > 0; });
  }

  static void set_values(MapNumbers& result, const Values& values) {
    constexpr Interval kNothingYet{kNone, kNone};
    for (std::size_t k = 0; k < result.numbers.size(); ++k) {
      MapNumber& number = result.numbers[k];
      number.run = {values.run[k], kNothingYet};
      number.experiment = {values.experiment[k], kNothingYet};
      number.difference = {values.experiment[k] - values.run[k], kNothingYet};
    }
    result.plateau_overlap = {values.overlap, kNothingYet};
    result.displacement_mm = {values.displacement_mm, kNothingYet};
  }

  void replicate(MapNumbers& result, FailedTrials failed) const {
    std::vector<SampleCounts> run_counts;
    std::vector<SampleCounts> experiment_counts;
    for (const SharedCell* cell : cells_) {
      run_counts.push_back(decided(cell->run, failed));
      experiment_counts.push_back(cell->experiment);
    }
    const Replicates runs(run_counts, input_.replicates, input_.seed, Origin::kRun);
    const Replicates experiments(experiment_counts, input_.replicates, input_.seed,
                                 Origin::kExperiment);
    std::vector<Values> all;
    for (std::size_t r = 0; r < static_cast<std::size_t>(input_.replicates); ++r) {
      const CountMap run = map_of([&](std::size_t c) { return runs.counts(r, c); });
      const CountMap experiment = map_of([&](std::size_t c) { return experiments.counts(r, c); });
      all.push_back(values_of(run, experiment, input_, result.x_mm, result.y_mm));
    }
    set_intervals(result, all);
  }

  void set_intervals(MapNumbers& result, const std::vector<Values>& all) const {
    const auto set = [&](Estimate& estimate, const auto& value_of) {
      if (std::isnan(estimate.value)) return;
      std::vector<double> values;
      for (const Values& replicate : all) values.push_back(value_of(replicate));
      widen(estimate.interval, std::move(values), input_.confidence);
    };
    for (std::size_t k = 0; k < result.numbers.size(); ++k) {
      MapNumber& number = result.numbers[k];
      set(number.run, [&](const Values& v) { return v.run[k]; });
      set(number.experiment, [&](const Values& v) { return v.experiment[k]; });
      set(number.difference, [&](const Values& v) { return v.experiment[k] - v.run[k]; });
    }
    set(result.plateau_overlap, [](const Values& v) { return v.overlap; });
    set(result.displacement_mm, [](const Values& v) { return v.displacement_mm; });
  }

  const MapNumbersInput& input_;
  std::vector<const SharedCell*> cells_;
};

}  // namespace

MapNumbers map_numbers(const MapNumbersInput& input) { return Bootstrap(input).run(); }

}  // namespace graspmap
