#include "lab/spatial/stewart_trinkle.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <vector>

#include "lab/spatial/implicit_problem.hpp"
#include "lab/spatial/scene.hpp"
#include "lab/spatial/stepper.hpp"

namespace graspmap {
namespace {

bool is_same_pair(const SpatialContact& c, const SpatialContact& d) {
  return c.body_a == d.body_a && c.body_b == d.body_b;
}

PatchKind patch_of(const SpatialContact& contact, double closed_mm,
                   const std::vector<SpatialContact>& contacts) {
  int touching = 0;
  bool carries = false;
  for (const SpatialContact& other : contacts) {
    if (!is_same_pair(contact, other)) continue;
    if (other.gap_mm <= closed_mm) ++touching;
    carries = carries || other.p_n > 0.0;
  }
  if (!carries || (contact.p_n == 0.0 && contact.gap_mm > closed_mm)) return PatchKind::kOpen;
  if (touching <= 1) return PatchKind::kPoint;
  return touching == 2 ? PatchKind::kLine : PatchKind::kSurface;
}

}  // namespace

void set_patches(double closed_mm, std::vector<SpatialContact>& contacts) {
  for (SpatialContact& contact : contacts) contact.patch = patch_of(contact, closed_mm, contacts);
}

namespace {

std::vector<SolidContact> points_of(const SpatialScene& scene, const std::vector<Pose3>& poses,
                                    int body_a, int body_b) {
  const auto a = static_cast<std::size_t>(body_a);
  const auto b = static_cast<std::size_t>(body_b);
  return contact_points(scene.bodies[a].solid, poses[a], scene.bodies[b].solid, poses[b]);
}

/// Contacts at given poses, those of a pair of bodies computed once for all its points.
class ContactsAtPoses {
 public:
  ContactsAtPoses(const SpatialScene& scene, const std::vector<Pose3>& poses)
      : scene_(scene), poses_(poses) {}

  const SolidContact& of(const PointPair& pair) {
    const BodyPair bodies{pair.body_a, pair.body_b};
    if (contacts_.empty() || !(bodies == bodies_)) {
      contacts_ = points_of(scene_, poses_, pair.body_a, pair.body_b);
      bodies_ = bodies;
    }
    return contacts_[static_cast<std::size_t>(pair.point)];
  }

 private:
  const SpatialScene& scene_;
  const std::vector<Pose3>& poses_;
  BodyPair bodies_;
  std::vector<SolidContact> contacts_;
};

}  // namespace

std::vector<SpatialLinearContact> linear_contacts(const SpatialScene& scene,
                                                  const std::vector<Pose3>& poses,
                                                  const std::vector<PointPair>& points,
                                                  const std::vector<Vec3>& axes) {
  ContactsAtPoses at_poses(scene, poses);
  std::vector<SpatialLinearContact> contacts;
  for (std::size_t k = 0; k < points.size(); ++k) {
    SpatialLinearContact contact;
    contact.pair = points[k];
    contact.friction = contact_law(scene, points[k].body_a, points[k].body_b).friction;
    contact.at = at_poses.of(points[k]);
    const auto frame = contact_frame(contact.at.normal, axes[k]);
    contact.t = frame.t;
    contact.o = frame.o;
    contacts.push_back(contact);
  }
  return contacts;
}

void add_tangent_axes(const SpatialScene& scene, const std::vector<Pose3>& start,
                      const std::vector<PointPair>& points, std::vector<Vec3>& axes) {
  ContactsAtPoses at_start(scene, start);
  for (std::size_t k = axes.size(); k < points.size(); ++k) {
    axes.push_back(frame_axis(at_start.of(points[k]).normal));
  }
}

bool add_closed_points(const SpatialScene& scene, const std::vector<Pose3>& poses,
                       const std::vector<BodyPair>& pairs, double touching_mm,
                       std::vector<PointPair>& points) {
  const std::size_t before = points.size();
  for (const BodyPair& pair : pairs) {
    const auto contacts = points_of(scene, poses, pair.body_a, pair.body_b);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      if (contacts[i].gap_mm > touching_mm) continue;
      const PointPair point{pair.body_a, pair.body_b, static_cast<int>(i)};
      if (std::find(points.begin(), points.end(), point) == points.end()) points.push_back(point);
    }
  }
  return points.size() > before;
}

