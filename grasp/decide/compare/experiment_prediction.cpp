#include "grasp/decide/compare/experiment_prediction.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "grasp/base/probability/stratified.hpp"
#include "grasp/base/process/stop.hpp"

namespace graspmap {
namespace {

/// Of the trials that predict: other random numbers than any sweep's by its seed.
constexpr std::uint64_t kPredictionSeed = 0x8f3b2c61d94e07a5;

using PlaceCorners = std::array<double, 6>;
using CellCorners = std::array<double, 4>;

CellCorners corners(const Rectangle& cell) {
  return {cell.x_min_mm, cell.x_max_mm, cell.y_min_mm, cell.y_max_mm};
}

/// Collects the places and sites of an experiment.
class SiteList {
 public:
  explicit SiteList(ExperimentPrediction& prediction) : prediction_(prediction) {}

  void add(const Place& place, std::size_t session, std::size_t group, std::int64_t trials,
           std::int64_t successes) {
    const PlaceCorners key = {place.x_min_mm, place.x_max_mm,      place.y_min_mm,
                              place.y_max_mm, place.theta_min_rad, place.theta_max_rad};
    const auto [at, is_new] = places_.try_emplace(key, prediction_.places.size());
    if (is_new) prediction_.places.push_back(place);
    const auto [found, is_new_site] =
        sites_.try_emplace({at->second, session}, prediction_.sites.size());
    if (is_new_site) {
      PredictedSite site;
      site.x_mm = (place.x_min_mm + place.x_max_mm) / 2;
      site.y_mm = (place.y_min_mm + place.y_max_mm) / 2;
      site.session = session;
      site.place = at->second;
      site.group = group;
      prediction_.sites.push_back(site);
    }
    prediction_.sites[found->second].trials += trials;
    prediction_.sites[found->second].successes += successes;
  }

