#include "grasp/decide/compare/experiment_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "grasp/base/io/number_text.hpp"
#include "grasp/base/probability/distribution.hpp"
#include "grasp/base/probability/stratified.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/decide/statistics/compared_cells.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {
namespace {

/// The trials that predict have other random numbers than any sweep's by its seed.
constexpr std::uint64_t kPredictionSeed = 0x8f3b2c61d94e07a5;

/// Collects the placements and sites of an experiment.
void add_sites(ExperimentPrediction& prediction, const PlacementSweep& map,
               const Experiment& experiment, const SharedCells& shared, int slice) {
  std::map<Place, std::size_t> places;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> sites;  // by place and session
  const auto add = [&](const Place& place, std::size_t session, std::size_t group,
                       std::int64_t trials, std::int64_t successes) {
    const auto [at, is_new] = places.try_emplace(place, prediction.places.size());
    if (is_new) prediction.places.push_back(place);
    const auto [found, is_new_site] =
        sites.try_emplace({at->second, session}, prediction.sites.size());
    if (is_new_site) {
      PredictedSite site;
      site.x_mm = (place.x_min_mm + place.x_max_mm) / 2;
      site.y_mm = (place.y_min_mm + place.y_max_mm) / 2;
      site.session = session;
      site.place = at->second;
      site.group = group;
      prediction.sites.push_back(site);
    }
    prediction.sites[found->second].trials += trials;
    prediction.sites[found->second].successes += successes;
  };
  const double theta_min = map.theta_rad.cell_min(slice);
  const double theta_max = map.theta_rad.cell_max(slice);
  std::map<std::size_t, std::size_t> at_place;
  std::map<Rectangle, std::size_t> with_bounds;
  for (std::size_t g = 0; g < shared.cells.size(); ++g) {
    at_place[shared.cells[g].place] = g;
    with_bounds[shared.cells[g].bounds] = g;
  }
  for (const ExperimentTrial& trial : experiment.single_trials) {
    const auto i = map.x_mm.cell_at(trial.x_mm);
    const auto j = map.y_mm.cell_at(trial.y_mm);
    if (!i || !j) continue;
    const auto cell = at_place.find(map.index(*i, *j));
    if (cell == at_place.end()) continue;
    add({{trial.x_mm, trial.x_mm, trial.y_mm, trial.y_mm},
         trial.theta_rad.value_or(theta_min),
         trial.theta_rad.value_or(theta_max)},
        trial.session, cell->second, 1, trial.success ? 1 : 0);
  }
  for (const ExperimentCell& cell : experiment.cells) {
    const auto found = with_bounds.find(cell);
    if (cell.trials == 0 || found == with_bounds.end()) continue;
    add({cell, theta_min, theta_max}, cell.session, found->second, cell.trials, cell.successes);
  }
}

/// Whether the run's stored trials give the success at the sites.
bool stored_trials_serve(const Experiment& experiment, const SharedCells& shared) {
  return !experiment.cells.empty() && shared.are_cells_of_run && experiment.sessions.empty();
}

/// The success in the cells beside each shared cell: what a shift by one cell does.
void take_neighbours(ExperimentPrediction& prediction, const RunStore& run,
                     const SharedCells& shared, int slice) {
  const PlacementSweep& map = run.config().placement;
  const double dx = map.x_mm.cell_size();
  const double dy = map.y_mm.cell_size();
  const std::array<std::array<double, 2>, 4> moves = {{{-dx, 0}, {dx, 0}, {0, -dy}, {0, dy}}};
  std::vector<Rectangle> neighbours;
  for (const SharedCell& cell : shared.cells) {
    const Rectangle& b = cell.bounds;
    for (const auto& [x, y] : moves) {
      neighbours.push_back({b.x_min_mm + x, b.x_max_mm + x, b.y_min_mm + y, b.y_max_mm + y});
    }
  }
  const auto told = rectangle_probabilities(run, neighbours, kZ95, slice);
  const auto probability = [&](std::size_t k) {
    return told[k].known_share > 1 - kBorderRounding ? told[k].probability.value
                                                     : std::numeric_limits<double>::quiet_NaN();
  };
  for (PredictedSite& site : prediction.sites) {
    const std::size_t first = 4 * site.group;
    site.changed[static_cast<std::size_t>(Change::kShiftX)] = {probability(first),
                                                               probability(first + 1)};
    site.changed[static_cast<std::size_t>(Change::kShiftY)] = {probability(first + 2),
                                                               probability(first + 3)};
  }
}

void take_simulated(ExperimentPrediction& prediction, const RunStore& run, bool stored_counts,
                    const PredictionOptions& options) {
  const std::size_t places = prediction.places.size();
  PredictionEffort effort =
      prediction_effort(places, options.trials.value_or(prediction_budget(places)));
  if (stored_counts) effort.trials_per_place = 0;
  prediction.simulated_trials = effort.total(places);
  TrialCounters counters;
  const auto progress = shown(options.show, counters, prediction.simulated_trials);
  Predictions predictions =
      predict(run.config(), prediction.places, effort, prediction.draws.has_value(),
              kPredictionSeed, {options.threads, stop_flag(), &counters});
  check_stop();
  for (PredictedSite& site : prediction.sites) {
    const PlacePrediction& at = predictions.places[site.place];
    site.changed = at.changed;
    if (!stored_counts) site.model = at.counts;
  }
  for (const PlacePrediction& at : predictions.places) prediction.failed += at.counts.failed;
  if (prediction.draws) prediction.draws = std::move(predictions.draws);
}

/// Single trials: simulated at their exact placement (and angle, where the experiment gives it,
/// else uniform in the run's cell of angles). Cells: the stored trials where they are cells of the
/// run, else simulated, uniform in the cell. Sessions are simulated always. Without simulation the
/// stored trials of the cell are taken for all placements in it, and changes are known for shifts
/// only, from the neighbouring cells; sessions are not distinguished. `slice` is the run's cell of
/// angles.
ExperimentPrediction predict_experiment(const RunStore& run, const Experiment& experiment,
                                        const SharedCells& shared, int slice,
                                        const PredictionOptions& options) {
  ExperimentPrediction prediction;
  add_sites(prediction, run.config().placement, experiment, shared, slice);
  prediction.placements = static_cast<std::int64_t>(prediction.places.size());
  for (PredictedSite& site : prediction.sites) site.model = shared.cells[site.group].run;
  if (options.simulate) {
    const bool stored_counts = stored_trials_serve(experiment, shared);
    prediction.simulated = !stored_counts;
    if (!experiment.sessions.empty()) prediction.draws.emplace();
    take_simulated(prediction, run, stored_counts, options);
  } else {
    take_neighbours(prediction, run, shared, slice);
  }
  const auto is_without = [](const PredictedSite& site) { return site.model.trials == 0; };
  for (const PredictedSite& site : prediction.sites) {
    if (is_without(site)) prediction.trials_without += site.trials;
  }
  std::erase_if(prediction.sites, is_without);
  return prediction;
}

/// Puts what was simulated at the experiment's placements in place of the run's trials in the
/// shared cells: the mean over the experiment's trials in the cell, with z the normal quantile of
/// its interval.
void use_simulated(SharedCells& shared, ExperimentPrediction& prediction, double z) {
  std::vector<std::vector<Stratum>> strata(shared.cells.size());
  for (const PredictedSite& site : prediction.sites) {
    SharedCell& cell = shared.cells[site.group];
    strata[site.group].push_back(
        stratum_of(static_cast<double>(site.trials) / static_cast<double>(cell.experiment.trials),
                   site.model));
  }
  // Cells in which nothing was predicted are left out.
  std::vector<std::size_t> number(shared.cells.size());
  std::vector<SharedCell> kept;
  for (std::size_t g = 0; g < shared.cells.size(); ++g) {
    SharedCell& cell = shared.cells[g];
    const StratifiedProbability probability = stratified_probability(strata[g], z);
    cell.run = effective_counts(strata[g], probability);
    cell.run_probability = {probability.estimate, probability.interval};
    number[g] = kept.size();
    if (cell.run.trials > 0) kept.push_back(cell);
  }
  for (PredictedSite& site : prediction.sites) site.group = number[site.group];
  shared.cells = std::move(kept);
}

CellComparison compare_cell(const SharedCell& cell, double z) {
  CellComparison result;
  result.cell = cell;
  result.experiment = {cell.experiment.probability(),
                       wilson_interval(cell.experiment.successes, cell.experiment.trials, z)};
  result.difference = {result.experiment.value - cell.run_probability.value,
                       newcombe_interval(result.experiment, cell.run_probability)};
  result.p_value = fisher_exact_p_value(cell.run, cell.experiment);
  return result;
}

void adjust_p_values(std::vector<CellComparison>& cells, double confidence) {
  std::vector<double> p_values;
  p_values.reserve(cells.size());
  for (const CellComparison& cell : cells) p_values.push_back(cell.p_value);
  const std::vector<double> adjusted = benjamini_hochberg(p_values);
  for (std::size_t k = 0; k < cells.size(); ++k) {
    cells[k].adjusted_p = adjusted[k];
    cells[k].significant = adjusted[k] <= 1 - confidence;
  }
}

std::vector<std::size_t> significant_cells(const std::vector<CellComparison>& cells) {
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    if (cells[k].significant) found.push_back(k);
  }
  std::stable_sort(found.begin(), found.end(), [&](std::size_t a, std::size_t b) {
    return cells[a].p_value < cells[b].p_value;
  });
  return found;
}

