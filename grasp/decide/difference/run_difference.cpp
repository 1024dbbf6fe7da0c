#include "grasp/decide/difference/run_difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "geometry/assert.hpp"
#include "grasp/decide/requests/shared_fields.hpp"
#include "grasp/decide/statistics/compared_cells.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/trials/trial.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"

namespace graspmap {
namespace {

std::array<double, kTrialInputs> inputs(const TrialParameters& p) {
  return {p.placement_x_mm, p.placement_y_mm, p.theta_rad, p.mu_jaw, p.mu_support};
}

/// Reads two stores of one grid in step: counts the trials of each in its map, and pairs them by
/// index.
RunPairs read_pairs(const RunStore& store_a, const RunStore& store_b, SuccessMap& map_a,
                    SuccessMap& map_b) {
  const SweepConfig& a = store_a.config();
  const SweepConfig& b = store_b.config();
  GRASPMAP_CHECK(a.placement.cell_count() == b.placement.cell_count());
  RunPairs result;
  map_a = map_b = SuccessMap(a.placement);
  result.cells.resize(map_a.cells.size());
  std::map<std::string, PairedNumber> numbers;
  for (const UncertainNumber& number : a.uncertain) numbers[number.key].in_a = true;
  for (const UncertainNumber& number : b.uncertain) numbers[number.key].in_b = true;
  for (auto& [key, number] : numbers) {
    number.key = key;
    // A number of one design only moves those after it to other coordinates of the net.
    number.same_draws = sobol_dimension(a, key) == sobol_dimension(b, key);
    result.uncertain.push_back(number);
  }
  TrialReader reader_a(store_a);
  TrialReader reader_b(store_b);
  const auto take = [](TrialReader& reader, SuccessMap& map) {
    const TrialRow row = reader.next();
    map.add_trial(row.index, row.outcome);
    return row;
  };
  while (reader_a.next_index() || reader_b.next_index()) {
    constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();
    const std::int64_t index = reader_a.next_index().value_or(kEnd);
    const std::int64_t index_b = reader_b.next_index().value_or(kEnd);
    // A trial that the other run does not have counts in its own map only.
    if (index < index_b) take(reader_a, map_a);
    if (index_b < index) take(reader_b, map_b);
    if (index != index_b) continue;
    const TrialRow row_a = take(reader_a, map_a);
    const TrialRow row_b = take(reader_b, map_b);
    result.cells[static_cast<std::size_t>(index) % result.cells.size()].add(
        pair_side(row_a.outcome), pair_side(row_b.outcome));
    ++result.pairs;
    const auto inputs_a = inputs(row_a.parameters);
    const auto inputs_b = inputs(row_b.parameters);
    for (std::size_t k = 0; k < kTrialInputs; ++k) {
      result.equal[k] += inputs_a[k] == inputs_b[k] ? 1 : 0;
    }
    if (result.uncertain.empty()) continue;
    const std::vector<double> values_a = sample_uncertain(a, index);
    const std::vector<double> values_b = sample_uncertain(b, index);
    // In the order of their keys, as in result.uncertain.
    auto value_a = values_a.begin();
    auto value_b = values_b.begin();
    for (PairedNumber& number : result.uncertain) {
      if (number.in_a && number.in_b && *value_a == *value_b) ++number.equal;
      if (number.in_a) ++value_a;
      if (number.in_b) ++value_b;
    }
  }
  if (a.points == SweepPoints::kSobol) find_design_effects(map_a);
  if (b.points == SweepPoints::kSobol) find_design_effects(map_b);
  return result;
}

using CellChoice = std::function<bool(std::size_t)>;

/// Runs of different grids cannot be compared cell by cell.
void check_same_grid(const RunStore& a, const RunStore& b,
                     const std::vector<ConfigDifference>& differences) {
  for (const ConfigDifference& d : differences) {
    // A grid at another angle of the part is still the same grid.
    const bool is_of_grid = d.key.starts_with("placement.") &&
                            !d.key.starts_with("placement.noise") && d.key != "placement.theta_rad";
    if (!is_of_grid) continue;
    throw ConfigError(fmt::format(
        "{} and {} have different grids and cannot be compared cell by cell: {} ({} and {}); run "
        "one of them again on the grid of the other",
        run_of(a.file()).string(), run_of(b.file()).string(), d.key, d.first, d.second));
  }
}

/// What is compared: neither what the runs are called nor which trials they have.
std::vector<ConfigDifference> compared_keys(std::vector<ConfigDifference> differences) {
  std::erase_if(differences, [](const ConfigDifference& d) {
    return d.key == "sweep.trials_per_cell" || d.key == "sweep.sampling" ||
           d.key.starts_with("sweep.adaptive.") || d.key == "name";
  });
  return differences;
}

/// Fills in the rest of a run whose map is there.
void describe(ComparedRun& run, const RunStore& store) {
  const SweepConfig& config = store.config();
  run.run = run_of(store.file()).string();
  run.trials = run.map.total().trials();
  if (run.trials == 0) throw config_error({run.run}, "", "the run has no trials yet");
  run.sweet_spot = find_sweet_spot(run.map, config.sweet_spot_half_width_mm);
  run.plateau = find_plateau(run.map, config.plateau_probability);
  run.plateau_probability = config.plateau_probability;
  run.scenario = config.scenario;
}

SampleCounts trial_counts(const CellCounts& cell) {
  return {cell.count(Outcome::kSuccess), cell.valid_trials(), cell.count(Outcome::kFailed)};
}

/// P_B - P_A from P_A - P_B.
Estimate reversed(const Estimate& d) {
  return {0.0 - d.value, {0.0 - d.interval.high, 0.0 - d.interval.low}};  // no -0
}

/// Compares cells and regions of two runs, paired or not.
class Comparison {
 public:
  Comparison(const RunDifference& result, double z) : result_(result), z_(z) {}

