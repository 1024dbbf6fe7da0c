#pragma once

#include <array>
#include <vector>

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
                       ///< gaps / h (but for their rounding) over that of velocities; slip
                       ///< multipliers are |v_t|
  int worst_contact = -1;  ///< -1: another row
};

/// The residual of the step's nonsmooth equations, with Coulomb's law, at a solution.
SolutionResidual solution_residual(const LinearStep& step, const StepSolution& solution);

}  // namespace graspmap
