#include "grasp/decide/sensitivity/grasp_emulator.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/assert.hpp"
#include "grasp/base/algebra/dense.hpp"
#include "grasp/base/process/stop.hpp"

namespace graspmap {
namespace {

/// The intercept is all but free.
Eigen::VectorXd penalties(Eigen::Index coefficients, double ridge) {
  Eigen::VectorXd penalty = Eigen::VectorXd::Constant(coefficients, ridge);
  penalty[0] = 1e-6 * ridge;
  return penalty;
}

/// What is minimised, where the linear predictor is `eta`: log(1 + e^eta) without overflow.
double objective(const LogisticData& data, const Eigen::VectorXd& penalty, const Eigen::VectorXd& b,
                 const Eigen::VectorXd& eta) {
  const Eigen::ArrayXd e = eta.array();
  const Eigen::ArrayXd loss = e.max(0.0) + (-e.abs()).exp().log1p() - data.labels.array() * e;
  return (data.weights.array() * loss).sum() + 0.5 * (penalty.array() * b.array().square()).sum();
}

Eigen::VectorXd newton_step(const LogisticData& data, const Eigen::VectorXd& penalty,
                            const Eigen::VectorXd& b, const Eigen::VectorXd& eta) {
  const Eigen::ArrayXd p = 1.0 / (1.0 + (-eta.array()).exp());
  const Eigen::VectorXd residual = (data.weights.array() * (p - data.labels.array())).matrix();
  const Eigen::VectorXd curvature = (data.weights.array() * p * (1.0 - p)).matrix();
  const Eigen::VectorXd gradient = data.features.transpose() * residual + penalty.cwiseProduct(b);
  Eigen::MatrixXd hessian = weighted_gram(data.features, curvature);
  hessian.diagonal() += penalty;
  return solve_semidefinite(hessian, gradient);
}

}  // namespace

Eigen::VectorXd fit_logistic(const LogisticData& data, double ridge, Eigen::VectorXd start) {
  constexpr int kMostSteps = 40;
  constexpr double kLeastHalving = 1.0 / 1024;
  constexpr double kTolerance = 1e-5;
  const Eigen::VectorXd penalty = penalties(start.size(), ridge);
  Eigen::VectorXd b = std::move(start);
  Eigen::VectorXd eta = data.features * b;
  double value = objective(data, penalty, b, eta);
  for (int k = 0; k < kMostSteps; ++k) {
    const Eigen::VectorXd step = newton_step(data, penalty, b, eta);
    const Eigen::VectorXd eta_step = data.features * step;
    double length = 1.0;
    double next = objective(data, penalty, b - step, eta - eta_step);
    while (!(next <= value) && length > kLeastHalving) {
      length /= 2;
      next = objective(data, penalty, b - length * step, eta - length * eta_step);
    }
    if (!(next < value)) return b;
    b -= length * step;
    eta -= length * eta_step;
    if (value - next <= kTolerance * value) return b;
    value = next;
  }
  return b;
}

namespace {

constexpr std::size_t kX = 0;
constexpr std::size_t kY = 1;
constexpr std::size_t kTheta = 2;
constexpr double kTrialsPerCoefficient = 60;
constexpr double kRidge = 0.05;  // little against hundreds of trials
constexpr std::size_t kScreenedCells = 40;

/// What succeeds() measures in, without a call to the heap.
constexpr std::size_t kUsualParameters = 64;

/// Memory of one evaluation.
class Scratch {
 public:
  explicit Scratch(std::size_t size) : size_(size) {
    if (size > kUsualParameters) more_.resize(size);
  }
  std::span<double> numbers() { return {more_.empty() ? few_.data() : more_.data(), size_}; }

