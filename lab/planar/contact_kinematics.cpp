#include "lab/planar/contact_kinematics.hpp"

#include <algorithm>
#include <cmath>

namespace graspmap {
namespace {

using Row = ContactKinematics::Row;

Row unit(int column) {
  Row row = Row::Zero();
  row[column] = 1.0;
  return row;
}

}  // namespace

ContactKinematics contact_kinematics(const ShapeContact& contact, const Vec2& p_a_mm,
                                     const Vec2& p_b_mm, double largest_radius_mm) {
  const Vec2& n = contact.normal;
  const Vec2 t = perp(n);
  const Vec2 r_a = contact.on_a_mm - p_a_mm;
  const Vec2 r_b = contact.on_b_mm - p_b_mm;
  const Row turn_a = unit(2);
  const Row turn_b = unit(5);

  ContactKinematics out;
  out.gap << n.x(), n.y(), cross(r_a, n), -n.x(), -n.y(), -cross(r_b, n);
  Row u;
  u << t.x(), t.y(), cross(r_a, t), -t.x(), -t.y(), -cross(r_b, t);

  Row slide_a = Row::Zero();
  Row slide_b = Row::Zero();
  if (std::isinf(contact.radius_b_mm)) {
    const double rho_a = std::min(contact.radius_a_mm, largest_radius_mm);
    out.turn = turn_b;
    slide_a = rho_a * (turn_b - turn_a);
    slide_b = u - slide_a - contact.gap_mm * out.turn;
  } else if (std::isinf(contact.radius_a_mm)) {
    const double rho_b = std::min(contact.radius_b_mm, largest_radius_mm);
    out.turn = turn_a;
    slide_b = rho_b * (turn_a - turn_b);
    slide_a = u - slide_b - contact.gap_mm * out.turn;
  } else {
    const double rho_a = contact.radius_a_mm;
    const double rho_b = contact.radius_b_mm;
    const double sum = rho_a + rho_b + contact.gap_mm;
    // Two sharp vertices on each other have no common normal.
    const double divisor = std::abs(sum) > 1.0 / largest_radius_mm ? sum : 1.0 / largest_radius_mm;
    out.turn = (u + rho_a * turn_a + rho_b * turn_b) / divisor;
    slide_a = rho_a * (out.turn - turn_a);
    slide_b = rho_b * (out.turn - turn_b);
  }
  // Counter-clockwise along A is -t (its outward normal is -n), along B it is t.
  out.arm_a = perp(r_a) * turn_a - t * slide_a;
  out.arm_b = perp(r_b) * turn_b + t * slide_b;
  return out;
}

}  // namespace graspmap
