#include "sim/closing/pads.hpp"

#include <array>
#include <limits>

#include "geometry/elementary/elementary.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {
namespace {

using Kind = ContactElement::Kind;

/// Adds a side of the part and one of a finger that face each other. What they share is measured
/// along the part's.
void add_sides(const ContactElement& p, const ContactElement& f, const Configuration& q,
               const Vec2& p_GF, PadShape& shape) {
  const double aligned = -(q.R_GB * p.normal_lo).dot(f.normal_lo);
  if (aligned < 0.5) return;
  const Vec2 from = q.part_pose.head<2>() - p_GF - f.point_mm;
  const double a = (from + q.R_GB * p.lo_mm).dot(f.tangent);
  const double b = (from + q.R_GB * p.hi_mm).dot(f.tangent);
  const double shared = std::min(std::max(a, b), f.length_mm) - std::max(std::min(a, b), 0.0);
  if (shared <= 0.0) return;
  shape.side[index(shape.sides++)] = {0.5 * shared / aligned, p.normal_lo, f.normal_lo};
}

/// A superellipse on an edge with this normal.
void add_ellipse(const BodyPiece& piece, const Vec2& normal, const Rotation2& R_GB,
                 PadShape& shape) {
  const Superellipse& s = piece.shape;
  const Vec2 axis = piece.R_BA * Vec2(1.0, 0.0);
  shape.is_ellipse = true;
  const double share = 2.0 / s.exponent;
  shape.ellipse = {s.a_mm, s.b_mm, std::sqrt(32.0 / 9.0 * share), axis, normal};
  const double flat = 2.0 * (1.0 - share);
  if (flat == 0.0) return;
  const auto add_end = [&](const Vec2& outward, double width_mm) {
    const double facing = -(R_GB * outward).dot(normal);
    shape.side[index(shape.sides++)] = {flat * width_mm, facing < 0.0 ? Vec2(-outward) : outward,
                                        normal};
  };
  add_end(axis, s.b_mm);
  add_end(perp(axis), s.a_mm);
}

/// Calls visit(side) for the sides beside an arc or a corner.
template <typename Visit>
void visit_sides(const ContactElement& end, const std::vector<ContactElement>& elements,
                 const Visit& visit) {
  for (const int beside : {end.at_lo, end.at_hi}) {
    if (beside < 0 || elements[index(beside)].kind != Kind::kSegment) continue;
    visit(elements[index(beside)]);
  }
}

/// It is > 0 where an arc is convex, and infinite at a corner.
double curvature_per_mm(const ContactElement& element) {
  if (element.kind == Kind::kSegment) return 0.0;
  const double curvature = 1.0 / element.radius_mm;
  return element.kind == Kind::kHollow ? -curvature : curvature;
}

double half_width_mm(const ContactElement& element) {
  if (element.kind == Kind::kSegment) return 0.5 * element.length_mm;
  const double chord = 0.5 * (element.hi_mm - element.lo_mm).norm();
  return element.normal_lo.dot(element.normal_hi) > 0.0 ? chord : element.radius_mm;
}

}  // namespace

/// With y = delta^(1/2): linear y^2 + root y^3 = F, convex, so that Newton's method comes down from
/// an upper bound: that of the first term, or a step of Newton's method from anywhere. It ends
/// where the next step would change no digit.
double PadStiffness::deflection_mm(double force_mn, double guess_mm) const {
  const double straight = force_mn / linear_mn_per_mm;
  if (root == 0.0 || force_mn <= 0.0) return straight;
  const auto next = [&](double y) {
    const double excess = y * y * (linear_mn_per_mm + root * y) - force_mn;
    return y - excess / (y * (2.0 * linear_mn_per_mm + 3.0 * root * y));
  };
  double y = std::sqrt(straight);
  if (guess_mm > 0.0) y = std::min(y, next(std::sqrt(guess_mm)));
  for (;;) {
    const double nearer = next(y);
    if (!(nearer < y) || !(nearer > 0.0)) return y * y;
    if (y - nearer < tolerances::kResidual * y) return nearer * nearer;
    y = nearer;
  }
}

