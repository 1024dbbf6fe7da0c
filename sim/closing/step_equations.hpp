#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "geometry/types.hpp"
#include "sim/closing/contact_bodies.hpp"
#include "sim/closing/contact_models.hpp"
#include "sim/closing/contact_set.hpp"
#include "sim/closing/step_data.hpp"
#include "sim/closing/support_elements.hpp"
#include "sim/closing/support_friction.hpp"
#include "sim/closing/tolerances.hpp"
#include "sim/support/fourth_order.hpp"

namespace graspmap {

/// Velocities, the impulses of support points (two each), those of contacts and their points, and
/// the mount's velocity.
inline constexpr int kMaxUnknowns = kMaxVelocities + 2 * kMaxSupportElements + 3 * kMaxContacts + 3;

/// The unknowns: condensed form of Chakraborty et al. 2014, eq. (6)-(7) with the closest points of
/// eq. (15)-(19) as functions of the configuration, except tracked contact points.
struct StepUnknowns {
  VelocityVector nu = VelocityVector::Zero();    ///< nu^(l+1)
  std::array<double, kMaxContacts> p_n{};        ///< mN s, by near pair
  std::array<double, kMaxContacts> p_t{};        ///< mN s, along t = perp(n), on the part
  std::array<ContactPoint, kMaxContacts> point;  ///< by near pair
  std::array<Vec3, kMaxSupportElements> p_s = for_each_element<Vec3>(Vec3::Zero());
  Vec3 mount = Vec3::Zero();  ///< velocity of G on its mount, in G's axes
};

/// A Newton direction in the unknowns; a tracked contact point moves by `slide` in its parameter.
struct StepDirection {
  VelocityVector nu = VelocityVector::Zero();
  std::array<double, kMaxContacts> p_n{};
  std::array<double, kMaxContacts> p_t{};
  std::array<double, kMaxContacts> slide{};
  std::array<Vec3, kMaxSupportElements> p_s = for_each_element<Vec3>(Vec3::Zero());
  Vec3 mount = Vec3::Zero();
};

enum class ContactMode : std::uint8_t { kOpen, kStick, kSlipPositive, kSlipNegative };

/// True for the two sliding modes.
inline bool slides(ContactMode mode) {
  return mode == ContactMode::kSlipPositive || mode == ContactMode::kSlipNegative;
}

/// The sign of p_t in a sliding mode.
inline double sign_of(ContactMode mode) { return mode == ContactMode::kSlipPositive ? 1.0 : -1.0; }

/// The branch of each complementarity condition.
struct Pattern {
  std::array<ContactMode, kMaxContacts> contact{};
  std::array<bool, kMaxSupportElements> support_sticks{};
};

/// The largest scaled residual of each block of equations (dimensionless).
struct StepResidual {
  double dynamics = 0.0;
  double normal = 0.0;
  double tangential = 0.0;
  double support = 0.0;    ///< the sum of its elements'
  double alignment = 0.0;  ///< tracked contact points

  [[nodiscard]] double largest() const {
    return std::max({dynamics, normal, tangential, support, alignment});
  }
};

/// Everything that depends on the unknowns at one iterate.
struct StepEvaluation {
  Configuration q;  ///< q^(l+1) = q^l + h nu^(l+1)
  /// By near pair. For one without impulse that cannot have closed, psi_mm is a positive lower
  /// bound, the rest is not known and its normal is zero.
  std::array<ClosestPoints, kMaxContacts> closest;
  std::array<double, kMaxContacts> v_t{};  ///< slip of the part on the jaw, mm/s
  /// Contacts of outlines that have met another one of the step, which has their impulses.
  std::array<bool, kMaxContacts> met{};
  std::array<double, kMaxContacts> misalignment{};  ///< sine
  std::array<Vec3, kMaxSupportElements> slip;       ///< u = B v, v against the table, mm/s
  /// For a support with a surface: its point at p_s - u in scaled units, over the bound; then
  /// times the bound.
  LimitSurfacePoint surface;
  VelocityVector dynamics;  ///< residual of the momentum balance, mN s
  double per_impulse =
      1.0;  ///< what residuals of all that acts on the part are measured by, 1/(mN s)
  StepResidual residual;
  /// How the pads give way, where the step has any.
  std::array<PadDeflection, kMaxContacts> deflection;
  /// With a mount: what the gripper gives the part, mN s, of its momentum and the table's friction;
  /// and the residual of the mount's balance.
  Vec3 given = Vec3::Zero();
  Vec3 mount = Vec3::Zero();
};

/// Unknowns with their evaluation.
struct Iterate {
  StepUnknowns x;
  StepEvaluation at;
};

/// The mixed nonlinear complementarity problem of one step, Chakraborty et al. 2014, condensed: the
/// residual of its equations (step_equations.cpp) and their linearisation (step_linearization.cpp).
class StepEquations {
 public:
  Support support;
  double least_curvature = tolerances::kRegularization;  ///< times the length scale, of flat spots
  bool stays = false;  ///< contacts of outlines stay at their pairs: RetryLadder::solve_at_corners

