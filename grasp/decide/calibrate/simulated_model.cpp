#include "grasp/decide/calibrate/simulated_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "geometry/assert.hpp"
#include "grasp/base/algebra/dense.hpp"
#include "grasp/base/probability/random.hpp"
#include "grasp/decide/calibrate/unknowns.hpp"

namespace graspmap {
namespace {

constexpr std::array<std::uint64_t, 12> kPrimes = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
constexpr std::uint32_t kShiftDraw = 1000;  // of the numbers of an index, beyond those of points
constexpr double kLogisticSd =
    1.8137993642342178;  // pi / sqrt(3): of the standard logistic distribution

double logistic_quantile(double u) { return std::log(u / (1 - u)) / kLogisticSd; }

/// A draw of a distribution plus noise. `even` has the better spread and goes to the wider of the
/// two.
double draw(const Distribution& distribution, double noise, double even, double other) {
  if (const auto* uniform = distribution.as<Uniform>()) {
    const bool is_wide = uniform->max - uniform->min > noise;
    return distribution.quantile(is_wide ? even : other) +
           noise * logistic_quantile(is_wide ? other : even);
  }
  return blurred(distribution, noise).quantile(even);
}

/// Multiplies weights by what smoothed_density is at all points, up to a factor that is the same at
/// all of them.
void multiply_kernel(const Distribution& distribution, double bandwidth,
                     const Eigen::Ref<const Eigen::ArrayXf>& z, Eigen::ArrayXf& weights) {
  if (const auto* uniform = distribution.as<Uniform>()) {
    const double h = bandwidth / kLogisticSd;
    const double d = (uniform->max - uniform->min) / (2 * h);
    const auto c = static_cast<float>(std::exp(-2 * d));
    const auto mean = static_cast<float>((uniform->min + uniform->max) / 2);
    const auto slope = static_cast<float>(1 / h);
    const Eigen::ArrayXf e = ((z - mean).abs() * slope - static_cast<float>(d)).min(80.F).exp();
    weights /= e + c / e + (1 + c);
    return;
  }
  blurred(distribution, bandwidth).visit([&](const auto& bell) {
    if constexpr (requires { bell.sigma; }) {
      const auto mean = static_cast<float>(bell.mean);
      const auto slope = static_cast<float>(1 / bell.sigma);
      weights *= (-0.5F * ((z - mean) * slope).square()).exp();
      if (std::isinf(bell.min) && std::isinf(bell.max)) return;
      const auto min = static_cast<float>(bell.min);
      const auto max = static_cast<float>(bell.max);
      weights = (z < min || z > max).select(0.F, weights);
    }
  });
}

/// The density of a round at a point.
double round_density(const ProposalRound& round, const NonNegative& non_negative,
                     const Eigen::ArrayXXd& points, Eigen::Index row) {
  double sum = 0;
  for (const std::vector<Distribution>& distributions : round.distributions) {
    double product = 1;
    for (std::size_t d = 0; d < distributions.size() && product > 0; ++d) {
      const double z = points(row, static_cast<Eigen::Index>(d));
      double value = smoothed_density(distributions[d], round.noise[d], z);
      if (non_negative[d]) value += smoothed_density(distributions[d], round.noise[d], -z);
      product *= value;
    }
    sum += product;
  }
  return sum / static_cast<double>(round.distributions.size());
}

/// A column of ones, then for each input its deviation from the distribution's mean and its squared
/// deviation less the distribution's variance, in units of the smoothed distribution's spread; of
/// some points.
Eigen::MatrixXf deviations(const Eigen::Ref<const Eigen::ArrayXXf>& values,
                           const std::vector<Eigen::Index>& points,
                           std::span<const Distribution> distributions,
                           std::span<const double> bandwidths) {
  const auto inputs = static_cast<Eigen::Index>(distributions.size());
  const auto count = static_cast<Eigen::Index>(points.size());
  Eigen::MatrixXf basis(count, 1 + 2 * inputs);
  basis.col(0).setOnes();
  for (Eigen::Index d = 0; d < inputs; ++d) {
    const auto k = static_cast<std::size_t>(d);
    const double variance = distributions[k].variance();
    const double unit = std::sqrt(variance + bandwidths[k] * bandwidths[k]);
    const auto mean = static_cast<float>(distributions[k].mean());
    const auto scale = static_cast<float>(1 / unit);
    const auto share = static_cast<float>(variance / (unit * unit));
    for (Eigen::Index i = 0; i < count; ++i) {
      const float x = (values(points[static_cast<std::size_t>(i)], d) - mean) * scale;
      basis(i, 1 + 2 * d) = x;
      basis(i, 2 + 2 * d) = x * x - share;
    }
  }
  return basis;
}

/// The points whose weights are not negligible.
std::vector<Eigen::Index> points_that_count(const Eigen::ArrayXf& weights) {
  constexpr float kNegligible = 1e-6F;  // of the largest
  const float least = kNegligible * weights.maxCoeff();
  std::vector<Eigen::Index> points;
  for (Eigen::Index i = 0; i < weights.size(); ++i) {
    if (weights(i) > least) points.push_back(i);
  }
  return points;
}

/// Number `index` of Halton's sequence for the k-th prime as base, shifted: in (0, 1).
double shifted_halton(std::uint64_t index, std::size_t k, std::uint64_t seed) {
  GRASPMAP_ASSERT(k < kPrimes.size());
  const auto base = static_cast<double>(kPrimes[k]);
  double scale = 1;
  double value = uniform_open(seed, 0, kShiftDraw + static_cast<std::uint32_t>(k));
  for (std::uint64_t rest = index + 1; rest > 0; rest /= kPrimes[k]) {
    scale /= base;
    value += scale * static_cast<double>(rest % kPrimes[k]);
  }
  value -= std::floor(value);
  return std::clamp(value, 1e-12, 1 - 1e-12);
}

}  // namespace

Eigen::ArrayXXd draw_points(const ProposalRound& round, const NonNegative& non_negative,
                            Eigen::Index first, Eigen::Index count, std::uint64_t seed) {
  GRASPMAP_CHECK(!round.distributions.empty() && non_negative.size() == round.noise.size());
  const std::size_t inputs = round.noise.size();
  Eigen::ArrayXXd points(count, static_cast<Eigen::Index>(inputs));
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto index = static_cast<std::uint64_t>(first + i);
    const std::vector<Distribution>& distributions =
        round.distributions[index % round.distributions.size()];
    for (std::size_t d = 0; d < inputs; ++d) {
      const double z = draw(distributions[d], round.noise[d], shifted_halton(index, d, seed),
                            uniform_open(seed, index, static_cast<std::uint32_t>(d)));
      points(i, static_cast<Eigen::Index>(d)) = non_negative[d] ? std::abs(z) : z;
    }
  }
  return points;
}

