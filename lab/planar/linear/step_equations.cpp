#include "lab/planar/linear/step_equations.hpp"

namespace graspmap {

StepEquations::StepEquations(const LinearStep& step, int size)
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

void StepEquations::add_momentum() {
  for (int i = 0; i < step_.velocities(); ++i) {
    const double unit = step_.inertia[i] * step_.velocity_scale(i);
    linear.M(i, i) = 1.0;
    linear.q[i] = -step_.momentum[i] / unit;
    for (int j = 0; j < step_.geometric.cols(); ++j) {
      linear.M(i, j) += step_.geometric(i, j) * step_.velocity_scale(j) / unit;
    }
  }
}

void StepEquations::add_pin(const LinearPin& pin, int column) {
  for (int axis = 0; axis < 2; ++axis) {
    add_force(pin.rows[index(axis)], 1.0, column + axis);
    add_velocity(pin.rows[index(axis)], 1.0, pin.rate[axis], column + axis);
  }
}

void StepEquations::add_force(const GeneralizedRow& row, double factor, int column) {
  for (std::size_t k = 0; k < index(row.size); ++k) {
    const int i = row.index[k];
    linear.M(i, column) -=
        factor * row.value[k] * P_ / (step_.inertia[i] * step_.velocity_scale(i));
  }
}

void StepEquations::add_velocity(const GeneralizedRow& row, double sign, double rate, int at) {
  for (std::size_t k = 0; k < index(row.size); ++k) {
    const int i = row.index[k];
    linear.M(at, i) += sign * row.value[k] * step_.velocity_scale(i) / V_;
  }
  linear.q[at] += sign * rate / V_;
}

void StepEquations::read_motion(const Eigen::VectorXd& z, StepSolution& solution) const {
  const int velocities = step_.velocities();
  for (int i = 0; i < velocities; ++i) solution.nu[i] = step_.velocity_scale(i) * z[i];
  for (std::size_t i = 0; i < solution.pins.size(); ++i) {
    solution.pins[i] = P_ * z.segment<2>(velocities + 2 * static_cast<int>(i));
  }
}

void StepEquations::write_motion(const StepSolution& solution, Eigen::VectorXd& z) const {
  const int velocities = step_.velocities();
  for (int i = 0; i < velocities; ++i) z[i] = solution.nu[i] / step_.velocity_scale(i);
  for (std::size_t i = 0; i < solution.pins.size(); ++i) {
    z.segment<2>(velocities + 2 * static_cast<int>(i)) = solution.pins[i] / P_;
  }
}

}  // namespace graspmap