  StepEquations(const StepData& data, const StepPairs& pairs) : data_(&data), pairs_(&pairs) {}

  /// To be called when `support` has been set, with the part's radius of gyration.
  void weigh_support(double length_mm);

  /// Begins with a step of these data and of the pairs chosen for it.
  void begin(const StepData& data);

  /// Takes other data of the same step. The part's mass is multiplied by `heavier_contacts` where
  /// it weighs gaps and slips.
  void scale(const StepData& data, double heavier_contacts = 1.0);

  [[nodiscard]] const StepData& data() const { return *data_; }
  [[nodiscard]] const StepPairs& pairs() const { return *pairs_; }

  /// Evaluates geometry, slips and residuals; updates the contact points of `x`.
  void evaluate(StepUnknowns& x, StepEvaluation& out);

  /// The pair that a contact is at: its own, or of outlines the one that it has walked to.
  [[nodiscard]] Pair pair_at(std::size_t i, const StepUnknowns& x) const {
    return {x.point[i].piece, pairs_->pair[i].side, x.point[i].finger};
  }

  /// True when one of the first `contacts` contacts of the step is at the pair.
  [[nodiscard]] bool has_contact_at(const Pair& pair, const Iterate& now, int contacts) const {
    for (std::size_t i = 0; i < index(contacts); ++i) {
      if (!now.at.met[i] && pair_at(i, now.x) == pair) return true;
    }
    return false;
  }

  /// v_t of a contact in configuration q with velocities nu and that of the mount, mm/s.
  [[nodiscard]] double slip_mm_s(const ClosestPoints& closest, JawSide side,
                                 const VelocityVector& nu, const Vec3& mount,
                                 const Configuration& q) const {
    const Vec2 jaw(data_->jaws.velocity(side, nu), 0.0);
    const Vec2 r = closest.on_piece_mm - q.part_pose.head<2>();
    const double slip = perp(closest.normal).dot(nu.head<2>() + nu[2] * perp(r) - jaw);
    if (slides_by(side)) [[unlikely]] {
      return slip +
             perp(closest.normal).dot(gripper_motion(mount).at(closest.on_piece_mm).head<2>());
    }
    return slip;
  }

  /// psi + delta: >= 0 at the end of the step, mm.
  [[nodiscard]] double gap_mm(std::size_t i, const StepEvaluation& at) const {
    if (pairs_->any_soft) [[unlikely]] {
      return at.closest[i].psi_mm + at.deflection[i].mm;
    }
    return at.closest[i].psi_mm;
  }

  /// delta of the pad at a contact, and the largest of all, mm.
  [[nodiscard]] double deflection_mm(std::size_t i, const StepEvaluation& at) const {
    return pairs_->any_soft ? at.deflection[i].mm : 0.0;
  }
  [[nodiscard]] double largest_deflection_mm(const StepEvaluation& at) const;

  /// The energy in all pads, mN mm.
  [[nodiscard]] double pad_energy(const Iterate& now) const;

  /// What a pad adds to the slip of a contact with the tangential impulse p_t, mm/s.
  [[nodiscard]] double pad_slip_mm_s(std::size_t i, double p_t) const {
    return pairs_->any_soft && pairs_->pad[i].is_soft ? pairs_->pad[i].slip_mm_s(p_t) : 0.0;
  }

