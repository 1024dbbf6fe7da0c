#include "lab/spatial/scene.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/assert.hpp"
#include "lab/solids/closest_points3.hpp"

namespace graspmap {
namespace {

/// An axis of A and one of B that stay perpendicular.
struct RightAngle {
  int of_a;
  int of_b;
};
constexpr std::array<RightAngle, 3> kRightAngles{{{2, 0}, {2, 1}, {1, 0}}};

int point_rows(SpatialJointKind kind) { return kind == SpatialJointKind::kPrismatic ? 2 : 3; }

int angle_rows(SpatialJointKind kind) {
  if (kind == SpatialJointKind::kSpherical) return 0;
  return kind == SpatialJointKind::kRevolute ? 2 : 3;
}

Pose3 in_body(const Pose3& body, const Pose3& in_world) {
  return {body.to_body(in_world.position_mm),
          (body.orientation.conjugate() * in_world.orientation).normalized()};
}

JointEquations::Body placed(const Pose3& pose) {
  return {pose.position_mm, pose.orientation.toRotationMatrix()};
}

}  // namespace

const char* name(SpatialJointKind kind) {
  switch (kind) {
    case SpatialJointKind::kSpherical:
      return "spherical";
    case SpatialJointKind::kRevolute:
      return "revolute";
    case SpatialJointKind::kPrismatic:
      break;
  }
  return "prismatic";
}

SpatialJoint joint_at(SpatialJointKind kind, int body_a, const Pose3& pose_a, int body_b,
                      const Pose3& pose_b, const Vec3& at_mm, const Vec3& axis) {
  const Pose3 frame{at_mm, turn_from_z(axis)};
  return {kind, body_a, body_b, in_body(pose_a, frame), in_body(pose_b, frame)};
}

JointEquations::JointEquations(const SpatialJoint& joint, const Body& A, const Body& B)
    : kind_(joint.kind),
      point_(A.centre_mm + A.R * joint.frame_a.position_mm),
      arms_{Vec3(point_ - A.centre_mm), Vec3(point_ - B.centre_mm)},
      axes_a_(A.R * joint.frame_a.orientation.toRotationMatrix()),
      axes_b_(B.R * joint.frame_b.orientation.toRotationMatrix()) {
  const int angles = angle_rows(joint.kind);
  const int points = first_angle();
  theta_.resize(points + angles);
  for (Rows& rows : rows_) rows.resize(points + angles, 6);
  const Vec3 apart = arms_[1] - B.R * joint.frame_b.position_mm;
  for (int i = 0; i < points; ++i) {
    const Vec3 d = axes_b_.col(i);
    theta_[i] = d.dot(apart);
    rows_[0].row(i) << d.transpose(), arms_[0].cross(d).transpose();
    rows_[1].row(i) << -d.transpose(), -arms_[1].cross(d).transpose();
  }
  for (int i = 0; i < angles; ++i) {
    const RightAngle angle = kRightAngles[static_cast<std::size_t>(i)];
    const Vec3 of_a = axes_a_.col(angle.of_a);
    const Vec3 of_b = axes_b_.col(angle.of_b);
    theta_[points + i] = of_a.dot(of_b);
    rows_[0].row(points + i) << 0.0, 0.0, 0.0, of_a.cross(of_b).transpose();
    rows_[1].row(points + i) = -rows_[0].row(points + i);
  }
}

JointEquations::JointEquations(const SpatialJoint& joint, const Pose3& A, const Pose3& B)
    : JointEquations(joint, placed(A), placed(B)) {}

int JointEquations::first_angle() const { return point_rows(kind_); }

/// With f = sum lambda d the impulse on A, r and s the arms to A's point, and the moments
/// sum lambda (z x x):
///   A: (f, r x f + sum lambda z x x),   B: (-f, -s x f - sum lambda z x x);
///   df = phi_B x f,   dr = phi_A x r,   ds = dc_A + phi_A x r - dc_B.
JointEquations::Square JointEquations::impulse_by(int side, int other, const Values& lambda) const {
  Square by = Square::Zero();
  const int points = first_angle();
  const Vec3 f = axes_b_.leftCols(points) * lambda.head(points);
  const Mat3 F = cross_matrix(f);
  const Mat3 arm = cross_matrix(arms_[static_cast<std::size_t>(side)]);
  auto moment = by.bottomRightCorner<3, 3>();
  if (other == 0) {
    moment = F * cross_matrix(arms_[0]);  // -f x (phi_A x r)
    if (side == 1) by.bottomLeftCorner<3, 3>() = -F;
  } else {
    by.topRightCorner<3, 3>() = -F;
    moment = -arm * F;
    if (side == 1) by.bottomLeftCorner<3, 3>() = F;
  }
  for (int i = points; i < size(); ++i) {
    const RightAngle angle = kRightAngles[static_cast<std::size_t>(i - points)];
    const Mat3 of_a = cross_matrix(axes_a_.col(angle.of_a));
    const Mat3 of_b = cross_matrix(axes_b_.col(angle.of_b));
    moment += lambda[i] * (other == 0 ? Mat3(of_b * of_a) : Mat3(-of_a * of_b));
  }
  return side == 0 ? by : Square(-by);
}

Twist JointEquations::load(const Values& lambda) const {
  Twist on_a = rows_[0].transpose() * lambda;
  on_a.tail<3>() -= arms_[0].cross(Vec3(on_a.head<3>()));
  return on_a;
}

JointGap joint_gap(const SpatialJoint& joint, const Pose3& pose_a, const Pose3& pose_b) {
  const JointEquations equations(joint, pose_a, pose_b);
  const int points = equations.first_angle();
  return {equations.theta().head(points).norm(),
          equations.theta().tail(equations.size() - points).norm()};
}

namespace {

constexpr double kStandsStill_rad_s = 1e-8;  // below it turning has stopped

std::size_t at(int body) { return static_cast<std::size_t>(body); }

bool has_patch(const SpatialState& state, int body, PatchKind patch) {
  return std::any_of(state.contacts.begin(), state.contacts.end(), [&](const SpatialContact& c) {
    return (c.body_a == body || c.body_b == body) && c.patch == patch;
  });
}

double common_time(const Push& push, double start_s, double end_s) {
  return std::max(0.0, std::min(push.end_s, end_s) - std::max(push.start_s, start_s));
}

}  // namespace

const char* name(PatchKind kind) {
  switch (kind) {
    case PatchKind::kOpen:
      return "open";
    case PatchKind::kPoint:
      return "point";
    case PatchKind::kLine:
      return "line";
    case PatchKind::kSurface:
      break;
  }
  return "surface";
}

SpatialContactLaw contact_law(const SpatialScene& scene, int body_a, int body_b) {
  const auto [a, b] = std::minmax(body_a, body_b);
  for (const SpatialContactLaw& law : scene.laws) {
    if (law.body_a == a && law.body_b == b) return law;
  }
  return {a, b, scene.friction, true, {}};
}

SpatialState start_state(const SpatialScene& scene) {
  SpatialState state;
  for (const SpatialBody& body : scene.bodies) {
    state.poses.push_back(body.pose);
    state.velocities.push_back(body.velocity);
  }
  state.kicked.assign(scene.kicks.size(), 0);
  return state;
}

bool is_due(const SpatialScene& scene, const SpatialState& state, std::size_t kick) {
  const Kick& k = scene.kicks[kick];
  switch (k.when) {
    case KickTrigger::kTurningStops:
      return std::abs(state.velocities[at(k.body)][5]) < kStandsStill_rad_s;
    case KickTrigger::kLineContact:
      return state.kicked[kick] == 0 && has_patch(state, k.body, PatchKind::kLine);
    case KickTrigger::kSurfaceContact:
      break;
  }
  return state.kicked[kick] == 0 && has_patch(state, k.body, PatchKind::kSurface);
}

std::vector<Twist> applied_impulses(const SpatialScene& scene, const SpatialState& start,
                                    double h) {
  std::vector<Twist> impulses(scene.bodies.size(), Twist::Zero());
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const SpatialBody& body = scene.bodies[i];
    if (body.is_fixed) continue;
    impulses[i] = h * body.force;
    impulses[i].head<3>() += h * body.mass_kg * scene.gravity_mm_s2;
  }
  for (const Push& push : scene.pushes) {
    impulses[at(push.body)] += common_time(push, start.time_s, start.time_s + h) * push.force;
  }
  for (std::size_t k = 0; k < scene.kicks.size(); ++k) {
    if (is_due(scene, start, k)) impulses[at(scene.kicks[k].body)] += scene.kicks[k].impulse;
  }
  return impulses;
}

