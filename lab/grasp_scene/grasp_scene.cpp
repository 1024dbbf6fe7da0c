#include "lab/grasp_scene/grasp_scene.hpp"

#include <algorithm>
#include <limits>

#include "lab/planar/full/full_active_set.hpp"

namespace graspmap {
namespace {

/// A jaw about its fingertip's vertex: two half-planes, Chakraborty et al. 2014, eq. (58)-(61).
RoundedPolygon jaw_shape(JawSide side) {
  const HalfPlane inside{inside_normal(side), 0.0};
  const HalfPlane top{top_normal(), 0.0};
  RoundedPolygon shape;
  shape.vertices = {{0.0, 0.0}};
  if (side == JawSide::kRight) {
    shape.edges = {top, inside};
  } else {
    shape.edges = {inside, top};
  }
  return shape;
}

/// A piece, or its inscribed polygon, about the part's centre of mass.
PlacedShape piece_shape(const Scenario& scenario, const Piece& piece, int polygon_vertices) {
  const Pose2 pose{piece.pose.position_mm - scenario.mass.center_of_mass_P_mm,
                   piece.pose.angle_rad};
  if (polygon_vertices == 0) return {piece.shape, pose};
  return {inscribed_polygon(piece.shape, polygon_vertices), pose};
}

PlanarBody part_body(const Scenario& scenario, int polygon_vertices) {
  PlanarBody body;
  body.name = "part";
  body.mass_kg = scenario.mass.mass_kg;
  body.inertia_kg_mm2 = scenario.mass.inertia_kg_mm2;
  for (const Piece& piece : scenario.part.pieces) {
    body.shapes.push_back(piece_shape(scenario, piece, polygon_vertices));
  }
  return body;
}

PlanarBody jaw_body(JawSide side, double mass_kg) {
  PlanarBody body;
  body.name = side == JawSide::kRight ? "right jaw" : "left jaw";
  body.shapes = {{jaw_shape(side), {}}};
  body.mass_kg = mass_kg;
  return body;
}

/// The jaws' coordinates with the closing law: right jaws move by -x, left ones by +x.
void couple_jaws(const Gripper& gripper, PlanarScene& scene) {
  const bool symmetric = gripper.coupling == Coupling::kSymmetric;
  const int right = scene.velocities;
  const int left = symmetric ? right : right + 1;
  scene.bodies[kRightJawBody].coordinates[0] = {right, 1.0};
  scene.bodies[kLeftJawBody].coordinates[0] = {left, symmetric ? -1.0 : 1.0};
  scene.velocities = left + 1;
  scene.start_velocity.conservativeResize(scene.velocities);
  scene.start_velocity.tail(scene.velocities - right).setZero();
  const double force = gripper.closing_force_mn();
  const double damping = force / gripper.closing_speed_mm_s;
  scene.drives.push_back({right, -force, damping});
  scene.drives.push_back({left, symmetric ? -force : force, damping});
}

}  // namespace

double polygon_gap_mm(const Scenario& scenario, const Piece& piece, int polygon_vertices,
                      const Configuration& q, JawSide side) {
  const auto [polygon, X_BA] = piece_shape(scenario, piece, polygon_vertices);
  const Pose2 X_GA = compose({q.part_pose.head<2>(), q.part_pose[2]}, X_BA);
  const Pose2 X_GJ{{q.jaw_mm(side), 0.0}, 0.0};
  const ConvexShape jaw = jaw_shape(side);
  std::vector<ContactFeature> features;
  near_features(polygon, X_GA, jaw, X_GJ, std::numeric_limits<double>::infinity(), features);
  double smallest = std::numeric_limits<double>::infinity();
  for (const ContactFeature& feature : features) {
    smallest = std::min(smallest, shape_contact(polygon, X_GA, jaw, X_GJ, feature).gap_mm);
  }
  return smallest;
}

PlanarScene grasp_scene(const Scenario& scenario, const TrialParameters& trial,
                        int polygon_vertices) {
  const State start = initial_state(scenario, trial);
  const auto& support = std::get<EllipsoidSupport>(scenario.support);
  PlanarScene scene;
  scene.gravity_mm_s2 = Vec2::Zero();  // normal to the plane: the table carries the weight
  const auto [mu_right, mu_left, mu_palm] = friction_by_side(scenario.gripper, trial);
  scene.mu = mu_palm;
  scene.bodies = {part_body(scenario, polygon_vertices),
                  jaw_body(JawSide::kRight, scenario.gripper.jaw_mass_kg),
                  jaw_body(JawSide::kLeft, scenario.gripper.jaw_mass_kg)};
  scene.bodies[kPartBody].pose = start.part_pose;
  scene.bodies[kRightJawBody].pose.x() = start.jaw_right_mm;
  scene.bodies[kLeftJawBody].pose.x() = start.jaw_left_mm;
  scene.laws.push_back({kRightJawBody, kLeftJawBody, 0.0, false, std::nullopt});
  scene.laws.push_back({kPartBody, kRightJawBody, mu_right, true, std::nullopt});
  scene.laws.push_back({kPartBody, kLeftJawBody, mu_left, true, std::nullopt});
  set_free(scene, kPartBody, Vec3::Zero());
  couple_jaws(scenario.gripper, scene);
  scene.tables.push_back({kPartBody, support.e_t, support.e_o, support.e_r_mm,
                          trial.mu_support * scenario.mass.mass_kg * scenario.gravity_mm_s2});
  return scene;
}

PlanarState planar_state(const PlanarScene& scene, const State& state) {
  PlanarState planar = start_state(scene);
  planar.poses[kPartBody] = state.part_pose;
  planar.poses[kRightJawBody].x() = state.jaw_right_mm;
  planar.poses[kLeftJawBody].x() = state.jaw_left_mm;
  planar.nu.head<3>() = state.part_velocity;
  const Coordinate& right = scene.bodies[kRightJawBody].coordinates[0];
  const Coordinate& left = scene.bodies[kLeftJawBody].coordinates[0];
  planar.nu[left.index] = state.jaw_left_mm_s / left.factor;
  planar.nu[right.index] = state.jaw_right_mm_s / right.factor;
  return planar;
}

State grasp_state(const PlanarScene& scene, const PlanarState& state) {
  State grasp;
  grasp.part_pose = state.poses[kPartBody];
  grasp.part_velocity = body_velocity(scene, state, kPartBody);
  grasp.jaw_right_mm = state.poses[kRightJawBody].x();
  grasp.jaw_left_mm = state.poses[kLeftJawBody].x();
  grasp.jaw_right_mm_s = body_velocity(scene, state, kRightJawBody).x();
  grasp.jaw_left_mm_s = body_velocity(scene, state, kLeftJawBody).x();
  return grasp;
}

namespace {

std::vector<PiecePair> pairs_of(const RecordedGraspStep& step) {
  std::vector<PiecePair> pairs;
  for (const ContactRecord& contact : step.contacts) {
    const int jaw = contact.side == JawSide::kRight ? kRightJawBody : kLeftJawBody;
    pairs.push_back({kPartBody, contact.piece, jaw, 0, {ContactFeature{}}});
  }
  return pairs;
}

StepGuess as_guess(const PlanarScene& scene, const RecordedGraspStep& step) {
  StepGuess guess;
  guess.nu = planar_state(scene, step.end).nu;
  for (const ContactRecord& contact : step.contacts) {
    StepGuess::Impulses& impulses = guess.pairs.emplace_back();
    impulses.p_n = contact.normal_impulse_mn_s;
    const int jaw = contact.side == JawSide::kRight ? kRightJawBody : kLeftJawBody;
    const double limit = contact_law(scene, kPartBody, jaw).mu * contact.normal_impulse_mn_s;
    if (limit > 0.0) impulses.s = contact.tangential_impulse_mn_s / limit;
  }
  const TableFriction& table = scene.tables[0];
  const Vec3 limits = step.h * table.limit_mn * Vec3(table.e_t, table.e_o, table.e_r_mm);
  guess.tables = {Vec3::Zero()};
  if (table.limit_mn > 0.0) guess.tables[0] = step.support_impulse.cwiseQuotient(limits);
  return guess;
}

}  // namespace

double full_residual(const PlanarScene& scene, const RecordedGraspStep& step) {
  const PlanarState start = planar_state(scene, step.start);
  const std::vector<PiecePair> pairs = pairs_of(step);  // both outlive what refers to them
  FullActiveSet active;
  active.reset(scene);
  active.begin(scene, start, step.h, pairs);
  active.start_at(as_guess(scene, step));
  Eigen::VectorXd F;
  active.problem().evaluate(active.z(), F);
  return mcp::natural_residual(active.problem(), active.z(), F);
}

}  // namespace graspmap
