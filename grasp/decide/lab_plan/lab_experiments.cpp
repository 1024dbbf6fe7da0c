#include "grasp/decide/lab_plan/lab_experiments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "geometry/assert.hpp"
#include "grasp/base/probability/random.hpp"
#include "grasp/base/process/stop.hpp"

namespace graspmap {
namespace {

constexpr double kRound_mm = 0.01;
constexpr double kRound_rad = 0.0001;

/// The root > 1 of g^(d + 1) = g + 1, the golden ratio for d = 1.
double generalised_golden_ratio(int dimensions) {
  double g = 2.0;
  for (int k = 0; k < 60; ++k) g = std::pow(1.0 + g, 1.0 / (dimensions + 1));
  return g;
}

}  // namespace

const char* name(PlacementChoice choice) {
  return choice == PlacementChoice::kSpread ? "spread" : "informative";
}

std::vector<IntendedPlacement> even_placements(const CellGrid& map, std::size_t count,
                                               std::uint64_t seed) {
  const double g = generalised_golden_ratio(map.theta_rad.is_fixed() ? 2 : 3);
  std::vector<IntendedPlacement> places(count);
  for (std::size_t k = 0; k < count; ++k) {
    const auto on = [&](const Axis& axis, std::uint32_t number, double step, double rounding) {
      if (axis.is_fixed()) return axis.min;
      const double turns = uniform_open(seed, 0, number) + static_cast<double>(k + 1) * step;
      const double at = axis.min + (turns - std::floor(turns)) * (axis.max - axis.min);
      return std::clamp(std::round(at / rounding) * rounding + 0.0, axis.min, axis.max);
    };
    places[k] = {on(map.x_mm, 0, 1 / g, kRound_mm), on(map.y_mm, 1, 1 / (g * g), kRound_mm),
                 on(map.theta_rad, 2, 1 / (g * g * g), kRound_rad)};
  }
  return places;
}

std::vector<std::size_t> informative_placements(const std::vector<double>& information,
                                                std::size_t count) {
  constexpr double kBestShare = 0.02;
  constexpr double kLeastShare = 0.5;
  constexpr std::size_t kOtherOf = 5;  // one in so many is of the others
  GRASPMAP_CHECK(!information.empty());
  std::vector<double> sorted = information;
  const auto best = static_cast<std::ptrdiff_t>(kBestShare * static_cast<double>(sorted.size()));
  std::nth_element(sorted.begin(), sorted.begin() + best, sorted.end(), std::greater<>());
  const double least = kLeastShare * sorted[static_cast<std::size_t>(best)];
  std::vector<std::size_t> good;
  std::vector<std::size_t> others;
  for (std::size_t k = 0; k < information.size(); ++k) {
    (information[k] >= least && information[k] > 0 ? good : others).push_back(k);
  }
  if (good.empty()) std::swap(good, others);
  std::vector<std::size_t> chosen;
  auto next_good = good.begin();
  auto next_other = others.begin();
  while (chosen.size() < count && next_good != good.end()) {
    const bool other = chosen.size() % kOtherOf == kOtherOf - 1 && next_other != others.end();
    chosen.push_back(other ? *next_other++ : *next_good++);
  }
  return chosen;
}

namespace {

/// Simulated experiments under "the model is true", for the p-values of each: the fewest that
/// resolve 5 % well.
constexpr std::int64_t kReplicates = 999;
/// So many, and three times as many, are enough where the tests are clear.
constexpr std::int64_t kFirstLook = 99;

/// The sites of an experiment of a design, and to which of them each trial belongs.
struct SheetSites {
  std::vector<PredictedSite> sites;
  std::vector<std::size_t> of_trial;
};

SheetSites sheet_sites(const LabForecast& forecast, std::int64_t trials) {
  SheetSites sheet;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> numbers;
  for (std::int64_t j = 0; j < trials; ++j) {
    const std::size_t place = forecast.design.place_of(j);
    const std::size_t session = forecast.design.session_of(j);
    const auto [found, is_new] = numbers.try_emplace({place, session}, sheet.sites.size());
    if (is_new) {
      const PlacePrediction& predicted = forecast.model.places[place];
      PredictedSite site;
      site.x_mm = forecast.design.places[place].x_mm;
      site.y_mm = forecast.design.places[place].y_mm;
      site.session = session;
      site.place = place;
      site.group = forecast.groups[place];
      site.model = predicted.counts;
      site.changed = predicted.changed;
      sheet.sites.push_back(site);
    }
    ++sheet.sites[found->second].trials;
    sheet.of_trial.push_back(found->second);
  }
  return sheet;
}

/// A simulated experiment: the sites with their successes.
std::vector<PredictedSite> drawn_sites(const LabForecast& forecast, const SheetSites& sheet,
                                       std::uint64_t seed, std::uint64_t experiment) {
  const SessionDraws& lab = forecast.lab.draws;
  const std::size_t trials = sheet.of_trial.size();
  const auto random = [&](std::size_t number) {
    return uniform_open(seed, experiment, static_cast<std::uint32_t>(number));
  };
  // The draw of friction that each session has; none when friction varies from trial to trial.
  std::vector<std::size_t> draws;
  for (int s = 0; lab.draws() > 0 && s < forecast.design.sessions; ++s) {
    const double u = random(trials + static_cast<std::size_t>(s));
    draws.push_back(static_cast<std::size_t>(u * static_cast<double>(lab.draws())));
  }
  std::vector<PredictedSite> sites = sheet.sites;
  for (std::size_t j = 0; j < trials; ++j) {
    PredictedSite& site = sites[sheet.of_trial[j]];
    const SampleCounts& counts = forecast.lab.places[site.place].counts;
    const double probability = !draws.empty()
                                   ? lab.success[draws[site.session] * lab.places + site.place]
                               : counts.trials > 0 ? counts.probability()
                                                   : 0.0;
    if (random(j) < probability) ++site.successes;
  }
  return sites;
}

/// What one experiment showed.
struct LabResult {
  bool reached = false;
  double width = 0.0;
  bool covered = false;
};

LabResult lab_result(const Agreement& agreement, const LabRequest& request) {
  LabResult result;
  result.reached = reached(agreement, request);
  const auto* learn = std::get_if<LearnGoal>(&request.goal);
  if (learn == nullptr) return result;
  result.width = interval_width(agreement, learn->change);
  const ChangeResult* change = agreement.of(learn->change);
  result.covered = change != nullptr && change->estimate.interval.low <= 0 &&
                   change->estimate.interval.high >= 0;
  return result;
}

/// The probability, kept off 0 and 1 by as much as the trials can resolve.
double kept_inside(const SampleCounts& counts) {
  const double least = 0.5 / static_cast<double>(counts.trials + 1);
  return std::clamp(counts.probability(), least, 1 - least);
}

/// Simulates experiments and judges each; use(k, agreement) sees what came of experiment k, and
/// says whether it reached its goal. Returns how many ended.
template <typename Use>
std::int64_t judge_experiments(const LabForecast& forecast, std::int64_t trials,
                               std::int64_t experiments, std::uint64_t seed,
                               const AgreementSettings& settings, const SweepControl& control,
                               const Use& use) {
  GRASPMAP_CHECK(trials > 0);
  const SheetSites sheet = sheet_sites(forecast, trials);
  const SessionDraws* draws = forecast.design.sessions > 0 ? &forecast.model.draws : nullptr;
  return run_trials(experiments, control, [&](std::int64_t index, Workspace&, SimulationResult&) {
    const auto k = static_cast<std::size_t>(index);
    AgreementSettings own = settings;
    own.seed = settings.seed + k;
    const std::vector<PredictedSite> sites =
        drawn_sites(forecast, sheet, seed, static_cast<std::uint64_t>(index));
    return use(k, agreement(sites, draws, own)) ? Outcome::kSuccess : Outcome::kMissed;
  });
}

AgreementSettings settings_of(const LabForecast& forecast, const LabRequest& request) {
  AgreementSettings settings;
  settings.confidence = request.confidence;
  if (const auto* agree = std::get_if<AgreeGoal>(&request.goal)) settings.within = agree->within;
  settings.steps = forecast.steps;
  settings.replicates = kReplicates;
  return settings;
}

}  // namespace

LabPower simulate_power(const LabForecast& forecast, const LabRequest& request, std::int64_t trials,
                        std::int64_t experiments, std::uint64_t seed, const SweepControl& control) {
  AgreementSettings settings = settings_of(forecast, request);
  settings.detectable = false;
  settings.first_look = kFirstLook;
  // An interval's width needs no test.
  if (std::holds_alternative<LearnGoal>(request.goal)) settings.replicates = 1;
  std::vector<LabResult> results(static_cast<std::size_t>(experiments));
  const std::int64_t ended =
      judge_experiments(forecast, trials, experiments, seed, settings, control,
                        [&](std::size_t k, const Agreement& agreement) {
                          results[k] = lab_result(agreement, request);
                          return results[k].reached;
                        });
  LabPower power{trials, ended, 0, {}, 0};
  results.resize(static_cast<std::size_t>(ended));
  for (const LabResult& result : results) {
    power.reached += result.reached ? 1 : 0;
    power.covered += result.covered ? 1 : 0;
    power.widths.push_back(result.width);
  }
  return power;
}

LabScope simulate_scope(const LabForecast& forecast, const LabRequest& request, std::int64_t trials,
                        std::int64_t experiments, std::uint64_t seed, const SweepControl& control) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  std::vector<Agreement> all(static_cast<std::size_t>(experiments));
  LabScope scope;
  scope.experiments =
      judge_experiments(forecast, trials, experiments, seed, settings_of(forecast, request),
                        control, [&](std::size_t k, const Agreement& agreement) {
                          all[k] = agreement;
                          return true;
                        });
  all.resize(static_cast<std::size_t>(scope.experiments));
  if (all.empty()) return scope;
  std::vector<double> within;
  for (const Agreement& one : all) within.push_back(one.smallest_within);
  scope.within = sample_quantile(within, request.power);
  for (const Change change : kChanges) {
    std::vector<double> half_widths;
    std::vector<double> found;
    for (const Agreement& one : all) {
      const ChangeResult* result = one.of(change);
      half_widths.push_back(interval_width(one, change) / 2);
      found.push_back(
          result == nullptr || std::isnan(result->detectable_80) ? kNever : result->detectable_80);
    }
    const double half_width = sample_quantile(half_widths, 0.5);
    const double found_80 = sample_quantile(found, 0.5);
    if (!std::isfinite(half_width)) continue;
    scope.changes.push_back(
        {change, half_width,
         std::isfinite(found_80) ? found_80 : std::numeric_limits<double>::quiet_NaN()});
  }
  return scope;
}