/// A quarter-plane's edges are straight, and its vertex is a corner.
void keep_shape(const ContactBodies& bodies, const Pair& pair, const ClosestPoints& closest,
                PadMemory& memory) {
  const BodyPiece& piece = bodies.pieces[index(pair.piece)];
  memory.has_shape = true;
  if (piece.is_element) {
    const ContactElement& element = bodies.elements[index(pair.piece)];
    memory.curvature_per_mm = curvature_per_mm(element);
    memory.width_mm = half_width_mm(element);
    return;
  }
  // Where the jaw is round, closest points are those of a vertex.
  const bool on_edge = closest.feature != JawFeature::kVertex;
  memory.edge_normal = on_edge ? closest.normal : Vec2(0.0, 0.0);
  const Vec2& n = closest.boundary.normal;
  memory.width_mm = piece.shape.a_mm * std::abs(n.y()) + piece.shape.b_mm * std::abs(n.x());
  memory.curvature_per_mm = bodies.meets_whole(pair.piece) && closest.feature == JawFeature::kVertex
                                ? std::numeric_limits<double>::infinity()
                                : closest.boundary.curvature_per_mm;
}

/// The radius is at most that with which the contact is as long as what bears, where the pad is
/// pressed in as far as it goes: 4/3 (2 R delta)^(1/2) = 2 width.
PadShape pad_shape(const ContactBodies& bodies, const Pair& pair, const Configuration& q,
                   const PadMemory& memory, double most_deflection_mm) {
  PadShape shape;
  double width_mm = memory.width_mm;
  const Finger& finger = bodies.fingers.by_side[side_index(pair.side)];
  const bool is_element = bodies.pieces[index(pair.piece)].is_element;
  double per_mm = memory.curvature_per_mm;
  if (!bodies.meets_whole(pair.piece)) {
    const ContactElement& f = finger.elements[index(pair.finger)];
    const double of_finger = curvature_per_mm(f);
    per_mm += of_finger;
    if (of_finger != 0.0) width_mm = std::min(width_mm, half_width_mm(f));
    if (is_element) {
      const ContactElement& p = bodies.elements[index(pair.piece)];
      const Vec2 p_GF(q.jaw_mm(pair.side), 0.0);
      if (f.kind == Kind::kSegment) {
        visit_sides(p, bodies.elements,
                    [&](const ContactElement& side) { add_sides(side, f, q, p_GF, shape); });
      } else if (p.kind == Kind::kSegment) {
        visit_sides(f, finger.elements,
                    [&](const ContactElement& side) { add_sides(p, side, q, p_GF, shape); });
      }
    }
  }
  if (!is_element && memory.edge_normal != Vec2::Zero()) {
    add_ellipse(bodies.pieces[index(pair.piece)], memory.edge_normal, q.R_GB, shape);
    return shape;
  }
  const double most_mm = 1.125 * width_mm * width_mm / most_deflection_mm;
  shape.radius_mm = per_mm * most_mm > 1.0 ? 1.0 / per_mm : most_mm;
  return shape;
}

