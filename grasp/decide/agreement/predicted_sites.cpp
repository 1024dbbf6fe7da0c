#include "grasp/decide/agreement/predicted_sites.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/assert.hpp"
#include "grasp/base/probability/random.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/sweep/trials/sweep.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {
namespace {

constexpr std::int64_t kLeastBudget = 100'000;
constexpr std::int64_t kMostBudget = 200'000;
constexpr std::int64_t kBudgetOfPlace = 400;
constexpr std::int64_t kMostTrialsOfPlace = 20'000;
constexpr double kShareAtPlaces = 0.6;
constexpr std::size_t kVariants = 2 * (kChangeCount - 1);
constexpr double kLeastFrictionStep = 0.02;
/// Trials with one draw of friction where the placement varies too.
constexpr std::int64_t kNoisyTrialsOfDraw = 4;
/// The trials of changes have other random numbers than those at the placements.
constexpr std::uint64_t kFirstChangeTrial = std::uint64_t{1} << 40;

enum class PlaceDraw : std::uint32_t { kX = 16, kY = 17, kTheta = 18, kJaw = 19, kSupport = 20 };

double uniform_of(std::uint64_t seed, std::uint64_t index, PlaceDraw draw) {
  return uniform_open(seed, index, static_cast<std::uint32_t>(draw));
}

/// Points that fill the unit square evenly: the additive recurrence of Roberts 2018, "The
/// unreasonable effectiveness of quasirandom sequences", moved by a random amount.
struct EvenDraws {
  double jaw = 0.0;
  double support = 0.0;

  EvenDraws(std::uint64_t seed, std::uint64_t index)
      : jaw(uniform_of(seed, index, PlaceDraw::kJaw)),
        support(uniform_of(seed, index, PlaceDraw::kSupport)) {}

  static double inside(double u) { return std::clamp(u - std::floor(u), 0x1p-53, 1 - 0x1p-53); }
  [[nodiscard]] double jaw_at(std::int64_t j) const {
    return inside(jaw + 0.7548776662466927 * static_cast<double>(j));
  }
  [[nodiscard]] double support_at(std::int64_t j) const {
    return inside(support + 0.5698402909980532 * static_cast<double>(j));
  }
};

double point_of(double low, double high, std::uint64_t seed, std::uint64_t index, PlaceDraw draw) {
  return low == high ? low : low + uniform_of(seed, index, draw) * (high - low);
}

/// A trial at a place: placement in it, noise and friction are drawn.
TrialParameters trial_at(const SweepConfig& config, const Place& place, std::uint64_t seed,
                         std::uint64_t index) {
  const IntendedPlacement intended = {
      point_of(place.x_min_mm, place.x_max_mm, seed, index, PlaceDraw::kX),
      point_of(place.y_min_mm, place.y_max_mm, seed, index, PlaceDraw::kY),
      point_of(place.theta_min_rad, place.theta_max_rad, seed, index, PlaceDraw::kTheta)};
  return sample_at(config, intended, seed, index);
}

void set_friction(TrialParameters& trial, const SweepConfig& config, const EvenDraws& draws,
                  std::int64_t j) {
  trial.mu_jaw = config.mu_jaw.quantile(draws.jaw_at(j));
  trial.mu_support = config.mu_support.quantile(draws.support_at(j));
}

void apply(TrialParameters& trial, Change change, double amount) {
  switch (change) {
    case Change::kLevel:
      return;
    case Change::kShiftX:
      trial.placement_x_mm += amount;
      return;
    case Change::kShiftY:
      trial.placement_y_mm += amount;
      return;
    case Change::kTurn:
      trial.theta_rad += amount;
      return;
    case Change::kJawFriction:
      trial.mu_jaw = std::max(trial.mu_jaw + amount, 0.0);
      return;
    case Change::kSupportFriction:
      trial.mu_support = std::max(trial.mu_support + amount, 0.0);
      return;
  }
}

SampleCounts count(std::span<const Outcome> outcomes) {
  SampleCounts counts;
  for (const Outcome outcome : outcomes) count_outcome(outcome, counts);
  return counts;
}

bool is_point(const Place& place) {
  return place.x_min_mm == place.x_max_mm && place.y_min_mm == place.y_max_mm &&
         place.theta_min_rad == place.theta_max_rad;
}

/// Whether trials of one friction at a place can end in different ways.
bool varies_at_one_friction(const SweepConfig& config, std::span<const Place> places) {
  const PlacementSweep& placement = config.placement;
  return !config.uncertain.empty() || !placement.noise_x_mm.is_fixed() ||
         !placement.noise_y_mm.is_fixed() || !placement.noise_theta_rad.is_fixed() ||
         !std::all_of(places.begin(), places.end(), is_point);
}

double friction_step(const Distribution& distribution) {
  return std::max(std::sqrt(distribution.variance()) / 2, kLeastFrictionStep);
}

/// The trials of a prediction in one list: first those at the places, then by place those of the
/// changes, variant 2 c being change c + 1 by -step, variant 2 c + 1 by +step.
struct PredictionTrials {
  std::vector<TrialParameters> list;
  std::vector<double> uncertain;  ///< the configuration's uncertain numbers, trial after trial
  std::int64_t repeats = 1;       ///< trials at a place with one draw of friction
};

PredictionTrials prediction_trials(const SweepConfig& config, std::span<const Place> places,
                                   const PredictionEffort& effort, bool sessions,
                                   std::uint64_t seed) {
  PredictionTrials trials;
  trials.list.reserve(static_cast<std::size_t>(effort.total(places.size())));
  if (sessions && varies_at_one_friction(config, places)) trials.repeats = kNoisyTrialsOfDraw;
  const auto add = [&](const Place& place, std::uint64_t index) -> TrialParameters& {
    // Uncertain numbers differ from part to part: each trial has its own, in a session too.
    if (!config.uncertain.empty()) {
      const std::vector<double> values = sample_uncertain(config, seed, index);
      trials.uncertain.insert(trials.uncertain.end(), values.begin(), values.end());
    }
    return trials.list.emplace_back(trial_at(config, place, seed, index));
  };
  const EvenDraws at_places(seed, 0);
  const auto per_place = static_cast<std::uint64_t>(effort.trials_per_place);
  for (std::size_t k = 0; k < places.size(); ++k) {
    check_stop();
    for (std::uint64_t i = 0; i < per_place; ++i) {
      TrialParameters& trial = add(places[k], k * per_place + i);
      const std::int64_t draw = static_cast<std::int64_t>(i) / trials.repeats;
      if (sessions) set_friction(trial, config, at_places, draw);
    }
  }
  const auto steps = change_steps(config);
  for (std::size_t k = 0; k < places.size(); ++k) {
    check_stop();
    const std::uint64_t first =
        kFirstChangeTrial + k * static_cast<std::uint64_t>(effort.trials_per_change);
    const EvenDraws draws(seed, first);
    for (std::size_t variant = 0; variant < kVariants; ++variant) {
      const std::size_t change = variant / 2 + 1;
      const double amount = variant % 2 == 0 ? -steps[change] : steps[change];
      for (std::int64_t i = 0; i < effort.trials_per_change; ++i) {
        TrialParameters& trial = add(places[k], first + static_cast<std::uint64_t>(i));
        set_friction(trial, config, draws, i);
        apply(trial, kChanges[change], amount);
      }
    }
  }
  return trials;
}

}  // namespace

