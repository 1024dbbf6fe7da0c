/// The condensed step solves the full mixed complementarity problem of
/// Chakraborty et al. 2014: eq. (21)-(22) with the closest points of a jaw and a piece as in
/// eq. (62)-(67). Its points, multipliers and slip speeds are built here from a recorded step.

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/jaw_contact.hpp"
#include "tests/support/keep_largest.hpp"
#include "tests/support/random_parts.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

/// The worst residual of each equation, in h F, V, h V and the radius of gyration.
struct MncpResidual {
  double momentum = 0.0;       ///< first row of eq. (21)
  double kinematics = 0.0;     ///< second row
  double closest_points = 0;   ///< eq. (62)
  double normals = 0.0;        ///< eq. (63), as a part of |grad f|
  double on_piece = 0.0;       ///< eq. (64)
  double on_jaw = 0.0;         ///< eq. (65)-(66)
  double non_penetration = 0;  ///< eq. (67)
  double friction = 0.0;       ///< eq. (7) of the contacts, both rows
  double support = 0.0;        ///< eq. (7) of the support, all rows
  int touching = 0;            ///< contacts with an impulse
};

void raise(double& worst, double value) { keep_largest(worst, std::abs(value)); }

/// 0 <= a orthogonal to b >= 0 holds when this vanishes.
double complementarity(double a, double b) { return std::min(a, b); }

class Mncp {
 public:
  Mncp(const Scenario& scenario, const TrialParameters& trial)
      : scenario_(scenario),
        trial_(trial),
        ellipsoid_(std::get<EllipsoidSupport>(scenario.support)) {}

  void operator()(const StepRecord& record) {
    if (record.step_s > 0.0) evaluate(record);
    start_ = *record.state;
  }

  [[nodiscard]] const MncpResidual& worst() const { return worst_; }

 private:
  using Vec5 = Eigen::Matrix<double, 5, 1>;

  static Vec5 velocity(const State& s) {
    return (Vec5() << s.part_velocity, s.jaw_right_mm_s, s.jaw_left_mm_s).finished();
  }
  static Vec5 position(const State& s) {
    return (Vec5() << s.part_pose, s.jaw_right_mm, s.jaw_left_mm).finished();
  }

  void evaluate(const StepRecord& record) {
    end_ = *record.state;
    h_ = record.step_s;
    force_ = 1000.0 * scenario_.gripper.closing_force_n;
    speed_ = scenario_.gripper.closing_speed_mm_s;
    length_ = std::sqrt(scenario_.mass.inertia_kg_mm2 / scenario_.mass.mass_kg);
    start_momentum();
    for (const ContactRecord& contact : *record.contacts) add_contact(contact);
    add_support(record.support_impulse);
    finish_momentum();
  }

  /// -M nu+ + M nu + p_app, with the closing law F - c v at the end of the step.
  void start_momentum() {
    const double c = force_ / speed_;
    const double jaw = scenario_.gripper.jaw_mass_kg;
    const double mass = scenario_.mass.mass_kg;
    Vec5 M;
    M << mass, mass, scenario_.mass.inertia_kg_mm2, jaw, jaw;
    balance_ = M.cwiseProduct(velocity(start_) - velocity(end_));
    balance_[3] += h_ * (-force_ - c * end_.jaw_right_mm_s);
    balance_[4] += h_ * (force_ - c * end_.jaw_left_mm_s);
    Vec5 moved = position(end_) - position(start_) - h_ * velocity(end_);
    moved[2] *= length_;
    raise(worst_.kinematics, moved.lpNorm<Eigen::Infinity>() / (h_ * speed_));
  }

  /// With x_l = -x_r the constraint's force acts on both jaws alike and leaves their difference.
  void finish_momentum() {
    balance_[2] /= length_;
    if (scenario_.gripper.coupling == Coupling::kSymmetric) {
      balance_[3] -= balance_[4];
      balance_[4] = 0.0;
    }
    raise(worst_.momentum, balance_.lpNorm<Eigen::Infinity>() / (h_ * force_));
  }

  void add_contact(const ContactRecord& contact) {
    const Piece& piece = scenario_.part.pieces[static_cast<std::size_t>(contact.piece)];
    const PlacedSuperellipse f{piece.shape,
                               compose(part_pose_in_gripper(scenario_, end_), piece.pose)};
    const bool right = contact.side == JawSide::kRight;
    const ConvexRegion jaw = jaw_region(contact.side, right ? end_.jaw_right_mm : end_.jaw_left_mm);
    const Vec2 a2 = contact.point_G_mm;
    const Vec2 a1 = a2 - contact.psi_mm * contact.normal_G;
    const Vec2 grad = gradient(ConvexFunction(f), a2);
    const double p_n = contact.normal_impulse_mn_s / (h_ * force_);
    check_points(f, jaw, a1, a2, grad, p_n);

    const Vec2 n = -grad / grad.norm();
    const Vec2 t = perp(n);
    const Vec2 r = a2 - end_.part_pose.head<2>();
    const int column = right ? 3 : 4;
    Vec5 W_n = Vec5::Zero();
    Vec5 W_t = Vec5::Zero();
    W_n.head<3>() << n, cross(r, n);
    W_t.head<3>() << t, cross(r, t);
    W_n[column] = -n.x();
    W_t[column] = -t.x();
    balance_ += W_n * contact.normal_impulse_mn_s + W_t * contact.tangential_impulse_mn_s;
    check_friction(p_n, contact.tangential_impulse_mn_s / (h_ * force_),
                   W_t.dot(velocity(end_)) / speed_);
    if (p_n > 0.0) ++worst_.touching;
  }

