#include "grasp/decide/calibrate/simulated_model.hpp"

#include <algorithm>
#include <cmath>

#include "grasp/base/probability/random.hpp"

namespace graspmap {
namespace {

constexpr std::uint64_t kDesignSeed = 11;
constexpr std::uint64_t kPlacementSeed = 12;

float outcome_value(Outcome outcome) {
  if (outcome == Outcome::kFailed) return 0.5F;
  return outcome == Outcome::kSuccess ? 1.0F : 0.0F;
}

double at(const InputValues& inputs, SoughtInput input) {
  return inputs.common[static_cast<std::size_t>(input)];
}

}  // namespace

SimulatedModel::SimulatedModel(const std::vector<CalibrationCell>& cells, const Unknowns& unknowns,
                               int groups, const PlacementNoiseLaws& noise)
    : cells_(cells), unknowns_(unknowns), noise_(noise) {
  const auto inputs = static_cast<Eigen::Index>(unknowns.inputs().size());
  std::size_t number = 0;
  for (const SoughtInput input : unknowns.inputs()) {
    non_negative_.push_back(input == SoughtInput::kNumber
                                ? unknowns.nuisances().numbers[number++].least >= 0
                                : input != SoughtInput::kOffsetX &&
                                      input != SoughtInput::kOffsetY &&
                                      input != SoughtInput::kOffsetTheta);
  }
  groups_.resize(static_cast<std::size_t>(groups));
  for (std::size_t k = 0; k < cells.size(); ++k) groups_[k % groups_.size()].cells.push_back(k);
  std::erase_if(groups_, [](const Group& group) { return group.cells.empty(); });
  for (Group& group : groups_) {
    group.points.resize(0, inputs);
    group.outcomes.resize(static_cast<Eigen::Index>(group.cells.size()), 0);
  }
}

/// Alike in the points of the last round.
bool SimulatedModel::is_settled(const Group& group, std::size_t row, Eigen::Index enough) const {
  if (round_points_.empty()) return false;
  const auto last = static_cast<Eigen::Index>(round_points_.back());
  if (last < enough) return false;
  const auto values = group.outcomes.row(static_cast<Eigen::Index>(row)).tail(last);
  return values.maxCoeff() == values.minCoeff() && values(0) != 0.5F;
}

CalibrationTrial SimulatedModel::trial(std::size_t cell, const InputValues& inputs,
                                       std::uint64_t index) const {
  const CalibrationCell& c = cells_[cell];
  const ExperimentCell& e = c.experiment;
  const auto inside = [&](double low, double high, std::uint32_t k) {
    return low < high ? low + (high - low) * uniform_open(kPlacementSeed, index, k) : low;
  };
  const auto noise = [&](std::size_t k) {
    return quantile(noise_[k],
                    uniform_open(kPlacementSeed, index, 3 + static_cast<std::uint32_t>(k)));
  };
  CalibrationTrial trial;
  trial.x_mm = inside(e.x_min_mm, e.x_max_mm, 0) + at(inputs, SoughtInput::kOffsetX) + noise(0);
  trial.y_mm = inside(e.y_min_mm, e.y_max_mm, 1) + at(inputs, SoughtInput::kOffsetY) + noise(1);
  trial.theta_rad = inside(c.theta_min_rad, c.theta_max_rad, 2) +
                    at(inputs, SoughtInput::kOffsetTheta) + noise(2);
  trial.mu_jaw = at(inputs, SoughtInput::kMuJaw);
  trial.mu_support = at(inputs, SoughtInput::kMuSupport);
  trial.support_scale = at(inputs, SoughtInput::kSupportScale);
  trial.size = at(inputs, SoughtInput::kSize);
  for (std::size_t k = 0; k < inputs.numbers.size(); ++k) {
    const SoughtNumber& number = unknowns_.nuisances().numbers[k];
    trial.numbers.push_back(
        {number.place, std::clamp(inputs.numbers[k], number.least, number.most)});
  }
  trial.index = index;
  return trial;
}

std::int64_t SimulatedModel::add_round(const ProposalRound& round, Eigen::Index points,
                                       Eigen::Index enough, const TrialSimulator& simulate) {
  const std::uint64_t seed = kDesignSeed + 1000 * rounds_.size();
  std::vector<CalibrationTrial> trials;
  std::vector<float*> targets;  // of the trials
  std::vector<Eigen::ArrayXXd> drawn;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    Group& group = groups_[g];
    drawn.push_back(
        draw_points(round, non_negative_, static_cast<Eigen::Index>(g) * points, points, seed));
    std::vector<bool> settled;
    for (std::size_t row = 0; row < group.cells.size(); ++row) {
      settled.push_back(is_settled(group, row, enough));
    }
    const Eigen::Index before = group.outcomes.cols();
    group.outcomes.conservativeResize(Eigen::NoChange, before + points);
    for (std::size_t row = 0; row < group.cells.size(); ++row) {
      const auto r = static_cast<Eigen::Index>(row);
      if (settled[row]) {
        group.outcomes.row(r).tail(points).setConstant(group.outcomes(r, before - 1));
        continue;
      }
      for (Eigen::Index i = 0; i < points; ++i) {
        std::vector<double> values;
        for (Eigen::Index d = 0; d < drawn[g].cols(); ++d) values.push_back(drawn[g](i, d));
        // Each cell has random numbers of its own for where in it, and for the robot's noise.
        const std::uint64_t index = (static_cast<std::uint64_t>(group.cells[row]) << 24U) +
                                    static_cast<std::uint64_t>(before + i);
        trials.push_back(trial(group.cells[row], unknowns_.with(values), index));
        targets.push_back(&group.outcomes(r, before + i));
      }
    }
  }
  const std::vector<Outcome> outcomes = simulate(trials);
  for (std::size_t k = 0; k < outcomes.size(); ++k) *targets[k] = outcome_value(outcomes[k]);
  Eigen::ArrayXXd all(0, groups_.front().points.cols());
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    Eigen::ArrayXXd& kept = groups_[g].points;
    kept.conservativeResize(kept.rows() + points, Eigen::NoChange);
    kept.bottomRows(points) = drawn[g];
    all.conservativeResize(all.rows() + points, Eigen::NoChange);
    all.bottomRows(points) = drawn[g];
  }
  rounds_.push_back(round);
  round_points_.push_back(static_cast<double>(points));
  set_bandwidths(all);
  set_densities();
  return static_cast<std::int64_t>(trials.size());
}

