#include "geometry/spatial/convex_closest_points.hpp"

#include <Eigen/LU>
#include <cmath>
#include <optional>
#include <vector>

#include "geometry/spatial/expanding_polytope.hpp"
#include "geometry/spatial/gilbert_distance.hpp"
#include "geometry/spatial/minkowski_difference.hpp"

namespace graspmap {
namespace {

bool is_smooth(const Solid& solid) {
  return std::holds_alternative<Sphere>(solid) || std::holds_alternative<Ellipsoid>(solid) ||
         std::holds_alternative<Superquadric>(solid);
}

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

/// Whether the support point in a direction of body axes is the only one.
bool has_single_support(const Solid& solid, const Vec3& direction) {
  constexpr double kParallel = 1e-9;
  if (std::holds_alternative<Box3>(solid)) return direction.cwiseAbs().minCoeff() > kParallel;
  if (std::holds_alternative<Cylinder>(solid)) {
    return std::abs(direction.z()) > kParallel && direction.head<2>().norm() > kParallel;
  }
  return true;
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

/// Newton's method on the misalignment, for solids whose support points move with the normal; ends
/// where it does not improve.
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

/// Points at a normal: the only support points where there are such, else those that found it.
SolidContact contact_at(const Solid& a, const Pose3& pose_a, const Solid& b, const Pose3& pose_b,
                        const MinkowskiDifference& difference, const FoundNormal& found) {
  constexpr double kAligned = 1e-7;
  const MinkowskiPoint support = difference.support(-found.n);
  SolidContact contact{found.point.a, found.point.b, found.n, found.gap};
  const bool a_is_single = has_single_support(a, pose_a.orientation.conjugate() * -found.n);
  const bool b_is_single = has_single_support(b, pose_b.orientation.conjugate() * found.n);
  const Vec3 across = support.d - found.gap * found.n;
  if (a_is_single && b_is_single) {
    if (across.norm() <= kAligned * difference.size_mm()) {
      contact.on_a_mm = support.a;
      contact.on_b_mm = support.b;
    }
  } else if (a_is_single) {
    contact.on_a_mm = support.a;
    contact.on_b_mm = support.a - found.gap * found.n;
  } else if (b_is_single) {
    contact.on_a_mm = support.b + found.gap * found.n;
    contact.on_b_mm = support.b;
  }
  const Vec3 error = contact.on_a_mm - contact.on_b_mm - found.gap * found.n;
  contact.on_a_mm += pose_b.position_mm - 0.5 * error;
  contact.on_b_mm += pose_b.position_mm + 0.5 * error;
  return contact;
}

}  // namespace

SolidContact closest_points_of_convex(const Solid& a, const Pose3& pose_a, const Solid& b,
                                      const Pose3& pose_b) {
  constexpr double kNear = 1e-3;  // relative gap below which an apart pair is also seen as touching
  const MinkowskiDifference difference(a, pose_a, b, pose_b);
  std::optional<FoundNormal> best;
  const auto consider = [&](const Vec3& n, const MinkowskiPoint* point) {
    const double gap = difference.separation(n);
    if (best && gap <= best->gap) return;
    best = FoundNormal{n, gap, point != nullptr ? *point : best->point};
  };
  if (const auto nearest = nearest_to_origin(difference)) {
    consider(nearest->d.normalized(), &*nearest);
  }
  if (!best || best->gap < kNear * difference.size_mm()) {
    const PolytopeNormal polytope = expand_polytope(difference);
    consider(polytope.normal, &polytope.point);
  }
  for (const Vec3& normal : face_normals(a)) consider(-(pose_a.orientation * normal), nullptr);
  for (const Vec3& normal : face_normals(b)) consider(pose_b.orientation * normal, nullptr);
  if (is_smooth(a) && is_smooth(b)) {
    best->n = refined(difference, best->n);
    best->gap = difference.separation(best->n);
  }
  return contact_at(a, pose_a, b, pose_b, difference, *best);
}

}  // namespace graspmap
