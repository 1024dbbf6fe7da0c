#include "sim/closing/length_unit.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "geometry/assert.hpp"
#include "geometry/elementary/elementary.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {
namespace {

/// About how far the part reaches from its centre of mass, mm.
double rough_reach_mm(const Scenario& scenario) {
  const Vec2& center = scenario.mass.center_of_mass_P_mm;
  double reach = 0.0;
  for (const Piece& piece : scenario.part.pieces) {
    const double radius = std::max(piece.shape.a_mm, piece.shape.b_mm);
    reach = std::max(reach, (piece.pose.position_mm - center).norm() + radius);
  }
  for (const OutlinePiece& piece : scenario.part.outlines) {
    const Vec2 center_A = inverse_transform(piece.pose, center);
    for (const OutlineElement& element : piece.outline.outer) {
      reach = std::max(reach, (element.begin_mm - center_A).norm());
    }
  }
  return reach;
}

void scale_lengths(double factor, Outline& outline) {
  const auto scale_loop = [&](OutlineLoop& loop) {
    for (OutlineElement& element : loop) element.begin_mm *= factor;
  };
  scale_loop(outline.outer);
  for (OutlineLoop& hole : outline.holes) scale_loop(hole);
}

void scale_lengths(double factor, Pad& pad) {
  pad.normal_n_per_mm2 /= factor;
  pad.shear_n_per_mm2 /= factor;
  pad.spread_mm *= factor;
  pad.most_deflection_mm *= factor;
}

void scale_lengths(double factor, Gripper& gripper) {
  gripper.closing_force_n *= factor;
  gripper.closing_speed_mm_s *= factor;
  gripper.opening_mm *= factor;
  gripper.offset_mm *= factor;
  for (std::optional<Outline>* outline :
       {&gripper.right_finger, &gripper.left_finger, &gripper.palm}) {
    if (*outline) scale_lengths(factor, **outline);
  }
  for (std::optional<Pad>* pad : {&gripper.right_pad, &gripper.left_pad}) {
    if (*pad) scale_lengths(factor, **pad);
  }
  if (gripper.mount) gripper.mount->turning_n_mm *= factor * factor;
}

}  // namespace

void scale_lengths(double factor, Part& part) {
  for (Piece& piece : part.pieces) {
    piece.shape.a_mm *= factor;
    piece.shape.b_mm *= factor;
    piece.pose.position_mm *= factor;
  }
  for (OutlinePiece& piece : part.outlines) {
    scale_lengths(factor, piece.outline);
    piece.pose.position_mm *= factor;
  }
}

void scale_lengths(double factor, SupportModel& support) {
  std::visit([&](auto& law) { law.scale_lengths(factor); }, support);
}

void scale_lengths(double factor, Scenario& scenario) {
  GRASPMAP_CHECK(factor > 0.0);
  scale_lengths(factor, scenario.part);
  scenario.mass.center_of_mass_P_mm *= factor;
  scenario.mass.inertia_kg_mm2 *= factor * factor;
  scale_lengths(factor, scenario.gripper);
  scale_lengths(factor, scenario.support);
  scenario.gravity_mm_s2 *= factor;
  scenario.stop.stopped_speed_mm_s *= factor;
  scenario.stop.closed_opening_mm *= factor;
  scenario.stop.contact_gap_mm *= factor;
  scenario.tolerance_mm *= factor;
  for (Obstacle& obstacle : scenario.obstacles) scale_lengths(factor, obstacle.outline);
  for (Phase& phase : scenario.program) {
    phase.twist.velocity_mm_s *= factor;
    phase.opening_mm *= factor;
  }
}

double length_unit_mm(const Scenario& scenario) {
  const double reach = rough_reach_mm(scenario);
  if (!(reach > 0.0) || !std::isfinite(reach)) return 1.0;
  int exponent = 0;
  const double mantissa = std::frexp(reach / tolerances::kUnitReach, &exponent);
  return elementary::power_of_two(mantissa < 0.5 * std::numbers::sqrt2 ? exponent - 1 : exponent);
}

TrialParameters in_units(TrialParameters trial, double unit_mm) {
  trial.placement_x_mm /= unit_mm;
  trial.placement_y_mm /= unit_mm;
  return trial;
}

State in_mm(State state, double unit_mm) {
  state.part_pose.head<2>() *= unit_mm;
  state.part_velocity.head<2>() *= unit_mm;
  for (double* length :
       {&state.jaw_right_mm, &state.jaw_left_mm, &state.jaw_right_mm_s, &state.jaw_left_mm_s}) {
    *length *= unit_mm;
  }
  state.gripper.position_mm *= unit_mm;
  state.mount.head<2>() *= unit_mm;
  state.mount_velocity.head<2>() *= unit_mm;
  return state;
}

void in_mm(double unit_mm, SimulationResult& result) {
  result.final_state = in_mm(result.final_state, unit_mm);
  result.statistics.worst_gap_mm *= unit_mm;
  result.statistics.least_dissipation *= unit_mm * unit_mm;
  for (PhaseEnd& phase : result.phase_ends) phase.state = in_mm(phase.state, unit_mm);
}

ContactRecord in_mm(ContactRecord contact, double unit_mm) {
  contact.psi_mm *= unit_mm;
  contact.point_G_mm *= unit_mm;
  contact.normal_impulse_mn_s *= unit_mm;
  contact.tangential_impulse_mn_s *= unit_mm;
  contact.slip_mm_s *= unit_mm;
  contact.deflection_mm *= unit_mm;
  contact.shear_mm *= unit_mm;
  contact.moment_mn_mm_s *= unit_mm * unit_mm;
  return contact;
}

StepObserver in_mm(double unit_mm, const StepObserver& observer) {
  return [unit_mm, &observer](const StepRecord& record) {
    const State state = in_mm(*record.state, unit_mm);
    std::vector<ContactRecord> contacts = *record.contacts;
    for (ContactRecord& contact : contacts) contact = in_mm(contact, unit_mm);
    StepRecord shown = record;
    shown.base.state = in_mm(record.base.state, unit_mm);
    shown.state = &state;
    shown.contacts = &contacts;
    shown.friction_dissipation_mn_mm *= unit_mm * unit_mm;
    shown.pad_energy_mn_mm *= unit_mm * unit_mm;
    shown.support_impulse *= unit_mm;
    shown.support_impulse[2] *= unit_mm;
    observer(shown);
  };
}

}  // namespace graspmap