  [[nodiscard]] CellDifference cell(std::size_t k) const {
    CellDifference cell;
    cell.probability_a = result_.a.map.cells[k].success_probability();
    cell.probability_b = result_.b.map.cells[k].success_probability();
    const Estimate a_minus_b = difference({k});
    cell.difference = reversed(a_minus_b);
    cell.p_value = p_value(k, a_minus_b.value);
    return cell;
  }

  /// The mean over the cells that are chosen; each weighs the same.
  [[nodiscard]] RegionDifference region(const CellChoice& is_in) const {
    std::vector<std::size_t> chosen;
    for (std::size_t k = 0; k < result_.a.map.cells.size(); ++k) {
      if (is_in(k)) chosen.push_back(k);
    }
    RegionDifference region;
    region.cells = std::ssize(chosen);
    region.probability_a = mean_probability(result_.a.map, chosen);
    region.probability_b = mean_probability(result_.b.map, chosen);
    if (!chosen.empty()) region.difference = reversed(difference(chosen));
    return region;
  }

 private:
  [[nodiscard]] bool is_paired() const { return result_.pairing == Pairing::kPaired; }

  static double mean_probability(const SuccessMap& map, const std::vector<std::size_t>& chosen) {
    double sum = 0;
    int cells = 0;
    for (const std::size_t k : chosen) {
      if (map.cells[k].valid_trials() == 0) continue;
      sum += map.cells[k].success_probability();
      ++cells;
    }
    return sum / cells;  // NaN without cells
  }

  /// P_A - P_B over cells that weigh the same.
  [[nodiscard]] Estimate difference(const std::vector<std::size_t>& chosen) const {
    const double weight = 1.0 / static_cast<double>(chosen.size());
    std::vector<PairedStratum> paired;
    std::vector<UnpairedStratum> unpaired;
    for (const std::size_t k : chosen) {
      if (is_paired()) {
        paired.push_back({weight, result_.pairs.cells[k]});
      } else {
        unpaired.push_back(
            {weight, trial_counts(result_.a.map.cells[k]), trial_counts(result_.b.map.cells[k])});
      }
    }
    return is_paired() ? paired_difference(paired, z_) : unpaired_difference(unpaired, z_);
  }

  /// The test with failed trials counted against the difference that was found: if that turns it
  /// round, nothing speaks for it.
  [[nodiscard]] double p_value(std::size_t k, double found) const {
    if (std::isnan(found)) return std::numeric_limits<double>::quiet_NaN();
    return is_paired() ? paired_p_value(result_.pairs.cells[k], found)
                       : unpaired_p_value(trial_counts(result_.a.map.cells[k]),
                                          trial_counts(result_.b.map.cells[k]), found);
  }

