#include "lab/planar/linear/linear_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lab/mcp/minimum_norm.hpp"

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

namespace {

PlanarContact outcome_of(const PlanarScene& scene, const PlanarState& end,
                         const LinearContact& linear, const ContactImpulse& p) {
  PlanarContact contact;
  contact.key = linear.key;
  contact.at = contact_at(scene, end, linear.key);
  contact.mu = linear.mu;
  contact.p_n = p.p_n;
  contact.p_t = p.p_t;
  contact.p_core = p.p_core;
  const GeneralizedRow row =
      contact_row(scene, end, linear.key, contact.at, perp(contact.at.normal));
  contact.slip_mm_s = row.dot(end.nu) + row.offset;
  return contact;
}

Deflection deflection_of(const ContactKey& key, double delta_mm) {
  return {{key.body_a, key.shape_a, key.body_b, key.shape_b}, delta_mm, key.feature};
}

bool same_place(const Deflection& l, const Deflection& r) {
  return l.contact == r.contact && l.feature == r.feature;
}

/// The deflections at the end: delta = (p_ns + C delta^l) / (h k + C), which with p_ns = 0 also
/// describes how a layer without contact relaxes.
void set_deflections(const PlanarScene& scene, const PlanarState& start, double h,
                     const LinearStep& linear, const StepSolution& solution, PlanarState& end) {
  end.deflections.clear();
  for (std::size_t i = 0; i < linear.contacts.size(); ++i) {
    const LinearContact& contact = linear.contacts[i];
    if (!contact.is_soft) continue;
    const double p_layer = solution.contacts[i].p_n - solution.contacts[i].p_core;
    const double delta = h * (contact.compliance * p_layer + contact.layer_rate);
    if (delta > 0.0) end.deflections.push_back(deflection_of(contact.key, delta));
  }
  for (const Deflection& before : start.deflections) {
    const auto same = [&](const LinearContact& contact) {
      return same_place(deflection_of(contact.key, 0.0), before);
    };
    if (std::any_of(linear.contacts.begin(), linear.contacts.end(), same)) continue;
    const SoftLayer layer = *contact_law(scene, before.contact[0], before.contact[2]).soft;
    const double damping = layer.damping_mn_s_per_mm;
    Deflection relaxed = before;
    relaxed.delta_mm *= damping / (h * layer.stiffness_mn_per_mm + damping);
    if (relaxed.delta_mm > 0.0) end.deflections.push_back(relaxed);
  }
}

}  // namespace

void set_outcome(const PlanarScene& scene, const PlanarState& start, double h,
                 const LinearStep& linear, const StepSolution& solution, PlanarStep& step) {
  advance(scene, start, solution.nu, h, step.end);
  set_deflections(scene, start, h, linear, solution, step.end);
  step.contacts.clear();
  for (std::size_t i = 0; i < linear.contacts.size(); ++i) {
    step.contacts.push_back(outcome_of(scene, step.end, linear.contacts[i], solution.contacts[i]));
  }
  step.pin_impulses = solution.pins;
  step.table_impulses.clear();
  for (std::size_t i = 0; i < linear.tables.size(); ++i) {
    Vec3 impulse = Vec3::Zero();
    for (std::size_t k = 0; k < linear.tables[i].directions.size(); ++k) {
      impulse += solution.tables[i][static_cast<int>(k)] * linear.tables[i].directions[k];
    }
    step.table_impulses.push_back(impulse);
  }
}

LinearStepEquations::LinearStepEquations(const LinearStep& step, int size)
    : step_(step), V_(step.scales.velocity_mm_s), P_(step.scales.impulse_mn_s) {
  linear.M = Eigen::MatrixXd::Zero(size, size);
  linear.q = Eigen::VectorXd::Zero(size);
  linear.kinds.assign(index(first_own(step)), mcp::Kind::kFree);
  linear.kinds.resize(index(size), mcp::Kind::kNonnegative);
  add_momentum();
  int column = step.velocities();
  for (const LinearPin& pin : step.pins) {
    add_pin(pin, column);
    column += 2;
  }
}

void LinearStepEquations::add_momentum() {
  for (int i = 0; i < step_.velocities(); ++i) {
    const double unit = step_.inertia[i] * step_.velocity_scale(i);
    linear.M(i, i) = 1.0;
    linear.q[i] = -step_.momentum[i] / unit;
    for (int j = 0; j < step_.geometric.cols(); ++j) {
      linear.M(i, j) += step_.geometric(i, j) * step_.velocity_scale(j) / unit;
    }
  }
}

void LinearStepEquations::add_pin(const LinearPin& pin, int column) {
  for (int axis = 0; axis < 2; ++axis) {
    add_force(pin.rows[index(axis)], 1.0, column + axis);
    add_velocity(pin.rows[index(axis)], 1.0, pin.rate[axis], column + axis);
  }
}

void LinearStepEquations::add_force(const GeneralizedRow& row, double factor, int column) {
  for (std::size_t k = 0; k < index(row.size); ++k) {
    const int i = row.index[k];
    linear.M(i, column) -=
        factor * row.value[k] * P_ / (step_.inertia[i] * step_.velocity_scale(i));
  }
}

void LinearStepEquations::add_velocity(const GeneralizedRow& row, double sign, double rate,
                                       int at) {
  for (std::size_t k = 0; k < index(row.size); ++k) {
    const int i = row.index[k];
    linear.M(at, i) += sign * row.value[k] * step_.velocity_scale(i) / V_;
  }
  linear.q[at] += sign * rate / V_;
}

