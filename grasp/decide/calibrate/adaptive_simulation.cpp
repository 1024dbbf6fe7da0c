#include "grasp/decide/calibrate/adaptive_simulation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "geometry/assert.hpp"
#include "grasp/base/probability/random.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/sweep/trials/sweep.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {
namespace {

constexpr std::uint64_t kChoiceSeed = 32;

/// The sum of exp(values), over exp(highest), which is returned too.
std::pair<double, double> sum_exp(const std::vector<double>& values) {
  const double highest = *std::max_element(values.begin(), values.end());
  double sum = 0;
  for (const double v : values) sum += std::exp(v - highest);
  return {sum, highest};
}

/// The place of the value that u in (0, 1) draws with probability proportional to exp(value).
std::size_t drawn_by_exp(const std::vector<double>& values, double u) {
  const auto [sum, highest] = sum_exp(values);
  double rest = u * sum;
  for (std::size_t k = 0; k + 1 < values.size(); ++k) {
    rest -= std::exp(values[k] - highest);
    if (rest < 0) return k;
  }
  return values.size() - 1;
}

}  // namespace

SessionModel::SessionModel(const SimulatedModel& model, const std::vector<CalibrationCell>& cells)
    : OutcomeModel(cells), model_(model) {
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const std::size_t session = cells[k].experiment.session;
    if (sessions_.size() <= session) sessions_.resize(session + 1);
    sessions_[session].push_back(k);
  }
  update();
}

void SessionModel::update() {
  nodes_.clear();
  const Eigen::ArrayXXd& points = model_.points();
  for (Eigen::Index i = 0; i < points.rows(); ++i) {
    std::vector<Distribution> constants;
    for (Eigen::Index d = 0; d < points.cols(); ++d) {
      constants.emplace_back(Fixed{points(i, d)});
    }
    Node node;
    node.cells = model_.predict_under(constants);
    for (const std::vector<std::size_t>& session : sessions_) {
      double& sum = node.log_likelihood.emplace_back(0.0);
      for (const std::size_t k : session) sum += OutcomeModel::log_likelihood(k, node.cells[k]);
    }
    nodes_.push_back(std::move(node));
  }
}

std::vector<double> SessionModel::terms(const PointWeights& weights, std::size_t session) const {
  constexpr float kLeast = 1e-9F;  // for the few weights that the calibration made negative
  std::vector<double> terms;
  for (std::size_t i = 0; i < weights.points.size(); ++i) {
    const float w = std::max(weights.values(static_cast<Eigen::Index>(i)), kLeast);
    const auto node = static_cast<std::size_t>(weights.points[i]);
    terms.push_back(std::log(static_cast<double>(w)) + nodes_[node].log_likelihood[session]);
  }
  return terms;
}

double SessionModel::log_likelihood(std::span<const double> point) const {
  constexpr double kImpossible = -1e6;
  const PointWeights weights = model_.weights(point);
  if (weights.points.empty()) return kImpossible;
  const double all = static_cast<double>(weights.values.cwiseMax(0.F).sum());
  double sum = 0;
  for (std::size_t s = 0; s < sessions_.size(); ++s) {
    const auto [session_sum, highest] = sum_exp(terms(weights, s));
    sum += highest + std::log(session_sum) - std::log(all);
  }
  return sum;
}

std::vector<CellPrediction> SessionModel::predict(std::span<const double> point) const {
  const PointWeights weights = model_.weights(point);
  std::vector<CellPrediction> cells = model_.predict(point);
  if (weights.points.empty()) return cells;
  const auto number = static_cast<std::uint32_t>(1e9 * point.front());
  for (std::size_t s = 0; s < sessions_.size(); ++s) {
    const std::size_t chosen =
        drawn_by_exp(terms(weights, s), uniform_open(kChoiceSeed, s, number));
    const Node& node = nodes_[static_cast<std::size_t>(weights.points[chosen])];
    for (const std::size_t k : sessions_[s]) cells[k] = node.cells[k];
  }
  return cells;
}

