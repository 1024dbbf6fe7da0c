#include "grasp/decide/calibrate/adaptive_simulation.hpp"

#include <algorithm>
#include <cmath>

#include "grasp/decide/calibrate/session_model.hpp"

namespace graspmap {
namespace {

constexpr Eigen::Index kEnoughPoints = 60;  ///< that come out alike before a cell is settled
constexpr double kLeastEffectivePoints = 80;
constexpr Eigen::Index kMostPoints = 800;  ///< of a cell in a round

/// The likelihood's power for the draws that begin round `round`, from 1 on.
double power_of(int round) { return round == 1 ? 0.3 : 0.5; }

bool has_nuisances(const Unknowns& unknowns) {
  const Nuisances& n = unknowns.nuisances();
  return n.offset || n.noise || n.support || n.size || !n.numbers.empty();
}

std::int64_t round_trials(const AdaptiveSettings& settings, const Unknowns& unknowns) {
  if (settings.round_trials > 0) return settings.round_trials;
  return has_nuisances(unknowns) ? 90000 : 36000;
}

/// The points of a cell in a round.
Eigen::Index points_of(std::int64_t trials, std::size_t cells) {
  const auto each = static_cast<Eigen::Index>(
      trials / static_cast<std::int64_t>(std::max<std::size_t>(cells, 1)));
  return std::clamp(each, kEnoughPoints, kMostPoints);
}

/// Cells of different groups have different points, so that what the points leave to chance
/// averages out over the cells; some 800 in all are enough.
int groups_of(Eigen::Index points, std::size_t cells) {
  const auto wanted = static_cast<int>(std::lround(800.0 / static_cast<double>(points)));
  return std::clamp(wanted, 1, std::min(8, static_cast<int>(cells)));
}

/// Laws at some of the draws, with the model's bandwidths as noise.
ProposalRound round_from(const PosteriorDraws& draws, const Unknowns& unknowns,
                         const std::vector<double>& bandwidths) {
  constexpr std::size_t kLaws = 61;
  ProposalRound round;
  round.noise = bandwidths;
  const std::size_t step = std::max<std::size_t>(1, draws.points.size() / kLaws);
  for (std::size_t i = 0; i < draws.points.size(); i += step) {
    round.laws.push_back(unknowns.laws(draws.points[i]));
  }
  return round;
}

ProposalRound first_round(const Unknowns& unknowns) {
  ProposalRound round;
  round.laws = {unknowns.prior_laws()};
  for (const Distribution& law : round.laws.front()) {
    round.noise.push_back(0.02 * (law.max - law.min));
  }
  return round;
}

/// Whether no spread shrank by a quarter.
bool is_settled(const std::vector<double>& before, const std::vector<double>& now) {
  for (std::size_t k = 0; k < now.size(); ++k) {
    if (now[k] < 0.75 * before[k]) return false;
  }
  return true;
}

}  // namespace

AdaptiveSimulation simulate_adaptively(const std::vector<CalibrationCell>& cells,
                                       const Unknowns& unknowns, const PlacementNoiseLaws& noise,
                                       const TrialSimulator& simulate,
                                       const AdaptiveSettings& settings) {
  const std::int64_t trials = round_trials(settings, unknowns);
  const Eigen::Index points = points_of(trials, cells.size());
  AdaptiveSimulation result;
  result.trials_model =
      std::make_unique<SimulatedModel>(cells, unknowns, groups_of(points, cells.size()), noise);
  SimulatedModel& model = *result.trials_model;
  result.trials = model.add_round(first_round(unknowns), points, kEnoughPoints, simulate);
  if (settings.in_sessions) {
    result.sessions_model = std::make_unique<SessionModel>(model, cells);
  }
  if (unknowns.nuisances().discrepancy) {
    result.with_discrepancy = std::make_unique<DiscrepancyModel>(model, cells);
  }
  const auto likelihood = [&](std::span<const double> point) {
    return result.model().log_likelihood(point);
  };
  for (result.rounds = 1; result.rounds < settings.most_rounds; ++result.rounds) {
    SamplerSettings sampler{.draws = settings.draws, .moves = 3, .for_each = settings.for_each};
    sampler.seed = static_cast<std::uint64_t>(100 + result.rounds);
    sampler.power = power_of(result.rounds);
    const PosteriorDraws draws = sample_posterior(unknowns.dimension(), likelihood, sampler);
    const std::vector<double> before = model.spreads();
    // The first round is over all of the prior: cells may be settled from the second one on.
    const Eigen::Index enough = result.rounds == 1 ? kMostPoints + 1 : kEnoughPoints;
    result.trials +=
        model.add_round(round_from(draws, unknowns, model.bandwidths()), points, enough, simulate);
    const std::size_t few = std::min<std::size_t>(30, draws.points.size());
    model.widen(std::span(draws.points).last(few), kLeastEffectivePoints);
    if (result.sessions_model) result.sessions_model->update();
    if (result.rounds >= 3 && is_settled(before, model.spreads())) {
      ++result.rounds;
      break;
    }
  }
  return result;
}

}  // namespace graspmap