std::optional<std::size_t> largest_difference(const std::vector<CellComparison>& cells) {
  std::optional<std::size_t> largest;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const SharedCell& cell = cells[k].cell;
    if (std::min(cell.run.trials, cell.experiment.trials) < kLeastTrialsOfCell) continue;
    const double size = std::abs(cells[k].difference.value);
    if (!largest || size > std::abs(cells[*largest].difference.value)) largest = k;
  }
  return largest;
}

double median_half_width(const std::vector<CellComparison>& cells) {
  std::vector<double> widths;
  for (const CellComparison& cell : cells) {
    widths.push_back((cell.difference.interval.high - cell.difference.interval.low) / 2);
  }
  return sample_quantile(std::move(widths), 0.5);
}

void add(SampleCounts& sum, const SampleCounts& counts) {
  sum.successes += counts.successes;
  sum.trials += counts.trials;
  sum.failed += counts.failed;
}

HomogeneityTest test(const std::vector<SharedCell>& cells) {
  constexpr std::uint64_t kSeed = 1996;  // fixed: it comes out the same again
  std::vector<SamplePair> pairs;
  pairs.reserve(cells.size());
  for (const SharedCell& cell : cells) {
    pairs.push_back({cell.run, cell.experiment, cell.bounds.area_mm2()});
  }
  // As many as can be drawn in about a second, within limits.
  const std::int64_t replicates =
      std::clamp<std::int64_t>(40'000'000 / std::ssize(pairs), 999, 9'999);
  return homogeneity_test(pairs, replicates, kSeed);
}

std::optional<MapNumbers> numbers(const SharedCells& shared, const SweepConfig& config,
                                  double confidence) {
  if (!shared.grid) return std::nullopt;
  MapNumbers numbers = map_numbers(shared.cells, *shared.grid, config, confidence);
  if (numbers.cells == 0) return std::nullopt;
  return numbers;
}

void check_not_empty(const SharedCells& shared, const RunStore& run, const Experiment& experiment) {
  if (!shared.cells.empty()) return;
  const PlacementSweep& map = run.config().placement;
  throw config_error(
      {experiment.file}, "",
      fmt::format("no cell in common with {}, whose map is x from {} to {} mm, y from {} to {} mm: "
                  "{} outside of it, {} where it has none",
                  run_of(run.file()).string(), map.x_mm.min, map.x_mm.max, map.y_mm.min,
                  map.y_mm.max, counted(shared.outside.trials, "trial"), shared.unknown.trials));
}

/// The trials that lie in the run's cell of angles.
Experiment at_angles_of(const Experiment& experiment, const Axis& theta, int slice,
                        std::int64_t& left_out) {
  Experiment chosen = experiment;
  const auto is_elsewhere = [&](const ExperimentTrial& trial) {
    if (!trial.theta_rad || theta.is_fixed()) return false;
    return theta.cell_at(*trial.theta_rad) != slice;
  };
  left_out = static_cast<std::int64_t>(std::erase_if(chosen.single_trials, is_elsewhere));
  return chosen;
}

}  // namespace