  static double paired_p_value(const PairTable& table, double found) {
    const PairCounts counts = found > 0 ? table.lowest() : table.highest();
    if (counts.difference() * found <= 0) return 1.0;
    return mcnemar_p_value(counts.only_a, counts.only_b);
  }

  static double unpaired_p_value(SampleCounts a, SampleCounts b, double found) {
    SampleCounts& gains = found > 0 ? b : a;
    gains.successes += gains.failed;
    for (SampleCounts* counts : {&a, &b}) counts->trials += std::exchange(counts->failed, 0);
    const std::int64_t sign = a.successes * b.trials - b.successes * a.trials;
    if (static_cast<double>(sign) * found <= 0) return 1.0;
    return fisher_exact_p_value(a, b);
  }

  const RunDifference& result_;
  double z_;
};

/// The cells of a sweet spot's square: those of its slice with their centres in it.
CellChoice square_of(const ComparedRun& run, const PlacementSweep& grid) {
  return [&run, &grid](std::size_t k) {
    const SweetSpot& spot = run.sweet_spot;
    const CellIndex cell = cell_of_trial(grid, static_cast<std::int64_t>(k));
    const double dx = grid.x_mm.cell_center(cell.x) - spot.x_mm;
    const double dy = grid.y_mm.cell_center(cell.y) - spot.y_mm;
    return spot.found && cell.theta == spot.cell_theta &&
           std::abs(dx) < std::max(spot.half_width_mm, grid.x_mm.cell_size() / 2) &&
           std::abs(dy) < std::max(spot.half_width_mm, grid.y_mm.cell_size() / 2);
  };
}

}  // namespace

std::int64_t RunDifference::significant_cells(int sign) const {
  return std::count_if(cells.begin(), cells.end(), [sign](const CellDifference& cell) {
    return cell.significant && cell.difference.value * sign > 0;
  });
}

RequestFields DifferenceRequest::fields() {
  return {number_field(
              "false-discovery-rate Q", false_discovery_rate,
              {"a number > 0, at most 0.5", 0.0, 0.5, true},
              "the share of false findings allowed among the significant cells (default: 0.05)"),
          confidence_field(confidence)};
}

RunDifference compare_runs(const RunStore& a, const RunStore& b, const DifferenceRequest& request) {
  const auto differences = config_differences(a.config(), b.config());
  check_same_grid(a, b, differences);
  RunDifference result;
  result.configuration = compared_keys(differences);
  result.confidence = request.confidence;
  result.false_discovery_rate = request.false_discovery_rate;
  result.pairs = read_pairs(a, b, result.a.map, result.b.map);
  describe(result.a, a);
  describe(result.b, b);
  const bool paired = a.config().seed == b.config().seed && a.config().points == b.config().points;
  result.pairing = paired ? Pairing::kPaired : Pairing::kIndependent;
  if (paired && result.pairs.pairs == 0) {
    throw ConfigError(
        fmt::format("{} and {} have no trial of the same index yet", result.a.run, result.b.run));
  }
  const Comparison comparison(result, two_sided_z(request.confidence));
  std::vector<double> p_values;
  for (std::size_t k = 0; k < result.a.map.cells.size(); ++k) {
    result.cells.push_back(comparison.cell(k));
    p_values.push_back(result.cells.back().p_value);
  }
  const std::vector<double> adjusted = benjamini_hochberg(p_values);
  for (std::size_t k = 0; k < adjusted.size(); ++k) {
    result.cells[k].adjusted_p = adjusted[k];
    result.cells[k].significant = adjusted[k] <= result.false_discovery_rate;  // not for NaN
  }
  const auto is_on_plateau = [](const ComparedRun& run, std::size_t k) {
    return run.map.cells[k].success_probability() >= run.plateau_probability;
  };
  result.whole = comparison.region([](std::size_t) { return true; });
  result.plateaus = comparison.region(
      [&](std::size_t k) { return is_on_plateau(result.a, k) || is_on_plateau(result.b, k); });
  result.at_a = comparison.region(square_of(result.a, a.config().placement));
  result.at_b = comparison.region(square_of(result.b, a.config().placement));
  if (paired) {
    std::vector<PairedStratum> strata;
    for (const PairTable& cell : result.pairs.cells) strata.push_back({1.0, cell});
    result.pairing_gain = pairing_gain(strata);
  }
  return result;
}

}  // namespace graspmap
