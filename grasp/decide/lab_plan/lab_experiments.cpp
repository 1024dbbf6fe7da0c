#include "grasp/decide/lab_plan/lab_experiments.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "grasp/base/probability/random.hpp"

namespace graspmap {
namespace {

/// Simulated experiments under "the model is true", for the p-values of each: the least that tells
/// 5 % well.
constexpr std::int64_t kReplicates = 999;

/// The sites of an experiment of a design, and to which of them each trial belongs.
struct SheetSites {
  std::vector<PredictedSite> sites;
  std::vector<std::size_t> of_trial;
};

SheetSites sheet_sites(const LabForecast& forecast, const Predictions& model, std::int64_t trials) {
  SheetSites sheet;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> numbers;
  for (std::int64_t j = 0; j < trials; ++j) {
    const std::size_t place = forecast.design.place_of(j);
    const std::size_t session = forecast.design.session_of(j);
    const auto [found, is_new] = numbers.try_emplace({place, session}, sheet.sites.size());
    if (is_new) {
      const PlacePrediction& predicted = model.places[place];
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

double lab_probability(const LabForecast& forecast, std::size_t place) {
  const SampleCounts& counts = forecast.lab.places[place].counts;
  return counts.trials > 0 ? counts.probability() : 0.0;
}

/// A simulated experiment: the successes at the sites.
class LabDraw {
 public:
  LabDraw(const LabForecast& forecast, const SheetSites& sheet, std::uint64_t seed)
      : forecast_(forecast), sheet_(sheet), seed_(seed) {}

  [[nodiscard]] std::vector<PredictedSite> sites(std::uint64_t experiment) const {
    std::vector<PredictedSite> sites = sheet_.sites;
    const std::vector<std::size_t> draws = session_draws(experiment);
    for (std::size_t j = 0; j < sheet_.of_trial.size(); ++j) {
      PredictedSite& site = sites[sheet_.of_trial[j]];
      const double u = uniform_open(seed_, experiment, static_cast<std::uint32_t>(j));
      if (u < probability(site, draws)) ++site.successes;
    }
    return sites;
  }

 private:
  /// The draw of friction that each session has; none when friction varies from trial to trial.
  [[nodiscard]] std::vector<std::size_t> session_draws(std::uint64_t experiment) const {
    std::vector<std::size_t> draws;
    const auto count = static_cast<double>(forecast_.lab.draws.draws());
    if (count == 0) return draws;
    for (int s = 0; s < forecast_.design.sessions; ++s) {
      const auto number =
          static_cast<std::uint32_t>(sheet_.of_trial.size()) + static_cast<std::uint32_t>(s);
      draws.push_back(static_cast<std::size_t>(uniform_open(seed_, experiment, number) * count));
    }
    return draws;
  }

  [[nodiscard]] double probability(const PredictedSite& site,
                                   const std::vector<std::size_t>& draws) const {
    if (draws.empty()) return lab_probability(forecast_, site.place);
    const SessionDraws& lab = forecast_.lab.draws;
    return lab.success[draws[site.session] * lab.places + site.place];
  }

  const LabForecast& forecast_;
  const SheetSites& sheet_;
  std::uint64_t seed_;
};

AgreementSettings settings_of(const LabForecast& forecast, const LabRequest& request) {
  AgreementSettings settings;
  settings.confidence = request.confidence;
  if (const auto* agree = std::get_if<AgreeGoal>(&request.goal)) settings.within = agree->within;
  settings.steps = forecast.steps;
  settings.replicates = kReplicates;
  settings.detectable = false;
  return settings;
}

/// What one experiment told.
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

/// Kept off 0 and 1 by as much as the trials can tell.
double kept_inside(double p, std::int64_t trials) {
  const double least = 0.5 / static_cast<double>(trials + 1);
  return std::clamp(p, least, 1 - least);
}

}  // namespace

LabPower simulate_power(const LabForecast& forecast, const LabRequest& request, std::int64_t trials,
                        std::int64_t experiments, std::uint64_t seed, const SweepControl& control) {
  std::vector<SheetSites> sheets;
  for (const Predictions& model : forecast.models) {
    sheets.push_back(sheet_sites(forecast, model, trials));
  }
  const AgreementSettings settings = settings_of(forecast, request);
  std::vector<LabResult> results(static_cast<std::size_t>(experiments));
  const std::int64_t ended =
      run_trials(experiments, control, [&](std::int64_t index, Workspace&, SimulationResult&) {
        const auto k = static_cast<std::size_t>(index);
        AgreementSettings own = settings;
        own.seed = settings.seed + k;
        const std::size_t m = k % sheets.size();
        const std::vector<PredictedSite> sites =
            LabDraw(forecast, sheets[m], seed).sites(static_cast<std::uint64_t>(index));
        const SessionDraws* draws =
            forecast.design.sessions > 0 ? &forecast.models[m].draws : nullptr;
        results[k] = lab_result(agreement(sites, draws, own), request);
        return results[k].reached ? Outcome::kSuccess : Outcome::kMissed;
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

double approximate_trials(const LabForecast& forecast, const LabRequest& request) {
  const double z = two_sided_z(request.confidence) + two_sided_z(2 * request.power - 1);
  double information = 0.0;  // of a trial, about the change, or about the mean success
  double variance = 0.0;
  for (std::size_t k = 0; k < forecast.design.places.size(); ++k) {
    const SampleCounts& model = forecast.models.front().places[k].counts;
    const SampleCounts& lab = forecast.lab.places[k].counts;
    if (model.trials == 0 || lab.trials == 0) continue;
    const double p = kept_inside(model.probability(), model.trials);
    const double q = kept_inside(lab.probability(), lab.trials);
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

}  // namespace graspmap