PredictionEffort prediction_effort(std::size_t places, std::int64_t budget) {
  const auto count = std::max<std::int64_t>(static_cast<std::int64_t>(places), 1);
  const std::int64_t all = budget / count;
  const auto share = static_cast<std::int64_t>(kShareAtPlaces * static_cast<double>(all));
  PredictionEffort effort;
  effort.trials_per_place = std::min(share, kMostTrialsOfPlace);
  effort.trials_per_place = std::max<std::int64_t>(effort.trials_per_place / 4 * 4, 4);
  effort.trials_per_change = std::max<std::int64_t>(
      (all - effort.trials_per_place) / static_cast<std::int64_t>(kVariants), 0);
  effort.trials_per_change = std::min(effort.trials_per_change, kMostTrialsOfPlace / 10);
  return effort;
}

std::int64_t prediction_budget(std::size_t places) {
  return std::clamp(static_cast<std::int64_t>(places) * kBudgetOfPlace, kLeastBudget, kMostBudget);
}

std::array<double, kChangeCount> change_steps(const SweepConfig& config) {
  std::array<double, kChangeCount> steps{};
  const auto at = [&](Change change) -> double& { return steps[static_cast<std::size_t>(change)]; };
  const double x = config.placement.x_mm.cell_size();
  const double y = config.placement.y_mm.cell_size();
  at(Change::kShiftX) = x;
  at(Change::kShiftY) = y;
  at(Change::kTurn) = std::min((x + y) / config.scenario.gripper.opening_mm, 0.1);
  at(Change::kJawFriction) = friction_step(config.mu_jaw);
  at(Change::kSupportFriction) = friction_step(config.mu_support);
  return steps;
}

Predictions predict(const SweepConfig& config, std::span<const Place> places,
                    const PredictionEffort& effort, bool sessions, std::uint64_t seed,
                    const SweepControl& control) {
  GRASPMAP_CHECK(effort.trials_per_place >= 0 && effort.trials_per_change >= 0);
  const PredictionTrials trials = prediction_trials(config, places, effort, sessions, seed);
  const std::vector<Outcome> outcomes =
      simulate_trials(config, trials.list, control, trials.uncertain);
  Predictions predictions;
  if (outcomes.size() < trials.list.size()) return predictions;
  const auto per_place = static_cast<std::size_t>(effort.trials_per_place);
  const auto per_change = static_cast<std::size_t>(effort.trials_per_change);
  const std::span<const Outcome> of_changes =
      std::span(outcomes).subspan(places.size() * per_place);
  const auto repeats = static_cast<std::size_t>(trials.repeats);
  const std::size_t draws = sessions ? per_place / repeats : 0;
  if (sessions) predictions.draws.places = places.size();
  predictions.draws.success.resize(draws * places.size());
  for (std::size_t k = 0; k < places.size(); ++k) {
    const std::span<const Outcome> at_place = std::span(outcomes).subspan(k * per_place, per_place);
    PlacePrediction& prediction = predictions.places.emplace_back();
    prediction.counts = count(at_place);
    const auto changed = [&](std::size_t variant) {
      return count(of_changes.subspan((k * kVariants + variant) * per_change, per_change))
          .probability();
    };
    for (std::size_t c = 0; per_change > 0 && 2 * c < kVariants; ++c) {
      prediction.changed[c + 1] = {changed(2 * c), changed(2 * c + 1)};
    }
    for (std::size_t j = 0; j < draws; ++j) {
      const SampleCounts counts = count(at_place.subspan(j * repeats, repeats));
      const double p = counts.trials > 0 ? counts.probability() : prediction.counts.probability();
      predictions.draws.success[j * places.size() + k] = static_cast<float>(p);
    }
  }
  return predictions;
}

}  // namespace graspmap