void predict_planned(ExperimentPrediction& prediction, const RunStore& run,
                     const Experiment& experiment, int slice, const PredictionOptions& options) {
  constexpr std::int64_t kTrials = 4000;
  constexpr std::uint64_t kPlannedSeed = kPredictionSeed + 1;
  const Axis& theta = run.config().placement.theta_rad;
  std::set<std::pair<Place, std::size_t>> placed;  // with their sessions
  std::vector<Place> places;
  for (const ExperimentTrial& trial : experiment.planned) {
    const Place place = {{trial.x_mm, trial.x_mm, trial.y_mm, trial.y_mm},
                         trial.theta_rad.value_or(theta.cell_min(slice)),
                         trial.theta_rad.value_or(theta.cell_max(slice))};
    if (!placed.insert({place, trial.session}).second) continue;
    PredictedSite& site = prediction.planned.emplace_back();
    site.x_mm = trial.x_mm;
    site.y_mm = trial.y_mm;
    site.session = trial.session;
    site.place = prediction.places.size() + places.size();
    places.push_back(place);
  }
  if (places.empty()) return;
  const auto count = static_cast<std::int64_t>(places.size());
  const std::int64_t each =
      options.trials ? std::max<std::int64_t>(1, *options.trials / count) : kTrials;
  const PredictionEffort effort{each, 0};
  TrialCounters counters;
  const auto progress = shown(options.show, counters, effort.total(places.size()));
  const Predictions predictions = predict(run.config(), places, effort, false, kPlannedSeed,
                                          {options.threads, stop_flag(), &counters});
  check_stop();
  for (std::size_t k = 0; k < places.size(); ++k) {
    prediction.planned[k].model = predictions.places[k].counts;
  }
  prediction.places.insert(prediction.places.end(), places.begin(), places.end());
}

