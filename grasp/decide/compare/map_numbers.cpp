#include "grasp/decide/compare/map_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/assert.hpp"
#include "grasp/base/probability/distribution.hpp"
#include "grasp/base/probability/proportions.hpp"
#include "grasp/base/probability/random.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/sweep/adaptive/cell_beliefs.hpp"
#include "grasp/sweep/trials/success_map.hpp"

namespace graspmap {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr Interval kNothingYet{kNoNumber, kNoNumber};

/// What is drawn has random numbers of its own.
enum class Stream : std::uint32_t { kRun, kExperiment, kRunByChance, kExperimentByChance };
constexpr std::uint32_t kStreams = 4;

/// The trials of a cell and the probability with which their successes are drawn.
struct CellTrials {
  std::int64_t trials;
  double probability;
};

/// A map whose cells have counts or are unknown.
class CountMap {
 public:
  explicit CountMap(const CellGrid& grid)
      : counts_(grid.x_mm, grid.y_mm), probabilities_{grid.x_mm, grid.y_mm, {}} {
    probabilities_.values.assign(counts_.cells.size(), kNoNumber);
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

/// The successes of a map's cells, redrawn in each replicate.
class Replicates {
 public:
  Replicates(const std::vector<CellTrials>& cells, const MapNumbersInput& input, Stream stream)
      : cells_(cells), successes_(cells.size() * static_cast<std::size_t>(input.replicates)) {
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const auto table = CountDistribution::binomial(cells[c].trials, cells[c].probability);
      const auto draw =
          kStreams * static_cast<std::uint32_t>(c) + static_cast<std::uint32_t>(stream);
      for (std::size_t r = 0; r < static_cast<std::size_t>(input.replicates); ++r) {
        const double u = uniform_open(input.seed, r, draw);
        successes_[r * cells.size() + c] = static_cast<std::int32_t>(table.quantile(u));
      }
    }
  }

  [[nodiscard]] SampleCounts counts(std::size_t replicate, std::size_t cell) const {
    return {successes_[replicate * cells_.size() + cell], cells_[cell].trials, 0};
  }

 private:
  const std::vector<CellTrials>& cells_;
  std::vector<std::int32_t> successes_;
};

/// What the cells of both maps are drawn with.
struct MapTrials {
  std::vector<CellTrials> run;
  std::vector<CellTrials> experiment;
};

/// All numbers of one map in the order of MapNumbers::numbers.
std::vector<double> numbers_of(const CountMap& map, const MapNumbersInput& input, double x_mm,
                               double y_mm) {
  const SweetSpot spot = find_sweet_spot(map.counts(), input.sweet_spot_half_width_mm);
  std::vector<double> numbers = {plateau_area_mm2(map.probabilities(), input.plateau_probability),
                                 spot.found ? spot.x_mm : kNoNumber,
                                 spot.found ? spot.y_mm : kNoNumber};
  for (const Side side : kSides) {
    const SideShape shape = std::isnan(x_mm) ? SideShape{kNoNumber, kNoNumber, kNoNumber}
                                             : side_shape(map.probabilities(), x_mm, y_mm, side);
    numbers.insert(numbers.end(), {shape.drop_off_mm, shape.low_begins_mm, shape.low_extent_mm});
  }
  return numbers;
}

/// The names of the numbers, without values.
std::vector<MapNumber> named_numbers(double plateau_probability) {
  const auto number = [](std::string name, std::string key, const char* unit) {
    return MapNumber{std::move(name), std::move(key), unit, {}, {}, {}, kNothingYet};
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
    numbers.push_back(number("low extends, " + full, fmt::format("low_extent_{}_mm", word), "mm"));
  }
  return numbers;
}

/// Everything that is computed of the two maps of a replicate.
struct Values {
  std::vector<double> run;
  std::vector<double> experiment;
  double overlap = kNoNumber;
  double displacement_mm = kNoNumber;
};

Values values_of(const CountMap& run, const CountMap& experiment, const MapNumbersInput& input,
                 double x_mm, double y_mm) {
  Values values{numbers_of(run, input, x_mm, y_mm), numbers_of(experiment, input, x_mm, y_mm)};
  values.overlap =
      plateau_overlap(run.probabilities(), experiment.probabilities(), input.plateau_probability);
  values.displacement_mm =
      std::hypot(values.experiment[1] - values.run[1], values.experiment[2] - values.run[2]);
  return values;
}

/// The smallest interval that holds both; ends that are NaN are nothing yet.
void widen(Interval& interval, const Interval& other) {
  interval.low = std::fmin(interval.low, other.low);
  interval.high = std::fmax(interval.high, other.high);
}

/// The interval that holds the middle of what exists of the values; widens `interval`.
void widen(Interval& interval, std::vector<double> values, double confidence) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty()) return;
  widen(interval, {sample_quantile(values, (1 - confidence) / 2),
                   sample_quantile(values, (1 + confidence) / 2)});
}

