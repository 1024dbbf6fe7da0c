#pragma once

#include <cstdint>
#include <vector>

#include "lab/planar/linear/linear_step.hpp"
#include "lab/planar/stepper.hpp"

namespace graspmap {

/// Where the geometry of a step is linearised: the scene after `nu_at` has acted for h, the shaken
/// bodies where they are at the end of the step. nu_at = 0 stands for q^l.
struct StepPoint {
  const PlanarScene& scene;
  const PlanarState& start;
  double h = 0.0;
  Eigen::VectorXd nu_at;
  PlanarState at;
};

/// The point of `nu_at` in a step of h seconds from `start`, which it refers to, as to `scene`.
StepPoint step_point(const PlanarScene& scene, const PlanarState& start, double h,
                     const Eigen::VectorXd& nu_at);
StepPoint step_point(const PlanarScene& scene, const PlanarState&& start, double h,
                     const Eigen::VectorXd& nu_at) = delete;  // it refers to the start

/// The point of another nu_at.
void move_to(const Eigen::VectorXd& nu_at, StepPoint& point);

/// The condition of a normal row.
enum class GapTerm : std::uint8_t {
  kPosition,  ///< the linearised gap at the end of the step is not negative
  kVelocity   ///< n^T v >= 0, the gap where it is; pins too; soft contacts by position
};

/// The step's equations with the geometry of `point`, W and gaps, for the contacts of `keys`:
///   W_n^T nu + (psi(at) / h - W_n^T nu_at),
/// Stewart and Trinkle 2000, eq. (15) for nu_at = v^l; Hart and Anitescu 2003, eq. (2.8)-(2.9) for
/// nu_at = 0. `table_directions`: 6 (the ellipsoid's axes), 14 (and its octants' diagonals) or 26
/// (and those of its quadrants), and two along the motion at nu_at (at v^l for nu_at = 0).
LinearStep linearise(const StepPoint& point, const std::vector<ContactKey>& keys, GapTerm gap_term,
                     int table_directions);

/// Adds how the forces of `solution` (at nu_at) turn and move with the configuration, and how the
/// slip velocities do: Newton's linearisation of the step whose geometry is that at its end.
void add_geometric_terms(const StepPoint& point, const StepSolution& solution, LinearStep& step);

/// The contacts that a step may close: with active_gap_mm >= 0 those of a gap up to that at `at`
/// (Hart and Anitescu 2003, eq. (2.13)), else those within the reach of a step at its start.
std::vector<ContactKey> candidate_contacts(const PlanarScene& scene, const PlanarState& start,
                                           const PlanarState& at, double h,
                                           const StepperSettings& settings);

/// The gap up to which contacts count as closed: those at rest are to rounding only.
double closed_gap_mm(const PlanarScene& scene, const PlanarState& start, double h);

/// Appends the contacts that overlap by more than `slack_mm` at the end of a step and are not among
/// `keys` (Stewart and Trinkle 2000, section 4). False when no contact does.
bool add_overlapping(const PlanarScene& scene, const PlanarState& end, double slack_mm,
                     std::vector<ContactKey>& keys);

}  // namespace graspmap