Eigen::ArrayXd mixture_density(std::span<const ProposalRound> rounds,
                               std::span<const double> shares, const NonNegative& non_negative,
                               const Eigen::ArrayXXd& points) {
  GRASPMAP_CHECK(rounds.size() == shares.size());
  Eigen::ArrayXd density = Eigen::ArrayXd::Zero(points.rows());
  for (std::size_t r = 0; r < rounds.size(); ++r) {
    for (Eigen::Index i = 0; i < points.rows(); ++i) {
      density(i) += shares[r] * round_density(rounds[r], non_negative, points, i);
    }
  }
  return density;
}

namespace {

/// The row of `points` that is nearest to each row of `nodes`.
std::vector<Eigen::Index> nearest_points(const Eigen::ArrayXXf& nodes,
                                         const Eigen::ArrayXXf& points) {
  std::vector<Eigen::Index> nearest(static_cast<std::size_t>(nodes.rows()));
  for (Eigen::Index i = 0; i < nodes.rows(); ++i) {
    Eigen::ArrayXf distance = Eigen::ArrayXf::Zero(points.rows());
    for (Eigen::Index d = 0; d < points.cols(); ++d) {
      distance += (points.col(d) - nodes(i, d)).square();
    }
    distance.minCoeff(&nearest[static_cast<std::size_t>(i)]);
  }
  return nearest;
}

/// A row each, every input divided by its unit.
Eigen::ArrayXXf in_units(const Eigen::ArrayXXd& rows, const std::vector<double>& units) {
  const Eigen::Map<const Eigen::ArrayXd> of(units.data(), static_cast<Eigen::Index>(units.size()));
  return (rows.rowwise() / of.transpose()).cast<float>();
}

}  // namespace

