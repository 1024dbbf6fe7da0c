#include "grasp/decide/lab_plan/lab_forecast.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace graspmap {
namespace {

/// Means are over so many placements.
constexpr std::size_t kNear = 30;
/// Seeds of what must be independent.
constexpr std::uint64_t kPilotSeed = 101;
constexpr std::uint64_t kModelSeed = 202;
constexpr std::uint64_t kLabSeed = 303;

std::vector<Place> places_of(const std::vector<IntendedPlacement>& placements,
                             const IntendedPlacement& offset) {
  std::vector<Place> places;
  for (const IntendedPlacement& at : placements) {
    const double x = at.x_mm + offset.x_mm;
    const double y = at.y_mm + offset.y_mm;
    const double theta = at.theta_rad + offset.theta_rad;
    places.push_back({x, x, y, y, theta, theta});
  }
  return places;
}

/// The laboratory with a change by one step, of whichever sign there can be.
ChangedLab changed_by_step(const SweepConfig& config, Change change) {
  const double step = change_steps(config)[static_cast<std::size_t>(change)];
  switch (change) {
    case Change::kJawFriction:
      return changed_lab(config, {LabDifference::kJawFriction, step});
    case Change::kSupportFriction:
      return changed_lab(config, {LabDifference::kSupportFriction, step});
    case Change::kShiftX:
      return changed_lab(config, {LabDifference::kShiftX, step});
    case Change::kShiftY:
      return changed_lab(config, {LabDifference::kShiftY, step});
    case Change::kTurn:
      return changed_lab(config, {LabDifference::kTurn, step});
    case Change::kLevel:
      break;
  }
  return {config, {}};
}

/// Squared distance in parts of the map.
double squared_distance(const CellGrid& map, const IntendedPlacement& a,
                        const IntendedPlacement& b) {
  const auto part = [](const Axis& axis, double d) {
    return axis.is_fixed() ? 0.0 : d / (axis.max - axis.min);
  };
  const double x = part(map.x_mm, a.x_mm - b.x_mm);
  const double y = part(map.y_mm, a.y_mm - b.y_mm);
  const double theta = part(map.theta_rad, a.theta_rad - b.theta_rad);
  return x * x + y * y + theta * theta;
}

/// The `kNear` placements next to one, itself among them.
std::vector<std::size_t> nearest(const CellGrid& map, const std::vector<IntendedPlacement>& places,
                                 std::size_t to) {
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t count = std::min(kNear, order.size());
  const auto closer = [&](std::size_t a, std::size_t b) {
    return squared_distance(map, places[a], places[to]) <
           squared_distance(map, places[b], places[to]);
  };
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    closer);
  order.resize(count);
  return order;
}

SampleCounts sum(const Predictions& predictions, const std::vector<std::size_t>& places) {
  SampleCounts counts;
  for (const std::size_t k : places) {
    counts.successes += predictions.places[k].counts.successes;
    counts.trials += predictions.places[k].counts.trials;
  }
  return counts;
}

double smoothed(const SampleCounts& counts) {
  return (static_cast<double>(counts.successes) + 0.5) / (static_cast<double>(counts.trials) + 1);
}

std::vector<std::size_t> cells_of(const CellGrid& map,
                                  const std::vector<IntendedPlacement>& places) {
  std::vector<std::size_t> cells;
  for (const IntendedPlacement& at : places) {
    cells.push_back(map.index(map.x_mm.nearest_cell(at.x_mm), map.y_mm.nearest_cell(at.y_mm),
                              map.theta_rad.nearest_cell(at.theta_rad)));
  }
  return cells;
}

/// As compare simulates the model.
PredictionEffort model_effort(std::size_t places) {
  return prediction_effort(places, prediction_budget(places));
}

PredictionEffort lab_effort(std::size_t places, const ForecastEffort& effort) {
  return {effort.lab_trials / static_cast<std::int64_t>(places) / 4 * 4, 0};
}

}  // namespace

ChangedLab lab_of(const SweepConfig& config, const LabGoal& goal) {
  if (const auto* detect = std::get_if<DetectGoal>(&goal)) {
    return changed_lab(config, detect->change);
  }
  return {config, {}};
}

std::int64_t pilot_trials(int trials_per_place) {
  return 2 * static_cast<std::int64_t>(kPilotPlacements) * trials_per_place;
}

std::optional<Pilot> run_pilot(const SweepConfig& config, const LabGoal& goal, int trials_per_place,
                               std::uint64_t seed, const SweepControl& control) {
  Pilot pilot;
  pilot.places = even_placements(config.placement, kPilotPlacements, seed);
  const auto* learn = std::get_if<LearnGoal>(&goal);
  const ChangedLab lab =
      learn != nullptr ? changed_by_step(config, learn->change) : lab_of(config, goal);
  // The same random numbers for both: their difference is then of the change alone.
  const PredictionEffort effort{trials_per_place, 0};
  const Predictions model =
      predict(config, places_of(pilot.places, {}), effort, false, seed + kPilotSeed, control);
  const Predictions changed = predict(lab.config, places_of(pilot.places, lab.offset), effort,
                                      false, seed + kPilotSeed, control);
  if (model.places.empty() || changed.places.empty()) return std::nullopt;
  for (std::size_t k = 0; k < pilot.places.size(); ++k) {
    const std::vector<std::size_t> near = nearest(config.placement, pilot.places, k);
    const double p = smoothed(sum(model, near));
    const double q = smoothed(sum(changed, near));
    const double mean = 0.5 * (p + q);
    pilot.model.push_back(p);
    pilot.information.push_back((q - p) * (q - p) / (mean * (1 - mean)));
  }
  return pilot;
}

std::vector<IntendedPlacement> choose_placements(const Pilot& pilot, PlacementChoice choice) {
  std::vector<IntendedPlacement> places;
  if (choice == PlacementChoice::kSpread) {
    places.assign(pilot.places.begin(), pilot.places.begin() + kMostPlacements);
    return places;
  }
  for (const std::size_t k : informative_placements(pilot.information, kMostPlacements)) {
    places.push_back(pilot.places[k]);
  }
  return places;
}

std::int64_t forecast_trials(const LabDesign& design, const ForecastEffort& effort) {
  const std::size_t places = design.places.size();
  return effort.models * model_effort(places).total(places) +
         lab_effort(places, effort).total(places);
}

std::optional<LabForecast> forecast(const SweepConfig& config, const LabGoal& goal,
                                    const LabDesign& design, const ForecastEffort& effort,
                                    std::uint64_t seed, const SweepControl& control) {
  const bool sessions = design.sessions > 0;
  const std::size_t count = design.places.size();
  LabForecast result;
  result.design = design;
  result.groups = cells_of(config.placement, design.places);
  result.steps = change_steps(config);
  for (int m = 0; m < effort.models; ++m) {
    result.models.push_back(predict(config, places_of(design.places, {}), model_effort(count),
                                    sessions, seed + kModelSeed + static_cast<std::uint64_t>(m),
                                    control));
    if (result.models.back().places.empty()) return std::nullopt;
  }
  const ChangedLab lab = lab_of(config, goal);
  result.lab = predict(lab.config, places_of(design.places, lab.offset), lab_effort(count, effort),
                       sessions, seed + kLabSeed, control);
  if (result.lab.places.empty()) return std::nullopt;
  return result;
}

}  // namespace graspmap