 private:
  std::size_t size_;
  std::array<double, kUsualParameters> few_;
  std::vector<double> more_;
};

void set_values(const TrialParameters& p, std::span<const double> uncertain,
                std::span<double> values) {
  const std::array<double, 5> always = {p.placement_x_mm, p.placement_y_mm, p.theta_rad, p.mu_jaw,
                                        p.mu_support};
  std::copy(always.begin(), always.end(), values.begin());
  std::copy(uncertain.begin(), uncertain.end(), values.begin() + always.size());
}

/// A range of cells.
struct CellSpan {
  int first;
  int last;
};

std::vector<double> to_vector(const Eigen::VectorXd& v) { return {v.begin(), v.end()}; }

}  // namespace

/// 1, each parameter, each product of two that are crossed, each square of the others.
std::size_t GraspEmulator::Terms::count() const {
  const std::size_t others = squares ? parameters - crossed : 0;
  return 1 + parameters + crossed * (crossed + 1) / 2 + others;
}

/// The terms at z, in the order of the coefficients.
template <typename Row>
void GraspEmulator::Terms::set(Values z, Row row) const {
  Eigen::Index k = 0;
  row[k++] = 1.0;
  for (std::size_t i = 0; i < parameters; ++i) row[k++] = z[i];
  for (std::size_t i = 0; i < crossed; ++i) {
    for (std::size_t j = i; j < crossed; ++j) row[k++] = z[i] * z[j];
  }
  if (!squares) return;
  for (std::size_t i = crossed; i < parameters; ++i) row[k++] = z[i] * z[i];
}

double GraspEmulator::Terms::sum(const std::vector<double>& coefficients, Values z) const {
  const double* linear = coefficients.data() + 1;
  const double* product = linear + parameters;
  double sum = coefficients[0];
  for (std::size_t i = 0; i < crossed; ++i) {
    double slope = linear[i];
    for (std::size_t j = i; j < crossed; ++j) slope += *product++ * z[j];
    sum += slope * z[i];
  }
  for (std::size_t i = crossed; i < parameters; ++i) sum += (linear[i] + *product++ * z[i]) * z[i];
  return sum;
}

GraspEmulator::GraspEmulator(const CellGrid& grid, const std::vector<TrialSample>& trials)
    : grid_(grid), axes_(grid.axes()) {
  parameters_ = kAlways + (trials.empty() ? 0 : trials.front().uncertain.size());
  values_.resize(trials.size() * parameters_);
  for (std::size_t k = 0; k < trials.size(); ++k) {
    GRASPMAP_CHECK(trials[k].uncertain.size() + kAlways == parameters_);
    set_values(trials[k].parameters, trials[k].uncertain,
               std::span(values_).subspan(k * parameters_, parameters_));
  }
  choose_units(trials.size());
  const std::size_t cells = centres_.size();
  cells_.resize(cells);
  for (std::size_t k = 0; k < trials.size(); ++k) {
    // Groups are dealt out along the cells, and along the trials of each.
    const std::size_t group = (k / cells + k % cells) % kGroups;
    const bool success = trials[k].outcome == Outcome::kSuccess;
    cells_[cell_of(values_of(k))].push_back({success, group, k});
  }
  choose_terms();
  choose_margin();
  models_.reserve(cells);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    check_stop();
    models_.push_back(fit(cell));
  }
  for (std::size_t cell = 0; cell < cells; ++cell) {
    for (const auto& [success, group, trial] : cells_[cell]) {
      checks_.push_back({trial, group, succeeds_at(values_of(trial), cell, group)});
    }
  }
}

bool GraspEmulator::succeeds(const TrialParameters& parameters, std::span<const double> uncertain,
                             std::size_t without) const {
  Scratch memory(parameters_);
  const std::span<double> values = memory.numbers();
  set_values(parameters, uncertain, values);
  return succeeds_at(values, cell_of(values), without);
}