/// Silverman's (1986) rule for the points of the last round: its laws and their noise together.
void SimulatedModel::set_bandwidths(const Eigen::ArrayXXd& points) {
  const auto n = static_cast<double>(points.rows());
  const auto d = static_cast<double>(points.cols());
  const double factor = std::pow(4 / ((d + 2) * n), 1 / (d + 4));
  spreads_.clear();
  bandwidths_.clear();
  for (Eigen::Index k = 0; k < points.cols(); ++k) {
    const Eigen::ArrayXd z = points.col(k);
    spreads_.push_back(std::sqrt((z - z.mean()).square().mean()));
    bandwidths_.push_back(factor * spreads_.back());
  }
}

void SimulatedModel::set_densities() {
  double sum = 0;
  for (const double n : round_points_) sum += n;
  std::vector<double> shares;
  for (const double n : round_points_) shares.push_back(n / sum);
  for (Group& group : groups_) {
    group.design = {group.points, mixture_density(rounds_, shares, non_negative_, group.points)};
  }
}

void SimulatedModel::widen(std::span<const std::vector<double>> points, double least) {
  constexpr double kStep = 1.2;
  for (double factor = kStep; factor < 4; factor *= kStep) {
    std::vector<double> effective;
    for (const auto& point : points) effective.push_back(effective_points(point));
    const auto middle = effective.begin() + static_cast<std::ptrdiff_t>(effective.size() / 2);
    std::nth_element(effective.begin(), middle, effective.end());
    if (*middle >= least) return;
    for (double& bandwidth : bandwidths_) bandwidth *= kStep;
  }
}

std::vector<CellPrediction> SimulatedModel::predict(std::span<const double> point) const {
  return predict_under(unknowns_.laws(point));
}

std::vector<CellPrediction> SimulatedModel::predict_under(
    std::span<const Distribution> laws) const {
  std::vector<CellPrediction> cells(cells_.size());
  for (const Group& group : groups_) {
    const PointWeights weights = weights_for(group.design, laws, bandwidths_);
    Eigen::VectorXf p = Eigen::VectorXf::Zero(group.outcomes.rows());
    for (std::size_t i = 0; i < weights.points.size(); ++i) {
      p += weights.values(static_cast<Eigen::Index>(i)) * group.outcomes.col(weights.points[i]);
    }
    const double n = weights.effective_points;
    for (std::size_t row = 0; row < group.cells.size(); ++row) {
      const double value =
          std::clamp(static_cast<double>(p(static_cast<Eigen::Index>(row))), 0., 1.);
      // Half a success and half a failure more: nothing is certain.
      cells[group.cells[row]] = {(value * n + 0.5) / (n + 1), n + 1};
    }
  }
  return cells;
}

double SimulatedModel::effective_points(std::span<const double> point) const {
  const std::vector<Distribution> laws = unknowns_.laws(point);
  double least = std::numeric_limits<double>::infinity();
  for (const Group& group : groups_) {
    least = std::min(least, weights_for(group.design, laws, bandwidths_).effective_points);
  }
  return least;
}

}  // namespace graspmap