int chosen_slice(const Axis& theta, const std::string& run, std::optional<double> theta_rad) {
  if (!theta_rad) {
    if (theta.cells == 1) return 0;
    throw config_error({run}, "",
                       fmt::format("has {} cells of angles from {} to {} rad, an experiment has "
                                   "one angle; choose the cell that holds T with --theta-rad T",
                                   theta.cells, theta.min, theta.max));
  }
  if (const auto slice = theta.cell_at(*theta_rad)) return *slice;
  throw ConfigError(fmt::format("--theta-rad {}: is not an angle of {}; must be from {} to {} rad",
                                *theta_rad, run, theta.min, theta.max));
}

std::optional<int> slice_for(const RunStore& run, const Experiment& experiment,
                             std::optional<double> theta_rad) {
  const Axis& theta = run.config().placement.theta_rad;
  const auto tells = [](const std::vector<ExperimentTrial>& trials) {
    return !trials.empty() && trials[0].theta_rad.has_value();
  };
  const bool told = tells(experiment.single_trials) || tells(experiment.planned);
  if (told && !theta_rad && theta.cells > 1) return std::nullopt;
  return chosen_slice(theta, run_of(run.file()).string(), theta_rad);
}

ExperimentComparison compare_experiment(const RunStore& run, const Experiment& experiment,
                                        const ComparisonOptions& options) {
  const double z = two_sided_z(options.confidence);
  const int slice = options.slice.value_or(0);
  const Axis& theta = run.config().placement.theta_rad;
  if (!options.prediction.simulate) {
    check_angles_stored(experiment, theta, options.slice, "leave out --no-simulate");
  }
  std::int64_t other_angles = 0;
  const Experiment chosen =
      options.slice ? at_angles_of(experiment, theta, slice, other_angles) : experiment;
  // Where single trials are simulated no stored ones are needed.
  SharedCells shared =
      share_cells(run, chosen, z, slice,
                  options.prediction.simulate && chosen.cells.empty() ? StoredTrials::kNotNeeded
                                                                      : StoredTrials::kNeeded);
  shared.outside.trials += other_angles;
  check_not_empty(shared, run, experiment);
  ExperimentComparison result;
  result.run_name = run.config().name;
  result.run_title = run_title(result.run_name, run.file());
  if (theta.cells > 1 && options.slice) result.theta_rad = theta.cell_center(slice);
  result.experiment = {experiment.file,     experiment.origin, experiment.source, {}, {},
                       experiment.sessions, experiment.failed};
  result.confidence = options.confidence;
  result.prediction = predict_experiment(run, chosen, shared, slice, options.prediction);
  if (result.prediction.simulated) use_simulated(shared, result.prediction, z);
  if (options.prediction.simulate) {
    predict_planned(result.prediction, run, experiment, slice, options.prediction);
  }
  check_not_empty(shared, run, experiment);
  result.agreement = agreement(result.prediction.sites,
                               result.prediction.draws ? &*result.prediction.draws : nullptr,
                               {options.confidence, options.within, change_steps(run.config())});
  // No friction is below 0; nor, then, its mean.
  cut_at(result.agreement, Change::kJawFriction, -run.config().mu_jaw.mean());
  cut_at(result.agreement, Change::kSupportFriction, -run.config().mu_support.mean());
  result.grid = shared.grid;
  result.are_cells_of_run = shared.are_cells_of_run;
  result.outside = shared.outside;
  result.unknown = shared.unknown;
  for (const SharedCell& cell : shared.cells) {
    result.cells.push_back(compare_cell(cell, z));
    add(result.run_total, cell.run);
    add(result.experiment_total, cell.experiment);
  }
  adjust_p_values(result.cells, options.confidence);
  result.significant = significant_cells(result.cells);
  result.largest = largest_difference(result.cells);
  result.typical_half_width = median_half_width(result.cells);
  result.test = test(shared.cells);
  result.numbers = numbers(shared, run.config(), options.confidence);
  return result;
}

}  // namespace graspmap
