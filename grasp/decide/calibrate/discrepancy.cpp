#include "grasp/decide/calibrate/discrepancy.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/assert.hpp"
#include "grasp/base/algebra/dense.hpp"
#include "grasp/base/probability/distribution.hpp"
#include "grasp/base/probability/random.hpp"

namespace graspmap {
namespace {

constexpr Eigen::Index kBumpsAcross = 5;

/// The middle of a cell, x and y in mm.
std::array<double, 2> middle_of(const CalibrationCell& cell) {
  const ExperimentCell& e = cell.experiment;
  return {(e.x_min_mm + e.x_max_mm) / 2, (e.y_min_mm + e.y_max_mm) / 2};
}

Eigen::MatrixXd bumps_of(const std::vector<CalibrationCell>& cells) {
  Eigen::MatrixXd places(static_cast<Eigen::Index>(cells.size()), 2);
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const auto [x, y] = middle_of(cells[k]);
    places.row(static_cast<Eigen::Index>(k)) << x, y;
  }
  const Eigen::RowVectorXd low = places.colwise().minCoeff();
  const Eigen::RowVectorXd step =
      ((places.colwise().maxCoeff() - low) / (kBumpsAcross - 1)).cwiseMax(1e-9);
  Eigen::MatrixXd bumps(places.rows(), kBumpsAcross * kBumpsAcross);
  for (Eigen::Index i = 0; i < kBumpsAcross; ++i) {
    for (Eigen::Index j = 0; j < kBumpsAcross; ++j) {
      const Eigen::ArrayXd x = (places.col(0).array() - low(0)) / step(0) - static_cast<double>(i);
      const Eigen::ArrayXd y = (places.col(1).array() - low(1)) / step(1) - static_cast<double>(j);
      bumps.col(i * kBumpsAcross + j) = (-0.5 * (x.square() + y.square())).exp();
    }
  }
  return bumps / std::sqrt(bumps.rowwise().squaredNorm().mean());
}

/// log(1 + exp(x)).
double softplus(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }

}  // namespace

double discrepancy_sd(double u) {
  return kDiscrepancyScale * normal_score(std::min(0.5 + u / 2, 1 - 1e-6));
}

DiscrepancyModel::DiscrepancyModel(const OutcomeModel& model,
                                   const std::vector<CalibrationCell>& cells)
    : OutcomeModel(cells), model_(model), bumps_(bumps_of(cells)) {}

/// Newton's method for the heights g of the bumps, in units of sd: the log posterior
/// sum c (y eta - n softplus(eta)) - g^2 / 2, eta = logit(p) + sd B g, is concave. Counts of which
/// a prediction is uncertain count less, as a beta-binomial count does: c = 1 / (1 + (n - 1) / (nu
/// + 1)).
DiscrepancyModel::Fit DiscrepancyModel::fit(const std::vector<CellPrediction>& cells,
                                            double sd) const {
  constexpr int kSteps = 6;
  constexpr double kLongest = 2.0;  // of a step, for each bump
  const auto count = static_cast<Eigen::Index>(cells.size());
  const Eigen::MatrixXd basis = sd * bumps_;
  Eigen::VectorXd heights = Eigen::VectorXd::Zero(basis.cols());
  Eigen::MatrixXd hessian;
  Fit result;
  for (int step = 0; step <= kSteps; ++step) {
    result.field = basis * heights;
    result.log_likelihood = -0.5 * heights.squaredNorm();
    Eigen::VectorXd slope(count);
    Eigen::VectorXd curvature(count);
    for (Eigen::Index k = 0; k < count; ++k) {
      const ExperimentCell& e = cells_[static_cast<std::size_t>(k)].experiment;
      const CellPrediction& p = cells[static_cast<std::size_t>(k)];
      const auto n = static_cast<double>(e.trials);
      const auto y = static_cast<double>(e.successes);
      const double worth = 1 / (1 + (n - 1) / (p.effective_trials + 1));
      const double eta = std::log(p.probability / (1 - p.probability)) + result.field(k);
      const double q = 1 / (1 + std::exp(-eta));
      result.log_likelihood += worth * (y * eta - n * softplus(eta));
      slope(k) = worth * (y - n * q);
      curvature(k) = worth * n * q * (1 - q);
    }
    hessian = product(basis.transpose() * curvature.asDiagonal(), basis);
    hessian.diagonal().array() += 1.0;
    if (step == kSteps) break;
    const Eigen::VectorXd move = solve_positive(hessian, basis.transpose() * slope - heights)
                                     .cwiseMax(-kLongest)
                                     .cwiseMin(kLongest);
    heights += move;
    if (move.cwiseAbs().maxCoeff() < 1e-3) step = kSteps - 1;
  }
  const Eigen::MatrixXd root = cholesky_root(hessian);
  result.log_likelihood -= root.diagonal().array().log().sum();
  return result;
}

