#include "grasp/decide/calibrate/session_model.hpp"

#include <algorithm>
#include <cmath>

#include "grasp/base/probability/random.hpp"

namespace graspmap {
namespace {

constexpr std::uint64_t kChoiceSeed = 32;

/// The logarithm of the sum of exp(values).
double log_sum_exp(const std::vector<double>& values) {
  const double highest = *std::max_element(values.begin(), values.end());
  double sum = 0;
  for (const double v : values) sum += std::exp(v - highest);
  return highest + std::log(sum);
}

/// The place of the value that u in (0, 1) draws with probability proportional to exp(value).
std::size_t drawn_by_exp(const std::vector<double>& values, double u) {
  const double highest = *std::max_element(values.begin(), values.end());
  double sum = 0;
  for (const double v : values) sum += std::exp(v - highest);
  double rest = u * sum;
  for (std::size_t k = 0; k + 1 < values.size(); ++k) {
    rest -= std::exp(values[k] - highest);
    if (rest < 0) return k;
  }
  return values.size() - 1;
}

}  // namespace

SessionModel::SessionModel(const SimulatedModel& model, const std::vector<CalibrationCell>& cells)
    : model_(model), cells_(cells) {
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
      constants.push_back({.kind = DistributionKind::kFixed, .mean = points(i, d)});
    }
    Node node;
    node.cells = model_.predict_under(constants);
    for (const std::vector<std::size_t>& session : sessions_) {
      node.log_likelihood.push_back(graspmap::log_likelihood(cells_, node.cells, session));
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
    sum += log_sum_exp(terms(weights, s)) - std::log(all);
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

}  // namespace graspmap
