#include "grasp/decide/calibrate/friction_calibration.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "geometry/assert.hpp"
#include "grasp/base/probability/random.hpp"
#include "grasp/base/process/stop.hpp"

namespace graspmap {
namespace {

constexpr std::uint64_t kPriorSeed = 2;
constexpr std::uint64_t kSplitSeed = 4;

/// Two for each split of the stored trials.
constexpr int kHalves = 10;

/// Draws of the posterior from which predictions are made.
constexpr std::size_t kMostPredictions = 400;

// ---- The posterior from stored trials ----

/// One of the two halves into which split `split` divides the stored trials.
std::vector<StoredTrial> half(const std::vector<StoredTrial>& trials, int split, bool first) {
  std::vector<StoredTrial> chosen;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const bool in_first = uniform_open(kSplitSeed, i, static_cast<std::uint32_t>(split)) < 0.5;
    if (in_first == first) chosen.push_back(trials[i]);
  }
  return chosen;
}

void append(PosteriorDraws& all, const PosteriorDraws& more) {
  all.dimension = more.dimension;
  all.points.insert(all.points.end(), more.points.begin(), more.points.end());
  all.log_likelihood.insert(all.log_likelihood.end(), more.log_likelihood.begin(),
                            more.log_likelihood.end());
  all.effective_draws += more.effective_draws;
  all.log_evidence += more.log_evidence / kHalves;
  all.temperatures = std::max(all.temperatures, more.temperatures);
}

PosteriorDraws posterior_of(const OutcomeModel& model, int dimension,
                            const SamplerSettings& settings) {
  const auto likelihood = [&](std::span<const double> point) {
    check_stop();
    return model.log_likelihood(point);
  };
  return sample_posterior(dimension, likelihood, settings);
}

/// The posteriors that halves of the stored trials give, mixed: an emulator of half of the trials
/// differs from that of all as much as the latter differs from the truth, so that the mixture is as
/// much wider as the noise of the stored trials asks for.
PosteriorDraws bagged_posterior(const CalibrationData& data, const Unknowns& unknowns,
                                const KernelWidths& widths, SamplerSettings settings) {
  PosteriorDraws all;
  settings.draws /= kHalves;
  for (int k = 0; k < kHalves; ++k) {
    const std::vector<StoredTrial> trials = half(data.trials, k / 2, k % 2 == 0);
    const StoredModel model(data, trials, unknowns, widths);
    append(all, posterior_of(model, unknowns.dimension(), settings));
    ++settings.seed;
  }
  return all;
}

// ---- What was learned ----

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double sd_of(const std::vector<double>& values) {
  const double mean = mean_of(values);
  double sum = 0;
  for (const double v : values) sum += (v - mean) * (v - mean);
  return std::sqrt(sum / static_cast<double>(values.size()));
}

/// The quantile of values by linear interpolation of their order.
double quantile_of(std::vector<double> values, double u) {
  std::sort(values.begin(), values.end());
  const double at = u * static_cast<double>(values.size() - 1);
  const auto k = static_cast<std::size_t>(at);
  if (k + 1 == values.size()) return values[k];
  return values[k] + (at - static_cast<double>(k)) * (values[k + 1] - values[k]);
}

std::vector<double> column(const std::vector<std::vector<double>>& rows, std::size_t k) {
  std::vector<double> values;
  values.reserve(rows.size());
  for (const auto& row : rows) values.push_back(row[k]);
  return values;
}

Learned learned_from(const Unknown& unknown, std::vector<double> draws, std::vector<double> prior,
                     double confidence) {
  Learned learned;
  static_cast<Unknown&>(learned) = unknown;
  learned.mean = mean_of(draws);
  learned.sd = sd_of(draws);
  learned.median = quantile_of(draws, 0.5);
  learned.prior_sd = sd_of(prior);
  const ShortestInterval shortest = shortest_interval(draws, confidence, unknown.low, unknown.high);
  learned.interval = shortest.interval;
  learned.touches_low = shortest.touches_low && !unknown.low_is_physical;
  learned.touches_high = shortest.touches_high;
  if (learned.is_unknown()) learned.interval = {unknown.low, unknown.high};
  learned.draws = std::move(draws);
  learned.prior_draws = std::move(prior);
  return learned;
}

void add_learned(Calibration& result, const Unknowns& unknowns, double confidence) {
  constexpr std::uint64_t kPriorDraws = 4000;
  std::vector<std::vector<double>> rows;  // the reported numbers at each draw
  for (const auto& point : result.posterior.points) rows.push_back(unknowns.values(point));
  std::vector<std::vector<double>> prior;
  for (std::uint64_t i = 0; i < kPriorDraws; ++i) {
    prior.push_back(unknowns.values(unknowns.prior_point(kPriorSeed, i)));
  }
  for (std::size_t k = 0; k < unknowns.reported().size(); ++k) {
    result.learned.push_back(
        learned_from(unknowns.reported()[k], column(rows, k), column(prior, k), confidence));
  }
}

double correlation(const Learned& a, const Learned& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.draws.size(); ++i) {
    sum += (a.draws[i] - a.mean) * (b.draws[i] - b.mean);
  }
  const double scale = a.sd * b.sd * static_cast<double>(a.draws.size());
  return scale > 0 ? sum / scale : 0.0;
}