double approximate_trials(const LabForecast& forecast, const LabRequest& request) {
  const double z = two_sided_z(request.confidence) + two_sided_z(2 * request.power - 1);
  double information = 0.0;  // of a trial, about the change, or about the mean success
  double variance = 0.0;
  for (std::size_t k = 0; k < forecast.design.places.size(); ++k) {
    const SampleCounts& model = forecast.model.places[k].counts;
    const SampleCounts& lab = forecast.lab.places[k].counts;
    if (model.trials == 0 || lab.trials == 0) continue;
    const double p = kept_inside(model);
    const double q = kept_inside(lab);
    const double noise = p * (1 - p) / static_cast<double>(model.trials) +
                         q * (1 - q) / static_cast<double>(lab.trials);
    const double mean = 0.5 * (p + q);
    information += ((q - p) * (q - p) - noise) / (mean * (1 - mean));
    variance += p * (1 - p);
  }
  const auto places = static_cast<double>(forecast.design.places.size());
  if (const auto* agree = std::get_if<AgreeGoal>(&request.goal)) {
    return z * z * variance / places / (agree->within * agree->within);
  }
  return information > 0 ? z * z * places / information : 1e9;
}

namespace {

/// Means are over so many placements.
constexpr std::size_t kNear = 30;
/// Trials at each placement that is looked at.
constexpr std::int64_t kPilotTrials = 16;
/// Trials of a changed laboratory at all placements together.
constexpr double kLabTrials = 50'000;
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
    places.push_back({{x, x, y, y}, theta, theta});
  }
  return places;
}