namespace {

Eigen::VectorXd stacked(const std::vector<Twist>& twists) {
  Eigen::VectorXd all(6 * std::ssize(twists));
  for (std::size_t i = 0; i < twists.size(); ++i) {
    all.segment<6>(6 * static_cast<Eigen::Index>(i)) = twists[i];
  }
  return all;
}

}  // namespace

FreeBodies free_bodies(const SpatialScene& scene, const SpatialState& start, double h) {
  FreeBodies free;
  const std::vector<Twist> applied = applied_impulses(scene, start, h);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const SpatialBody& body = scene.bodies[i];
    if (body.is_fixed) {
      free.inverse_mass.push_back(0.0);
      free.inverse_inertia.push_back(Mat3::Zero());
      free.velocities.push_back(Twist::Zero());
      continue;
    }
    const Mat3 I = inertia_in_world(body, start.poses[i]);
    const Vec3 w = start.velocities[i].tail<3>();
    const Vec3 gyroscopic = -h * w.cross(I * w);
    Twist v = start.velocities[i];
    v.head<3>() += applied[i].head<3>() / body.mass_kg;
    free.inverse_mass.push_back(1.0 / body.mass_kg);
    free.inverse_inertia.push_back(I.inverse());
    v.tail<3>() += free.inverse_inertia.back() * (applied[i].tail<3>() + gyroscopic);
    free.velocities.push_back(v);
  }
  return free;
}

LinearContactStep::LinearContactStep(const FreeBodies& bodies,
                                     const std::vector<SpatialLinearContact>& contacts,
                                     const std::vector<Twist>& v_hat,
                                     const std::vector<Pose3>& q_hat, double h,
                                     SpatialGapTerm gap_term,
                                     const std::vector<SpatialJoint>& joints)
    : contacts_(contacts), v_free_(stacked(bodies.velocities)) {
  const auto size = v_free_.size();
  const auto n_c = std::ssize(contacts);
  M_inverse_ = Eigen::MatrixXd::Zero(size, size);
  for (std::size_t i = 0; i < bodies.velocities.size(); ++i) {
    const auto at = 6 * static_cast<Eigen::Index>(i);
    M_inverse_.block<3, 3>(at, at) = bodies.inverse_mass[i] * Mat3::Identity();
    M_inverse_.block<3, 3>(at + 3, at + 3) = bodies.inverse_inertia[i];
  }
  for (const SpatialJoint& joint : joints) {
    joints_.emplace_back(joint, q_hat[static_cast<std::size_t>(joint.body_a)],
                         q_hat[static_cast<std::size_t>(joint.body_b)]);
    space_.bilateral += joints_.back().size();
  }
  J_ = Eigen::MatrixXd::Zero(space_.bilateral + 3 * n_c, size);
  Eigen::VectorXd theta(space_.bilateral);
  Eigen::Index row = 0;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const int n = joints_[k].size();
    J_.block(row, 6 * joints[k].body_a, n, 6) = joints_[k].rows(0);
    J_.block(row, 6 * joints[k].body_b, n, 6) = joints_[k].rows(1);
    theta.segment(row, n) = joints_[k].theta();
    row += n;
  }
  space_.mu.resize(n_c);
  for (std::size_t k = 0; k < contacts.size(); ++k) set_rows(k, q_hat);
  space_.angle_rad = Eigen::VectorXd::Zero(n_c);
  space_.R = J_ * M_inverse_ * J_.transpose();
  space_.u_free = J_ * v_free_;
  if (gap_term == SpatialGapTerm::kVelocity) return;
  const Eigen::VectorXd u_hat = J_ * stacked(v_hat);
  space_.u_free.head(space_.bilateral) += theta / h - u_hat.head(space_.bilateral);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    space_.u_free[row_of(k)] += contacts[k].at.gap_mm / h - u_hat[row_of(k)];
  }
}