/// With c = -n_p . n_f and s = n_p x n_f / kFlush: ds/dtheta = c / kFlush, d^2 s/dtheta^2 = -s. An
/// ellipse's radius is a^2 b^2 / g^(3/2), g = a^2 c^2 + b^2 s^2 with the angle from its axis to n.
PadDeflection PadContact::deflection(double p_n, const Rotation2& R_GB) const {
  PadDeflection at;
  at.springs = springs;
  double turned = 0.0;   // d linear / d theta
  double turned2 = 0.0;  // d^2 linear / d theta^2
  for (int k = 0; k < shape.sides; ++k) {
    const PadSide& side = shape.side[index(k)];
    const Vec2 n_p = R_GB * side.part_normal;
    const double s = cross(n_p, side.finger_normal) / tolerances::kFlush;
    const double flat = 1.0 - s * s;
    if (flat <= 0.0) continue;
    const double ds = -n_p.dot(side.finger_normal) / tolerances::kFlush;
    const double stiffness = per_length * side.share_mm;
    at.springs.linear_mn_per_mm += stiffness * flat * flat;
    turned -= 4.0 * stiffness * flat * s * ds;
    turned2 += 4.0 * stiffness * ((2.0 * s * s - flat) * ds * ds + flat * s * s);
  }
  double root_turned = 0.0;
  double root_turned2 = 0.0;
  if (shape.is_ellipse) {
    const PadEllipse& e = shape.ellipse;
    const Vec2 axis = R_GB * e.axis;
    const double c = axis.dot(e.edge_normal);
    const double s = cross(axis, e.edge_normal);
    const double g = e.a_mm * e.a_mm * c * c + e.b_mm * e.b_mm * s * s;
    const double most = 2.0 * (e.b_mm * e.b_mm - e.a_mm * e.a_mm);
    const double dg = -most * c * s / g;
    const double ddg = most * (c * c - s * s) / g;
    const double root = std::sqrt(g);
    at.springs.root = per_length * e.share_root * e.a_mm * e.b_mm / (root * std::sqrt(root));
    // root ~ g^(-3/4); dg and ddg are derivatives of g over g.
    root_turned = -0.75 * at.springs.root * dg;
    root_turned2 = at.springs.root * (1.3125 * dg * dg - 0.75 * ddg);
  }
  // p_n = h F + tau (F - F*), solved for F.
  double e = at.springs.deflection_mm((p_n + damping_s * force_mn) / time_s, last_mm - set_mm);
  const bool gives_way = e < most_mm - set_mm;
  if (!gives_way) e = most_mm - set_mm;
  at.elastic_mm = e;
  at.mm = e + set_mm;
  const double root_mm = e > 0.0 ? std::sqrt(e) : 0.0;
  // -dU/dtheta at constant e, U = e^2 (linear / 2 + 2/5 root e^(1/2)).
  at.moment = -e * e * (0.5 * turned + 0.4 * root_turned * root_mm);
  at.moment_per_mm = -e * (turned + root_turned * root_mm);
  at.moment_per_rad = -e * e * (0.5 * turned2 + 0.4 * root_turned2 * root_mm);
  // At constant force F_e de + F_theta dtheta = 0, where F_theta = -d(moment)/de. A pad at its end
  // gives way no more, whatever p_n and theta.
  if (gives_way) {
    const double slope = at.springs.linear_mn_per_mm + 1.5 * at.springs.root * root_mm;
    at.per_impulse = 1.0 / (time_s * slope);
    at.per_rad = at.moment_per_mm / slope;
  }
  return at;
}

PadContact pad_contact(const Pad& pad, const PadShape& shape, const PadMemory& memory,
                       const PadStep& step, const Rotation2& R_GB) {
  const bool is_spring = pad.law == PadLaw::kSpring;
  const double normal = kMillinewtonsPerNewton * pad.normal_n_per_mm2;
  PadContact contact;
  contact.is_soft = true;
  contact.springs.linear_mn_per_mm = normal * pad.spread_mm;
  contact.per_length = normal;
  if (!is_spring) {
    // 4/3 k (2 R)^(1/2).
    contact.springs.root = normal * std::sqrt(32.0 / 9.0 * shape.radius_mm);
    contact.shape = shape;
  }
  contact.most_mm = pad.most_deflection_mm;
  contact.damping_s = pad.damping_s;
  contact.time_s = step.force_s + pad.damping_s;
  contact.per_motion = 1.0 / step.motion_s;
  const bool turns = contact.shape.is_ellipse || contact.shape.sides > 0;
  const PadStiffness springs = turns ? contact.deflection(0.0, R_GB).springs : contact.springs;
  double elastic_mm =
      std::min(memory.deflection_mm, springs.deflection_mm(memory.force_mn, memory.deflection_mm));
  const double energy = springs.energy(elastic_mm);
  // The energy falls by the square at least.
  if (energy > memory.normal_energy) elastic_mm *= std::sqrt(memory.normal_energy / energy);
  contact.set_mm = memory.deflection_mm - elastic_mm;
  contact.last_mm = memory.deflection_mm;
  const double now_mn = springs.force_mn(elastic_mm);
  const double before_mn = springs.force_mn(std::max(memory.before_mm - contact.set_mm, 0.0));
  contact.force_mn = std::max(now_mn + step.extrapolated * (now_mn - before_mn), 0.0);
  const double length_mm = springs.slope(elastic_mm) / normal;
  contact.shear_mn_per_mm = kMillinewtonsPerNewton * pad.shear_n_per_mm2 * length_mm;
  contact.shear_per_impulse = 1.0 / (contact.time_s * contact.shear_mn_per_mm);
  if (memory.shear_mm == 0.0) return contact;
  // Where more of the pad bears it keeps its shear force, else its shear: neither gives energy.
  const double kept = std::min(memory.shear_mn_per_mm / contact.shear_mn_per_mm, 1.0);
  contact.last_shear_mm = kept * memory.shear_mm;
  contact.shear_mm =
      contact.last_shear_mm + step.extrapolated * kept * (memory.shear_mm - memory.shear_before_mm);
  return contact;
}

}  // namespace graspmap