/// The laboratory with a change by one step, of whichever sign there can be.
ChangedLab changed_by_step(const SweepConfig& config, Change change) {
  const double step = change_steps(config)[static_cast<std::size_t>(change)];
  for (const LabDifference difference : kLabDifferences) {
    if (std::string_view(key(difference)) == key(change)) {
      return changed_lab(config, {difference, step});
    }
  }
  return {config, {}};  // kLevel
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

/// The success at some places together, kept off 0 and 1.
double smoothed(const Predictions& predictions, const std::vector<std::size_t>& places) {
  std::int64_t successes = 0;
  std::int64_t trials = 0;
  for (const std::size_t k : places) {
    successes += predictions.places[k].counts.successes;
    trials += predictions.places[k].counts.trials;
  }
  return (static_cast<double>(successes) + 0.5) / (static_cast<double>(trials) + 1);
}

/// As compare simulates the model, or a share of it.
PredictionEffort model_effort(std::size_t places, double share) {
  const auto budget = share * static_cast<double>(prediction_budget(places));
  return prediction_effort(places, static_cast<std::int64_t>(budget));
}

/// Whether the laboratory is another one than the model.
bool is_changed(const LabGoal& goal) { return std::holds_alternative<DetectGoal>(goal); }

/// The placements of an even sequence where the fingers go beside the part, `count` of them where
/// there are so many. Throws AnalysisStopped.
std::vector<IntendedPlacement> free_placements(const SweepConfig& config, std::size_t count,
                                               std::uint64_t seed, const SweepControl& control) {
  constexpr std::size_t kMostTried = 8;  // times as many
  const auto all = even_placements(config.placement, kMostTried * count, seed);
  std::vector<IntendedPlacement> free;
  for (auto from = all.begin(); from != all.end() && free.size() < count;) {
    const auto to = from + static_cast<std::ptrdiff_t>(count);
    const std::vector<IntendedPlacement> tried(from, to);
    const std::vector<bool> blocked = blocked_placements(config, tried, control);
    for (std::size_t k = 0; k < tried.size() && free.size() < count; ++k) {
      if (!blocked[k]) free.push_back(tried[k]);
    }
    from = to;
  }
  if (free.empty()) {
    throw ConfigError(
        "lab-plan: at each placement of the map the open fingers would overlap the part; must be a "
        "run with placements beside it");
  }
  return free;
}

std::vector<IntendedPlacement> cell_centres(const CellGrid& map) {
  std::vector<IntendedPlacement> centres;
  for (std::size_t k = 0; k < map.index(0, 0, map.theta_rad.cells); ++k) {
    const CellIndex at = map.cell(k);
    centres.push_back({map.x_mm.cell_center(at.x), map.y_mm.cell_center(at.y),
                       map.theta_rad.cell_center(at.theta)});
  }
  return centres;
}

PredictionEffort lab_effort(std::size_t places, double share) {
  const auto budget = static_cast<std::int64_t>(share * kLabTrials);
  return {budget / static_cast<std::int64_t>(places) / 4 * 4, 0};
}

}  // namespace