DesignPoints::DesignPoints(const Eigen::ArrayXXd& all, const Eigen::ArrayXd& density)
    : point_count(all.rows()) {
  std::vector<Eigen::Index> own(static_cast<std::size_t>(all.rows()));
  std::iota(own.begin(), own.end(), Eigen::Index{0});
  set_nodes(all, density, own);
}

DesignPoints::DesignPoints(const Eigen::ArrayXXd& nodes, const Eigen::ArrayXd& density,
                           const Eigen::ArrayXXd& simulated, const std::vector<double>& units)
    : point_count(simulated.rows()) {
  set_nodes(nodes, density, nearest_points(in_units(nodes, units), in_units(simulated, units)));
}

/// Puts the nodes in the order of their first input.
void DesignPoints::set_nodes(const Eigen::ArrayXXd& nodes, const Eigen::ArrayXd& density,
                             const std::vector<Eigen::Index>& of_nodes) {
  std::vector<Eigen::Index> order(of_nodes.size());
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Eigen::Index i, Eigen::Index j) { return nodes(i, 0) < nodes(j, 0); });
  values = nodes(order, Eigen::all).cast<float>();
  inverse_density = (density.minCoeff() / density(order)).cast<float>();
  for (const Eigen::Index i : order) points.push_back(of_nodes[static_cast<std::size_t>(i)]);
}

namespace {

/// Beyond it a distribution's kernel is negligible.
Interval reach(const Distribution& distribution, double bandwidth) {
  if (const auto* uniform = distribution.as<Uniform>()) {
    return {uniform->min - 10 * bandwidth, uniform->max + 10 * bandwidth};
  }
  Interval all;
  blurred(distribution, bandwidth).visit([&](const auto& bell) {
    if constexpr (requires { bell.sigma; }) {
      all = {bell.mean - 7 * bell.sigma, bell.mean + 7 * bell.sigma};
    }
  });
  return all;
}

}  // namespace

