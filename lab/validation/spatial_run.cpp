#include "lab/validation/spatial_run.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace graspmap {

const SpatialSnapshot& SpatialRun::at_s(double time_s) const {
  return *std::min_element(shown.begin(), shown.end(),
                           [&](const SpatialSnapshot& a, const SpatialSnapshot& b) {
                             return std::abs(a.time_s - time_s) < std::abs(b.time_s - time_s);
                           });
}

SpatialRun watch_spatial(const SpatialSceneFile& file) {
  SpatialRun seen;
  while (seen.body + 1 < file.bodies.size() && file.bodies[seen.body].is_fixed) ++seen.body;
  StepClock clock;
  seen.run = simulate(file, [&](const SpatialSnapshot& at) {
    seen.computing_s.push_back(seen.shown.empty() ? 0.0 : clock.step_s());
    seen.shown.push_back(at);
    clock.go_on();
    return true;
  });
  return seen;
}

FeltContact felt_contact(const SpatialSnapshot& at, std::size_t body) {
  FeltContact felt;
  for (const SpatialContact& contact : at.contacts) {
    const bool is_a = static_cast<std::size_t>(contact.body_a) == body;
    if (!is_a && static_cast<std::size_t>(contact.body_b) != body) continue;
    if (contact.patch == PatchKind::kOpen) continue;
    if (felt.contact != nullptr && contact.p_n <= felt.contact->p_n) continue;
    felt.contact = &contact;
    felt.arm_mm = (is_a ? contact.on_a_mm : contact.on_b_mm) - at.poses[body].position_mm;
    felt.friction_mn_s = (contact.p_t * contact.t + contact.p_o * contact.o) * (is_a ? 1.0 : -1.0);
    felt.facets = is_a ? contact.facets_a : contact.facets_b;
  }
  return felt;
}

double lowest_point_mm(const SpatialSceneFile& file, const SpatialSnapshot& at, std::size_t body) {
  const Pose3& pose = at.poses[body];
  const Vec3 down = pose.orientation.conjugate() * Vec3(-Vec3::UnitZ());
  return pose.to_world(support_point(file.bodies[body].solid, down)).z();
}