double DiscrepancyModel::log_likelihood(std::span<const double> point) const {
  return fit(model_.predict(point), discrepancy_sd(point.back())).log_likelihood;
}

Eigen::VectorXd DiscrepancyModel::field(std::span<const double> point) const {
  return fit(model_.predict(point), discrepancy_sd(point.back())).field;
}

std::vector<CellPrediction> DiscrepancyModel::predict(std::span<const double> point) const {
  std::vector<CellPrediction> cells = model_.predict(point);
  const Eigen::VectorXd field = fit(cells, discrepancy_sd(point.back())).field;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    double& p = cells[k].probability;
    p = 1 / (1 + (1 - p) / p * std::exp(-field(static_cast<Eigen::Index>(k))));
    p = std::clamp(p, 1e-9, 1 - 1e-9);
  }
  return cells;
}

namespace {

constexpr std::uint64_t kReplicateSeed = 3;
constexpr std::array kTrendNames = {"level", "x", "y", "x x", "x y", "y y"};
using Trends = std::array<double, kTrendNames.size()>;

/// The beta-binomial count of `trials` with a prior of a successes and b failures, as a normal
/// number of its mean and variance.
std::int64_t normal_count(std::int64_t trials, double a, double b, double u) {
  const auto n = static_cast<double>(trials);
  const double p = a / (a + b);
  const double variance = n * p * (1 - p) * (a + b + n) / (a + b + 1);
  return std::llround(std::clamp(n * p + std::sqrt(variance) * normal_score(u), 0.0, n));
}

/// A beta-binomial count by Polya's urn, with the random numbers of `index` from `draw` on. What is
/// beyond 10,000 trials is drawn at once: the urn is settled by then.
std::int64_t draw_count(std::int64_t trials, double p, double nu, std::uint64_t index,
                        std::uint32_t& draw) {
  constexpr std::int64_t kMostOneByOne = 10'000;
  const std::int64_t single = std::min(trials, kMostOneByOne);
  std::int64_t successes = 0;
  for (std::int64_t k = 0; k < single; ++k) {
    const double share = (p * nu + static_cast<double>(successes)) / (nu + static_cast<double>(k));
    if (uniform_open(kReplicateSeed, index, draw++) < share) ++successes;
  }
  if (trials == single) return successes;
  const double a = p * nu + static_cast<double>(successes);
  const double b = (1 - p) * nu + static_cast<double>(single - successes);
  return successes +
         normal_count(trials - single, a, b, uniform_open(kReplicateSeed, index, draw++));
}

/// The trends' weights of each cell: powers of its place, scaled to the experiment.
std::vector<Trends> trend_weights(const std::vector<CalibrationCell>& cells) {
  double n = 0;
  std::array<double, 2> sum{};
  std::array<double, 2> squares{};
  for (const CalibrationCell& cell : cells) {
    const auto trials = static_cast<double>(cell.experiment.trials);
    const auto at = middle_of(cell);
    n += trials;
    for (std::size_t k = 0; k < 2; ++k) {
      sum[k] += trials * at[k];
      squares[k] += trials * at[k] * at[k];
    }
  }
  std::array<double, 2> mean{};
  std::array<double, 2> sd{};
  for (std::size_t k = 0; k < 2; ++k) {
    mean[k] = sum[k] / n;
    sd[k] = std::sqrt(std::max(squares[k] / n - mean[k] * mean[k], 1e-12));
  }
  std::vector<Trends> weights;
  for (const CalibrationCell& cell : cells) {
    const auto at = middle_of(cell);
    const double x = (at[0] - mean[0]) / sd[0];
    const double y = (at[1] - mean[1]) / sd[1];
    weights.push_back({1, x, y, x * x - 1, x * y, y * y - 1});
  }
  return weights;
}

/// Sums of counts over cells: the deviance, and the trends in their standard deviations.
class FitSum {
 public:
  void add(std::int64_t successes, std::int64_t trials, const CellPrediction& expected,
           const Trends& weights) {
    const auto n = static_cast<double>(trials);
    const double p = expected.probability;
    deviance_ += binomial_deviance(static_cast<double>(successes), n * p, n);
    const double rest = static_cast<double>(successes) - n * p;
    const double variance = n * p * (1 - p) * (1 + (n - 1) / (expected.effective_trials + 1));
    for (std::size_t k = 0; k < weights.size(); ++k) {
      rests_[k] += weights[k] * rest;
      variances_[k] += weights[k] * weights[k] * variance;
    }
  }
  [[nodiscard]] double deviance_sum() const { return deviance_; }
  [[nodiscard]] Trends deviations() const {
    Trends result{};
    for (std::size_t k = 0; k < result.size(); ++k) {
      result[k] = variances_[k] > 0 ? rests_[k] / std::sqrt(variances_[k]) : 0.0;
    }
    return result;
  }
  [[nodiscard]] double largest() const {
    double largest = 0;
    for (const double d : deviations()) largest = std::max(largest, std::abs(d));
    return largest;
  }