void LinearContactStep::set_rows(std::size_t k, const std::vector<Pose3>& q_hat) {
  const SpatialLinearContact& contact = contacts_[k];
  const Eigen::Index row = row_of(k);
  const auto set = [&](int body, const Vec3& point, double sign) {
    const Vec3 r = point - q_hat[static_cast<std::size_t>(body)].position_mm;
    const Vec3 t = contact.friction.e_t * contact.t;
    const Vec3 o = contact.friction.e_o * contact.o;
    Eigen::Matrix<double, 3, 6> rows;
    rows << contact.at.normal.transpose(), r.cross(contact.at.normal).transpose(),  //
        t.transpose(), r.cross(t).transpose(),                                      //
        o.transpose(), r.cross(o).transpose();
    J_.block<3, 6>(row, 6 * body) = sign * rows;
  };
  set(contact.pair.body_a, contact.at.on_a_mm, 1.0);
  set(contact.pair.body_b, contact.at.on_b_mm, -1.0);
  space_.mu[static_cast<Eigen::Index>(k)] = contact.friction.mu;
}

ContactSpaceSolution LinearContactStep::solve(const SpatialStepperSettings& settings) const {
  ContactSolverSettings solver;
  solver.solver = ContactSolver::kMlcpLemke;
  solver.directions = settings.directions;
  solver.tolerance = settings.tolerance;
  return solve_contact_space(space_, solver);
}

std::vector<Twist> LinearContactStep::velocities(const Eigen::VectorXd& p) const {
  const Eigen::VectorXd v = v_free_ + M_inverse_ * (J_.transpose() * p);
  std::vector<Twist> twists;
  for (Eigen::Index at = 0; at < v.size(); at += 6) twists.emplace_back(v.segment<6>(at));
  return twists;
}

std::vector<Twist> LinearContactStep::joint_loads(const Eigen::VectorXd& p) const {
  std::vector<Twist> loads;
  Eigen::Index row = 0;
  for (const JointEquations& joint : joints_) {
    loads.push_back(joint.load(p.segment(row, joint.size())));
    row += joint.size();
  }
  return loads;
}

SpatialContact LinearContactStep::contact(std::size_t k, const Eigen::VectorXd& p) const {
  const SpatialLinearContact& from = contacts_[k];
  const Eigen::Index row = row_of(k);
  const Eigen::VectorXd v = v_free_ + M_inverse_ * (J_.transpose() * p);
  const auto speed_along = [&](const Vec3& direction, Eigen::Index at, double scale) {
    // A row of J, unless its stretch is zero.
    return direction.isZero(0.0) || scale == 0.0 ? 0.0 : J_.row(at).dot(v) / scale;
  };
  SpatialContact contact;
  contact.body_a = from.pair.body_a;
  contact.body_b = from.pair.body_b;
  contact.friction = from.friction;
  contact.t = from.t;
  contact.o = from.o;
  contact.p_n = p[row];
  contact.p_t = from.friction.e_t * p[row + 1];
  contact.p_o = from.friction.e_o * p[row + 2];
  contact.v_t_mm_s = speed_along(from.t, row + 1, from.friction.e_t);
  contact.v_o_mm_s = speed_along(from.o, row + 2, from.friction.e_o);
  const auto spin = [&](int body) -> Vec3 { return v.segment<3>(6 * body + 3); };
  contact.w_r_rad_s = from.at.normal.dot(spin(from.pair.body_a) - spin(from.pair.body_b));
  if (contact.p_n > 0.0) {
    contact.sigma_mm_s =
        std::hypot(from.friction.e_t * contact.v_t_mm_s, from.friction.e_o * contact.v_o_mm_s);
  }
  return contact;
}