namespace {

constexpr Eigen::Index kEnoughPoints = 60;  ///< that come out alike before a cell is settled
constexpr double kLeastEffectivePoints = 80;
constexpr double kLeastNearPoints = 15;    ///< the same where nodes have the nearest of them
constexpr Eigen::Index kMostPoints = 800;  ///< of a cell in a round

constexpr std::size_t kProducts = 61;  ///< of a round
constexpr std::uint64_t kFirstRoundSeed = 33;

/// Distributions at some of the draws, with the model's bandwidths as noise.
ProposalRound round_from(const PosteriorDraws& draws, const Unknowns& unknowns,
                         const std::vector<double>& bandwidths) {
  ProposalRound round;
  round.noise = bandwidths;
  const std::size_t step = std::max<std::size_t>(1, draws.points.size() / kProducts);
  for (std::size_t i = 0; i < draws.points.size(); i += step) {
    round.distributions.push_back(unknowns.distributions(draws.points[i]));
  }
  return round;
}

/// Over all that the prior allows, with a fiftieth of it as noise.
ProposalRound first_round(const Unknowns& unknowns) {
  ProposalRound round;
  for (std::uint64_t i = 0; i < kProducts; ++i) {
    round.distributions.push_back(
        unknowns.prior_distributions(unknowns.prior_point(kFirstRoundSeed, i)));
  }
  for (std::size_t d = 0; d < round.distributions.front().size(); ++d) {
    Interval all = round.distributions.front()[d].range();
    for (const std::vector<Distribution>& distributions : round.distributions) {
      all = {std::min(all.low, distributions[d].range().low),
             std::max(all.high, distributions[d].range().high)};
    }
    round.noise.push_back(0.02 * (all.high - all.low));
  }
  return round;
}

}  // namespace

AdaptiveSimulation simulate_adaptively(const std::vector<CalibrationCell>& cells,
                                       const Unknowns& unknowns, const NoiseDistributions& noise,
                                       const TrialSimulator& simulate,
                                       const AdaptiveSettings& settings) {
  GRASPMAP_CHECK(!cells.empty() && settings.most_rounds > 0);
  const Nuisances& n = unknowns.nuisances();
  const bool has_nuisances = n.offset || n.noise || n.support || n.size || !n.numbers.empty();
  const std::int64_t trials = settings.round_trials > 0 ? settings.round_trials
                              : has_nuisances           ? 90000
                                                        : 36000;
  const auto points = std::clamp<Eigen::Index>(trials / static_cast<std::int64_t>(cells.size()),
                                               kEnoughPoints, kMostPoints);
  // Cells of different groups have different points, so that what the points leave to chance
  // averages out over the cells; some 800 in all are enough.
  const auto groups = static_cast<int>(std::lround(800.0 / static_cast<double>(points)));
  AdaptiveSimulation result;
  result.trials_model = std::make_unique<SimulatedModel>(
      cells, unknowns, std::clamp(groups, 1, std::min(8, static_cast<int>(cells.size()))), noise);
  SimulatedModel& model = *result.trials_model;
  result.trials = model.add_round(first_round(unknowns), points, kEnoughPoints, simulate);
  if (settings.in_sessions) {
    result.sessions_model = std::make_unique<SessionModel>(model, cells);
  }
  if (n.discrepancy) {
    result.with_discrepancy = std::make_unique<DiscrepancyModel>(model, cells);
  }
  const auto likelihood = [&](std::span<const double> point) {
    return result.model().log_likelihood(point);
  };
  for (result.rounds = 1; result.rounds < settings.most_rounds; ++result.rounds) {
    SamplerSettings sampler{.draws = settings.draws, .moves = 3, .for_each = settings.for_each};
    sampler.seed = static_cast<std::uint64_t>(100 + result.rounds);
    sampler.power = result.rounds == 1 ? 0.3 : 0.5;  // of the likelihood
    const PosteriorDraws draws = sample_posterior(unknowns.dimension(), likelihood, sampler);
    const std::vector<double> before = model.spreads();
    // The first round is over all of the prior: cells may be settled from the second one on.
    const Eigen::Index enough = result.rounds == 1 ? kMostPoints + 1 : kEnoughPoints;
    result.trials +=
        model.add_round(round_from(draws, unknowns, model.bandwidths()), points, enough, simulate);
    const std::size_t few = std::min<std::size_t>(30, draws.points.size());
    model.widen(std::span(draws.points).last(few),
                model.has_nodes() ? kLeastNearPoints : kLeastEffectivePoints);
    if (result.sessions_model) result.sessions_model->update();
    bool has_shrunk = false;
    for (std::size_t d = 0; d < before.size(); ++d) {
      has_shrunk |= model.spreads()[d] < 0.75 * before[d];
    }
    if (result.rounds >= 3 && !has_shrunk) {
      ++result.rounds;
      break;
    }
  }
  return result;
}

