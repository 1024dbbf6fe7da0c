#include "grasp/analysis/sensitivity/grasp_emulator.hpp"

#include <algorithm>
#include <cmath>

#include "grasp/process/stop.hpp"
#include "grasp/trials/trial_sampler.hpp"

namespace graspmap {
namespace {

constexpr std::size_t kX = 0;
constexpr std::size_t kY = 1;
constexpr std::size_t kTheta = 2;
constexpr double kTrialsPerCoefficient = 60;
constexpr double kRidge = 0.05;  // little against hundreds of trials

std::array<double, 5> all_values(const TrialParameters& p) {
  return {p.placement_x_mm, p.placement_y_mm, p.theta_rad, p.mu_jaw, p.mu_support};
}

/// 1, each parameter, each product of two.
std::size_t coefficient_count(std::size_t parameters) {
  return 1 + parameters + parameters * (parameters + 1) / 2;
}

/// The terms of the polynomial at z, in the order of the coefficients.
template <typename Row>
void set_terms(const std::array<double, 5>& z, std::size_t parameters, Row row) {
  Eigen::Index k = 0;
  row[k++] = 1.0;
  for (std::size_t i = 0; i < parameters; ++i) row[k++] = z[i];
  for (std::size_t i = 0; i < parameters; ++i) {
    for (std::size_t j = i; j < parameters; ++j) row[k++] = z[i] * z[j];
  }
}

double polynomial(const std::vector<double>& coefficients, const std::array<double, 5>& z,
                  std::size_t parameters) {
  const double* linear = coefficients.data() + 1;
  const double* product = linear + parameters;
  double sum = coefficients[0];
  for (std::size_t i = 0; i < parameters; ++i) {
    double slope = linear[i];
    for (std::size_t j = i; j < parameters; ++j) slope += *product++ * z[j];
    sum += slope * z[i];
  }
  return sum;
}

/// A range of cells.
struct CellSpan {
  int first;
  int last;
};

std::vector<double> to_vector(const Eigen::VectorXd& v) { return {v.begin(), v.end()}; }

}  // namespace

GraspEmulator::GraspEmulator(const CellGrid& grid, const std::vector<GraspEmulatorTrial>& trials)
    : grid_(grid), axes_(grid.axes()) {
  choose_units(trials);
  sort_into_cells(trials);
  choose_margin(trials.size());
  models_.reserve(cells_.size());
  for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
    check_stop();
    models_.push_back(fit(cell));
  }
  for (std::size_t cell = 0; cell < cells_.size(); ++cell) check(cell);
}

bool GraspEmulator::succeeds(const TrialParameters& parameters, std::size_t without) const {
  const Point values = all_values(parameters);
  return succeeds_at(values, cell_of(values), without);
}

/// Which parameters vary, and from where and in what unit they are measured in each cell.
void GraspEmulator::choose_units(const std::vector<GraspEmulatorTrial>& trials) {
  Point mean{};
  for (const GraspEmulatorTrial& trial : trials) {
    const Point values = all_values(trial.parameters);
    for (std::size_t k = 0; k < kMostParameters; ++k) {
      mean[k] += values[k] / static_cast<double>(trials.size());
    }
  }
  Point squares{};
  for (const GraspEmulatorTrial& trial : trials) {
    const Point values = all_values(trial.parameters);
    for (std::size_t k = 0; k < kMostParameters; ++k) {
      squares[k] += (values[k] - mean[k]) * (values[k] - mean[k]);
    }
  }
  for (std::size_t k = 0; k < kMostParameters; ++k) {
    const bool has_axis = k < axes_.size() && !axes_[k].is_fixed();
    units_[k] = has_axis ? axes_[k].cell_size()
                         : std::sqrt(squares[k] / static_cast<double>(trials.size()));
    // The mean of equal values is not exactly that value.
    if (has_axis || units_[k] > 1e-9 * (std::abs(mean[k]) + 1e-9)) varying_.push_back(k);
  }
  for (int cell = 0; cell < grid_.cell_count(); ++cell) {
    const CellIndex at = grid_.cell(static_cast<std::size_t>(cell));
    Point centre = mean;
    centre[kX] = axes_[kX].cell_center(at.x);
    centre[kY] = axes_[kY].cell_center(at.y);
    if (!axes_[kTheta].is_fixed()) centre[kTheta] = axes_[kTheta].cell_center(at.theta);
    centres_.push_back(centre);
  }
}