void LinearStepEquations::read_motion(const Eigen::VectorXd& z, StepSolution& solution) const {
  const int velocities = step_.velocities();
  for (int i = 0; i < velocities; ++i) solution.nu[i] = step_.velocity_scale(i) * z[i];
  for (std::size_t i = 0; i < solution.pins.size(); ++i) {
    solution.pins[i] = P_ * z.segment<2>(velocities + 2 * static_cast<int>(i));
  }
}

void LinearStepEquations::write_motion(const StepSolution& solution, Eigen::VectorXd& z) const {
  const int velocities = step_.velocities();
  for (int i = 0; i < velocities; ++i) z[i] = solution.nu[i] / step_.velocity_scale(i);
  for (std::size_t i = 0; i < solution.pins.size(); ++i) {
    z.segment<2>(velocities + 2 * static_cast<int>(i)) = solution.pins[i] / P_;
  }
}

namespace {

/// Where the impulses of a contact are among the unknowns; -1: it has none.
struct PatternColumns {
  int p_n = -1;  ///< of the layer, or of the contact where it is rigid
  int p_core = -1;
  int p_t = -1;        ///< sticking
  double slide = 0.0;  ///< p_t / p_n of a sliding contact
};

/// The equations of a pattern.
class PatternSystem {
 public:
  PatternSystem(const LinearStep& step, const StepSolution& solution)
      : step_(step),
        P_(step.scales.impulse_mn_s),
        size_(lay_out(solution)),
        equations_(step, size_) {
    for (std::size_t i = 0; i < step.contacts.size(); ++i) {
      if (columns_[i].p_n >= 0) add_contact(step.contacts[i], columns_[i]);
    }
  }

  /// x + the least change that solves M x + q = 0.
  bool solve(StepSolution& solution) const {
    const Eigen::MatrixXd& M = equations_.linear.M;
    const Eigen::VectorXd b = -equations_.linear.q;
    mcp::MinimumNorm minimum_norm;
    minimum_norm.compute(M, kSingular);
    Eigen::VectorXd x = unknowns(solution);
    x += minimum_norm.solve(b - M * x);
    if (!x.allFinite()) return false;
    read(x, solution);
    return true;
  }

 private:
  static constexpr double kSingular = 1e-10;

  /// Returns the number of unknowns.
  int lay_out(const StepSolution& solution) {
    int size = LinearStepEquations::first_own(step_);
    for (std::size_t i = 0; i < step_.contacts.size(); ++i) {
      const LinearContact& contact = step_.contacts[i];
      const ContactImpulse& p = solution.contacts[i];
      PatternColumns columns;
      if (p.p_n > 0.0) {
        columns.p_n = size++;
        if (p.p_core > 0.0) columns.p_core = size++;
        const bool slides = std::abs(p.p_t) >= contact.mu * p.p_n * (1.0 - kSliding);
        if (slides) columns.slide = std::copysign(contact.mu, p.p_t);
        if (!slides) columns.p_t = size++;
      }
      columns_.push_back(columns);
    }
    return size;
  }

  void add_contact(const LinearContact& contact, const PatternColumns& columns) {
    for (const int column : {columns.p_n, columns.p_core}) {
      if (column < 0) continue;
      equations_.add_force(contact.normal, 1.0, column);
      equations_.add_force(contact.tangent, columns.slide, column);
    }
    equations_.add_velocity(contact.normal, 1.0, contact.normal_rate + contact.layer_rate,
                            columns.p_n);
    equations_.add_compliance(contact.compliance, columns.p_n);
    if (columns.p_core >= 0) {
      equations_.add_velocity(contact.normal, 1.0, contact.normal_rate + contact.core_rate,
                              columns.p_core);
    }
    if (columns.p_t < 0) return;
    equations_.add_force(contact.tangent, 1.0, columns.p_t);
    equations_.add_velocity(contact.slip, 1.0, contact.slip_rate, columns.p_t);
  }

  [[nodiscard]] Eigen::VectorXd unknowns(const StepSolution& solution) const {
    Eigen::VectorXd x = Eigen::VectorXd::Zero(size_);
    equations_.write_motion(solution, x);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const PatternColumns& columns = columns_[i];
      const ContactImpulse& p = solution.contacts[i];
      if (columns.p_n >= 0) x[columns.p_n] = (p.p_n - p.p_core) / P_;
      if (columns.p_core >= 0) x[columns.p_core] = p.p_core / P_;
      if (columns.p_t >= 0) x[columns.p_t] = p.p_t / P_;
    }
    return x;
  }

  void read(const Eigen::VectorXd& x, StepSolution& solution) const {
    equations_.read_motion(x, solution);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const PatternColumns& columns = columns_[i];
      ContactImpulse& p = solution.contacts[i];
      p = {};
      if (columns.p_n < 0) continue;
      if (columns.p_core >= 0) p.p_core = P_ * x[columns.p_core];
      p.p_n = P_ * x[columns.p_n] + p.p_core;
      p.p_t = columns.p_t >= 0 ? P_ * x[columns.p_t] : columns.slide * p.p_n;
    }
  }

  static constexpr double kSliding = 1e-9;  // of mu p_n

  const LinearStep& step_;
  double P_;
  std::vector<PatternColumns> columns_;
  int size_;
  LinearStepEquations equations_;
};

}  // namespace

bool solve_in_pattern(const LinearStep& step, StepSolution& solution) {
  if (!step.tables.empty()) return false;
  return PatternSystem(step, solution).solve(solution);
}

}  // namespace graspmap