/// What a number can be.
constexpr Interval kAnyPlace{-std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::infinity()};
constexpr Interval kLength{0.0, std::numeric_limits<double>::infinity()};
constexpr Interval kShare{0.0, 1.0};

/// The places of the numbers of a map: see numbers_of.
constexpr std::size_t kPlateauArea = 0;
constexpr std::size_t kFirstLength = 3;

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
    result.x_mm = spot.found ? spot.x_mm : kNoNumber;
    result.y_mm = spot.found ? spot.y_mm : kNoNumber;
    set_values(result, values_of(run, experiment, input_, result.x_mm, result.y_mm));
    replicate(result, FailedTrials::kNoSuccess);
    if (std::any_of(cells_.begin(), cells_.end(),
                    [](const SharedCell* cell) { return cell->run.failed > 0; })) {
      replicate(result, FailedTrials::kSuccess);
    }
    return result;
  }

 private:
  template <typename Counts>
  [[nodiscard]] CountMap map_of(const Counts& counts) const {
    CountMap map(input_.grid);
    for (std::size_t c = 0; c < cells_.size(); ++c) map.set(cells_[c]->place, counts(c));
    return map;
  }

  static void set_values(MapNumbers& result, const Values& values) {
    for (std::size_t k = 0; k < result.numbers.size(); ++k) {
      MapNumber& number = result.numbers[k];
      number.run = {values.run[k], kNothingYet};
      number.experiment = {values.experiment[k], kNothingYet};
      number.difference = {values.experiment[k] - values.run[k], kNothingYet};
    }
    result.plateau_overlap = {values.overlap, kNothingYet};
    result.displacement_mm = {values.displacement_mm, kNothingYet};
    result.overlap_by_chance = kNothingYet;
    result.displacement_by_chance_mm = kNothingYet;
  }

  void replicate(MapNumbers& result, FailedTrials failed) const {
    MapTrials observed;
    MapTrials common;
    for (const SharedCell* cell : cells_) {
      const SampleCounts run = decided(cell->run, failed);
      const SampleCounts& experiment = cell->experiment;
      observed.run.push_back({run.trials, run.probability()});
      observed.experiment.push_back({experiment.trials, experiment.probability()});
      // As if both came from the same process.
      const SampleCounts all{run.successes + experiment.successes, run.trials + experiment.trials};
      common.run.push_back({run.trials, all.probability()});
      common.experiment.push_back({experiment.trials, all.probability()});
    }
    const CountMap run = map_of([&](std::size_t c) { return decided(cells_[c]->run, failed); });
    const CountMap experiment = map_of([&](std::size_t c) { return cells_[c]->experiment; });
    set_intervals(result, values_of(run, experiment, input_, result.x_mm, result.y_mm),
                  draw(result, observed, Stream::kRun, Stream::kExperiment));
    const auto set_area = [&](Estimate& estimate, const CountMap& map) {
      widen(estimate.interval,
            plateau_area_interval(map.counts(), input_.plateau_probability, input_.confidence));
      widen(estimate.interval, {estimate.value, estimate.value});
    };
    set_area(result.numbers[kPlateauArea].run, run);
    set_area(result.numbers[kPlateauArea].experiment, experiment);
    set_by_chance(result, draw(result, common, Stream::kRunByChance, Stream::kExperimentByChance));
  }

  /// The values of all replicates.
  [[nodiscard]] std::vector<Values> draw(const MapNumbers& result, const MapTrials& trials,
                                         Stream run_stream, Stream experiment_stream) const {
    const Replicates runs(trials.run, input_, run_stream);
    const Replicates experiments(trials.experiment, input_, experiment_stream);
    std::vector<Values> all;
    for (std::size_t r = 0; r < static_cast<std::size_t>(input_.replicates); ++r) {
      check_stop();
      const CountMap run = map_of([&](std::size_t c) { return runs.counts(r, c); });
      const CountMap experiment = map_of([&](std::size_t c) { return experiments.counts(r, c); });
      all.push_back(values_of(run, experiment, input_, result.x_mm, result.y_mm));
    }
    return all;
  }

  template <typename ValueOf>
  void set(Interval& interval, const std::vector<Values>& all, const ValueOf& value_of) const {
    std::vector<double> values;
    for (const Values& replicate : all) values.push_back(value_of(replicate));
    widen(interval, std::move(values), input_.confidence);
  }

  /// `seen`: the values of the maps of which the replicates are.
  template <typename ValueOf>
  void set(Estimate& estimate, const Values& seen, const std::vector<Values>& all,
           const Interval& possible, const ValueOf& value_of) const {
    if (std::isnan(estimate.value)) return;
    std::vector<double> values;
    for (const Values& replicate : all) values.push_back(value_of(replicate));
    Interval interval = bias_corrected_interval(value_of(seen), values, input_.confidence);
    interval.low = std::fmax(interval.low, possible.low);
    interval.high = std::fmin(interval.high, possible.high);
    widen(estimate.interval, interval);
    widen(estimate.interval, {estimate.value, estimate.value});
  }

  void set_intervals(MapNumbers& result, const Values& seen, const std::vector<Values>& all) const {
    for (std::size_t k = 0; k < result.numbers.size(); ++k) {
      if (k == kPlateauArea) continue;
      MapNumber& number = result.numbers[k];
      const Interval& possible = k < kFirstLength ? kAnyPlace : kLength;
      set(number.run, seen, all, possible, [&](const Values& v) { return v.run[k]; });
      set(number.experiment, seen, all, possible, [&](const Values& v) { return v.experiment[k]; });
    }
    set(result.plateau_overlap, seen, all, kShare, [](const Values& v) { return v.overlap; });
    set(result.displacement_mm, seen, all, kLength,
        [](const Values& v) { return v.displacement_mm; });
  }

  void set_by_chance(MapNumbers& result, const std::vector<Values>& all) const {
    for (std::size_t k = 0; k < result.numbers.size(); ++k) {
      MapNumber& number = result.numbers[k];
      set(number.by_chance, all, [&](const Values& v) { return v.experiment[k] - v.run[k]; });
      number.difference.interval = {number.difference.value - number.by_chance.high,
                                    number.difference.value - number.by_chance.low};
      widen(number.difference.interval, {number.difference.value, number.difference.value});
    }
    set(result.overlap_by_chance, all, [](const Values& v) { return v.overlap; });
    set(result.displacement_by_chance_mm, all, [](const Values& v) { return v.displacement_mm; });
  }

  const MapNumbersInput& input_;
  std::vector<const SharedCell*> cells_;
};

}  // namespace

