#include "grasp/decide/calibrate/discrepancy_model.hpp"

#include <algorithm>
#include <cmath>

#include "grasp/base/algebra/dense.hpp"
#include "grasp/base/probability/distribution.hpp"

namespace graspmap {
namespace {

constexpr Eigen::Index kBumpsAcross = 5;

Eigen::MatrixXd cell_places(const std::vector<CalibrationCell>& cells) {
  Eigen::MatrixXd places(static_cast<Eigen::Index>(cells.size()), 2);
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const ExperimentCell& e = cells[k].experiment;
    places.row(static_cast<Eigen::Index>(k)) << (e.x_min_mm + e.x_max_mm) / 2,
        (e.y_min_mm + e.y_max_mm) / 2;
  }
  return places;
}

Eigen::MatrixXd bumps_at(const Eigen::MatrixXd& places) {
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
  const Distribution normal{.kind = DistributionKind::kNormal, .sigma = kDiscrepancyScale};
  return quantile(normal, std::min(0.5 + u / 2, 1 - 1e-6));
}

DiscrepancyModel::DiscrepancyModel(const OutcomeModel& model,
                                   const std::vector<CalibrationCell>& cells)
    : model_(model), cells_(cells), bumps_(bumps_at(cell_places(cells))) {}

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

}  // namespace graspmap