void add_correlations(Calibration& result) {
  for (const Learned& a : result.learned) {
    if (!a.is_parameter) continue;
    result.correlations.emplace_back();
    for (const Learned& b : result.learned) {
      if (b.is_parameter) result.correlations.back().push_back(correlation(a, b));
    }
  }
}

/// The distribution with the posterior means of the parameters of a coefficient.
Distribution mean_distribution(const Calibration& result, const FrictionRange& range) {
  if (range.is_fixed()) return Fixed{range.low};
  const auto mean = [&](const char* name) { return find_learned(result, range.key + name).mean; };
  if (result.family == FrictionFamily::kUniform) return Uniform{mean(".min"), mean(".max")};
  const Interval bounds = distribution_at(result.family, range, 0.5, 0.5).range();
  return TruncatedNormal{mean(".mean"), mean(".sigma"), bounds.low, bounds.high};
}

// ---- Whether it fits ----

/// The points of the posterior from which predictions are made.
std::vector<std::vector<double>> some_points(const PosteriorDraws& posterior) {
  const std::size_t step = std::max<std::size_t>(1, posterior.points.size() / kMostPredictions);
  std::vector<std::vector<double>> points;
  for (std::size_t i = 0; i < posterior.points.size(); i += step) {
    points.push_back(posterior.points[i]);
  }
  return points;
}

void add_predictions(Calibration& result, const std::vector<CalibrationCell>& cells,
                     const OutcomeModel& model, double confidence) {
  std::vector<std::vector<CellPrediction>> predictions;
  for (const auto& point : some_points(result.posterior)) {
    check_stop();
    predictions.push_back(model.predict(point));
  }
  result.fit = check_fit(cells, predictions);
  for (std::size_t k = 0; k < cells.size(); ++k) {
    std::vector<double> p;
    for (const auto& prediction : predictions) p.push_back(prediction[k].probability);
    result.predicted.push_back(
        {mean_of(p), {quantile_of(p, (1 - confidence) / 2), quantile_of(p, (1 + confidence) / 2)}});
  }
}

void add_discrepancy(Calibration& result, const DiscrepancyModel& model) {
  const auto points = some_points(result.posterior);
  for (const auto& point : points) {
    const Eigen::VectorXd field = model.field(point);
    for (std::size_t k = 0; k < result.predicted.size(); ++k) {
      result.predicted[k].discrepancy +=
          field(static_cast<Eigen::Index>(k)) / static_cast<double>(points.size());
    }
  }
}

void summarise(Calibration& result, const std::vector<CalibrationCell>& cells,
               const OutcomeModel& model, const Unknowns& unknowns, double confidence) {
  result.family = unknowns.family();
  add_learned(result, unknowns, confidence);
  add_correlations(result);
  for (std::size_t input = 0; input < 2; ++input) {
    result.mean_distributions[input] = mean_distribution(result, unknowns.ranges()[input]);
  }
  add_predictions(result, cells, model, confidence);
}

}  // namespace

const Learned& find_learned(const Calibration& calibration, const std::string& name) {
  for (const Learned& learned : calibration.learned) {
    if (learned.name == name) return learned;
  }
  throw std::logic_error("no " + name);
}