/// Groups are dealt out along the cells, and along the trials of each.
void GraspEmulator::sort_into_cells(const std::vector<GraspEmulatorTrial>& trials) {
  const std::size_t cells = centres_.size();
  cells_.resize(cells);
  for (std::size_t k = 0; k < trials.size(); ++k) {
    const Point values = all_values(trials[k].parameters);
    const std::size_t group = (k / cells + k % cells) % kGroups;
    cells_[cell_of(values)].push_back({values, trials[k].success, group, k});
  }
}

/// So far that the box around a cell has as many trials as the polynomial needs.
void GraspEmulator::choose_margin(std::size_t trials) {
  const double per_cell = static_cast<double>(trials) / static_cast<double>(cells_.size());
  const double needed =
      kTrialsPerCoefficient * static_cast<double>(coefficient_count(varying_.size()));
  const double side = std::pow(needed / per_cell, axes_[kTheta].cells > 1 ? 1.0 / 3 : 1.0 / 2);
  const int most = std::max({axes_[kX].cells, axes_[kY].cells, axes_[kTheta].cells});
  margin_cells_ = std::clamp((side - 1) / 2, 0.0, static_cast<double>(most));
}

GraspEmulator::Neighbourhood GraspEmulator::neighbourhood(std::size_t cell) const {
  std::vector<const Trial*> trials;
  std::vector<double> weights;
  for (const std::size_t other : cells_around(cell)) {
    for (const Trial& trial : cells_[other]) {
      const double distance = other == cell ? 0.0 : distance_cells(scaled(trial.values, cell));
      const double part = distance > 0 ? distance / margin_cells_ : 0.0;
      if (part >= 1) continue;
      trials.push_back(&trial);
      weights.push_back(1 - part * part);
    }
  }
  Neighbourhood result;
  const auto rows = std::ssize(trials);
  result.data.features.resize(rows, static_cast<Eigen::Index>(coefficient_count(varying_.size())));
  result.data.labels.resize(rows);
  result.data.weights = Eigen::Map<Eigen::VectorXd>(weights.data(), rows);
  for (Eigen::Index k = 0; k < rows; ++k) {
    const Trial& trial = *trials[static_cast<std::size_t>(k)];
    set_terms(scaled(trial.values, cell), varying_.size(), result.data.features.row(k));
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

void GraspEmulator::check(std::size_t cell) {
  for (const Trial& trial : cells_[cell]) {
    checks_.push_back({trial.place, trial.group, succeeds_at(trial.values, cell, trial.group)});
  }
}

std::size_t GraspEmulator::cell_of(const Point& values) const {
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

GraspEmulator::Point GraspEmulator::scaled(const Point& values, std::size_t cell) const {
  const Point& centre = centres_[cell];
  Point z{};
  for (std::size_t k = 0; k < varying_.size(); ++k) {
    const std::size_t source = varying_[k];
    z[k] = (values[source] - centre[source]) / units_[source];
  }
  return z;
}

double GraspEmulator::distance_cells(const Point& z) const {
  const double angle = axes_[kTheta].cells > 1 ? std::abs(z[kTheta]) : 0.0;
  return std::max({std::abs(z[kX]), std::abs(z[kY]), angle}) - 0.5;
}

bool GraspEmulator::succeeds_at(const Point& values, std::size_t cell, std::size_t without) const {
  const std::vector<double>& coefficients = models_[cell][without];
  if (coefficients.size() == 1) return coefficients[0] > 0;
  return polynomial(coefficients, scaled(values, cell), varying_.size()) > 0;
}

}  // namespace graspmap