 private:
  ExperimentPrediction& prediction_;
  std::map<PlaceCorners, std::size_t> places_;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> sites_;
};

void add_single_trials(SiteList& list, const PlacementSweep& map, const Experiment& experiment,
                       const SharedCells& shared, int slice) {
  std::map<std::size_t, std::size_t> cell_at;
  for (std::size_t g = 0; g < shared.cells.size(); ++g) cell_at[shared.cells[g].place] = g;
  const Axis& theta = map.theta_rad;
  for (const ExperimentTrial& trial : experiment.single_trials) {
    const auto i = map.x_mm.cell_at(trial.x_mm);
    const auto j = map.y_mm.cell_at(trial.y_mm);
    if (!i || !j) continue;
    const auto cell = cell_at.find(map.index(*i, *j));
    if (cell == cell_at.end()) continue;
    Place place{trial.x_mm,
                trial.x_mm,
                trial.y_mm,
                trial.y_mm,
                trial.theta_rad.value_or(theta.cell_min(slice)),
                trial.theta_rad.value_or(theta.cell_max(slice))};
    list.add(place, trial.session, cell->second, 1, trial.success ? 1 : 0);
  }
}

void add_cells(SiteList& list, const PlacementSweep& map, const Experiment& experiment,
               const SharedCells& shared, int slice) {
  std::map<CellCorners, std::size_t> cell_at;
  for (std::size_t g = 0; g < shared.cells.size(); ++g) {
    cell_at[corners(shared.cells[g].bounds)] = g;
  }
  for (const ExperimentCell& cell : experiment.cells) {
    if (cell.trials == 0) continue;
    const auto found = cell_at.find({cell.x_min_mm, cell.x_max_mm, cell.y_min_mm, cell.y_max_mm});
    if (found == cell_at.end()) continue;
    const Place place{cell.x_min_mm,
                      cell.x_max_mm,
                      cell.y_min_mm,
                      cell.y_max_mm,
                      map.theta_rad.cell_min(slice),
                      map.theta_rad.cell_max(slice)};
    list.add(place, cell.session, found->second, cell.trials, cell.successes);
  }
}

/// Whether the run's stored trials tell the success at the sites.
bool stored_trials_serve(const Experiment& experiment, const SharedCells& shared) {
  return !experiment.cells.empty() && shared.are_cells_of_run && experiment.sessions.empty();
}

Predictions simulate(const RunStore& run, const ExperimentPrediction& prediction,
                     const PredictionEffort& effort, const PredictionOptions& options) {
  TrialCounters counters;
  const std::int64_t total = effort.total(prediction.places.size());
  const auto progress = shown(options.show, counters, total);
  Predictions predictions =
      predict(run.config(), prediction.places, effort, prediction.draws.has_value(),
              kPredictionSeed, {options.threads, stop_flag(), &counters});
  check_stop();
  return predictions;
}

void take_stored_counts(ExperimentPrediction& prediction, const SharedCells& shared) {
  for (PredictedSite& site : prediction.sites) site.model = shared.cells[site.group].run;
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

void drop_sites_without_prediction(ExperimentPrediction& prediction) {
  for (const PredictedSite& site : prediction.sites) {
    if (site.model.trials == 0) prediction.trials_without += site.trials;
  }
  std::erase_if(prediction.sites, [](const PredictedSite& site) { return site.model.trials == 0; });
}

void take_simulated(ExperimentPrediction& prediction, const RunStore& run, bool stored_counts,
                    const PredictionOptions& options) {
  const std::size_t places = prediction.places.size();
  PredictionEffort effort =
      prediction_effort(places, options.trials.value_or(prediction_budget(places)));
  if (stored_counts) effort.trials_per_place = 0;
  Predictions predictions = simulate(run, prediction, effort, options);
  prediction.simulated_trials = effort.total(places);
  for (PredictedSite& site : prediction.sites) {
    const PlacePrediction& at = predictions.places[site.place];
    site.changed = at.changed;
    if (!stored_counts) site.model = at.counts;
  }
  for (const PlacePrediction& at : predictions.places) prediction.failed += at.counts.failed;
  if (prediction.draws) prediction.draws = std::move(predictions.draws);
}

/// Leaves out the cells in which nothing was predicted.
void leave_out_unpredicted(SharedCells& shared, ExperimentPrediction& prediction) {
  std::vector<std::size_t> number(shared.cells.size());
  std::vector<SharedCell> kept;
  for (std::size_t g = 0; g < shared.cells.size(); ++g) {
    number[g] = kept.size();
    if (shared.cells[g].run.trials > 0) kept.push_back(shared.cells[g]);
  }
  for (PredictedSite& site : prediction.sites) site.group = number[site.group];
  shared.cells = std::move(kept);
}

}  // namespace

ExperimentPrediction predict_experiment(const RunStore& run, const Experiment& experiment,
                                        const SharedCells& shared, int slice,
                                        const PredictionOptions& options) {
  ExperimentPrediction prediction;
  prediction.steps = change_steps(run.config());
  SiteList list(prediction);
  add_single_trials(list, run.config().placement, experiment, shared, slice);
  add_cells(list, run.config().placement, experiment, shared, slice);
  prediction.placements = static_cast<std::int64_t>(prediction.places.size());
  if (options.simulate) {
    const bool stored_counts = stored_trials_serve(experiment, shared);
    prediction.simulated = !stored_counts;
    if (!experiment.sessions.empty()) prediction.draws.emplace();
    if (stored_counts) take_stored_counts(prediction, shared);
    take_simulated(prediction, run, stored_counts, options);
  } else {
    take_stored_counts(prediction, shared);
    take_neighbours(prediction, run, shared, slice);
  }
  drop_sites_without_prediction(prediction);
  return prediction;
}

void use_simulated(SharedCells& shared, ExperimentPrediction& prediction, double z) {
  std::vector<std::vector<Stratum>> strata(shared.cells.size());
  for (const PredictedSite& site : prediction.sites) {
    SharedCell& cell = shared.cells[site.group];
    strata[site.group].push_back(
        {static_cast<double>(site.trials) / static_cast<double>(cell.experiment.trials),
         static_cast<double>(site.model.successes), static_cast<double>(site.model.trials),
         static_cast<double>(site.model.failed)});
  }
  for (std::size_t g = 0; g < shared.cells.size(); ++g) {
    const StratifiedProbability probability = stratified_probability(strata[g], z);
    shared.cells[g].run = effective_counts(strata[g], probability);
    shared.cells[g].run_probability = {probability.estimate, probability.interval};
  }
  leave_out_unpredicted(shared, prediction);
}

}  // namespace graspmap
