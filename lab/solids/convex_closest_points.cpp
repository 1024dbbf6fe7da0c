#include "lab/solids/convex_closest_points.hpp"

#include <Eigen/LU>
#include <cmath>
#include <optional>
#include <vector>

#include "lab/solids/expanding_polytope.hpp"
#include "lab/solids/gilbert_distance.hpp"
#include "lab/solids/minkowski_difference.hpp"

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

}  // namespace

SolidContact closest_points_of_convex(const Solid& a, const Pose3& pose_a, const Solid& b,
                                      const Pose3& pose_b) {
  constexpr double kNear = 1e-3;       // relative gap below which overlap is tried too
  constexpr double kRounding = 1e-14;  // of separations, relative
  constexpr double kMiddles = 3e-12;   // likewise, where support points are middles of edges though
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

}  // namespace graspmap
