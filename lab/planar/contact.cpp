#include "lab/planar/contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace graspmap {
namespace {

const PlacedShape& shape_of(const PlanarScene& scene, int body, int shape) {
  return scene.bodies[static_cast<std::size_t>(body)].shapes[static_cast<std::size_t>(shape)];
}

Pose2 shape_pose(const PlanarState& state, int body, const PlacedShape& placed) {
  const Vec3& pose = state.poses[static_cast<std::size_t>(body)];
  return compose({pose.head<2>(), pose[2]}, placed.pose);
}

void append_body(const PlanarScene& scene, const PlanarState& state, int body, const Vec2& r,
                 const Vec2& direction, double sign, GeneralizedRow& row) {
  const PlanarBody& of = scene.bodies[static_cast<std::size_t>(body)];
  const Vec3 wrench(direction.x(), direction.y(), cross(r, direction));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Coordinate& coordinate = of.coordinates[axis];
    if (coordinate.index < 0) continue;
    const double value = sign * coordinate.factor * wrench[static_cast<Eigen::Index>(axis)];
    auto* const end = row.index.begin() + row.size;
    auto* const found = std::find(row.index.begin(), end, coordinate.index);
    if (found != end) {  // both bodies move with it
      row.value[static_cast<std::size_t>(found - row.index.begin())] += value;
      continue;
    }
    row.index[static_cast<std::size_t>(row.size)] = coordinate.index;
    row.value[static_cast<std::size_t>(row.size)] = value;
    ++row.size;
  }
  if (of.shake) row.offset += sign * wrench.dot(body_velocity(scene, state, body));
}

/// A body's extent along x, for the sweep.
struct Extent {
  double low = 0.0;
  double high = 0.0;
  int body = 0;
};

void append_pair(const PlanarScene& scene, const PlanarState& state, int a, int b, double reach_mm,
                 std::vector<ContactKey>& contacts) {
  const PlanarBody& body_a = scene.bodies[static_cast<std::size_t>(a)];
  const PlanarBody& body_b = scene.bodies[static_cast<std::size_t>(b)];
  if (!body_a.moves_freely() && !body_b.moves_freely()) return;
  if (!contact_law(scene, a, b).touch) return;
  std::vector<ContactFeature> features;
  for (int i = 0; i < static_cast<int>(body_a.shapes.size()); ++i) {
    const PlacedShape& shape_a = shape_of(scene, a, i);
    const Pose2 X_GA = shape_pose(state, a, shape_a);
    for (int j = 0; j < static_cast<int>(body_b.shapes.size()); ++j) {
      const PlacedShape& shape_b = shape_of(scene, b, j);
      features.clear();
      near_features(shape_a.shape, X_GA, shape_b.shape, shape_pose(state, b, shape_b), reach_mm,
                    features);
      for (const ContactFeature& feature : features) contacts.push_back({a, i, b, j, feature});
    }
  }
}

bool before(const ContactKey& l, const ContactKey& r) {
  return std::tie(l.body_a, l.body_b, l.shape_a, l.shape_b, l.feature.kind, l.feature.vertex) <
         std::tie(r.body_a, r.body_b, r.shape_a, r.shape_b, r.feature.kind, r.feature.vertex);
}

}  // namespace

ShapeContact contact_at(const PlanarScene& scene, const PlanarState& state, const ContactKey& key) {
  const PlacedShape& a = shape_of(scene, key.body_a, key.shape_a);
  const PlacedShape& b = shape_of(scene, key.body_b, key.shape_b);
  return shape_contact(a.shape, shape_pose(state, key.body_a, a), b.shape,
                       shape_pose(state, key.body_b, b), key.feature);
}

GeneralizedRow contact_row(const PlanarScene& scene, const PlanarState& state,
                           const ContactKey& key, const ShapeContact& at, const Vec2& direction) {
  const Vec2 r_a = at.on_a_mm - state.poses[static_cast<std::size_t>(key.body_a)].head<2>();
  const Vec2 r_b = at.on_b_mm - state.poses[static_cast<std::size_t>(key.body_b)].head<2>();
  GeneralizedRow row;
  append_body(scene, state, key.body_a, r_a, direction, 1.0, row);
  append_body(scene, state, key.body_b, r_b, direction, -1.0, row);
  return row;
}

void near_contacts(const PlanarScene& scene, const PlanarState& state, double reach_mm,
                   std::vector<ContactKey>& contacts) {
  contacts.clear();
  std::vector<Extent> extents;
  for (int i = 0; i < static_cast<int>(scene.bodies.size()); ++i) {
    const double radius =
        bounding_radius_mm(scene.bodies[static_cast<std::size_t>(i)]) + 0.5 * reach_mm;
    const double x = state.poses[static_cast<std::size_t>(i)].x();
    extents.push_back({x - radius, x + radius, i});
  }
  std::sort(extents.begin(), extents.end(), [](const Extent& l, const Extent& r) {
    return std::tie(l.low, l.body) < std::tie(r.low, r.body);
  });
  for (std::size_t i = 0; i < extents.size(); ++i) {
    for (std::size_t j = i + 1; j < extents.size() && extents[j].low <= extents[i].high; ++j) {
      const auto [a, b] = std::minmax(extents[i].body, extents[j].body);
      append_pair(scene, state, a, b, reach_mm, contacts);
    }
  }
  std::sort(contacts.begin(), contacts.end(), before);
}

double step_reach_mm(const PlanarScene& scene, const PlanarState& state, double h) {
  const Eigen::VectorXd push = applied_force(scene).cwiseQuotient(mass_diagonal(scene)) * h;
  PlanarState pushed = state;
  pushed.nu = state.nu.cwiseAbs() + push.cwiseAbs();
  double reach = 0.0;
  for (int i = 0; i < static_cast<int>(scene.bodies.size()); ++i) {
    const PlanarBody& body = scene.bodies[static_cast<std::size_t>(i)];
    const Vec3 v = body_velocity(scene, pushed, i);
    const double radius = bounding_radius_mm(body);
    const double turn = std::isfinite(radius) ? radius * std::abs(v[2]) : 0.0;
    reach = std::max(reach, h * (v.head<2>().norm() + turn));
  }
  return 2.0 * reach;  // both bodies of a pair
}

double worst_overlap_mm(const PlanarScene& scene, const PlanarState& state) {
  std::vector<ContactKey> contacts;
  near_contacts(scene, state, 0.0, contacts);
  double worst = 0.0;
  for (const ContactKey& key : contacts) {
    worst = std::max(worst, -contact_at(scene, state, key).gap_mm);
  }
  return worst;
}

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