namespace {

constexpr double kTouching = 1e-12;  // gap of points that touch, of the bodies' size
constexpr double kClosed = 1e-6;     // the same at the end of a step, for the kind of a patch

std::vector<Pose3> poses_after(const SpatialScene& scene, const SpatialState& start, double h,
                               const std::vector<Twist>& velocities) {
  std::vector<Pose3> poses = start.poses;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    if (!scene.bodies[i].is_fixed) poses[i] = moved(start.poses[i], velocities[i], h);
  }
  return poses;
}

bool are_finite(const std::vector<Twist>& velocities) {
  return std::all_of(velocities.begin(), velocities.end(),
                     [](const Twist& nu) { return nu.allFinite(); });
}

/// The time-steppers of Stewart and Trinkle 2000 and of Hart and Anitescu 2003 in space: they
/// differ in where the geometry is taken and in the gap term.
class SpatialStewartTrinkle : public SpatialStepper {
 public:
  SpatialStewartTrinkle(SpatialStepperKind kind, const SpatialStepperSettings& settings)
      : kind_(kind), settings_(settings) {}

  void step(const SpatialScene& scene, const SpatialState& start, double h,
            SpatialStep& step) override;

 private:
  /// A step's data, and the points and velocities found so far.
  struct Progress {
    const SpatialScene& scene;
    const SpatialState& start;
    double h;
    SpatialScales scales;
    FreeBodies free;
    std::vector<BodyPair> pairs;
    std::vector<PointPair> points;
    std::vector<Vec3> axes;  // of the points' tangents
    std::vector<Twist> v_hat;
  };

  [[nodiscard]] Progress begin(const SpatialScene& scene, const SpatialState& start,
                               double h) const;
  [[nodiscard]] bool is_hart() const {
    return kind_ == SpatialStepperKind::kAnitescuHart ||
           kind_ == SpatialStepperKind::kAnitescuHartUnstabilised;
  }
  [[nodiscard]] bool holds_velocities() const {
    return kind_ == SpatialStepperKind::kAnitescuPotra ||
           kind_ == SpatialStepperKind::kAnitescuHartUnstabilised;
  }
  void solve_linear(const Progress& progress, SpatialStep& step) const;
  static bool add_closed(Progress& progress, const std::vector<Twist>& velocities);
  void iterate_geometry(Progress& progress, SpatialStep& step) const;

  SpatialStepperKind kind_;
  SpatialStepperSettings settings_;
};

SpatialStewartTrinkle::Progress SpatialStewartTrinkle::begin(const SpatialScene& scene,
                                                             const SpatialState& start,
                                                             double h) const {
  const SpatialScales scales = spatial_scales(scene, start, h);
  const double reach = 2.0 * h * scales.velocity_mm_s;
  return {
      scene,
      start,
      h,
      scales,
      free_bodies(scene, start, h),
      near_pairs(scene, start, reach),
      {},
      {},
      is_hart() ? std::vector<Twist>(start.velocities.size(), Twist::Zero()) : start.velocities};
}

/// Adds points that touch or overlap after the step at given velocities.
bool SpatialStewartTrinkle::add_closed(Progress& progress, const std::vector<Twist>& velocities) {
  SpatialState end;
  end.poses = poses_after(progress.scene, progress.start, progress.h, velocities);
  add_overlapping(progress.scene, end, progress.pairs);
  const double touching_mm = kTouching * progress.scales.length_mm;
  const bool has_more =
      add_closed_points(progress.scene, end.poses, progress.pairs, touching_mm, progress.points);
  add_tangent_axes(progress.scene, progress.start.poses, progress.points, progress.axes);
  return has_more;
}