 private:
  double deviance_ = 0.0;
  Trends rests_{};
  Trends variances_{};
};

}  // namespace

double FitCheck::p_value() const {
  return std::min(1.0, 2 * std::min(deviance_p_value, trend_p_value));
}

const FitTrend& FitCheck::largest_trend() const {
  return *std::max_element(trends.begin(), trends.end(), [](const auto& a, const auto& b) {
    return std::abs(a.deviation) < std::abs(b.deviation);
  });
}

FitCheck check_fit(const std::vector<CalibrationCell>& cells,
                   const std::vector<std::vector<CellPrediction>>& predictions) {
  GRASPMAP_CHECK(!cells.empty() && !predictions.empty());
  const std::vector<Trends> weights = trend_weights(cells);
  const auto replicates = static_cast<double>(predictions.size());
  FitCheck check;
  double worse_deviance = 0;
  double worse_trend = 0;
  Trends deviations{};
  for (const CalibrationCell& cell : cells) {
    check.successes += static_cast<double>(cell.experiment.successes);
  }
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    FitSum observed;
    FitSum replicated;
    std::uint32_t draw = 0;
    for (std::size_t k = 0; k < cells.size(); ++k) {
      const ExperimentCell& cell = cells[k].experiment;
      const CellPrediction& p = predictions[i][k];
      observed.add(cell.successes, cell.trials, p, weights[k]);
      const std::int64_t count =
          draw_count(cell.trials, p.probability, p.effective_trials, i, draw);
      replicated.add(count, cell.trials, p, weights[k]);
      check.predicted_successes += static_cast<double>(cell.trials) * p.probability / replicates;
    }
    worse_deviance += replicated.deviance_sum() >= observed.deviance_sum() ? 1 : 0;
    worse_trend += replicated.largest() >= observed.largest() ? 1 : 0;
    check.deviance += observed.deviance_sum() / replicates;
    check.expected_deviance += replicated.deviance_sum() / replicates;
    const Trends d = observed.deviations();
    for (std::size_t k = 0; k < d.size(); ++k) deviations[k] += d[k] / replicates;
  }
  check.deviance_p_value = worse_deviance / replicates;
  check.trend_p_value = worse_trend / replicates;
  for (std::size_t k = 0; k < deviations.size(); ++k) {
    check.trends.push_back({kTrendNames[k], deviations[k]});
  }
  return check;
}

}  // namespace graspmap
