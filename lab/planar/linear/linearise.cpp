#include "lab/planar/linear/linearise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lab/planar/contact.hpp"

namespace graspmap {
namespace {

using Row6 = Eigen::Matrix<double, 1, 6>;
using Block6 = Eigen::Matrix<double, 6, 6>;

/// The deflection that a soft contact's damper remembers.
double deflection_before(const PlanarState& state, const ContactKey& key) {
  for (const Deflection& deflection : state.deflections) {
    if (deflection.contact == std::array{key.body_a, key.shape_a, key.body_b, key.shape_b} &&
        deflection.feature == key.feature) {
      return deflection.delta_mm;
    }
  }
  return 0.0;
}

/// delta = (p_ns + C delta^l) / (h k + C) from the spring and damper of
/// Chakraborty et al. 2014, eq. (37), p_ns = h k delta + C (delta - delta^l).
void soften(const SoftLayer& layer, double delta_before_mm, double h, LinearContact& contact) {
  const double stiffness = h * layer.stiffness_mn_per_mm + layer.damping_mn_s_per_mm;
  contact.is_soft = true;
  contact.compliance = 1.0 / (h * stiffness);
  contact.layer_rate = layer.damping_mn_s_per_mm * delta_before_mm * contact.compliance;
  contact.core_rate = layer.max_deflection_mm / h;
}

/// The gap of two touching bodies that is rounding error: half a unit in the last place of each
/// pose q^l + h nu, angles times arms, and about as much from the arithmetic of the closest points.
double gap_rounding_mm(const StepPoint& point, const ContactKey& key, const ShapeContact& at) {
  const auto of_body = [&](int body, const Vec2& on_body) {
    const Vec3& pose = point.at.poses[index(body)];
    const double arm = (on_body - pose.head<2>()).norm();
    return pose.head<2>().norm() + arm * (1.0 + std::abs(pose[2]));
  };
  return std::numeric_limits<double>::epsilon() *
         (of_body(key.body_a, at.on_a_mm) + of_body(key.body_b, at.on_b_mm));
}

LinearContact linear_contact(const StepPoint& point, const ContactKey& key, GapTerm gap_term) {
  const ShapeContact at = contact_at(point.scene, point.at, key);
  const ContactLaw law = contact_law(point.scene, key.body_a, key.body_b);
  LinearContact contact;
  contact.key = key;
  contact.closed_rate = at.gap_mm / point.h;
  contact.rounding = gap_rounding_mm(point, key, at) / point.h;
  contact.mu = law.mu;
  contact.normal = contact_row(point.scene, point.at, key, at, at.normal);
  contact.tangent = contact_row(point.scene, point.at, key, at, perp(at.normal));
  contact.slip = contact.tangent;
  contact.slip_rate = contact.tangent.offset;
  // A spring needs the deflection itself.
  const bool by_position = gap_term == GapTerm::kPosition || law.soft;
  contact.normal_rate =
      by_position ? at.gap_mm / point.h - contact.normal.dot(point.nu_at) : contact.normal.offset;
  if (law.soft) soften(*law.soft, deflection_before(point.start, key), point.h, contact);
  return contact;
}

/// A pin's points in G.
ShapeContact pin_at(const StepPoint& point, const PinJoint& pin) {
  const Vec3& a = point.at.poses[index(pin.body_a)];
  const Vec3& b = point.at.poses[index(pin.body_b)];
  ShapeContact at;
  at.on_a_mm = transform({a.head<2>(), a[2]}, pin.point_a_mm);
  at.on_b_mm = transform({b.head<2>(), b[2]}, pin.point_b_mm);
  return at;
}

LinearPin linear_pin(const StepPoint& point, const PinJoint& pin, GapTerm gap_term) {
  const ShapeContact at = pin_at(point, pin);
  const ContactKey key{pin.body_a, 0, pin.body_b, 0, {}};
  LinearPin linear;
  for (int axis = 0; axis < 2; ++axis) {
    GeneralizedRow& row = linear.rows[index(axis)];
    row = contact_row(point.scene, point.at, key, at, Vec2::Unit(axis));
    linear.rate[axis] = gap_term == GapTerm::kPosition
                            ? (at.on_a_mm - at.on_b_mm)[axis] / point.h - row.dot(point.nu_at)
                            : row.offset;
  }
  return linear;
}

/// The row of a fixed direction (t, o, r) of a body's own velocities.
GeneralizedRow body_row(const PlanarBody& body, const Vec3& direction) {
  GeneralizedRow row;
  for (int axis = 0; axis < 3; ++axis) {
    const Coordinate& coordinate = body.coordinates[index(axis)];
    if (coordinate.index < 0 || direction[axis] == 0.0) continue;
    row.index[index(row.size)] = coordinate.index;
    row.value[index(row.size)] = coordinate.factor * direction[axis];
    ++row.size;
  }
  return row;
}

/// The friction on the ellipsoid that dissipates most at velocity v is along -e^2 v / |e v|.
void add_direction(const PlanarBody& body, const Vec3& e, const Vec3& sphere, LinearTable& table) {
  table.directions.emplace_back(e.cwiseProduct(sphere));
  table.rows.push_back(body_row(body, table.directions.back()));
}

LinearTable linear_table(const StepPoint& point, const TableFriction& friction, int directions) {
  const PlanarBody& body = point.scene.bodies[index(friction.body)];
  LinearTable table;
  table.limit_mn_s = point.h * friction.limit_mn;
  const Vec3 e(friction.e_t, friction.e_o, friction.e_r_mm);
  // The 26 neighbours of the origin: 6 along axes, 12 on diagonals of planes, 8 on those of space.
  for (int i = 0; i < 27; ++i) {
    const Vec3 corner(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
    const double nonzero = corner.cwiseAbs().sum();
    if (nonzero == 0.0 || (nonzero == 2.0 && directions < 26) ||
        (nonzero == 3.0 && directions < 14)) {
      continue;
    }
    add_direction(body, e, corner.normalized(), table);
  }
  // And two along the motion, so that friction is exact where that does not turn.
  PlanarState moving = point.start;
  if (!point.nu_at.isZero(0.0)) moving.nu = point.nu_at;
  const Vec3 slip = e.cwiseProduct(body_velocity(point.scene, moving, friction.body));
  if (slip.norm() > 0.0) {
    add_direction(body, e, slip.normalized(), table);
    add_direction(body, e, -slip.normalized(), table);
  }
  return table;
}

/// The six pose coordinates of two bodies as generalised velocities.
std::array<Coordinate, 6> pair_coordinates(const PlanarScene& scene, int body_a, int body_b) {
  std::array<Coordinate, 6> coordinates;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    coordinates[axis] = scene.bodies[index(body_a)].coordinates[axis];
    coordinates[3 + axis] = scene.bodies[index(body_b)].coordinates[axis];
  }
  return coordinates;
}

void add_block(const std::array<Coordinate, 6>& coordinates, const Block6& block, double factor,
               Eigen::MatrixXd& matrix) {
  for (std::size_t i = 0; i < 6; ++i) {
    if (coordinates[i].index < 0) continue;
    for (std::size_t j = 0; j < 6; ++j) {
      if (coordinates[j].index < 0) continue;
      matrix(coordinates[i].index, coordinates[j].index) +=
          factor * coordinates[i].factor * coordinates[j].factor *
          block(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
    }
  }
}

GeneralizedRow generalized(const std::array<Coordinate, 6>& coordinates, const Row6& row) {
  GeneralizedRow out;
  for (std::size_t i = 0; i < 6; ++i) {
    if (coordinates[i].index < 0) continue;
    int at = 0;
    while (at < out.size && out.index[index(at)] != coordinates[i].index) ++at;
    if (at == out.size) {
      out.index[index(at)] = coordinates[i].index;
      out.value[index(at)] = 0.0;
      ++out.size;
    }
    out.value[index(at)] += coordinates[i].factor * row[static_cast<Eigen::Index>(i)];
  }
  return out;
}

/// d(f; r_a x f; -f; -r_b x f) / d(poses of A and B) for the force f = p_n n + p_t t.
Block6 force_stiffness(const ContactKinematics& moves, const Vec2& n, const Vec2& r_a,
                       const Vec2& r_b, const ContactImpulse& p) {
  const Vec2 t = perp(n);
  const Vec2 f = p.p_n * n + p.p_t * t;
  const Eigen::Matrix<double, 2, 6> df = perp(f) * moves.turn;  // dn = t dphi, dt = -n dphi
  const auto cross_rows = [](const Vec2& r, const Eigen::Matrix<double, 2, 6>& d) {
    return Row6(r.x() * d.row(1) - r.y() * d.row(0));
  };
  Block6 block;
  block.topRows<2>() = df;
  block.row(2) = cross_rows(r_a, df) - cross_rows(f, moves.arm_a);
  block.middleRows<2>(3) = -df;
  block.row(5) = -cross_rows(r_b, df) + cross_rows(f, moves.arm_b);
  return block;
}

/// d(v_t) / d(poses) at fixed velocities of the bodies.
Row6 slip_turn(const ContactKinematics& moves, const Vec2& n, const Vec2& r_a, const Vec2& r_b,
               const Vec3& v_a, const Vec3& v_b) {
  const Vec2 relative = v_a.head<2>() + v_a[2] * perp(r_a) - v_b.head<2>() - v_b[2] * perp(r_b);
  const Row6 arms = v_a[2] * n.transpose() * moves.arm_a - v_b[2] * n.transpose() * moves.arm_b;
  return -n.dot(relative) * moves.turn + arms;  // t . perp(dr) = n . dr
}

void add_contact_terms(const StepPoint& point, const ContactImpulse& p, LinearContact& contact,
                       LinearStep& step) {
  const ContactKey& key = contact.key;
  const ShapeContact at = contact_at(point.scene, point.at, key);
  const Vec2 p_a = point.at.poses[index(key.body_a)].head<2>();
  const Vec2 p_b = point.at.poses[index(key.body_b)].head<2>();
  const Vec2 r_a = at.on_a_mm - p_a;
  const Vec2 r_b = at.on_b_mm - p_b;
  const ContactKinematics moves = contact_kinematics(at, p_a, p_b, 100.0 * step.scales.length_mm);
  const auto coordinates = pair_coordinates(point.scene, key.body_a, key.body_b);
  const double h = point.h;

  if (p.p_n != 0.0 || p.p_t != 0.0) {
    add_block(coordinates, force_stiffness(moves, at.normal, r_a, r_b, p), -h, step.geometric);
  }
  const Row6 turn =
      slip_turn(moves, at.normal, r_a, r_b, body_velocity(point.scene, point.at, key.body_a),
                body_velocity(point.scene, point.at, key.body_b));
  const double slip_now = contact.slip_at(point.nu_at);
  const GeneralizedRow change = generalized(coordinates, turn);
  // Both rows have the indices of the two bodies, in the same order.
  for (std::size_t k = 0; k < index(contact.slip.size); ++k) {
    contact.slip.value[k] += h * change.value[k];
  }
  contact.slip_rate += slip_now - contact.slip_at(point.nu_at);
}

/// The arms of a pin's force f on A turn with their bodies: d(r x f) = -(r . f) dtheta.
void add_pin_terms(const StepPoint& point, const PinJoint& pin, const Vec2& f, LinearStep& step) {
  const ShapeContact at = pin_at(point, pin);
  Block6 block = Block6::Zero();
  block(2, 2) = -f.dot(at.on_a_mm - point.at.poses[index(pin.body_a)].head<2>());
  block(5, 5) = f.dot(at.on_b_mm - point.at.poses[index(pin.body_b)].head<2>());
  add_block(pair_coordinates(point.scene, pin.body_a, pin.body_b), block, -point.h, step.geometric);
}

}  // namespace

StepPoint step_point(const PlanarScene& scene, const PlanarState& start, double h,
                     const Eigen::VectorXd& nu_at) {
  StepPoint point{scene, start, h, {}, {}};
  move_to(nu_at, point);
  return point;
}

void move_to(const Eigen::VectorXd& nu_at, StepPoint& point) {
  point.nu_at = nu_at;
  advance(point.scene, point.start, nu_at, point.h, point.at);
}

LinearStep linearise(const StepPoint& point, const std::vector<ContactKey>& keys, GapTerm gap_term,
                     int table_directions) {
  const PlanarScene& scene = point.scene;
  LinearStep step;
  step.scales = step_scales(scene, point.start, point.h);
  const Eigen::VectorXd mass = mass_diagonal(scene);
  step.inertia = mass + point.h * damping_diagonal(scene);
  step.momentum = mass.cwiseProduct(point.start.nu) + point.h * applied_force(scene);
  for (const ContactKey& key : keys) step.contacts.push_back(linear_contact(point, key, gap_term));
  for (const PinJoint& pin : scene.pins) step.pins.push_back(linear_pin(point, pin, gap_term));
  for (const TableFriction& friction : scene.tables) {
    step.tables.push_back(linear_table(point, friction, table_directions));
  }
  return step;
}

void add_geometric_terms(const StepPoint& point, const StepSolution& solution, LinearStep& step) {
  step.geometric = Eigen::MatrixXd::Zero(step.velocities(), step.velocities());
  for (std::size_t i = 0; i < step.contacts.size(); ++i) {
    add_contact_terms(point, solution.contacts[i], step.contacts[i], step);
  }
  for (std::size_t i = 0; i < step.pins.size(); ++i) {
    add_pin_terms(point, point.scene.pins[i], solution.pins[i], step);
  }
  // W(q + dq) p = W p - geometric dnu.
  step.momentum += step.geometric * point.nu_at;
}

std::vector<ContactKey> candidate_contacts(const PlanarScene& scene, const PlanarState& start,
                                           const PlanarState& at, double h,
                                           const StepperSettings& settings) {
  std::vector<ContactKey> keys;
  if (settings.active_gap_mm >= 0.0) {
    near_contacts(scene, at, settings.active_gap_mm, keys);
  } else {
    near_contacts(scene, start, step_reach_mm(scene, start, h), keys);
  }
  return keys;
}

double closed_gap_mm(const PlanarScene& scene, const PlanarState& start, double h) {
  return 1e-12 * step_scales(scene, start, h).length_mm;
}

bool add_overlapping(const PlanarScene& scene, const PlanarState& end, double slack_mm,
                     std::vector<ContactKey>& keys) {
  std::vector<ContactKey> overlapping;
  near_contacts(scene, end, -slack_mm, overlapping);
  const std::size_t before = keys.size();
  for (const ContactKey& key : overlapping) {
    const auto known = keys.begin() + static_cast<std::ptrdiff_t>(before);
    if (std::find(keys.begin(), known, key) == known) keys.push_back(key);
  }
  return keys.size() > before;
}

}  // namespace graspmap