  /// The part's velocity against the table in configuration q with velocities nu.
  [[nodiscard]] Vec3 over_table(const StepUnknowns& x, const Configuration& q) const {
    if (data_->mount != nullptr) [[unlikely]] {
      return x.nu.head<3>() + gripper_motion(x.mount).at(q.part_pose.head<2>());
    }
    if (!data_->twist.moves()) return x.nu.head<3>();
    return x.nu.head<3>() + data_->twist.at(q.part_pose.head<2>());
  }

  /// N's axes in those of G at the end of the step.
  [[nodiscard]] Rotation2 mount_axes(const Vec3& mount) const {
    return Rotation2(data_->base.mount[2] + data_->h * mount[2]);
  }

  /// How N moves G at the end of the step, and how G moves against the table, with the mount's
  /// velocity: in G's axes. Without a mount both are the twist.
  [[nodiscard]] GripperTwist arm_motion(const Vec3& mount) const;
  [[nodiscard]] GripperTwist gripper_motion(const Vec3& mount) const;

  /// True of obstacles while G moves: they slide by with the table.
  [[nodiscard]] bool slides_by(JawSide side) const {
    return side == JawSide::kObstacle && (data_->twist.moves() || data_->mount != nullptr);
  }

  /// The impulse in the step of the inertial forces that a turning N has on the part, mN s.
  [[nodiscard]] Vec2 inertial_impulse(const StepUnknowns& x, const Configuration& q) const;
  /// The same on a jaw, along x, of an N that moves G with `motion`.
  [[nodiscard]] double inertial_jaw_impulse(const GripperTwist& motion, double jaw_mm) const;

  /// The branch that the projections of the natural map are on.
  [[nodiscard]] Pattern pattern(const StepUnknowns& x, const StepEvaluation& at) const;

  /// True when the pattern has at least as many unknown impulses as there are velocities: then they
  /// may not be unique.
  [[nodiscard]] bool is_redundant(const Pattern& pattern) const;

  /// Puts the impulses of `x` on the branch: open contacts carry none, sliding ones
  /// p_t = +-mu p_n. Refreshes the momentum balance of `at`.
  void project(const Pattern& pattern, StepUnknowns& x, StepEvaluation& at);

  /// In an impact the contacts decide how the part moves, not the table. So what slips of the
  /// support on the branch gets the impulse of the slip at `x`. Refreshes the momentum balance of
  /// `at`. A support with a surface is left as it is: its branch needs the whole evaluation.
  void pull_against_slip(const Pattern& pattern, StepUnknowns& x, StepEvaluation& at) const;

  /// In an impact lets slip what sticks of the support where the direction takes its impulse out of
  /// its bound. That impulse, which would hold the part, shows where the support then pulls.
  /// Refreshes the momentum balance of `at`. False where all that sticks holds.
  bool release_support(Pattern& pattern, const StepDirection& direction, StepUnknowns& x,
                       StepEvaluation& at) const;

  /// The Newton direction of the pattern's equations at `x`. `regularization` is added to the
  /// diagonal of the impulse rows (scaled): it picks one impulse where they are not unique, and
  /// vanishes from the equations as Newton converges. False when the direction is not finite.
  [[nodiscard]] bool newton_direction(const Pattern& pattern, const StepUnknowns& x,
                                      const StepEvaluation& at, double regularization,
                                      double damping, StepDirection& direction);

  /// next = x + alpha * direction.
  void move(const StepUnknowns& x, const StepDirection& direction, double alpha,
            StepUnknowns& next) const;

  /// The start of the next step's iteration, or the end state of this one.
  [[nodiscard]] State state_after(const StepUnknowns& x) const;

 private:
  using SystemMatrix =
      Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>,
                 Eigen::Unaligned, Eigen::OuterStride<>>;
  using SystemVector = Eigen::Matrix<double, kMaxUnknowns, 1>;
  /// Derivatives by (x, y, theta, x_jaw), or their coefficients in one of the jaws' rows.
  using PoseRow = Eigen::RowVector4d;

