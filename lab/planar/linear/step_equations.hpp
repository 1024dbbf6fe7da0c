#pragma once

#include "lab/mcp/linear_problem.hpp"
#include "lab/planar/linear/linear_step.hpp"

namespace graspmap {

/// The equations of a linear step as a mixed linear complementarity problem, built up row by row:
/// Stewart and Trinkle 2000, eq. (13)-(20), with pins, Hart and Anitescu 2003, eq. (2.11)-(2.12).
/// Unknowns: the velocities, two impulses of each pin, then those of the caller (nonnegative).
/// Velocities are in units of LinearStep::velocity_scale, impulses and slip multipliers in those of
/// the step's scales; momentum rows are divided by the row's inertia times its velocity's unit, all
/// other rows by the scale of velocities.
class StepEquations {
 public:
  /// Momentum and pins; the rows and columns of the `size` - `first_own(step)` other unknowns are
  /// zero. Refers to `step`, which must outlive it.
  StepEquations(const LinearStep& step, int size);

  /// The index of the first unknown that is neither a velocity nor an impulse of a pin.
  static int first_own(const LinearStep& step) {
    return step.velocities() + 2 * static_cast<int>(step.pins.size());
  }

  /// The impulse of `column` acts along `row`, times `factor`.
  void add_force(const GeneralizedRow& row, double factor, int column);

  /// Adds to row `at` the velocity sign (row . nu + rate), `rate` in mm/s.
  void add_velocity(const GeneralizedRow& row, double sign, double rate, int at);

  /// Adds to row `at` a compliance (mm/s per mN s) times the impulse of the same index.
  void add_compliance(double compliance, int at) { linear.M(at, at) += compliance * P_ / V_; }

  /// Velocities (mm/s, rad/s) and impulses of pins (mN s) of the unknowns z.
  void read_motion(const Eigen::VectorXd& z, StepSolution& solution) const;

  /// The same back: the head of z.
  void write_motion(const StepSolution& solution, Eigen::VectorXd& z) const;

  mcp::LinearProblem linear;

 private:
  void add_momentum();
  void add_pin(const LinearPin& pin, int column);

  const LinearStep& step_;
  double V_;  ///< scale of velocities, mm/s
  double P_;  ///< scale of impulses, mN s
};

}  // namespace graspmap
