#pragma once

#include <vector>

#include "lab/spatial/body_at_end.hpp"
#include "lab/spatial/joint.hpp"
#include "lab/spatial/step_contact.hpp"

namespace graspmap {

/// The joints among the equations of an implicit step: rows Theta = 0 at the end of the step, and
/// impulses along their gradients there. Their unknowns lambda stand together, by joint, in units
/// of the scales. Refers to its arguments.
class StepJoints {
 public:
  StepJoints(const SpatialScene& scene, double h, const SpatialScales& scales);

  /// The number of unknowns, and of rows.
  [[nodiscard]] int size() const { return size_; }

  /// Of the first unknown, and by body (-1: fixed).
  struct Layout {
    int first = 0;
    const std::vector<int>& bodies;
  };

  /// Sets the joints' rows of F at unknowns z and bodies at the end; takes their impulses from the
  /// rows of the momenta.
  void add_rows(const Layout& layout, const std::vector<BodyAtEnd>& bodies,
                const Eigen::VectorXd& z, Eigen::VectorXd& F) const;

  /// The derivatives of that.
  void add_jacobian(const Layout& layout, const std::vector<BodyAtEnd>& bodies,
                    const Eigen::VectorXd& z, Eigen::MatrixXd& J) const;

  /// By joint, see `SpatialState::joint_impulses`.
  [[nodiscard]] std::vector<Twist> loads(const Layout& layout, const std::vector<BodyAtEnd>& bodies,
                                         const Eigen::VectorXd& z) const;

 private:
  template <typename Visit>
  void for_joints(const Layout& layout, const std::vector<BodyAtEnd>& bodies,
                  const Eigen::VectorXd& z, Visit visit) const;

  const SpatialScene& scene_;
  double h_;
  const SpatialScales& scales_;
  int size_ = 0;
};

}  // namespace graspmap
