#pragma once

#include <array>
#include <vector>

#include "lab/mcp/problem.hpp"
#include "lab/planar/stepper.hpp"

namespace graspmap {

/// A contact of a linearised step: rows that are affine in the velocities nu at the step's end.
struct LinearContact {
  ContactKey key;
  GeneralizedRow normal;     ///< W_n: of the normal force, and of the gap's rate
  GeneralizedRow tangent;    ///< W_t: of the friction force
  GeneralizedRow slip;       ///< of v_t; W_t where the geometry does not follow nu
  double normal_rate = 0.0;  ///< mm/s: psi/h at the end of the step is W_n^T nu + normal_rate
  double slip_rate = 0.0;    ///< mm/s: v_t = slip . nu + slip_rate
  double mu = 0.0;
  bool is_soft = false;      ///< with the next three, Chakraborty et al. 2014, eq. (36)-(37)
  double compliance = 0.0;   ///< 1/(h (h k + C)), mm/s per mN s
  double layer_rate = 0.0;   ///< C delta^l / (h (h k + C)), mm/s
  double core_rate = 0.0;    ///< delta_max / h, mm/s
  double rounding = 0.0;     ///< mm/s: psi/h of touching bodies, by rounding of their poses
  double closed_rate = 0.0;  ///< psi/h where the step was linearised, mm/s

  /// psi/h at the end of the step, mm/s.
  [[nodiscard]] double gap_rate(const Eigen::VectorXd& nu) const {
    return normal.dot(nu) + normal_rate;
  }
  /// v_t at the end of the step, mm/s.
  [[nodiscard]] double slip_at(const Eigen::VectorXd& nu) const { return slip.dot(nu) + slip_rate; }
};

/// A pin joint: both components of the distance of its points over h vanish.
struct LinearPin {
  std::array<GeneralizedRow, 2> rows;  ///< along x and y
  Vec2 rate{0, 0};                     ///< mm/s
};

/// Friction on the table: directions d_k on the ellipsoid, Chakraborty et al. 2014, eq. (5), with
/// weights beta >= 0, e^T beta <= h limit.
struct LinearTable {
  std::vector<Vec3> directions;      ///< d_k: impulse on the body per weight
  std::vector<GeneralizedRow> rows;  ///< of d_k
  double limit_mn_s = 0.0;
};

/// One step with linearised geometry:
///   (diag(inertia) + geometric) nu = momentum + W p,
/// with the rows of contacts, pins and tables. The order of contacts is that of their keys.
struct LinearStep {
  Eigen::VectorXd inertia;    ///< M + h c, c the drives' damping
  Eigen::MatrixXd geometric;  ///< -h d(W p)/dq, or empty: zero
  Eigen::VectorXd momentum;   ///< M nu^l + h F, and what belongs to `geometric`
  std::vector<LinearContact> contacts;
  std::vector<LinearPin> pins;
  std::vector<LinearTable> tables;
  StepScales scales;

  [[nodiscard]] int velocities() const { return static_cast<int>(inertia.size()); }
  /// The natural scale of velocity i: that of the heaviest body's kinetic energy, mm/s or rad/s.
  [[nodiscard]] double velocity_scale(int i) const;
};

/// The impulses of a contact.
struct ContactImpulse {
  double p_n = 0.0;     ///< mN s, with p_core
  double p_core = 0.0;  ///< mN s
  double p_t = 0.0;     ///< mN s
};

/// The unknowns of a linear step.
struct StepSolution {
  Eigen::VectorXd nu;
  std::vector<ContactImpulse> contacts;
  std::vector<Vec2> pins;               ///< mN s, on body A
  std::vector<Eigen::VectorXd> tables;  ///< weights beta, mN s
};

/// Velocities nu = `momentum` / `inertia`, no impulses.
StepSolution free_motion(const LinearStep& step);

/// The largest residual of the equations of a step.
struct SolutionResidual {
  double value = 0.0;  ///< natural residual; impulses over the scale of impulses, velocities and
                       ///< gaps / h (without their rounding) over that of velocities; slip
                       ///< multipliers are |v_t|
  int worst_contact = -1;  ///< -1: another row
};

/// The residual of the step's nonsmooth equations, with Coulomb's law, at a solution.
SolutionResidual solution_residual(const LinearStep& step, const StepSolution& solution);

/// Writes what a solved linear step means: the state h later, the contacts there with the impulses
/// of `solution`, the deflections of the soft ones (all others relax freely), the impulses of pins
/// and tables. Statuses, residuals and counts are left alone.
void set_outcome(const PlanarScene& scene, const PlanarState& start, double h,
                 const LinearStep& linear, const StepSolution& solution, PlanarStep& step);

/// The equations of a linear step as a mixed linear complementarity problem, built up row by row:
/// Stewart and Trinkle 2000, eq. (13)-(20), with pins, Hart and Anitescu 2003, eq. (2.11)-(2.12).
/// Unknowns: the velocities, two impulses of each pin, then those of the caller (nonnegative).
/// Velocities are in units of LinearStep::velocity_scale, impulses and slip multipliers in those of
/// the step's scales; momentum rows are divided by the row's inertia times its velocity's unit, all
/// other rows by the scale of velocities.
class LinearStepEquations {
 public:
  /// Momentum and pins; the rows and columns of the `size` - `first_own(step)` other unknowns are
  /// zero. Refers to `step`, which must outlive it.
  LinearStepEquations(const LinearStep& step, int size);

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

/// Solves a linear step (with its geometric terms) within the pattern of `solution`: contacts
/// without an impulse stay open, those with one stay closed and stick or slide as they do there.
/// What is left is a linear system; where impulses are not unique, the change of least norm. This
/// is the step of Newton's method where Lemke's method ends in a ray, as it may when forces turn
/// fast with the configuration. The impulses found may have the wrong sign: the residual decides.
/// False for steps with friction on tables, and when the result is not finite.
bool solve_in_pattern(const LinearStep& step, StepSolution& solution);

}  // namespace graspmap