  /// The indices of the unknowns of the linear system: velocities first; -1: not in it.
  struct Layout {
    int size = 0;
    std::array<int, kMaxContacts> normal{};
    std::array<int, kMaxContacts> tangential{};
    std::array<int, kMaxContacts> slide{};
    std::array<int, kMaxSupportElements> support{};
    int mount = -1;
  };

  /// A sliding support element's impulse as dp_s = offset - gain (I - d d^T) du.
  struct SlidingSupport {
    double gain = 0.0;
    Vec3 direction = Vec3::Zero();  ///< d
    Vec3 offset = Vec3::Zero();
  };

  /// The linearised alignment of a tracked contact point: d theta + curvature ds = -excess.
  struct Alignment {
    double excess = 0.0;  ///< sine of the angle by which the piece's normal is out of line
    double curvature_per_mm = 0.0;
  };

  /// How far a tracked contact point slides, scaled: ds = offset + per_turn d theta, where the
  /// piece is curved enough; else ds is an unknown of the system.
  struct Slide {
    bool tracked = false;
    Alignment alignment;
    double offset = 0.0;
    double per_turn = 0.0;
  };

  /// p - r u of a contact, u its gap and slip: what the projections of the natural map project.
  struct NaturalPoint {
    double normal = 0.0;
    double tangential = 0.0;
  };
  [[nodiscard]] NaturalPoint natural_point(std::size_t i, const StepUnknowns& x,
                                           const StepEvaluation& at) const;
  void set_masses(double heavier_contacts);
  [[nodiscard]] inline Alignment align(std::size_t i, const StepEvaluation& at) const;
  [[nodiscard]] inline SlidingSupport sliding_support(std::size_t j, const StepUnknowns& x,
                                                      const StepEvaluation& at) const;
  [[nodiscard]] const BodyPiece& piece_of(std::size_t i) const {
    return data_->bodies->pieces[index(pairs_->pair[i].piece)];
  }
  [[nodiscard]] inline Configuration configuration_after(const StepUnknowns& x) const;
  /// What a contact gives the part, mN s.
  [[nodiscard]] static Vec2 impulse_of(std::size_t i, const StepUnknowns& x,
                                       const StepEvaluation& at) {
    const Vec2& normal = at.closest[i].normal;
    return normal * x.p_n[i] + perp(normal) * x.p_t[i];
  }
  void move_mount(const Vec3& velocity, State& state) const;
  void balance_mount(const StepUnknowns& x, StepEvaluation& at) const;
  void assemble_mount(const StepUnknowns& x, const StepEvaluation& at);
  void join_contacts(StepUnknowns& x, StepEvaluation& out) const;
  void press_pads(const StepUnknowns& x, StepEvaluation& out) const;
  template <ContactModel Contacts>
  void evaluate_contacts(const Contacts& contacts, StepUnknowns& x, StepEvaluation& out);
  inline void remember_gaps(double approach_mm, const StepUnknowns& x, const StepEvaluation& at);
  template <ContactModel Contacts>
  bool leave_open(const Contacts& contacts, std::size_t i, double approach_mm, StepUnknowns& x,
                  StepEvaluation& out) const;
  void evaluate_surface(const StepUnknowns& x, StepEvaluation& out) const;
  [[nodiscard]] inline double squeeze(const StepUnknowns& x) const;
  void momentum_balance(const StepUnknowns& x, StepEvaluation& at) const;
  inline void complementarity_residuals(const StepUnknowns& x, StepEvaluation& at) const;
  [[nodiscard]] inline double support_residual(std::size_t j, const StepUnknowns& x,
                                               const StepEvaluation& at) const;

