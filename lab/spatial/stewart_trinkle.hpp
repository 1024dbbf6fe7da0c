#pragma once

#include <vector>

#include "lab/contact_space/contact_space.hpp"
#include "lab/solids/closest_points3.hpp"
#include "lab/spatial/scene.hpp"
#include "lab/spatial/stepper.hpp"

namespace graspmap {

/// Sets the patches of contacts at points: by how many points of a pair of bodies touch (their gaps
/// are at most `closed_mm`), where one of the pair carries an impulse: a point, a line (two), a
/// surface (more). Others are open.
void set_patches(double closed_mm, std::vector<SpatialContact>& contacts);

/// A pair of points that a linear step may keep apart: the `point`-th of `contact_points` of two
/// bodies.
struct PointPair {
  int body_a = 0;  ///< body_a < body_b
  int body_b = 0;
  int point = 0;
  bool operator==(const PointPair&) const = default;
};

/// A pair of points at given poses.
struct SpatialLinearContact {
  PointPair pair;
  EllipticFriction friction;
  SolidContact at;
  Vec3 t = Vec3::UnitX();  ///< n, t, o are right-handed
  Vec3 o = Vec3::UnitY();
};

/// The contacts of pairs of points at `poses`; t is across the normal, in its plane with the pair's
/// axis.
std::vector<SpatialLinearContact> linear_contacts(const SpatialScene& scene,
                                                  const std::vector<Pose3>& poses,
                                                  const std::vector<PointPair>& points,
                                                  const std::vector<Vec3>& axes);

/// Axes for `linear_contacts`, by the normals at the start of a step, so that no t jumps within the
/// step: adds those of the points that have none yet.
void add_tangent_axes(const SpatialScene& scene, const std::vector<Pose3>& start,
                      const std::vector<PointPair>& points, std::vector<Vec3>& axes);

/// Adds the points of `pairs` whose gap is at most `touching_mm` at `poses` and that are not in
/// `points`. False when no point is added.
bool add_closed_points(const SpatialScene& scene, const std::vector<Pose3>& poses,
                       const std::vector<BodyPair>& pairs, double touching_mm,
                       std::vector<PointPair>& points);

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
