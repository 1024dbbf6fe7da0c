#include "lab/planar/linear/step_pattern.hpp"

#include <cmath>

#include "lab/mcp/minimum_norm.hpp"
#include "lab/planar/linear/step_equations.hpp"

namespace graspmap {
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
    int size = StepEquations::first_own(step_);
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
  StepEquations equations_;
};

}  // namespace

bool solve_in_pattern(const LinearStep& step, StepSolution& solution) {
  if (!step.tables.empty()) return false;
  return PatternSystem(step, solution).solve(solution);
}

}  // namespace graspmap