ChangedLab lab_of(const SweepConfig& config, const LabGoal& goal) {
  if (const auto* detect = std::get_if<DetectGoal>(&goal)) {
    return changed_lab(config, detect->change);
  }
  return {config, {}};
}

std::vector<bool> blocked_placements(const SweepConfig& config,
                                     const std::vector<IntendedPlacement>& places,
                                     const SweepControl& control) {
  const PlacementSweep& placement = config.placement;
  std::vector<IntendedPlacement> errors = {{}};
  const auto add = [&](const Distribution& noise, double IntendedPlacement::*number) {
    if (noise.is_fixed()) return;
    for (const double z : {-1.0, 1.0}) {
      errors.emplace_back().*number = noise.quantile(normal_cumulative(z));
    }
  };
  add(placement.noise_x_mm, &IntendedPlacement::x_mm);
  add(placement.noise_y_mm, &IntendedPlacement::y_mm);
  add(placement.noise_theta_rad, &IntendedPlacement::theta_rad);
  std::vector<TrialParameters> trials;
  for (const IntendedPlacement& at : places) {
    for (const IntendedPlacement& error : errors) {
      trials.push_back({at.x_mm + error.x_mm, at.y_mm + error.y_mm, at.theta_rad + error.theta_rad,
                        config.mu_jaw.mean(), config.mu_support.mean()});
    }
  }
  SweepConfig short_trials = config;  // what is blocked is known before the first step
  short_trials.uncertain.clear();
  short_trials.scenario.stop.timeout_s = 1e-3;
  SweepControl own = control;
  own.counters = nullptr;
  const std::vector<Outcome> outcomes = simulate_trials(short_trials, trials, own);
  if (outcomes.size() < trials.size()) throw AnalysisStopped();
  std::vector<bool> blocked;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const auto first = outcomes.begin() + static_cast<std::ptrdiff_t>(k * errors.size());
    const auto last = first + static_cast<std::ptrdiff_t>(errors.size());
    blocked.push_back(std::find(first, last, Outcome::kBlocked) != last);
  }
  return blocked;
}