PointWeights weights_for(const DesignPoints& design, std::span<const Distribution> distributions,
                         std::span<const double> bandwidths) {
  constexpr float kRidge = 1e-3F;  // of a sum of squares: few points are calibrated less
  // Nodes are in the order of their first input.
  const auto firsts = design.values.col(0);
  const Interval near = reach(distributions[0], bandwidths[0]);
  const auto begin = std::lower_bound(firsts.begin(), firsts.end(), static_cast<float>(near.low));
  const auto end = std::upper_bound(begin, firsts.end(), static_cast<float>(near.high));
  PointWeights result;
  if (begin == end) return result;
  const Eigen::Index first = begin - firsts.begin();
  const Eigen::Index count = end - begin;
  const auto values = design.values.middleRows(first, count);
  Eigen::ArrayXf all = design.inverse_density.segment(first, count);
  for (std::size_t d = 0; d < distributions.size(); ++d) {
    multiply_kernel(distributions[d], bandwidths[d], values.col(static_cast<Eigen::Index>(d)), all);
  }
  result.points = points_that_count(all);
  if (result.points.empty()) return result;
  Eigen::VectorXf weights = all(result.points) / all.maxCoeff();
  weights /= weights.sum();
  // Truncated importance weights (Ionides 2008): where a distribution reaches beyond most nodes, no
  // single one stands for all that lies there.
  weights = weights.cwiseMin(1 / std::sqrt(static_cast<float>(weights.size())));
  weights /= weights.sum();
  const Eigen::MatrixXf basis = deviations(values, result.points, distributions, bandwidths);
  Eigen::MatrixXf gram =
      transposed_product(basis, (basis.array().colwise() * weights.array()).matrix());
  // As if a few points more lay about the mean with the basis' own spread.
  gram.diagonal().tail(gram.rows() - 1) *= 1 + kRidge + weights.squaredNorm();
  gram.diagonal().array() += 1e-6F;
  const Eigen::VectorXf target = Eigen::VectorXf::Unit(gram.rows(), 0);
  const Eigen::VectorXf factors = solve_semidefinite(gram, target);
  Eigen::VectorXf calibrated = (basis * factors).cwiseProduct(weights);
  calibrated /= calibrated.sum();
  // A distribution that reaches beyond the nodes has other moments than they can have: calibrated
  // to them, the weights would be large and of both signs.
  constexpr float kMostGrowth = 2;
  const bool is_within = calibrated.squaredNorm() < kMostGrowth * weights.squaredNorm();
  const Eigen::VectorXf& of_nodes = is_within ? calibrated : weights;
  Eigen::VectorXf of_points = Eigen::VectorXf::Zero(design.point_count);
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    of_points(design.points[static_cast<std::size_t>(first + result.points[i])]) +=
        of_nodes(static_cast<Eigen::Index>(i));
  }
  result.points.clear();
  for (Eigen::Index i = 0; i < of_points.size(); ++i) {
    if (of_points(i) != 0) result.points.push_back(i);
  }
  result.values = of_points(result.points);
  result.effective_points = 1 / static_cast<double>(result.values.squaredNorm());
  return result;
}

namespace {

constexpr std::uint64_t kDesignSeed = 11;
constexpr std::uint64_t kPlacementSeed = 12;
constexpr std::uint64_t kNodeSeed = 14;
constexpr Eigen::Index kNodes = 4;       // for each point
constexpr double kNodeBandwidth = 0.25;  // over Silverman's

double at(const InputValues& inputs, SoughtInput input) {
  return inputs.common[static_cast<std::size_t>(input)];
}

}  // namespace