Calibration calibrate_friction(const CalibrationData& data, FrictionFamily family,
                               double confidence, const SamplerSettings& settings) {
  GRASPMAP_CHECK(!data.cells.empty() && 0 < confidence && confidence < 1);
  const Unknowns unknowns(family, data.ranges);
  const StoredModel model(data, data.trials, unknowns);
  Calibration result;
  result.kernel = model.widths();
  result.posterior = bagged_posterior(data, unknowns, result.kernel, settings);
  summarise(result, data.cells, model, unknowns, confidence);
  std::vector<double> effective;
  for (const auto& point : some_points(result.posterior)) {
    const double efficiency = model.efficiency(point);
    for (const CalibrationCell& cell : data.cells) {
      effective.push_back(static_cast<double>(cell.stored_trials) * efficiency);
    }
  }
  result.median_effective_trials = quantile_of(effective, 0.5);
  return result;
}

Calibration calibrate_by_simulation(const std::vector<CalibrationCell>& cells,
                                    const Unknowns& unknowns, const NoiseDistributions& noise,
                                    const TrialSimulator& simulate, double confidence,
                                    const AdaptiveSettings& adaptive,
                                    const SamplerSettings& settings) {
  const AdaptiveSimulation simulation =
      simulate_adaptively(cells, unknowns, noise, simulate, adaptive);
  const OutcomeModel& model = simulation.model();
  Calibration result;
  result.source = PredictionSource::kSimulated;
  result.rounds = simulation.rounds;
  result.simulated_trials = simulation.trials;
  SamplerSettings sampler = settings;
  sampler.for_each = adaptive.for_each;
  result.posterior = posterior_of(model, unknowns.dimension(), sampler);
  summarise(result, cells, model, unknowns, confidence);
  if (simulation.with_discrepancy) add_discrepancy(result, *simulation.with_discrepancy);
  std::vector<double> effective;
  for (const auto& point : some_points(result.posterior)) {
    effective.push_back(simulation.trials_model->effective_points(point));
  }
  result.median_effective_trials = quantile_of(effective, 0.5);
  return result;
}

namespace {

/// How many ascending values lie in [from, to].
double count_between(const std::vector<double>& sorted, double from, double to) {
  return static_cast<double>(std::upper_bound(sorted.begin(), sorted.end(), to) -
                             std::lower_bound(sorted.begin(), sorted.end(), from));
}

/// Where the shortest run of `inside` successive values begins.
std::size_t shortest_run(const std::vector<double>& sorted, std::size_t inside) {
  std::size_t best = 0;
  for (std::size_t k = 0; k + inside <= sorted.size(); ++k) {
    if (sorted[k + inside - 1] - sorted[k] < sorted[best + inside - 1] - sorted[best]) best = k;
  }
  return best;
}

}  // namespace

ShortestInterval shortest_interval(std::vector<double> draws, double share, double low,
                                   double high) {
  GRASPMAP_CHECK(!draws.empty() && low <= high);
  std::sort(draws.begin(), draws.end());
  const auto n = static_cast<double>(draws.size());
  const std::size_t inside =
      std::clamp<std::size_t>(static_cast<std::size_t>(std::ceil(share * n)), 1, draws.size());
  const std::size_t begin = shortest_run(draws, inside);
  ShortestInterval result{{draws[begin], draws[begin + inside - 1]}, false, false};
  const double reach = (draws.back() - draws.front()) / 20;
  if (!(reach > 0)) return result;
  // The density that an interval's ends have is that of the draws left out, about.
  const double left_out = (1 - share) * n;
  const auto is_dense = [&](double from, double to) {
    return count_between(draws, from, to) > 0.3 * left_out;
  };
  if (draws.front() - low < reach && is_dense(low, low + reach)) {
    const std::size_t end = inside - 1;
    result.touches_low = true;
    if (result.interval.low - low < reach) {
      result.interval = {low, std::max(draws[end], low)};
    } else {
      result.interval.low = low;
    }
  }
  if (high - draws.back() < reach && is_dense(high - reach, high)) {
    result.touches_high = true;
    if (high - result.interval.high < reach && !result.touches_low) {
      result.interval = {draws[draws.size() - inside], high};
    } else {
      result.interval.high = high;
    }
  }
  return result;
}

}  // namespace graspmap