Mat3 inertia_in_world(const SpatialBody& body, const Pose3& pose) {
  const Mat3 R = pose.orientation.toRotationMatrix();
  return R * body.inertia_kg_mm2.asDiagonal() * R.transpose();
}

void advance(const SpatialScene& scene, const SpatialState& start,
             const std::vector<Twist>& velocities, double h, SpatialState& end) {
  GRASPMAP_CHECK(velocities.size() == scene.bodies.size() &&
                 start.kicked.size() == scene.kicks.size());
  end.time_s = start.time_s + h;
  end.velocities = velocities;
  end.poses = start.poses;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (!scene.bodies[i].is_fixed) end.poses[i] = moved(start.poses[i], velocities[i], h);
  }
  end.contacts.clear();
  end.deflections.clear();
  end.joint_impulses.clear();
  end.kicked = start.kicked;
  for (std::size_t k = 0; k < scene.kicks.size(); ++k) {
    const bool is_once = scene.kicks[k].when != KickTrigger::kTurningStops;
    if (is_once && is_due(scene, start, k)) end.kicked[k] = 1;
  }
}

SceneEnergy energy(const SpatialScene& scene, const SpatialState& state) {
  SceneEnergy sum;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const SpatialBody& body = scene.bodies[i];
    if (body.is_fixed) continue;
    const Vec3 v = state.velocities[i].head<3>();
    const Vec3 w = state.poses[i].orientation.conjugate() * Vec3(state.velocities[i].tail<3>());
    sum.kinetic_j += 0.5 * kJoulesPerMillinewtonMillimetre *
                     (body.mass_kg * v.squaredNorm() + body.inertia_kg_mm2.dot(w.cwiseProduct(w)));
    sum.potential_j -= kJoulesPerMillinewtonMillimetre * body.mass_kg *
                       scene.gravity_mm_s2.dot(state.poses[i].position_mm);
  }
  if (std::none_of(scene.laws.begin(), scene.laws.end(),
                   [](const SpatialContactLaw& law) { return is_soft(law.layers); })) {
    return sum;
  }
  double elastic = 0.0;
  for (const SpatialDeflection& at : state.deflections) {
    elastic += elastic_energy(contact_law(scene, at.body_a, at.body_b).layers, at.layers_mm);
  }
  sum.elastic_j = kJoulesPerMillinewtonMillimetre * elastic;
  return sum;
}