namespace {

constexpr const char* kUniquenessSource = "Xie and Chakraborty 2020, eq. (20)-(28)";
constexpr double kLeastLoad = 0.01;  // of the weight's impulse in the step

/// What the motion of a step says of its contact.
struct DeterminedContact {
  Vec3 impulse;              ///< on the body, mN s
  Vec3 arm_mm;               ///< from the centre of mass to the ECP
  double torsion = 0.0;      ///< about the normal, mN s mm
  double determinant = 0.0;  ///< of the equations of the ECP and the torsion
};

/// Eq. (24): the impulse is M (nu' - nu) less the applied one. Eq. (20) and (23), in the unknowns
/// r and p_r: r x p + p_r n = the change of angular momentum less the applied moment, n . r = the
/// height of the plane over the centre of mass. The determinant is -(n . p)^2.
DeterminedContact determine(const SpatialBody& body, const Pose3& pose, const Pose3& pose_at_end,
                            const Twist& nu, const Twist& nu_at_end, const Twist& applied,
                            const Vec3& normal, double height_mm) {
  DeterminedContact found;
  found.impulse = body.mass_kg * (nu_at_end - nu).head<3>() - applied.head<3>();
  const Vec3 moment = inertia_in_world(body, pose_at_end) * nu_at_end.tail<3>() -
                      inertia_in_world(body, pose) * nu.tail<3>() - applied.tail<3>();
  Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
  A.topLeftCorner<3, 3>() = -cross_matrix(found.impulse);
  A.topRightCorner<3, 1>() = normal;
  A.bottomLeftCorner<1, 3>() = normal.transpose();
  const Eigen::FullPivLU<Eigen::Matrix4d> factors(A);
  const Eigen::Vector4d solution =
      factors.solve(Eigen::Vector4d(moment.x(), moment.y(), moment.z(), height_mm));
  found.arm_mm = solution.head<3>();
  found.torsion = solution[3];
  found.determinant = factors.determinant();
  return found;
}

/// The largest differences over a run.
struct Differences {
  int steps = 0;
  double impulse = 0.0;  ///< of the weight's impulse
  double torsion = 0.0;  ///< of the weight's impulse over 1 mm
  double point_m = 0.0;
  double determinant = 0.0;  ///< of -p_n^2, relative
};

void compare(const DeterminedContact& determined, const FeltContact& felt, const Vec3& normal,
             double sign, double weight, Differences& most) {
  const SpatialContact& contact = *felt.contact;
  const Vec3 impulse = contact.p_n * normal + felt.friction_mn_s;
  const auto keep = [](double& largest, double value) { largest = std::max(largest, value); };
  ++most.steps;
  keep(most.impulse, (determined.impulse - impulse).norm() / weight);
  keep(most.torsion,
       std::abs(determined.torsion - sign * contact.p_r * normal.dot(contact.normal)) / weight);
  keep(most.point_m, kMetresPerMillimetre * (determined.arm_mm - felt.arm_mm).norm());
  keep(most.determinant, std::abs(determined.determinant / (-contact.p_n * contact.p_n) - 1.0));
}

/// The half-space that a body touches.
const SpatialBody& plane_of(const SpatialScene& scene, const SpatialContact& contact,
                            std::size_t body) {
  const int other =
      static_cast<std::size_t>(contact.body_a) == body ? contact.body_b : contact.body_a;
  return scene.bodies[static_cast<std::size_t>(other)];
}

Differences differences(const SpatialSceneFile& file, const SpatialRun& seen) {
  const SpatialScene& scene = file.rigid().scene;
  const SpatialBody& body = scene.bodies[seen.body];
  Differences most;
  SpatialState start = start_state(scene);
  SpatialState end;
  for (std::size_t i = 1; i < seen.shown.size(); ++i) {
    const SpatialSnapshot& at = seen.shown[i];
    const Twist applied = applied_impulses(scene, start, at.step_s)[seen.body];
    const double weight = body.mass_kg * scene.gravity_mm_s2.norm() * at.step_s;
    const FeltContact felt = felt_contact(at, seen.body);
    if (felt.contact != nullptr && felt.contact->p_n >= kLeastLoad * weight) {
      const SpatialBody& plane = plane_of(scene, *felt.contact, seen.body);
      const Vec3 normal = plane.pose.orientation * Vec3::UnitZ();
      const double height_mm = normal.dot(plane.pose.position_mm - at.poses[seen.body].position_mm);
      const double sign = static_cast<std::size_t>(felt.contact->body_a) == seen.body ? 1.0 : -1.0;
      // On the body about its own normal: that of the contact points into A.
      compare(
          determine(body, start.poses[seen.body], at.poses[seen.body], start.velocities[seen.body],
                    at.velocities[seen.body], applied, normal, height_mm),
          felt, normal, sign, weight, most);
    }
    advance(scene, start, at.velocities, at.step_s, end);  // counts the kicks
    end.poses = at.poses;
    end.contacts = at.contacts;
    end.time_s = at.time_s;
    start = end;
  }
  return most;
}

}  // namespace

void add_contact_uniqueness(const std::string& run, const SpatialSceneFile& file,
                            const SpatialRun& seen, ExampleReport& report) {
  const Differences most = differences(file, seen);
  const auto add = [&](const char* what, double limit, double obtained) {
    report.checks.push_back({run + ", uniqueness: " + what, limit, kUniquenessSource, obtained, 0.0,
                             CheckRelation::kAtMost});
  };
  report.checks.push_back({run + ", uniqueness: steps with the weight on the contact", 10.0,
                           "so many at least are compared", static_cast<double>(most.steps), 0.0,
                           CheckRelation::kAtLeast});
  add("impulse by the velocities off the step's, of the weight's", 1e-7, most.impulse);
  add("torsion off, of the weight's at 1 mm", 1e-5, most.torsion);
  add("ECP off the step's, m", 1e-7, most.point_m);
  add("determinant off -p_n^2, relative", 1e-7, most.determinant);
}

}  // namespace graspmap