  void check_points(const PlacedSuperellipse& f, const ConvexRegion& jaw, const Vec2& a1,
                    const Vec2& a2, const Vec2& grad, double p_n) {
    const double steepness = grad.norm();
    const double h_V = h_ * speed_;
    const double l1 = (a1 - a2).dot(grad) / (steepness * steepness);
    raise(worst_.closest_points, (a2 - a1 + l1 * grad).norm() / h_V);
    raise(worst_.on_piece,
          complementarity(l1 * steepness / h_V, -value(ConvexFunction(f), a2) / steepness / h_V));
    Vec2 sum = grad;
    for (const ConvexFunction& edge : jaw.functions) {
      const Vec2 e = gradient(edge, a1);
      const double l = -grad.dot(e);
      sum += l * e;
      raise(worst_.on_jaw, complementarity(l / steepness, -value(edge, a1) / h_V));
    }
    raise(worst_.normals, sum.norm() / steepness);
    const double f_a1 = value(ConvexFunction(f), a1) / steepness;
    raise(worst_.non_penetration, complementarity(p_n, f_a1 / h_V));
  }

  /// 0 = mu p_n v_t + p_t sigma and 0 <= sigma orthogonal to mu^2 p_n^2 - p_t^2 >= 0.
  void check_friction(double p_n, double p_t, double v_t) {
    const double limit = trial_.mu_jaw * p_n;
    const double sigma = std::abs(v_t);
    raise(worst_.friction, limit * v_t + p_t * sigma);
    raise(worst_.friction, complementarity(sigma, limit * limit - p_t * p_t));
  }

  /// The same with e_t, e_o, e_r and the weight's impulse for p_n; sigma = |E nu|.
  void add_support(const Vec3& p) {
    const Vec3 e(ellipsoid_.e_t, ellipsoid_.e_o, ellipsoid_.e_r_mm);
    balance_.head<3>() += p;
    const double limit = trial_.mu_support * scenario_.mass.mass_kg * scenario_.gravity_mm_s2;
    const double share = limit / force_;  // mu p_n in h F
    const Vec3 u = e.cwiseProduct(end_.part_velocity) / speed_;
    const Vec3 scaled = p.cwiseQuotient(e) / (h_ * force_);
    const double sigma = u.norm();
    raise(worst_.support, (share * u + scaled * sigma).lpNorm<Eigen::Infinity>());
    raise(worst_.support, complementarity(sigma, share * share - scaled.squaredNorm()));
  }

  const Scenario& scenario_;
  const TrialParameters& trial_;
  const EllipsoidSupport ellipsoid_;
  State start_;
  State end_;
  double h_ = 0.0;
  double force_ = 0.0;
  double speed_ = 0.0;
  double length_ = 0.0;
  Vec5 balance_ = Vec5::Zero();
  MncpResidual worst_;
};

void check_trial(const Scenario& scenario, const TrialParameters& trial) {
  constexpr double kTolerance = 1e-8;
  Mncp mncp(scenario, trial);
  const StepObserver observer = [&](const StepRecord& record) { mncp(record); };
  run(scenario, trial, &observer);
  INFO(describe(trial));
  const MncpResidual& worst = mncp.worst();
  CHECK(worst.momentum <= kTolerance);
  CHECK(worst.kinematics <= kTolerance);
  CHECK(worst.closest_points <= kTolerance);
  CHECK(worst.normals <= kTolerance);
  CHECK(worst.on_piece <= kTolerance);
  CHECK(worst.on_jaw <= kTolerance);
  CHECK(worst.non_penetration <= kTolerance);
  CHECK(worst.friction <= kTolerance);
  CHECK(worst.support <= kTolerance);
  CHECK(worst.touching > 0);
}

}  // namespace

TEST_CASE("condensed steps of the lock piece solve the full complementarity problem") {
  Random random(21);
  for (int k = 0; k < 40; ++k) {
    Scenario scenario = lock_piece_scenario();
    if (k % 2 == 1) scenario.gripper.coupling = Coupling::kIndependent;
    scenario.step_s = k % 4 < 2 ? 0.002 : 0.005;
    check_trial(scenario, lock_piece_trial(random));
  }
}

TEST_CASE("condensed steps of a part with other exponents solve it too") {
  const Scenario scenario = lopsided_scenario();
  Random random(22);
  for (int k = 0; k < 20; ++k) {
    TrialParameters trial = lock_piece_trial(random);
    trial.theta_rad = random.uniform(-3.0, 3.0);
    trial.placement_y_mm += 10.0;
    check_trial(scenario, trial);
  }
}