MapNumbers map_numbers(const MapNumbersInput& input) {
  GRASPMAP_CHECK(0 < input.confidence && input.confidence < 1 && input.replicates > 0);
  for (const SharedCell& cell : input.cells) {
    GRASPMAP_CHECK(cell.place < input.grid.index(0, 0, 1));
  }
  return Bootstrap(input).run();
}

MapNumbers map_numbers(const std::vector<SharedCell>& cells, const CellGrid& grid,
                       const SweepConfig& config, double confidence) {
  constexpr std::uint64_t kSeed = 1996;
  const std::int64_t replicates =
      std::clamp<std::int64_t>(20'000'000 / std::ssize(cells), 100, 1'000);
  return map_numbers({cells, grid, config.plateau_probability, config.sweet_spot_half_width_mm,
                      confidence, replicates, kSeed});
}

Interval bias_corrected_interval(double estimate, std::vector<double> replicates,
                                 double confidence) {
  std::erase_if(replicates, [](double value) { return std::isnan(value); });
  if (replicates.empty() || std::isnan(estimate)) return kNothingYet;
  const double low = sample_quantile(replicates, (1 - confidence) / 2);
  const double high = sample_quantile(std::move(replicates), (1 + confidence) / 2);
  return {std::min(low, 2 * estimate - high), std::max(high, 2 * estimate - low)};
}

}  // namespace graspmap
