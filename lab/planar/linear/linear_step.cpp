#include "lab/planar/linear/linear_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace graspmap {
namespace {

/// The largest residual so far and its contact.
class Worst {
 public:
  void add(double value, int contact) {
    // Written so that a value that is not a number counts as the worst.
    if (value <= worst_.value) return;
    worst_ = {std::isfinite(value) ? value : std::numeric_limits<double>::infinity(), contact};
  }
  [[nodiscard]] const SolutionResidual& get() const { return worst_; }

 private:
  SolutionResidual worst_;
};

double pair_residual(double a, double b) { return std::abs(std::min(a, b)); }

/// A nu - momentum - W p, scaled.
Eigen::VectorXd momentum_residual(const LinearStep& step, const StepSolution& solution) {
  Eigen::VectorXd balance = step.inertia.cwiseProduct(solution.nu) - step.momentum;
  if (step.geometric.size() > 0) balance += step.geometric * solution.nu;
  for (std::size_t i = 0; i < step.contacts.size(); ++i) {
    step.contacts[i].normal.add_to(balance, -solution.contacts[i].p_n);
    step.contacts[i].tangent.add_to(balance, -solution.contacts[i].p_t);
  }
  for (std::size_t i = 0; i < step.pins.size(); ++i) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      step.pins[i].rows[axis].add_to(balance, -solution.pins[i][static_cast<int>(axis)]);
    }
  }
  for (std::size_t i = 0; i < step.tables.size(); ++i) {
    const LinearTable& table = step.tables[i];
    for (std::size_t k = 0; k < table.rows.size(); ++k) {
      table.rows[k].add_to(balance, -solution.tables[i][static_cast<int>(k)]);
    }
  }
  for (int i = 0; i < step.velocities(); ++i) {
    balance[i] /= step.inertia[i] * step.velocity_scale(i);
  }
  return balance;
}

/// 0 <= lambda + v_t orthogonal to beta+ >= 0, 0 <= lambda - v_t orthogonal to beta- >= 0 and
/// 0 <= mu p_n - |p_t| orthogonal to lambda >= 0 with lambda = |v_t|.
void add_friction(const LinearContact& row, const ContactImpulse& p, double v_t, double V, double P,
                  int contact, Worst& worst) {
  const double lambda = std::abs(v_t);
  worst.add(pair_residual((lambda + v_t) / V, std::max(p.p_t, 0.0) / P), contact);
  worst.add(pair_residual((lambda - v_t) / V, std::max(-p.p_t, 0.0) / P), contact);
  worst.add(pair_residual((row.mu * p.p_n - std::abs(p.p_t)) / P, lambda / V), contact);
}

/// A rate, nearer to zero by at most its rounding error.
double without_rounding(double rate, double rounding) {
  return rate - std::clamp(rate, -rounding, rounding);
}

void add_contact(const LinearContact& row, const ContactImpulse& p, const StepSolution& solution,
                 const StepScales& scales, int contact, Worst& worst) {
  const double V = scales.velocity_mm_s;
  const double P = scales.impulse_mn_s;
  const double gap_rate = row.gap_rate(solution.nu);
  const double p_layer = p.p_n - p.p_core;
  const double layer =
      without_rounding(gap_rate + row.layer_rate + row.compliance * p_layer, row.rounding);
  worst.add(pair_residual(layer / V, p_layer / P), contact);
  const double core = without_rounding(gap_rate + row.core_rate, row.rounding);
  if (row.is_soft) worst.add(pair_residual(core / V, p.p_core / P), contact);
  if (row.mu > 0.0) add_friction(row, p, row.slip_at(solution.nu), V, P, contact, worst);
}

void add_table(const LinearTable& table, const Eigen::VectorXd& beta, const Eigen::VectorXd& nu,
               const StepScales& scales, Worst& worst) {
  double lambda = 0.0;
  for (const GeneralizedRow& row : table.rows) lambda = std::max(lambda, -row.dot(nu));
  for (std::size_t k = 0; k < table.rows.size(); ++k) {
    const double slack = (lambda + table.rows[k].dot(nu)) / scales.velocity_mm_s;
    worst.add(pair_residual(slack, beta[static_cast<int>(k)] / scales.impulse_mn_s), -1);
  }
  const double left = (table.limit_mn_s - beta.sum()) / scales.impulse_mn_s;
  worst.add(pair_residual(left, lambda / scales.velocity_mm_s), -1);
}

}  // namespace

double LinearStep::velocity_scale(int i) const {
  const double heaviest = scales.impulse_mn_s / scales.velocity_mm_s;
  return scales.velocity_mm_s * std::sqrt(heaviest / inertia[i]);
}

StepSolution free_motion(const LinearStep& step) {
  StepSolution solution;
  solution.nu = step.momentum.cwiseQuotient(step.inertia);
  solution.contacts.resize(step.contacts.size());
  solution.pins.assign(step.pins.size(), Vec2::Zero());
  for (const LinearTable& table : step.tables) {
    solution.tables.emplace_back(Eigen::VectorXd::Zero(static_cast<int>(table.rows.size())));
  }
  return solution;
}

SolutionResidual solution_residual(const LinearStep& step, const StepSolution& solution) {
  Worst worst;
  const Eigen::VectorXd balance = momentum_residual(step, solution);
  for (const double entry : balance) worst.add(std::abs(entry), -1);
  for (std::size_t i = 0; i < step.contacts.size(); ++i) {
    add_contact(step.contacts[i], solution.contacts[i], solution, step.scales, static_cast<int>(i),
                worst);
  }
  for (const LinearPin& pin : step.pins) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const double rate = pin.rows[axis].dot(solution.nu) + pin.rate[static_cast<int>(axis)];
      worst.add(std::abs(rate) / step.scales.velocity_mm_s, -1);
    }
  }
  for (std::size_t i = 0; i < step.tables.size(); ++i) {
    add_table(step.tables[i], solution.tables[i], solution.nu, step.scales, worst);
  }
  return worst.get();
}

}  // namespace graspmap
