#pragma once

#include <Eigen/Core>
#include <vector>

#include "lab/mcp/problem.hpp"
#include "lab/mcp/semismooth_newton.hpp"
#include "lab/spatial/contact_equations.hpp"

namespace graspmap {

/// The geometrically implicit step as an MNCP, Chakraborty et al. 2014, eq. (21)-(22) with
/// (28)-(32) for solids that are intersections: backward Euler for the momenta,
///   M' nu' - M nu = sum W p + applied impulses,
/// with M', W, closest points and gaps at the end of the step, poses there by `moved`. M nu is the
/// momentum (m v; I w): angular momentum is kept to rounding, and the gyroscopic term needs no
/// explicit form.
///
/// Unknowns: (v, w) of the moving bodies in units of the scales, then those of the joints
/// (`StepJoints`) and of the contacts (`StepContact`).
class SpatialStepProblem : public mcp::Problem {
 public:
  SpatialStepProblem(const SpatialScene& scene, const SpatialState& start, double h,
                     const SpatialScales& scales, std::vector<StepContact> contacts);

  [[nodiscard]] int size() const override { return size_; }
  [[nodiscard]] mcp::Kind kind(int i) const override { return kinds_[static_cast<std::size_t>(i)]; }
  void evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& F) override;
  void jacobian(const Eigen::VectorXd& z, Eigen::MatrixXd& J) override;

  [[nodiscard]] const std::vector<StepContact>& contacts() const { return contacts_; }
  /// The first unknown of a body, -1 of a fixed one.
  [[nodiscard]] int first_of(int body) const { return first_[static_cast<std::size_t>(body)]; }
  /// The contact that a row belongs to, -1: a momentum or a joint.
  [[nodiscard]] int contact_of_row(int row) const;
  /// The point of G that the unknowns a_1, a_2 of a contact are measured from.
  [[nodiscard]] const Vec3& origin_mm(std::size_t contact) const { return origins_[contact]; }

  /// Velocities of all bodies, in mm/s and rad/s.
  [[nodiscard]] std::vector<Twist> velocities(const Eigen::VectorXd& z) const;
  /// Poses at those velocities, and the contacts at them, with the impulses.
  void read(const Eigen::VectorXd& z, SpatialState& end);

 private:
  [[nodiscard]] BodyAtEnd body_at(int body, const Eigen::VectorXd& z) const;
  void place_bodies(const Eigen::VectorXd& z);
  void momentum_rows(Eigen::VectorXd& F) const;
  void momentum_jacobian(Eigen::MatrixXd& J) const;
  template <typename Derivatives, typename Block>
  void add_body_columns(const Derivatives& by, int side, int body, Block&& block) const;
  /// At the bodies as they were placed.
  [[nodiscard]] ContactEquations equations_of(std::size_t k, const Eigen::VectorXd& z) const;
  [[nodiscard]] SpatialContact read_contact(std::size_t k, const Eigen::VectorXd& z) const;
  [[nodiscard]] StepJoints::Layout joint_layout() const { return {first_joint_, first_}; }
  void lay_out();

  const SpatialScene& scene_;
  const SpatialState& start_;
  double h_;
  SpatialScales scales_;
  StepJoints joints_;
  std::vector<StepContact> contacts_;
  std::vector<Vec3> origins_;
  std::vector<int> first_;         // by body
  std::vector<BodyAtEnd> bodies_;  // at the unknowns last seen
  std::vector<Mat3> inertias_;     // at the start, in G's axes
  std::vector<mcp::Kind> kinds_;
  std::vector<Twist> applied_;  // M nu + applied impulses, by body
  int first_joint_ = 0;
  int size_ = 0;
};

/// Sets the multipliers that are not zero and the kind of patch of a contact, whose points and
/// impulse are known, from a solution of the step: z its unknowns, R the bodies' axes at
/// the end. A patch is a point, line or surface as the functions with multipliers leave none, one
/// or two directions in which both bodies are flat (Xie and Chakraborty 2020 count the facets).
void set_patch(const StepContact& contact, const Eigen::VectorXd& z, const SpatialScales& scales,
               const Mat3& R_a, const Mat3& R_b, SpatialContact& read);

/// Solves a step in which contacts open that rolled or stuck until now. There p_n, sigma and
/// 1 - |u|^2 vanish together, u is any unit vector, and Newton's method hardly moves. Contacts that
/// carry next to nothing at `z`, where it stopped, are taken without friction; when they are open
/// in that solution their friction has no effect, and u and sigma follow from the slip. `z` is the
/// solution of the step's own equations then; else it stays as it is.
mcp::Result solve_lift_off(const SpatialScene& scene, const SpatialState& start, double h,
                           const SpatialScales& scales, SpatialStepProblem& problem,
                           const mcp::SemismoothNewtonOptions& options, Eigen::VectorXd& z);

}  // namespace graspmap