/// Solves the linear step at q^l + h v^ and fills `step`, except for the iterations.
void SpatialStewartTrinkle::solve_linear(const Progress& progress, SpatialStep& step) const {
  const std::vector<Pose3> q_hat =
      poses_after(progress.scene, progress.start, progress.h, progress.v_hat);
  const auto contacts = linear_contacts(progress.scene, q_hat, progress.points, progress.axes);
  const auto gap_term = holds_velocities() ? SpatialGapTerm::kVelocity : SpatialGapTerm::kPosition;
  const LinearContactStep linear(progress.free, contacts, progress.v_hat, q_hat, progress.h,
                                 gap_term, progress.scene.joints);
  const ContactSpaceSolution solution = linear.solve(settings_);
  step.status = solution.status;
  step.residual = solution.residual;
  step.unknowns = solution.unknowns;
  advance(progress.scene, progress.start, linear.velocities(solution.p), progress.h, step.end);
  if (!are_finite(step.end.velocities)) {
    step.status = mcp::Status::kNotFinite;
    return;
  }
  step.end.joint_impulses = linear.joint_loads(solution.p);
  const auto at_end =
      linear_contacts(progress.scene, step.end.poses, progress.points, progress.axes);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    SpatialContact contact = linear.contact(k, solution.p);
    contact.on_a_mm = at_end[k].at.on_a_mm;
    contact.on_b_mm = at_end[k].at.on_b_mm;
    contact.normal = at_end[k].at.normal;
    contact.t = at_end[k].t;
    contact.o = at_end[k].o;
    contact.gap_mm = at_end[k].at.gap_mm;
    step.end.contacts.push_back(contact);
  }
  set_patches(kClosed * progress.scales.length_mm, step.end.contacts);
}

/// The nonlinear version, section 3.4: the geometry at the end that was found, until that does not
/// change by more than 1e-12 of the velocities and no more points close. With joints the tolerance
/// decides: rounding of Theta / h is larger than that in slow steps.
void SpatialStewartTrinkle::iterate_geometry(Progress& progress, SpatialStep& step) const {
  constexpr double kSame = 1e-12;
  const double same = progress.scene.joints.empty() ? kSame : std::max(kSame, settings_.tolerance);
  double change = 0.0;
  for (int i = 0; i < settings_.max_iterations; ++i) {
    solve_linear(progress, step);
    ++step.iterations;
    if (step.status != mcp::Status::kSolved) return;
    change = 0.0;
    for (std::size_t b = 0; b < progress.v_hat.size(); ++b) {
      Twist difference = step.end.velocities[b] - progress.v_hat[b];
      difference.tail<3>() *= progress.scales.length_mm;
      change = std::max(change, difference.cwiseAbs().maxCoeff() / progress.scales.velocity_mm_s);
    }
    progress.v_hat = step.end.velocities;
    const bool has_more = add_closed(progress, progress.v_hat);
    step.residual = std::max(step.residual, change);
    if (!has_more && change <= same) return;
  }
  step.status = mcp::Status::kIterationLimit;
}

void SpatialStewartTrinkle::step(const SpatialScene& scene, const SpatialState& start, double h,
                                 SpatialStep& step) {
  Progress progress = begin(scene, start, h);
  step.worst_contact = -1;
  step.iterations = 0;
  // Section 4: points that are closed at q^l + h v^l; and those that forces alone would close,
  // which holds the ones "active in the last step".
  add_closed(progress, start.velocities);
  if (holds_velocities()) {
    solve_linear(progress, step);
    ++step.iterations;
    return;
  }
  add_closed(progress, progress.free.velocities);
  if (kind_ == SpatialStepperKind::kStewartTrinkleNonlinear) {
    iterate_geometry(progress, step);
    return;
  }
  bool again = true;
  while (again) {  // ends: there are finitely many points
    solve_linear(progress, step);
    ++step.iterations;
    again = step.status == mcp::Status::kSolved && add_closed(progress, step.end.velocities);
  }
}

}  // namespace

std::unique_ptr<SpatialStepper> make_spatial_stewart_trinkle(
    SpatialStepperKind kind, const SpatialStepperSettings& settings) {
  return std::make_unique<SpatialStewartTrinkle>(kind, settings);
}

}  // namespace graspmap