SimulatedModel::SimulatedModel(const std::vector<CalibrationCell>& cells, const Unknowns& unknowns,
                               int groups, const NoiseDistributions& noise)
    : OutcomeModel(cells), unknowns_(unknowns), noise_(noise) {
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

/// Alike in the points of the last round. `points` has not got those of the present one yet.
bool SimulatedModel::is_settled(const Group& group, std::size_t row, Eigen::Index enough) const {
  if (round_points_.empty()) return false;
  const auto last = static_cast<Eigen::Index>(round_points_.back());
  if (last < enough) return false;
  const auto values =
      group.outcomes.row(static_cast<Eigen::Index>(row)).segment(group.points.rows() - last, last);
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
    return noise_[k].quantile(
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
    const Eigen::Index before = group.outcomes.cols();
    group.outcomes.conservativeResize(Eigen::NoChange, before + points);
    for (std::size_t row = 0; row < group.cells.size(); ++row) {
      const auto r = static_cast<Eigen::Index>(row);
      if (is_settled(group, row, enough)) {
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
  GRASPMAP_CHECK(outcomes.size() == targets.size());
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    *targets[k] = outcomes[k] == Outcome::kFailed    ? 0.5F
                  : outcomes[k] == Outcome::kSuccess ? 1.0F
                                                     : 0.0F;
  }
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

/// Silverman's (1986) rule for the points of the last round: its distributions and their noise
/// together.
void SimulatedModel::set_bandwidths(const Eigen::ArrayXXd& points) {
  const auto n = static_cast<double>(points.rows());
  const auto d = static_cast<double>(points.cols());
  const double factor =
      (has_nodes() ? kNodeBandwidth : 1.0) * std::pow(4 / ((d + 2) * n), 1 / (d + 4));
  spreads_.clear();
  bandwidths_.clear();
  for (Eigen::Index k = 0; k < points.cols(); ++k) {
    const Eigen::ArrayXd z = points.col(k);
    spreads_.push_back(std::sqrt((z - z.mean()).square().mean()));
    bandwidths_.push_back(factor * spreads_.back());
  }
}

/// Nodes of a group: of each round kNodes for each point, drawn as its points are.
Eigen::ArrayXXd SimulatedModel::drawn_nodes(const Group& group) const {
  const auto number = static_cast<Eigen::Index>(&group - groups_.data());
  Eigen::ArrayXXd nodes(kNodes * group.points.rows(), group.points.cols());
  Eigen::Index filled = 0;
  for (std::size_t r = 0; r < rounds_.size(); ++r) {
    const auto count = kNodes * static_cast<Eigen::Index>(round_points_[r]);
    nodes.middleRows(filled, count) =
        draw_points(rounds_[r], non_negative_, number * count, count, kNodeSeed + 1000 * r);
    filled += count;
  }
  return nodes;
}

void SimulatedModel::set_densities() {
  const double sum = std::accumulate(round_points_.begin(), round_points_.end(), 0.0);
  std::vector<double> shares;
  for (const double n : round_points_) shares.push_back(n / sum);
  for (Group& group : groups_) {
    if (has_nodes()) {
      const Eigen::ArrayXXd nodes = drawn_nodes(group);
      group.design = {nodes, mixture_density(rounds_, shares, non_negative_, nodes), group.points,
                      spreads_};
    } else {
      group.design = {group.points, mixture_density(rounds_, shares, non_negative_, group.points)};
    }
    group.shares = group.outcomes.rowwise().mean().cast<double>();
  }
}

void SimulatedModel::widen(std::span<const std::vector<double>> points, double least) {
  constexpr double kStep = 1.2;
  for (double factor = kStep; factor < 4; factor *= kStep) {
    std::vector<double> effective;
    for (const auto& point : points) effective.push_back(effective_points(point));
    if (sample_quantile(std::move(effective), 0.5) >= least) return;
    for (double& bandwidth : bandwidths_) bandwidth *= kStep;
  }
}

std::vector<CellPrediction> SimulatedModel::predict(std::span<const double> point) const {
  return predict_under(unknowns_.distributions(point));
}

std::vector<CellPrediction> SimulatedModel::predict_under(
    std::span<const Distribution> distributions) const {
  std::vector<CellPrediction> cells(cells_.size());
  for (const Group& group : groups_) {
    const PointWeights weights = weights_for(group.design, distributions, bandwidths_);
    Eigen::VectorXf shares = Eigen::VectorXf::Zero(group.outcomes.rows());
    for (std::size_t i = 0; i < weights.points.size(); ++i) {
      shares +=
          weights.values(static_cast<Eigen::Index>(i)) * group.outcomes.col(weights.points[i]);
    }
    const double n = weights.effective_points;
    const auto all = static_cast<double>(group.outcomes.cols());
    const double m = has_nodes() ? std::min(n * n, all) : n;
    for (std::size_t row = 0; row < group.cells.size(); ++row) {
      const auto r = static_cast<Eigen::Index>(row);
      const double value = std::clamp(static_cast<double>(shares(r)), 0., 1.);
      // One more trial with the cell's overall share of successes, so that a cell whose outcomes
      // are all alike says nothing of the distributions. Where n of nearest points come out alike,
      // it is wrong that all do with a probability as n^-2: the border between outcomes is smooth.
      // At last half a success and half a failure: nothing is certain.
      const double p = (value * m + group.shares(r)) / (m + 1);
      cells[group.cells[row]] = {(p * all + 0.5) / (all + 1), n + 1};
    }
  }
  return cells;
}

double SimulatedModel::effective_points(std::span<const double> point) const {
  const std::vector<Distribution> distributions = unknowns_.distributions(point);
  double least = std::numeric_limits<double>::infinity();
  for (const Group& group : groups_) {
    least = std::min(least, weights_for(group.design, distributions, bandwidths_).effective_points);
  }
  return least;
}

}  // namespace graspmap
