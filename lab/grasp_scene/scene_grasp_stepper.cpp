#include "lab/grasp_scene/scene_grasp_stepper.hpp"

#include <algorithm>
#include <cmath>

#include "lab/planar/steppers/make_stepper.hpp"
#include "sim/closing/step_sizes.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {
namespace {

JawSide side_of(const ContactKey& key) {
  return key.body_b == kRightJawBody ? JawSide::kRight : JawSide::kLeft;
}

JawFeature jaw_feature(const ShapeContact& contact) {
  if (!std::isinf(contact.radius_b_mm)) return JawFeature::kVertex;
  return std::abs(contact.normal.y()) > 0.5 ? JawFeature::kTopEdge : JawFeature::kInsideEdge;
}

}  // namespace

SceneGraspStepper::SceneGraspStepper(StepperKind kind, int polygon_vertices)
    : kind_(kind), polygon_vertices_(polygon_vertices), stepper_(make_stepper(kind, {})) {}

void SceneGraspStepper::begin(const Scenario& scenario, const TrialParameters& trial) {
  scenario_ = &scenario;
  broad_phase_.set_part(scenario.part, scenario.mass.center_of_mass_P_mm);
  scene_ = grasp_scene(scenario, trial, polygon_vertices_);
}

StepReport SceneGraspStepper::try_step(const State& state, double h, bool /*all_rungs*/,
                                       const StepHistory& /*history*/) {
  const PlanarState start = planar_state(scene_, state);
  stepper_->step(scene_, start, h, step_);
  StepReport report;
  report.converged = step_.status == mcp::Status::kSolved;
  report.iterations = step_.iterations;
  report.residual = step_.residual;
  for (const PlanarContact& contact : step_.contacts) {
    report.smallest_gap_mm = std::min(report.smallest_gap_mm, contact.at.gap_mm);
  }
  if (!report.converged) return report;
  const State end = grasp_state(scene_, step_.end);
  report.opening_mm = end.jaw_right_mm - end.jaw_left_mm;
  work(report);
  if (is_implicit(kind_)) {
    report.converged = path_is_clear(start);
    report.largest_turn_rad = largest_turn(start);
    report.velocity_change_mm_s = (step_.end.nu - start.nu).head<2>().norm();
  }
  return report;
}

/// False when the step has jumped over a feature, see CondensedStepper::path_is_clear.
bool SceneGraspStepper::path_is_clear(const PlanarState& start) const {
  const double length = largest_motion_mm(grasp_state(scene_, start),
                                          grasp_state(scene_, step_.end), broad_phase_.reach_mm());
  const double allowed = tolerances::kPathOverlap * length + tolerances::kTouchMm;
  PlanarState between = start;
  for (const double s : tolerances::kPathChecks) {
    for (std::size_t i = 0; i < start.poses.size(); ++i) {
      between.poses[i] = start.poses[i] + s * (step_.end.poses[i] - start.poses[i]);
    }
    for (const PlanarContact& contact : step_.contacts) {
      if (contact_at(scene_, between, contact.key).gap_mm < -allowed) return false;
    }
  }
  return true;
}

double SceneGraspStepper::largest_turn(const PlanarState& start) const {
  double largest = 0.0;
  for (const PlanarContact& contact : step_.contacts) {
    if (contact.p_n <= 0.0) continue;
    const Vec2 before = contact_at(scene_, start, contact.key).normal;
    largest = std::max(largest, std::abs(cross(before, contact.at.normal)));
  }
  return largest;
}

/// The work of friction in the step.
void SceneGraspStepper::work(StepReport& report) const {
  const auto add = [&](double work) {
    report.dissipation = std::min(report.dissipation, -work);
    report.total_dissipation -= work;
  };
  for (const PlanarContact& contact : step_.contacts) add(contact.p_t * contact.slip_mm_s);
  const Vec3 velocity = body_velocity(scene_, step_.end, kPartBody);
  for (const Vec3& impulse : step_.table_impulses) add(impulse.dot(velocity));
}

State SceneGraspStepper::accept() { return grasp_state(scene_, step_.end); }

void SceneGraspStepper::contacts(std::vector<ContactRecord>& records) const {
  records.clear();
  for (const PlanarContact& contact : step_.contacts) {
    ContactRecord record;
    record.piece = contact.key.shape_a;
    record.side = side_of(contact.key);
    record.feature = jaw_feature(contact.at);
    record.psi_mm = contact.at.gap_mm;
    record.point_G_mm = contact.at.on_a_mm;
    record.normal_G = contact.at.normal;
    record.normal_impulse_mn_s = contact.p_n;
    record.tangential_impulse_mn_s = contact.p_t;
    record.slip_mm_s = contact.slip_mm_s;
    record.sliding =
        contact.p_n > 0.0 &&
        std::abs(contact.slip_mm_s) > tolerances::kResidual * scenario_->gripper.closing_speed_mm_s;
    records.push_back(record);
  }
}

Vec3 SceneGraspStepper::support_impulse() const {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& impulse : step_.table_impulses) sum += impulse;
  return sum;
}

bool SceneGraspStepper::touching() const {
  return std::any_of(step_.contacts.begin(), step_.contacts.end(),
                     [](const PlanarContact& contact) { return contact.p_n > 0.0; });
}

std::unique_ptr<GraspStepper> SceneStepper::make() const {
  return std::make_unique<SceneGraspStepper>(kind, polygon_vertices);
}

double SceneStepper::gap_mm(const Scenario& scenario, const Piece& piece, const Configuration& q,
                            JawSide side) const {
  return polygon_gap_mm(scenario, piece, polygon_vertices, q, side);
}

std::vector<std::pair<std::string, std::string>> SceneStepper::settings() const {
  std::vector<std::pair<std::string, std::string>> keys{
      {"stepper", '"' + std::string(name(kind)) + '"'}};
  if (polygon_vertices > 0) keys.emplace_back("polygon_vertices", std::to_string(polygon_vertices));
  return keys;
}

std::shared_ptr<const OtherStepper> scene_stepper(StepperKind kind, int polygon_vertices) {
  if (kind == StepperKind::kImplicit) return nullptr;
  return std::make_shared<const SceneStepper>(kind, polygon_vertices);
}

}  // namespace graspmap
