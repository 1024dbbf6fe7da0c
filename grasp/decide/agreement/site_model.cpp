#include "grasp/decide/agreement/site_model.hpp"

#include <algorithm>
#include <cmath>

namespace graspmap {
namespace {

/// Variances of single trials below this are taken as this in weights: few simulated trials cannot
/// tell that an outcome is rarer.
constexpr double kLeastVariance = 0.005;

double slope_of(const ChangedSuccess& changed, double step) {
  const double slope = (changed.high - changed.low) / (2 * step);
  return std::isfinite(slope) ? slope : 0.0;
}

double weight_of(const ChangedSuccess& changed, const SiteModel& model, double slope) {
  if (slope == 0) return 0.0;
  const double p = (changed.low + changed.high + model.pooled) / 3;
  return slope / std::max(p * (1 - p), kLeastVariance);
}

/// Of a session: the variance, over the draws, of the mean score, and the mean variance of it given
/// the draw.
double session_variance(std::span<const PredictedSite> sites, std::size_t session,
                        const SessionDraws& draws, std::span<const double> weights) {
  const std::size_t count = draws.draws();
  double sum = 0.0;
  double squares = 0.0;
  double within = 0.0;
  for (std::size_t j = 0; j < count; ++j) {
    double mean = 0.0;
    for (std::size_t k = 0; k < sites.size(); ++k) {
      if (sites[k].session != session) continue;
      const auto trials = static_cast<double>(sites[k].trials);
      const double p = draws.success[j * draws.places + sites[k].place];
      mean += weights[k] * trials * p;
      within += weights[k] * weights[k] * trials * p * (1 - p);
    }
    sum += mean;
    squares += mean * mean;
  }
  const auto n = static_cast<double>(count);
  return std::max(squares / n - (sum / n) * (sum / n), 0.0) + within / n;
}

}  // namespace

std::vector<SiteModel> site_models(std::span<const PredictedSite> sites, FailedTrials failed) {
  std::vector<SiteModel> models;
  models.reserve(sites.size());
  for (const PredictedSite& site : sites) {
    const SampleCounts counts = decided(site.model, failed);
    SiteModel model;
    model.trials = static_cast<double>(site.trials);
    model.successes = static_cast<double>(site.successes);
    model.simulated = static_cast<double>(counts.trials);
    const auto successes = static_cast<double>(counts.successes);
    model.probability = successes / model.simulated;
    model.smoothed = (successes + 0.5) / (model.simulated + 1);
    model.pooled = (successes + model.successes + 0.5) / (model.simulated + model.trials + 1);
    models.push_back(model);
  }
  return models;
}

std::optional<ScoreWeights> score_weights(std::span<const PredictedSite> sites,
                                          std::span<const SiteModel> models, Change change,
                                          double step) {
  ScoreWeights score;
  score.change = change;
  double trials = 0.0;
  for (std::size_t k = 0; k < sites.size(); ++k) {
    double slope = 1.0;
    double weight = 1.0;
    if (change != Change::kLevel) {
      const ChangedSuccess& changed = sites[k].changed[static_cast<std::size_t>(change)];
      slope = slope_of(changed, step);
      weight = weight_of(changed, models[k], slope);
    }
    score.slopes.push_back(slope);
    score.weights.push_back(weight);
    score.information += weight * models[k].trials * slope;
    score.mean_absolute_slope += models[k].trials * std::abs(slope);
    trials += models[k].trials;
  }
  if (!(score.information > 0)) return std::nullopt;
  score.mean_absolute_slope /= trials;
  return score;
}

std::size_t session_count(std::span<const PredictedSite> sites) {
  std::size_t count = 1;
  for (const PredictedSite& site : sites) count = std::max(count, site.session + 1);
  return count;
}

ScoreVariance score_variance(std::span<const PredictedSite> sites,
                             std::span<const SiteModel> models, const SessionDraws* draws,
                             std::span<const double> weights) {
  ScoreVariance variance;
  for (std::size_t k = 0; k < sites.size(); ++k) {
    const SiteModel& model = models[k];
    const double of_trial =
        weights[k] * weights[k] * model.smoothed * (1 - model.smoothed) * model.trials;
    variance.independent += of_trial;
    variance.model += of_trial * model.trials / model.simulated;
  }
  variance.experiment = variance.independent;
  if (draws == nullptr) return variance;
  const std::size_t sessions = session_count(sites);
  variance.experiment = 0.0;
  for (std::size_t s = 0; s < sessions; ++s) {
    variance.experiment += session_variance(sites, s, *draws, weights);
  }
  // All sessions share the mean of the draws: with s sessions its error counts s times.
  variance.model =
      variance.experiment * static_cast<double>(sessions) / static_cast<double>(draws->draws());
  return variance;
}

}  // namespace graspmap