namespace {

/// True when two bodies are within reach: by their bounding spheres, then by their closest points.
bool is_within(const SpatialScene& scene, const SpatialState& state, std::size_t a, std::size_t b,
               double reach_mm) {
  const Solid& solid_a = scene.bodies[a].solid;
  const Solid& solid_b = scene.bodies[b].solid;
  const double apart_mm = (state.poses[a].position_mm - state.poses[b].position_mm).norm();
  if (apart_mm - bounding_radius_mm(solid_a) - bounding_radius_mm(solid_b) > reach_mm) return false;
  return closest_points(solid_a, state.poses[a], solid_b, state.poses[b]).gap_mm <= reach_mm;
}

/// Adds the pairs within reach that are not among `pairs`.
void add_near(const SpatialScene& scene, const SpatialState& state, double reach_mm,
              std::vector<BodyPair>& pairs) {
  const std::vector<BodyPair> known = pairs;
  for (std::size_t a = 0; a < scene.bodies.size(); ++a) {
    for (std::size_t b = a + 1; b < scene.bodies.size(); ++b) {
      if (scene.bodies[a].is_fixed && scene.bodies[b].is_fixed) continue;
      const BodyPair pair{static_cast<int>(a), static_cast<int>(b)};
      if (std::find(known.begin(), known.end(), pair) != known.end()) continue;
      if (!contact_law(scene, pair.body_a, pair.body_b).touch) continue;
      if (is_within(scene, state, a, b, reach_mm)) pairs.push_back(pair);
    }
  }
}

}  // namespace

std::vector<BodyPair> near_pairs(const SpatialScene& scene, const SpatialState& state,
                                 double reach_mm) {
  std::vector<BodyPair> pairs;
  add_near(scene, state, reach_mm, pairs);
  return pairs;
}

bool add_overlapping(const SpatialScene& scene, const SpatialState& state,
                     std::vector<BodyPair>& pairs) {
  const std::size_t before = pairs.size();
  add_near(scene, state, 0.0, pairs);
  return pairs.size() > before;
}

}  // namespace graspmap