/// Which parameters vary, and from where and in what unit they are measured in each cell.
void GraspEmulator::choose_units(std::size_t trials) {
  std::vector<double> mean(parameters_, 0.0);
  for (std::size_t trial = 0; trial < trials; ++trial) {
    const Values values = values_of(trial);
    for (std::size_t k = 0; k < parameters_; ++k) {
      mean[k] += values[k] / static_cast<double>(trials);
    }
  }
  std::vector<double> squares(parameters_, 0.0);
  for (std::size_t trial = 0; trial < trials; ++trial) {
    const Values values = values_of(trial);
    for (std::size_t k = 0; k < parameters_; ++k) {
      squares[k] += (values[k] - mean[k]) * (values[k] - mean[k]);
    }
  }
  units_.resize(parameters_);
  for (std::size_t k = 0; k < parameters_; ++k) {
    const bool has_axis = k < axes_.size() && !axes_[k].is_fixed();
    units_[k] =
        has_axis ? axes_[k].cell_size() : std::sqrt(squares[k] / static_cast<double>(trials));
    // The mean of equal values is not exactly that value.
    if (has_axis || units_[k] > 1e-9 * (std::abs(mean[k]) + 1e-9)) varying_.push_back(k);
  }
  for (int cell = 0; cell < grid_.cell_count(); ++cell) {
    const CellIndex at = grid_.cell(static_cast<std::size_t>(cell));
    std::vector<double> centre = mean;
    centre[kX] = axes_[kX].cell_center(at.x);
    centre[kY] = axes_[kY].cell_center(at.y);
    if (!axes_[kTheta].is_fixed()) centre[kTheta] = axes_[kTheta].cell_center(at.theta);
    centres_.push_back(centre);
  }
}

/// So far that the box around a cell has as many trials as the polynomial needs.
void GraspEmulator::choose_margin() {
  const std::size_t trials = values_.size() / parameters_;
  const double per_cell = static_cast<double>(trials) / static_cast<double>(cells_.size());
  const double needed = kTrialsPerCoefficient * static_cast<double>(terms_.count());
  const double side = std::pow(needed / per_cell, axes_[kTheta].cells > 1 ? 1.0 / 3 : 1.0 / 2);
  const int most = std::max({axes_[kX].cells, axes_[kY].cells, axes_[kTheta].cells});
  margin_cells_ = std::clamp((side - 1) / 2, 0.0, static_cast<double>(most));
}

/// All parameters are crossed where there are few; else those that matter, which come first then.
void GraspEmulator::choose_terms() {
  const std::size_t count = varying_.size();
  terms_ = {count, count};
  if (count <= kMostCrossed) return;
  terms_ = {count, 0, false};
  choose_margin();
  const std::vector<double> importance = importances();
  std::vector<std::size_t> order(count);
  for (std::size_t k = 0; k < count; ++k) order[k] = k;
  // The placement has axes: it stays in front.
  const auto first = order.begin() + (axes_[kTheta].is_fixed() ? 2 : 3);
  std::stable_sort(first, order.end(),
                   [&](std::size_t a, std::size_t b) { return importance[a] > importance[b]; });
  std::vector<std::size_t> sorted;
  for (const std::size_t k : order) sorted.push_back(varying_[k]);
  varying_ = sorted;
  terms_ = {count, kMostCrossed};
}

/// The mean squares of the slopes of linear regressions, of each parameter that varies.
std::vector<double> GraspEmulator::importances() const {
  std::vector<double> importance(varying_.size(), 0.0);
  for (const std::size_t cell : mixed_cells(kScreenedCells)) {
    check_stop();
    const Neighbourhood around = neighbourhood(cell);
    const Eigen::VectorXd b =
        fit_logistic(around.data, kRidge, Eigen::VectorXd::Zero(around.data.features.cols()));
    for (std::size_t k = 0; k < varying_.size(); ++k) {
      const double slope = b[static_cast<Eigen::Index>(k) + 1];
      importance[k] += slope * slope;
    }
  }
  return importance;
}

/// Cells in which some trials succeed and some do not, at most so many, spread over the map.
std::vector<std::size_t> GraspEmulator::mixed_cells(std::size_t most) const {
  std::vector<std::size_t> mixed;
  for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
    const auto successes = std::count_if(cells_[cell].begin(), cells_[cell].end(),
                                         [](const Trial& trial) { return trial.success; });
    if (successes > 0 && successes < std::ssize(cells_[cell])) mixed.push_back(cell);
  }
  const std::size_t stride = mixed.size() / most + 1;
  std::vector<std::size_t> some;
  for (std::size_t k = 0; k < mixed.size(); k += stride) some.push_back(mixed[k]);
  return some;
}

