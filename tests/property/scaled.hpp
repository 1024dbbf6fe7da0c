#pragma once

#include <variant>

#include "sim/closing/simulate.hpp"

/// A trial with all lengths times a factor, and all else such that the motion is the same: times
/// and masses stay; speeds, accelerations and forces go with the lengths.

namespace graspmap::testing {

inline OutlineLoop scaled(OutlineLoop loop, double factor) {
  for (OutlineElement& element : loop) element.begin_mm *= factor;
  return loop;
}

inline Outline scaled(Outline outline, double factor) {
  outline.outer = scaled(std::move(outline.outer), factor);
  for (OutlineLoop& hole : outline.holes) hole = scaled(std::move(hole), factor);
  return outline;
}

inline Part scaled(Part part, double factor) {
  for (Piece& piece : part.pieces) {
    piece.shape.a_mm *= factor;
    piece.shape.b_mm *= factor;
    piece.pose.position_mm *= factor;
  }
  for (OutlinePiece& piece : part.outlines) {
    piece.outline = scaled(std::move(piece.outline), factor);
    piece.pose.position_mm *= factor;
  }
  return part;
}

inline Gripper scaled(Gripper gripper, double factor) {
  gripper.closing_force_n *= factor;
  gripper.closing_speed_mm_s *= factor;
  gripper.opening_mm *= factor;
  for (std::optional<Outline>* outline :
       {&gripper.right_finger, &gripper.left_finger, &gripper.palm}) {
    if (*outline) *outline = scaled(std::move(**outline), factor);
  }
  return gripper;
}

inline SupportModel scaled(SupportModel support, double factor) {
  if (auto* ellipsoid = std::get_if<EllipsoidSupport>(&support)) ellipsoid->e_r_mm *= factor;
  if (auto* tripod = std::get_if<TripodSupport>(&support)) tripod->radius_mm *= factor;
  if (auto* points = std::get_if<PointsSupport>(&support)) {
    for (SupportPoint& point : points->points) point.point_P_mm *= factor;
  }
  if (auto* ellipsoid = std::get_if<PartEllipsoidSupport>(&support)) ellipsoid->length_mm *= factor;
  if (auto* surface = std::get_if<FourthOrderSupport>(&support)) surface->length_mm *= factor;
  return support;
}

inline Scenario scaled(Scenario scenario, double factor) {
  scenario.part = scaled(std::move(scenario.part), factor);
  scenario.mass.center_of_mass_P_mm *= factor;
  scenario.mass.inertia_kg_mm2 *= factor * factor;
  scenario.gripper = scaled(std::move(scenario.gripper), factor);
  scenario.support = scaled(std::move(scenario.support), factor);
  scenario.gravity_mm_s2 *= factor;
  scenario.stop.stopped_speed_mm_s *= factor;
  scenario.stop.closed_opening_mm *= factor;
  scenario.stop.contact_gap_mm *= factor;
  scenario.tolerance_mm *= factor;
  return scenario;
}

inline TrialParameters scaled(TrialParameters trial, double factor) {
  trial.placement_x_mm *= factor;
  trial.placement_y_mm *= factor;
  return trial;
}

inline State scaled(State state, double factor) {
  state.part_pose.head<2>() *= factor;
  state.part_velocity.head<2>() *= factor;
  state.jaw_right_mm *= factor;
  state.jaw_left_mm *= factor;
  state.jaw_right_mm_s *= factor;
  state.jaw_left_mm_s *= factor;
  return state;
}

inline ContactRecord scaled(ContactRecord contact, double factor) {
  contact.psi_mm *= factor;
  contact.point_G_mm *= factor;
  contact.normal_impulse_mn_s *= factor;
  contact.tangential_impulse_mn_s *= factor;
  contact.slip_mm_s *= factor;
  return contact;
}

}  // namespace graspmap::testing