  inline void clear(int size);
  [[nodiscard]] double& J(int row, int column) { return J_[index(row * width_ + column)]; }
  [[nodiscard]] SystemMatrix J() {
    return {J_.data(), layout_.size, layout_.size, Eigen::OuterStride<>(width_)};
  }
  inline void lay_out(const Pattern& pattern, const StepUnknowns& x, const StepEvaluation& at);
  void add_to_row(int row, double factor, const PoseRow& derivatives, std::size_t side);
  inline void set_column(int column, const PoseRow& force, std::size_t side);
  inline void assemble_momentum(const StepEvaluation& at, double damping);
  inline void assemble_slipping_support(std::size_t j, const StepUnknowns& x,
                                        const StepEvaluation& at);
  inline void assemble_slipping_ball(std::size_t j);
  void assemble_sticking_support(std::size_t j, const StepUnknowns& x, const StepEvaluation& at,
                                 double regularization);
  void assemble_surface_support(bool sticks, const StepUnknowns& x, const StepEvaluation& at,
                                double regularization);
  inline void assemble_support_turn(std::size_t j, const StepUnknowns& x);
  inline void assemble_contact(std::size_t i, ContactMode mode, const StepUnknowns& x,
                               const StepEvaluation& at, double regularization);
  void assemble_passing(int row, const GripperTwist& twist, const ClosestPoints& closest,
                        const ContactMotion& motion);
  inline void assemble_stiffness(std::size_t i, const ContactMotion& motion, const StepUnknowns& x,
                                 const Vec2& normal);
  inline void assemble_edge_stiffness(const ContactMotion& motion, const Vec2& impulse, double p_n);
  void assemble_pad(std::size_t i, const StepEvaluation& at);
  inline void assemble_slide(std::size_t i, const StepUnknowns& x, const StepEvaluation& at);
  inline void read_direction(const Pattern& pattern, const StepUnknowns& x,
                             const StepEvaluation& at, StepDirection& direction) const;
  [[nodiscard]] Eigen::Matrix3d scaled_slip_map(std::size_t j) const;
  [[nodiscard]] Eigen::Matrix3d support_compliance(const Eigen::Matrix3d& wrench,
                                                   double regularization) const;
  [[nodiscard]] Vec3 scaled_diagonal(std::size_t j) const;
  [[nodiscard]] Eigen::Matrix3d slip_jacobian(std::size_t j, const Vec3& velocity) const;
  /// True for an element whose slip depends on each velocity by itself.
  [[nodiscard]] bool is_ball(std::size_t j) const {
    return support.elements[j].is_diagonal() && !data_->twist.turns();
  }
  void assemble_turning_frame();
  [[nodiscard]] double support_limit(std::size_t j) const {
    return data_->support_impulse_limit * support.elements[j].share;
  }

  const StepData* data_;
  const StepPairs* pairs_;
  /// Lower bounds of the first pairs' gaps in configuration `bounds_at_`. An open contact is not
  /// looked at while its gap cannot have closed since. That is the start of the step or, where
  /// contacts do not walk, the last look at one: points of fingertips have other last digits by
  /// that.
  std::array<double, kMaxContacts> gap_bound_mm_{};
  int bounds_ = 0;  ///< how many; pairs come in while the step is solved
  Configuration bounds_at_;

  VelocityVector velocity_unit_ = VelocityVector::Ones();
  double per_velocity_ = 1.0;  ///< 1 / velocity_scale, and so on
  double per_impulse_ = 1.0;
  double per_length_ = 1.0;
  double per_gap_ = 1.0;       ///< 1 / (h velocity_scale)
  double contact_mass_ = 1.0;  ///< weighs gaps and slips in the natural map's projections, kg
  /// Weights of slips in the natural map.
  std::array<double, kMaxSupportElements> support_weight_ = for_each_element(1.0);
  std::array<Vec3, kMaxSupportElements> support_unit_{};  ///< of F: B^-1 over the weight, diagonal
  std::array<double, kMaxSupportElements> support_mass_{};
  double support_spread_ = 1.0;  ///< of an ellipsoid's weights: its strongest axis over its weakest
  double contact_softness_ = 1.0;  ///< of the regularisation, in the contacts' rows
  double support_softness_ = 1.0;  ///< in the support's; less for a part heavier than the jaws
  Layout layout_;
  std::array<Slide, kMaxContacts> slide_{};                  ///< of closed contacts
  std::array<SlidingSupport, kMaxSupportElements> sliding_;  ///< of the elements that slide
  int width_ = 0;  ///< of the system's rows: row_width of the layout's size, at most 3 more
  alignas(32) std::array<double, kMaxUnknowns*(kMaxUnknowns + 3)> J_;  ///< by row
  SystemVector rhs_ = SystemVector::Zero();  ///< its head, of the layout's size
};

}  // namespace graspmap