GraspEmulator::Neighbourhood GraspEmulator::neighbourhood(std::size_t cell) const {
  std::vector<const Trial*> trials;
  std::vector<double> weights;
  std::vector<double> z(parameters_);
  for (const std::size_t other : cells_around(cell)) {
    for (const Trial& trial : cells_[other]) {
      double distance = 0.0;
      if (other != cell) {
        scale(values_of(trial.place), cell, z);
        distance = distance_cells(z);
      }
      const double part = distance > 0 ? distance / margin_cells_ : 0.0;
      if (part >= 1) continue;
      trials.push_back(&trial);
      weights.push_back(1 - part * part);
    }
  }
  Neighbourhood result;
  const auto rows = std::ssize(trials);
  result.data.features.resize(rows, static_cast<Eigen::Index>(terms_.count()));
  result.data.labels.resize(rows);
  result.data.weights = Eigen::Map<Eigen::VectorXd>(weights.data(), rows);
  for (Eigen::Index k = 0; k < rows; ++k) {
    const Trial& trial = *trials[static_cast<std::size_t>(k)];
    scale(values_of(trial.place), cell, z);
    terms_.set(z, result.data.features.row(k));
    result.data.labels[k] = trial.success ? 1.0 : 0.0;
    result.groups.push_back(trial.group);
  }
  return result;
}

GraspEmulator::CellModels GraspEmulator::fit(std::size_t cell) const {
  CellModels models;
  Neighbourhood around = neighbourhood(cell);
  LogisticData& data = around.data;
  const double share = data.labels.size() > 0 ? data.labels.mean() : 0.0;
  if (share == 0 || share == 1) {
    models.fill({share - 0.5});
    return models;
  }
  const Eigen::VectorXd weights = data.weights;
  const Eigen::VectorXd all =
      fit_logistic(data, kRidge, Eigen::VectorXd::Zero(data.features.cols()));
  models[kAll] = to_vector(all);
  for (std::size_t group = 0; group < kGroups; ++group) {
    data.weights = weights;
    for (std::size_t k = 0; k < around.groups.size(); ++k) {
      if (around.groups[k] == group) data.weights[static_cast<Eigen::Index>(k)] = 0;
    }
    models[group] = to_vector(fit_logistic(data, kRidge, all));
  }
  return models;
}

std::size_t GraspEmulator::cell_of(Values values) const {
  return grid_.index(axes_[kX].nearest_cell(values[kX]), axes_[kY].nearest_cell(values[kY]),
                     axes_[kTheta].nearest_cell(values[kTheta]));
}

/// The cells of which trials may lie within the margin.
std::vector<std::size_t> GraspEmulator::cells_around(std::size_t cell) const {
  const int reach = static_cast<int>(std::ceil(margin_cells_));
  const auto span = [&](std::size_t axis) {
    const int at = axes_[axis].nearest_cell(centres_[cell][axis]);
    return CellSpan{std::max(0, at - reach), std::min(axes_[axis].cells - 1, at + reach)};
  };
  const CellSpan x = span(kX);
  const CellSpan y = span(kY);
  const CellSpan theta = span(kTheta);
  std::vector<std::size_t> cells;
  for (int k = theta.first; k <= theta.last; ++k) {
    for (int j = y.first; j <= y.last; ++j) {
      for (int i = x.first; i <= x.last; ++i) {
        cells.push_back(grid_.index(i, j, k));
      }
    }
  }
  return cells;
}

void GraspEmulator::scale(Values values, std::size_t cell, std::span<double> z) const {
  const std::vector<double>& centre = centres_[cell];
  for (std::size_t k = 0; k < varying_.size(); ++k) {
    const std::size_t source = varying_[k];
    z[k] = (values[source] - centre[source]) / units_[source];
  }
}

double GraspEmulator::distance_cells(Values z) const {
  const double angle = axes_[kTheta].cells > 1 ? std::abs(z[kTheta]) : 0.0;
  return std::max({std::abs(z[kX]), std::abs(z[kY]), angle}) - 0.5;
}

bool GraspEmulator::succeeds_at(Values values, std::size_t cell, std::size_t without) const {
  const std::vector<double>& coefficients = models_[cell][without];
  if (coefficients.size() == 1) return coefficients[0] > 0;
  Scratch memory(parameters_);
  const std::span<double> z = memory.numbers();
  scale(values, cell, z);
  return terms_.sum(coefficients, z) > 0;
}

}  // namespace graspmap
