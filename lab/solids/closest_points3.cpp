#include "lab/solids/closest_points3.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "lab/solids/minkowski_difference.hpp"
#include "lab/solids/solid.hpp"

namespace graspmap {
namespace {

/// Outward normals of a solid's flat faces, body axes.
std::vector<Vec3> face_normals(const Solid& solid) {
  std::vector<Vec3> normals;
  const bool is_box = std::holds_alternative<Box3>(solid);
  if (!is_box && !std::holds_alternative<Cylinder>(solid)) return normals;
  for (int axis = is_box ? 0 : 2; axis < 3; ++axis) {
    normals.emplace_back(Vec3::Unit(axis));
    normals.emplace_back(-Vec3::Unit(axis));
  }
  return normals;
}

/// Directions of a solid's straight edges and rulings, body axes.
std::vector<Vec3> line_directions(const Solid& solid) {
  if (std::holds_alternative<Box3>(solid)) return {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  if (std::holds_alternative<Cylinder>(solid)) return {Vec3::UnitZ()};
  return {};
}

constexpr double kParallel = 1e-9;  // |cos| of directions that count as normal to one another

/// The feature of a solid farthest in a direction, body axes: a point (no lines), a line, or more.
std::vector<Vec3> supporting_lines(const Solid& solid, const Vec3& direction) {
  std::vector<Vec3> lines;
  for (const Vec3& line : line_directions(solid)) {
    if (std::abs(line.dot(direction)) <= kParallel) lines.push_back(line);
  }
  const bool is_end =
      std::holds_alternative<Cylinder>(solid) && direction.head<2>().norm() <= kParallel;
  if (is_end) lines = {Vec3::UnitX(), Vec3::UnitY()};
  return lines;
}

/// A normal and what is known of the points there.
struct FoundNormal {
  Vec3 n = Vec3::UnitZ();
  double gap = 0.0;
  MinkowskiPoint point;
};

/// The part of a - b across n, of the support points along n: zero at a local extremum of the gap.
Vec3 misalignment(const MinkowskiDifference& difference, const Vec3& n) {
  const Vec3 d = difference.support(-n).d;
  return d - d.dot(n) * n;
}

/// Newton's method on the misalignment, which vanishes where support points move with the normal;
/// ends where it does not improve.
Vec3 refined(const MinkowskiDifference& difference, Vec3 n) {
  constexpr int kMostSteps = 30;
  constexpr double kDelta = 1e-6;
  double error = misalignment(difference, n).norm();
  for (int step = 0; step < kMostSteps && error > 0.0; ++step) {
    Eigen::Matrix<double, 3, 2> tangents;
    tangents.col(0) = n.unitOrthogonal();
    tangents.col(1) = n.cross(tangents.col(0));
    Mat2 slope;
    for (int i = 0; i < 2; ++i) {
      const Vec3 turn = kDelta * tangents.col(i);
      const Vec3 change = misalignment(difference, (n + turn).normalized()) -
                          misalignment(difference, (n - turn).normalized());
      slope.col(i) = tangents.transpose() * change / (2.0 * kDelta);
    }
    const Vec2 move =
        -slope.fullPivLu().solve(Vec2(tangents.transpose() * misalignment(difference, n)));
    if (!move.allFinite()) break;
    bool is_better = false;
    for (double t = 1.0; t > 1e-3 && !is_better; t *= 0.5) {
      const Vec3 trial = (n + t * tangents * move).normalized();
      const double its_error = misalignment(difference, trial).norm();
      is_better = its_error < error;
      if (is_better) {
        n = trial;
        error = its_error;
      }
    }
    if (!is_better) break;
  }
  return n;
}

/// The same on the circle of normals across `line`, the edge or ruling of one of the solids that
/// touches: along it the gap is smooth, and largest where the misalignment across it vanishes.
Vec3 refined_across(const MinkowskiDifference& difference, const Vec3& line, const Vec3& start) {
  constexpr int kMostSteps = 20;
  constexpr double kDelta = 1e-6;
  Vec3 n = (start - start.dot(line) * line).normalized();
  const auto turned = [&](double angle) -> Vec3 {
    return std::cos(angle) * n + std::sin(angle) * line.cross(n);
  };
  const auto error_at = [&](double angle) {
    const Vec3 m = turned(angle);
    return line.cross(m).dot(difference.support(-m).d);
  };
  for (int step = 0; step < kMostSteps; ++step) {
    const double error = error_at(0.0);
    const double move = -error * 2.0 * kDelta / (error_at(kDelta) - error_at(-kDelta));
    if (!std::isfinite(move) || std::abs(move) > 0.1) break;
    if (!(std::abs(error_at(move)) < std::abs(error))) break;
    n = turned(move);
  }
  return n;
}

/// The points of two lines through `a` and `b` that are apart along n only.
void align_lines(const Vec3& along_a, const Vec3& along_b, const Vec3& n, Vec3& a, Vec3& b) {
  const Vec3 apart = b - a;
  const double sine = along_a.cross(along_b).dot(n);
  a += along_a * (apart.cross(along_b).dot(n) / sine);
  b += along_b * (apart.cross(along_a).dot(n) / sine);
}

/// Points at a normal: support points where they are the only ones, or those of two edges; else
/// those that found the normal.
SolidContact contact_at(const Solid& a, const Pose3& pose_a, const Solid& b, const Pose3& pose_b,
                        const MinkowskiDifference& difference, const FoundNormal& found) {
  constexpr double kAligned = 1e-7;
  MinkowskiPoint support = difference.support(-found.n);
  SolidContact contact{found.point.a, found.point.b, found.n, found.gap};
  const auto lines_a = supporting_lines(a, pose_a.orientation.conjugate() * -found.n);
  const auto lines_b = supporting_lines(b, pose_b.orientation.conjugate() * found.n);
  if (lines_a.size() == 1 && lines_b.size() == 1) {
    const Vec3 along_a = pose_a.orientation * lines_a[0];
    const Vec3 along_b = pose_b.orientation * lines_b[0];
    if (along_a.cross(along_b).norm() > kAligned) {
      align_lines(along_a, along_b, found.n, support.a, support.b);
      contact.on_a_mm = support.a;
      contact.on_b_mm = support.b;
    }
  } else if (lines_a.empty() && lines_b.empty()) {
    if ((support.d - found.gap * found.n).norm() <= kAligned * difference.size_mm()) {
      contact.on_a_mm = support.a;
      contact.on_b_mm = support.b;
    }
  } else if (lines_a.empty()) {
    contact.on_a_mm = support.a;
    contact.on_b_mm = support.a - found.gap * found.n;
  } else if (lines_b.empty()) {
    contact.on_a_mm = support.b + found.gap * found.n;
    contact.on_b_mm = support.b;
  }
  const Vec3 error = contact.on_a_mm - contact.on_b_mm - found.gap * found.n;
  contact.on_a_mm += pose_b.position_mm - 0.5 * error;
  contact.on_b_mm += pose_b.position_mm + 0.5 * error;
  return contact;
}

/// The lines of both solids, in G's axes: of A first.
struct SolidLines {
  std::vector<Vec3> of_a;
  std::vector<Vec3> of_b;
};

SolidLines solid_lines(const Solid& a, const Pose3& pose_a, const Solid& b, const Pose3& pose_b) {
  SolidLines lines{line_directions(a), line_directions(b)};
  for (Vec3& line : lines.of_a) line = pose_a.orientation * line;
  for (Vec3& line : lines.of_b) line = pose_b.orientation * line;
  return lines;
}

/// Normals that flat faces and pairs of edges have exactly.
std::vector<Vec3> exact_normals(const Solid& a, const Pose3& pose_a, const Solid& b,
                                const Pose3& pose_b, const SolidLines& lines) {
  constexpr double kLeastSine = 1e-6;
  std::vector<Vec3> normals;
  for (const Vec3& normal : face_normals(a)) normals.emplace_back(pose_a.orientation * normal);
  for (const Vec3& normal : face_normals(b)) normals.emplace_back(pose_b.orientation * normal);
  for (const Vec3& along_a : lines.of_a) {
    for (const Vec3& along_b : lines.of_b) {
      const Vec3 across = along_a.cross(along_b);
      if (across.norm() < kLeastSine) continue;
      normals.emplace_back(across.normalized());
      normals.emplace_back(-across.normalized());
    }
  }
  return normals;
}

/// `closest_points` of any two bounded solids by their support points: of all normals that are
/// found the one of the largest gap, which is the definition of the gap both apart and overlapping.
/// Normals are those of the iteration of Gilbert, Johnson and Keerthi and of an expanding polytope,
/// refined by Newton's method (across a straight edge or ruling where one touches), and those that
/// flat faces and pairs of edges have exactly.
///
/// Accuracy, relative to the solids' size: gaps 1e-10, points and normals 1e-7 or better. Where
/// solids overlap, by little or much, the least of all depths is found; of round solids deep in
/// each other to about 1e-3.
SolidContact closest_points_of_convex(const Solid& a, const Pose3& pose_a, const Solid& b,
                                      const Pose3& pose_b) {
  constexpr double kNear = 1e-3;       // relative gap below which overlap is tried too
  constexpr double kRounding = 1e-14;  // of separations, relative
  constexpr double kMiddles = 3e-12;   // the same, where support points are middles of edges though
                                       // the direction is not quite across
  constexpr double kAcross = 1e-2;     // |cos| with a line that a normal may be across
  const MinkowskiDifference difference(a, pose_a, b, pose_b);
  const double size = difference.size_mm();
  std::optional<FoundNormal> best;
  const auto consider = [&](const Vec3& n, const MinkowskiPoint* point, double margin) {
    const double gap = difference.separation(n);
    if (best && gap <= best->gap - margin) return;
    best = FoundNormal{n, gap, point != nullptr ? *point : best->point};
  };
  if (const auto nearest = nearest_to_origin(difference)) {
    consider(nearest->d.normalized(), &*nearest, 0.0);
  }
  if (!best || best->gap < kNear * size) {
    const PolytopeNormal polytope = expand_polytope(difference);
    consider(polytope.normal, &polytope.point, 0.0);
  }
  const SolidLines lines = solid_lines(a, pose_a, b, pose_b);
  consider(refined(difference, best->n), nullptr, kRounding * size);
  for (const auto& of_one : {lines.of_a, lines.of_b}) {
    for (const Vec3& line : of_one) {
      if (std::abs(line.dot(best->n)) > kAcross) continue;
      consider(refined_across(difference, line, best->n), nullptr, kMiddles * size);
    }
  }
  for (const Vec3& normal : exact_normals(a, pose_a, b, pose_b, lines)) {
    consider(normal, nullptr, kMiddles * size);
  }
  return contact_at(a, pose_a, b, pose_b, difference, *best);
}

/// The point of a solid's surface nearest to a given point, in body axes: the given point is
/// point + distance normal.
struct SurfacePoint {
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();  ///< unit, out of the solid
  double distance_mm = 0.0;     ///< negative inside
};

/// Where several are nearest (to the middle of a solid), one of them.
SurfacePoint nearest_surface_point(const Sphere& sphere, const Vec3& p) {
  const double distance = p.norm();
  const Vec3 normal = distance > 0.0 ? Vec3(p / distance) : Vec3::UnitZ();
  return {sphere.radius_mm * normal, normal, distance - sphere.radius_mm};
}

SurfacePoint nearest_surface_point(const Box3& box, const Vec3& p) {
  const Vec3& half = box.half_extents_mm;
  const Vec3 depth = half - p.cwiseAbs();
  if (depth.minCoeff() < 0.0) {
    const Vec3 point = p.cwiseMax(-half).cwiseMin(half);
    const double distance = (p - point).norm();
    return {point, (p - point) / distance, distance};
  }
  int face = 0;
  const double least = depth.minCoeff(&face);
  Vec3 normal = Vec3::Zero();
  normal[face] = p[face] < 0.0 ? -1.0 : 1.0;
  return {p + least * normal, normal, -least};
}

SurfacePoint nearest_surface_point(const Cylinder& cylinder, const Vec3& p) {
  const double across = p.head<2>().norm();
  const Vec2 radial = across > 0.0 ? Vec2(p.head<2>() / across) : Vec2::UnitX();
  const double to_side = cylinder.radius_mm - across;
  const double to_end = cylinder.half_length_mm - std::abs(p.z());
  if (to_side < 0.0 || to_end < 0.0) {
    // The normal by how far it is beyond side and end: the difference of two points that are all
    // but one has none.
    const double out = std::max(0.0, -to_side);
    const double beyond = std::max(0.0, -to_end);
    const double distance = std::hypot(out, beyond);
    const Vec2 inside = to_side < 0.0 ? Vec2(cylinder.radius_mm * radial) : Vec2(p.head<2>());
    const double z = std::clamp(p.z(), -cylinder.half_length_mm, cylinder.half_length_mm);
    return {{inside.x(), inside.y(), z},
            Vec3(out * radial.x(), out * radial.y(), std::copysign(beyond, p.z())) / distance,
            distance};
  }
  const Vec3 normal = to_side < to_end ? Vec3(radial.x(), radial.y(), 0.0)
                                       : Vec3(0.0, 0.0, p.z() < 0.0 ? -1.0 : 1.0);
  const double least = std::min(to_side, to_end);
  return {p + least * normal, normal, -least};
}

SolidContact flipped(const SolidContact& contact) {
  return {contact.on_b_mm, contact.on_a_mm, -contact.normal, contact.gap_mm};
}

/// A point of G against a half-space, which is the other body.
SolidContact above_half_space(const Vec3& p, const Pose3& half_space) {
  const Vec3 n = half_space.orientation * Vec3::UnitZ();
  const double gap = n.dot(p - half_space.position_mm);
  return {p, p - gap * n, n, gap};
}

SolidContact solid_above_half_space(const Solid& solid, const Pose3& pose,
                                    const Pose3& half_space) {
  const Vec3 down = half_space.orientation * -Vec3::UnitZ();
  const Vec3 lowest = support_point(solid, pose.orientation.conjugate() * down);
  return above_half_space(pose.to_world(lowest), half_space);
}

std::optional<SurfacePoint> surface_point(const Solid& solid, const Vec3& p) {
  if (const auto* sphere = std::get_if<Sphere>(&solid)) return nearest_surface_point(*sphere, p);
  if (const auto* box = std::get_if<Box3>(&solid)) return nearest_surface_point(*box, p);
  if (const auto* cylinder = std::get_if<Cylinder>(&solid)) {
    return nearest_surface_point(*cylinder, p);
  }
  return std::nullopt;
}

/// A sphere A against a solid whose surface points have a closed form.
std::optional<SolidContact> sphere_against(const Solid& a, const Pose3& pose_a, const Solid& b,
                                           const Pose3& pose_b) {
  const auto* sphere = std::get_if<Sphere>(&a);
  if (sphere == nullptr) return std::nullopt;
  const auto nearest = surface_point(b, pose_b.to_body(pose_a.position_mm));
  if (!nearest) return std::nullopt;
  const Vec3 n = pose_b.orientation * nearest->normal;
  return SolidContact{pose_a.position_mm - sphere->radius_mm * n, pose_b.to_world(nearest->point),
                      n, nearest->distance_mm - sphere->radius_mm};
}

}  // namespace

SolidContact closest_points(const Solid& a, const Pose3& pose_a, const Solid& b,
                            const Pose3& pose_b) {
  if (std::holds_alternative<HalfSpace>(b)) return solid_above_half_space(a, pose_a, pose_b);
  if (std::holds_alternative<HalfSpace>(a)) {
    return flipped(solid_above_half_space(b, pose_b, pose_a));
  }
  if (const auto contact = sphere_against(a, pose_a, b, pose_b)) return *contact;
  if (const auto contact = sphere_against(b, pose_b, a, pose_a)) return flipped(*contact);
  return closest_points_of_convex(a, pose_a, b, pose_b);
}

namespace {

std::vector<Vec3> box_vertices(const Box3& box) {
  std::vector<Vec3> vertices;
  for (const double x : {-1.0, 1.0}) {
    for (const double y : {-1.0, 1.0}) {
      for (const double z : {-1.0, 1.0}) {
        vertices.emplace_back(box.half_extents_mm.cwiseProduct(Vec3(x, y, z)));
      }
    }
  }
  return vertices;
}

/// Four points of each rim: the farthest along `down` and those at quarter turns from it.
std::vector<Vec3> rim_points(const Cylinder& cylinder, const Vec3& down) {
  constexpr double kUpright = 1e-12;
  const double across = down.head<2>().norm();
  const Vec2 lowest = across > kUpright ? Vec2(down.head<2>() / across) : Vec2::UnitX();
  std::vector<Vec3> points;
  for (const double z : {-cylinder.half_length_mm, cylinder.half_length_mm}) {
    for (const Vec2& radial : {lowest, perp(lowest), Vec2(-lowest), Vec2(-perp(lowest))}) {
      points.emplace_back(cylinder.radius_mm * radial.x(), cylinder.radius_mm * radial.y(), z);
    }
  }
  return points;
}

/// The corners of a solid with edges, in body axes; `down` is towards the other one. Else none.
std::vector<Vec3> corner_points(const Solid& solid, const Vec3& down) {
  if (const auto* box = std::get_if<Box3>(&solid)) return box_vertices(*box);
  if (const auto* cylinder = std::get_if<Cylinder>(&solid)) return rim_points(*cylinder, down);
  return {};
}

SurfacePoint nearest_to(const Solid& solid, const Vec3& p) {
  if (const auto* box = std::get_if<Box3>(&solid)) return nearest_surface_point(*box, p);
  if (const auto* cylinder = std::get_if<Cylinder>(&solid)) {
    return nearest_surface_point(*cylinder, p);
  }
  return {{p.x(), p.y(), 0.0}, Vec3::UnitZ(), p.z()};  // of a half-space
}

bool has_corners(const Solid& solid) {
  return std::holds_alternative<Box3>(solid) || std::holds_alternative<Cylinder>(solid);
}

/// The contacts of A's corners with B; `n` is about their normal, out of B.
void add_corners(const Solid& a, const Pose3& pose_a, const Solid& b, const Pose3& pose_b,
                 const Vec3& n, std::vector<SolidContact>& contacts) {
  for (const Vec3& corner : corner_points(a, pose_a.orientation.conjugate() * -n)) {
    const Vec3 p = pose_a.to_world(corner);
    const SurfacePoint below = nearest_to(b, pose_b.to_body(p));
    contacts.push_back(
        {p, pose_b.to_world(below.point), pose_b.orientation * below.normal, below.distance_mm});
  }
}

}  // namespace

std::vector<SolidContact> contact_points(const Solid& a, const Pose3& pose_a, const Solid& b,
                                         const Pose3& pose_b) {
  const SolidContact closest = closest_points(a, pose_a, b, pose_b);
  const bool is_a_below = std::holds_alternative<HalfSpace>(a);
  const bool is_b_below = std::holds_alternative<HalfSpace>(b);
  if (!(is_a_below || has_corners(a)) || !(is_b_below || has_corners(b))) return {closest};
  std::vector<SolidContact> contacts;
  // An edge may cross another one between corners; a half-space has none.
  if (!is_a_below && !is_b_below) contacts.push_back(closest);
  add_corners(a, pose_a, b, pose_b, closest.normal, contacts);
  const std::size_t of_a = contacts.size();
  add_corners(b, pose_b, a, pose_a, -closest.normal, contacts);
  for (std::size_t i = of_a; i < contacts.size(); ++i) {
    std::swap(contacts[i].on_a_mm, contacts[i].on_b_mm);
    contacts[i].normal = -contacts[i].normal;
  }
  return contacts;
}

}  // namespace graspmap
