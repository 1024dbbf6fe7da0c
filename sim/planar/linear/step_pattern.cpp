#include "sim/planar/linear/step_pattern.hpp"

#include <Eigen/QR>
#include <cmath>

namespace graspmap {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// Where the impulses of a contact are among the unknowns; -1: it has none.
struct PatternColumns {
  int p_n = -1;  ///< of the layer, or of the contact where it is rigid
  int p_core = -1;
  int p_t = -1;        ///< sticking
  double slide = 0.0;  ///< p_t / p_n of a sliding contact
};

/// The equations of a pattern in the unknowns of ContactLcp, scaled as there.
class PatternSystem {
 public:
  PatternSystem(const LinearStep& step, const StepSolution& solution)
      : step_(step), V_(step.scales.velocity_mm_s), P_(step.scales.impulse_mn_s) {
    lay_out(solution);
    A_ = Eigen::MatrixXd::Zero(size_, size_);
    b_ = Eigen::VectorXd::Zero(size_);
    add_momentum();
    for (std::size_t i = 0; i < step.pins.size(); ++i)
      add_pin(step.pins[i], pins_ + 2 * static_cast<int>(i));
    for (std::size_t i = 0; i < step.contacts.size(); ++i) {
      if (columns_[i].p_n >= 0) add_contact(step.contacts[i], columns_[i]);
    }
  }

  /// x + the least change that solves A x = b.
  bool solve(StepSolution& solution) const {
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition(size_, size_);
    decomposition.setThreshold(kSingular);
    decomposition.compute(A_);
    Eigen::VectorXd x = unknowns(solution);
    x += decomposition.solve(b_ - A_ * x);
    if (!x.allFinite()) return false;
    read(x, solution);
    return true;
  }

 private:
  static constexpr double kSingular = 1e-10;

  void lay_out(const StepSolution& solution) {
    pins_ = step_.velocities();
    size_ = pins_ + 2 * static_cast<int>(step_.pins.size());
    for (std::size_t i = 0; i < step_.contacts.size(); ++i) {
      const LinearContact& contact = step_.contacts[i];
      const ContactImpulse& p = solution.contacts[i];
      PatternColumns columns;
      if (p.p_n > 0.0) {
        columns.p_n = size_++;
        if (p.p_core > 0.0) columns.p_core = size_++;
        const bool slides = std::abs(p.p_t) >= contact.mu * p.p_n * (1.0 - kSliding);
        if (slides) columns.slide = std::copysign(contact.mu, p.p_t);
        if (!slides) columns.p_t = size_++;
      }
      columns_.push_back(columns);
    }
  }

  void add_momentum() {
    for (int i = 0; i < step_.velocities(); ++i) {
      const double unit = step_.inertia[i] * step_.velocity_scale(i);
      A_(i, i) = 1.0;
      b_[i] = step_.momentum[i] / unit;
      for (int j = 0; j < step_.geometric.cols(); ++j) {
        A_(i, j) += step_.geometric(i, j) * step_.velocity_scale(j) / unit;
      }
    }
  }

  void add_force(const GeneralizedRow& row, double factor, int column) {
    for (std::size_t k = 0; k < index(row.size); ++k) {
      const int i = row.index[k];
      A_(i, column) -= factor * row.value[k] * P_ / (step_.inertia[i] * step_.velocity_scale(i));
    }
  }

  /// Row `at`: row . nu + rate = 0.
  void add_velocity(const GeneralizedRow& row, double rate, int at) {
    for (std::size_t k = 0; k < index(row.size); ++k) {
      A_(at, row.index[k]) += row.value[k] * step_.velocity_scale(row.index[k]) / V_;
    }
    b_[at] -= rate / V_;
  }

  void add_pin(const LinearPin& pin, int column) {
    for (int axis = 0; axis < 2; ++axis) {
      add_force(pin.rows[index(axis)], 1.0, column + axis);
      add_velocity(pin.rows[index(axis)], pin.rate[axis], column + axis);
    }
  }

  void add_contact(const LinearContact& contact, const PatternColumns& columns) {
    for (const int column : {columns.p_n, columns.p_core}) {
      if (column < 0) continue;
      add_force(contact.normal, 1.0, column);
      add_force(contact.tangent, columns.slide, column);
    }
    add_velocity(contact.normal, contact.normal_rate + contact.layer_rate, columns.p_n);
    A_(columns.p_n, columns.p_n) += contact.compliance * P_ / V_;
    if (columns.p_core >= 0) {
      add_velocity(contact.normal, contact.normal_rate + contact.core_rate, columns.p_core);
    }
    if (columns.p_t < 0) return;
    add_force(contact.tangent, 1.0, columns.p_t);
    add_velocity(contact.slip, contact.slip_rate, columns.p_t);
  }

  [[nodiscard]] Eigen::VectorXd unknowns(const StepSolution& solution) const {
    Eigen::VectorXd x = Eigen::VectorXd::Zero(size_);
    for (int i = 0; i < step_.velocities(); ++i) {
      x[i] = solution.nu[i] / step_.velocity_scale(i);
    }
    for (std::size_t i = 0; i < solution.pins.size(); ++i) {
      x.segment<2>(pins_ + 2 * static_cast<int>(i)) = solution.pins[i] / P_;
    }
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
    for (int i = 0; i < step_.velocities(); ++i) {
      solution.nu[i] = x[i] * step_.velocity_scale(i);
    }
    for (std::size_t i = 0; i < solution.pins.size(); ++i) {
      solution.pins[i] = P_ * x.segment<2>(pins_ + 2 * static_cast<int>(i));
    }
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
  double V_ = 1.0;
  double P_ = 1.0;
  int size_ = 0;
  int pins_ = 0;
  std::vector<PatternColumns> columns_;
  Eigen::MatrixXd A_;
  Eigen::VectorXd b_;
};

}  // namespace

bool solve_in_pattern(const LinearStep& step, StepSolution& solution) {
  if (!step.tables.empty()) return false;
  return PatternSystem(step, solution).solve(solution);
}

}  // namespace graspmap