namespace {

constexpr std::uint64_t kUncertainSeed = 13;

/// Uncertain numbers have the distributions of the configuration; what is sought scales the part
/// that they make.
Outcome simulate_one(const SweepConfig& config, const CalibrationTrial& trial, Workspace& workspace,
                     SimulationResult& result) {
  TrialParameters parameters;
  parameters.placement_x_mm = trial.x_mm;
  parameters.placement_y_mm = trial.y_mm;
  parameters.theta_rad = trial.theta_rad;
  parameters.mu_jaw = trial.mu_jaw;
  parameters.mu_support = trial.mu_support;
  std::vector<double> uncertain = sample_uncertain(config, kUncertainSeed, trial.index);
  for (const auto& [place, value] : trial.numbers) uncertain[place] = value;
  if (trial.size == 1 && trial.support_scale == 1) {
    return run_trial(config, parameters, uncertain, workspace, result).outcome;
  }
  SweepConfig other = config;
  DrawnScenario drawn;
  static_cast<Scenario&>(other.scenario) = scenario_of(config, uncertain, drawn);
  if (trial.size != 1) {
    static_cast<Scenario&>(other.scenario) = with_part_scaled(other.scenario, trial.size);
  }
  if (auto* e = std::get_if<EllipsoidSupport>(&other.scenario.support)) {
    e->e_r_mm *= trial.support_scale;
  } else if (auto* t = std::get_if<TripodSupport>(&other.scenario.support)) {
    t->radius_mm *= trial.support_scale;
  }
  return run_trial(other, parameters, workspace, result).outcome;
}

}  // namespace

double support_radius_mm(const Scenario& scenario) {
  if (const auto* e = std::get_if<EllipsoidSupport>(&scenario.support)) return e->e_r_mm;
  if (const auto* t = std::get_if<TripodSupport>(&scenario.support)) return t->radius_mm;
  return 0;
}

const char* support_radius_name(const Scenario& scenario) {
  return std::holds_alternative<TripodSupport>(scenario.support) ? "radius" : "e_r";
}

TrialSimulator simulator_of(const SweepConfig& config, int threads, const ShowTrials& show) {
  return [&config, threads, show](std::span<const CalibrationTrial> trials) {
    std::vector<Outcome> outcomes(trials.size(), Outcome::kFailed);
    TrialCounters counters;
    const auto count = static_cast<std::int64_t>(trials.size());
    const auto progress = shown(show, counters, count);
    run_trials(count, {threads, stop_flag(), &counters},
               [&](std::int64_t index, Workspace& workspace, SimulationResult& result) {
                 const auto k = static_cast<std::size_t>(index);
                 return outcomes[k] = simulate_one(config, trials[k], workspace, result);
               });
    check_stop();
    return outcomes;
  };
}

ForEachIndex on_all_threads(int threads) {
  return [threads](std::size_t count, const std::function<void(std::size_t)>& work) {
    run_trials(static_cast<std::int64_t>(count), {threads, stop_flag()},
               [&](std::int64_t index, Workspace&, SimulationResult&) {
                 work(static_cast<std::size_t>(index));
                 return Outcome::kSuccess;
               });
    check_stop();
  };
}

}  // namespace graspmap
