#pragma once

#include <vector>

#include "lab/contact_space/contact_space.hpp"
#include "lab/spatial/linear_contact.hpp"
#include "lab/spatial/stepper.hpp"

namespace graspmap {

/// Bodies in a step without contacts: M at q^l, and v_free = v^l + M^-1 (impulses of forces and of
/// the gyroscopic moment -w x I w, both at q^l). Fixed ones have inverse masses and velocities of
/// zero.
struct FreeBodies {
  std::vector<double> inverse_mass;   ///< 1/kg
  std::vector<Mat3> inverse_inertia;  ///< 1/(kg mm^2), in G's axes
  std::vector<Twist> velocities;
};
FreeBodies free_bodies(const SpatialScene& scene, const SpatialState& start, double h);

/// How normals are kept from overlapping in a linear step.
enum class SpatialGapTerm : std::uint8_t {
  kPosition,  ///< gap + h n^T (v - v^) >= 0 with the gap at q^ = q^l + h v^,
              ///< Stewart and Trinkle 2000, eq. (15)
  kVelocity   ///< n^T v >= 0, section 3.3
};

/// A linear step at q^ = q^l + h v^: Stewart and Trinkle 2000, eq. (13)-(20) with the contacts'
/// normals, friction directions and gaps at q^. With e_t and e_o the polygon of friction directions
/// is stretched along t and o; e_r is left out (these methods have no friction about the normal).
/// Joints are bilateral rows with the same gap terms: Theta + h nu^T (v - v^) = 0 at q^, which for
/// v^ = 0 is Hart and Anitescu 2003, eq. (2.8); or nu^T v = 0.
class LinearContactStep {
 public:
  LinearContactStep(const FreeBodies& bodies, const std::vector<SpatialLinearContact>& contacts,
                    const std::vector<Twist>& v_hat, const std::vector<Pose3>& q_hat, double h,
                    SpatialGapTerm gap_term, const std::vector<SpatialJoint>& joints = {});

  /// Lemke's method with the settings' number of directions.
  [[nodiscard]] ContactSpaceSolution solve(const SpatialStepperSettings& settings) const;

  /// Velocities after impulses p.
  [[nodiscard]] std::vector<Twist> velocities(const Eigen::VectorXd& p) const;

  /// The impulses of joints, see `SpatialState::joint_impulses`.
  [[nodiscard]] std::vector<Twist> joint_loads(const Eigen::VectorXd& p) const;

  /// Impulses and velocities of contact k, without points and gap.
  [[nodiscard]] SpatialContact contact(std::size_t k, const Eigen::VectorXd& p) const;

 private:
  void set_rows(std::size_t k, const std::vector<Pose3>& q_hat);
  [[nodiscard]] Eigen::Index row_of(std::size_t contact) const {
    return space_.row(static_cast<int>(contact));
  }

  const std::vector<SpatialLinearContact>& contacts_;
  std::vector<JointEquations> joints_;
  Eigen::MatrixXd J_;          // of the joints; (n, e_t t, e_o o) by contact; 6 n_bodies columns
  Eigen::MatrixXd M_inverse_;  // block diagonal
  Eigen::VectorXd v_free_;
  ContactSpace space_;
};

}  // namespace graspmap