std::int64_t pilot_trials(const LabGoal& goal) {
  return (has_informative_placements(goal) ? 2 : 1) * static_cast<std::int64_t>(kPilotPlacements) *
         kPilotTrials;
}

Pilot run_pilot(const SweepConfig& config, const LabGoal& goal, std::uint64_t seed,
                const SweepControl& control) {
  Pilot pilot;
  pilot.places = free_placements(config, kPilotPlacements, seed, control);
  const std::vector<bool> blocked =
      blocked_placements(config, cell_centres(config.placement), control);
  pilot.cells_left_out = static_cast<std::size_t>(std::count(blocked.begin(), blocked.end(), true));
  const auto* learn = std::get_if<LearnGoal>(&goal);
  const ChangedLab lab =
      learn != nullptr ? changed_by_step(config, learn->change) : lab_of(config, goal);
  // The same random numbers for both: their difference is then of the change alone.
  const PredictionEffort effort{kPilotTrials, 0};
  const Predictions model =
      predict(config, places_of(pilot.places, {}), effort, false, seed + kPilotSeed, control);
  const Predictions changed = has_informative_placements(goal)
                                  ? predict(lab.config, places_of(pilot.places, lab.offset), effort,
                                            false, seed + kPilotSeed, control)
                                  : model;
  if (model.places.empty() || changed.places.empty()) throw AnalysisStopped();
  for (std::size_t k = 0; k < pilot.places.size(); ++k) {
    const std::vector<std::size_t> near = nearest(config.placement, pilot.places, k);
    const double p = smoothed(model, near);
    const double q = smoothed(changed, near);
    const double mean = 0.5 * (p + q);
    pilot.model.push_back(p);
    pilot.information.push_back((q - p) * (q - p) / (mean * (1 - mean)));
  }
  return pilot;
}

bool has_informative_placements(const LabGoal& goal) {
  if (const auto* learn = std::get_if<LearnGoal>(&goal)) return learn->change != Change::kLevel;
  return std::holds_alternative<DetectGoal>(goal);
}

std::vector<IntendedPlacement> choose_placements(const Pilot& pilot, PlacementChoice choice) {
  if (choice == PlacementChoice::kSpread) {
    const std::size_t count = std::min(kMostPlacements, pilot.places.size());
    return {pilot.places.begin(), pilot.places.begin() + static_cast<std::ptrdiff_t>(count)};
  }
  std::vector<IntendedPlacement> places;
  for (const std::size_t k : informative_placements(pilot.information, kMostPlacements)) {
    places.push_back(pilot.places[k]);
  }
  return places;
}

std::int64_t forecast_trials(std::size_t places, const LabGoal& goal, double effort) {
  return model_effort(places, effort).total(places) +
         (is_changed(goal) ? lab_effort(places, effort).total(places) : 0);
}

LabForecast forecast(const SweepConfig& config, const LabGoal& goal, const LabDesign& design,
                     double effort, std::uint64_t seed, const SweepControl& control) {
  const bool sessions = design.sessions > 0;
  const std::size_t count = design.places.size();
  LabForecast result;
  result.design = design;
  const CellGrid& map = config.placement;
  for (const IntendedPlacement& at : design.places) {
    result.groups.push_back(map.index(map.x_mm.nearest_cell(at.x_mm),
                                      map.y_mm.nearest_cell(at.y_mm),
                                      map.theta_rad.nearest_cell(at.theta_rad)));
  }
  result.steps = change_steps(config);
  result.model = predict(config, places_of(design.places, {}), model_effort(count, effort),
                         sessions, seed + kModelSeed, control);
  if (result.model.places.empty()) throw AnalysisStopped();
  if (!is_changed(goal)) {
    result.lab = result.model;
    return result;
  }
  const ChangedLab lab = lab_of(config, goal);
  result.lab = predict(lab.config, places_of(design.places, lab.offset), lab_effort(count, effort),
                       sessions, seed + kLabSeed, control);
  if (result.lab.places.empty()) throw AnalysisStopped();
  return result;
}

}  // namespace graspmap
