#include "lab/solids/minkowski_difference.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace graspmap {
namespace {

using SimplexPoints = std::vector<MinkowskiPoint>;

/// Weights of the point of the affine hull of `points` nearest to the origin; negative ones where
/// the points do not span a hull of their number.
Eigen::VectorXd nearest_weights(const SimplexPoints& points) {
  const auto n = static_cast<Eigen::Index>(points.size());
  Eigen::VectorXd weights = Eigen::VectorXd::Ones(n);
  if (n == 1) return weights;
  Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 3> edges(3, n - 1);
  for (Eigen::Index i = 1; i < n; ++i) {
    edges.col(i - 1) = points[static_cast<std::size_t>(i)].d - points[0].d;
  }
  const auto qr = edges.colPivHouseholderQr();
  if (qr.rank() < n - 1) return -weights;
  weights.tail(n - 1) = -qr.solve(points[0].d);
  weights[0] = 1.0 - weights.tail(n - 1).sum();
  return weights;
}

MinkowskiPoint weighted_sum(const SimplexPoints& points, const Eigen::VectorXd& weights) {
  MinkowskiPoint sum;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double weight = weights[static_cast<Eigen::Index>(i)];
    sum.a += weight * points[i].a;
    sum.b += weight * points[i].b;
    sum.d += weight * points[i].d;
  }
  return sum;
}

/// Reduces a simplex to those of its points that carry the one nearest to the origin.
MinkowskiPoint reduce_to_nearest(SimplexPoints& points) {
  MinkowskiPoint nearest;
  SimplexPoints carriers;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned subset = 1; subset < (1U << points.size()); ++subset) {
    SimplexPoints some;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if ((subset >> i & 1U) != 0U) some.push_back(points[i]);
    }
    const Eigen::VectorXd weights = nearest_weights(some);
    if (!(weights.minCoeff() >= 0.0)) continue;
    const MinkowskiPoint point = weighted_sum(some, weights);
    if (point.d.squaredNorm() < least) {
      least = point.d.squaredNorm();
      nearest = point;
      carriers = some;
    }
  }
  points = carriers;
  return nearest;
}

}  // namespace

std::optional<MinkowskiPoint> nearest_to_origin(const MinkowskiDifference& difference) {
  constexpr int kMostIterations = 200;
  constexpr double kRelative = 1e-14;
  constexpr double kTouch = 1e-12;
  SimplexPoints simplex{difference.support(Vec3::UnitX())};
  MinkowskiPoint nearest = simplex[0];
  for (int i = 0; i < kMostIterations; ++i) {
    const double squared = nearest.d.squaredNorm();
    if (squared <= kTouch * kTouch * difference.size_mm() * difference.size_mm()) {
      return std::nullopt;
    }
    const MinkowskiPoint next = difference.support(-nearest.d);
    if (squared - nearest.d.dot(next.d) <= kRelative * squared) break;
    simplex.push_back(next);
    const MinkowskiPoint nearer = reduce_to_nearest(simplex);
    if (!(nearer.d.squaredNorm() < squared)) break;
    nearest = nearer;
    if (simplex.size() == 4) return std::nullopt;  // the origin is inside
  }
  return nearest;
}

namespace {

/// A convex polytope of points of a Minkowski difference, all faces triangles.
class Polytope {
 public:
  explicit Polytope(const MinkowskiDifference& difference) : difference_(difference) { start(); }

  /// Expands the face nearest to the origin: with offsets below zero, the least. False when it
  /// is one of the whole set, or nothing can be gained.
  bool expand();

  /// The normal of the nearest face at the end; if expanding ends before, of that with the least
  /// distance of the origin to the whole set along its normal.
  [[nodiscard]] const PolytopeNormal& best() const { return best_; }
  [[nodiscard]] std::size_t faces() const { return faces_.size(); }

 private:
  struct Face {
    std::array<int, 3> corners{};  // counter-clockwise from outside
    Vec3 normal = Vec3::Zero();    // out of the polytope
    double offset = 0.0;           // normal . d in the face
  };

  void start();
  [[nodiscard]] PolytopeNormal nearest() const;
  bool add_face(int i, int j, int k);
  [[nodiscard]] const Vec3& d(int i) const { return points_[static_cast<std::size_t>(i)].d; }
  [[nodiscard]] int face_with_edge(int i, int j) const;
  [[nodiscard]] bool is_in_line(int i, int j, const Vec3& p) const;
  std::vector<std::pair<int, int>> cut_open(int first, const Vec3& p);
  [[nodiscard]] MinkowskiPoint nearest_in(const Face& face, double& distance) const;

  const MinkowskiDifference& difference_;
  std::vector<MinkowskiPoint> points_;
  std::vector<Face> faces_;
  PolytopeNormal best_;
  double least_support_ = std::numeric_limits<double>::infinity();
};

/// A tetrahedron that is not flat: each point is farthest from the line or plane of those before.
void Polytope::start() {
  const auto farthest = [&](const Vec3& along) {
    const MinkowskiPoint plus = difference_.support(along);
    const MinkowskiPoint minus = difference_.support(-along);
    const double origin = along.dot(d(0));
    return std::abs(along.dot(plus.d) - origin) >= std::abs(along.dot(minus.d) - origin) ? plus
                                                                                         : minus;
  };
  const Vec3 first = Vec3(0.48, 0.6, 0.64);
  points_.push_back(difference_.support(first));
  points_.push_back(difference_.support(-first));
  const Vec3 line = d(1) - d(0);
  points_.push_back(farthest(line.unitOrthogonal()));
  points_.push_back(farthest(line.cross(d(2) - d(0)).normalized()));
  if (line.cross(d(2) - d(0)).dot(d(3) - d(0)) > 0.0) std::swap(points_[1], points_[2]);
  add_face(0, 1, 2);
  add_face(0, 3, 1);
  add_face(1, 3, 2);
  add_face(2, 3, 0);
}

/// True when the triangle of two corners and p is flat.
bool Polytope::is_in_line(int i, int j, const Vec3& p) const {
  constexpr double kFlat = 1e-12;
  const double longest = std::max((d(j) - d(i)).norm(), (p - d(i)).norm());
  return !((d(j) - d(i)).cross(p - d(i)).norm() > kFlat * longest * difference_.size_mm());
}

bool Polytope::add_face(int i, int j, int k) {
  if (is_in_line(i, j, d(k))) return false;
  const Vec3 normal = (d(j) - d(i)).cross(d(k) - d(i)).normalized();
  faces_.push_back({{i, j, k}, normal, normal.dot(d(i))});
  return true;
}

bool Polytope::expand() {
  constexpr double kConverged = 1e-12;
  if (faces_.empty()) return false;  // the whole set is a line, to rounding
  const auto nearest_face =
      std::min_element(faces_.begin(), faces_.end(),
                       [](const Face& a, const Face& b) { return a.offset < b.offset; });
  const MinkowskiPoint next = difference_.support(nearest_face->normal);
  const double gain = nearest_face->normal.dot(next.d) - nearest_face->offset;
  if (gain <= kConverged * difference_.size_mm()) {
    best_ = nearest();
    return false;
  }
  if (nearest_face->normal.dot(next.d) < least_support_) {
    least_support_ = nearest_face->normal.dot(next.d);
    double distance = 0.0;
    best_ = {-nearest_face->normal, nearest_in(*nearest_face, distance)};
  }
  points_.push_back(next);
  const int corner = static_cast<int>(points_.size()) - 1;
  const auto edges = cut_open(static_cast<int>(nearest_face - faces_.begin()), next.d);
  if (edges.empty()) return false;
  for (const auto& [i, j] : edges) {
    if (!add_face(i, j, corner)) return false;
  }
  return true;
}

/// The face with the edge (i, j) in this sense, -1 when no face has it.
int Polytope::face_with_edge(int i, int j) const {
  const auto has_edge = [&](const Face& face) {
    for (std::size_t c = 0; c < 3; ++c) {
      if (face.corners[c] == i && face.corners[(c + 1) % 3] == j) return true;
    }
    return false;
  };
  const auto found = std::find_if(faces_.begin(), faces_.end(), has_edge);
  return found == faces_.end() ? -1 : static_cast<int>(found - faces_.begin());
}

/// Removes the faces that p sees, from one of them to its neighbours, and those whose edge to the
/// hole is in line with p. Returns the edges of the hole, in the sense of the faces removed; none
/// where all faces would go (by rounding), and then removes nothing.
std::vector<std::pair<int, int>> Polytope::cut_open(int first, const Vec3& p) {
  std::vector<char> is_removed(faces_.size(), 0);
  std::vector<std::pair<int, int>> edges;
  std::vector<int> to_visit{first};
  is_removed[static_cast<std::size_t>(first)] = 1;
  while (!to_visit.empty()) {
    const Face face = faces_[static_cast<std::size_t>(to_visit.back())];
    to_visit.pop_back();
    for (std::size_t c = 0; c < 3; ++c) {
      const int i = face.corners[c];
      const int j = face.corners[(c + 1) % 3];
      const int neighbour = face_with_edge(j, i);
      if (neighbour < 0) return {};
      if (is_removed[static_cast<std::size_t>(neighbour)] != 0) continue;
      const Face& beside = faces_[static_cast<std::size_t>(neighbour)];
      if (beside.normal.dot(p) <= beside.offset && !is_in_line(i, j, p)) continue;
      is_removed[static_cast<std::size_t>(neighbour)] = 1;
      to_visit.push_back(neighbour);
    }
  }
  std::vector<Face> kept;
  for (std::size_t f = 0; f < faces_.size(); ++f) {
    if (is_removed[f] == 0) {
      kept.push_back(faces_[f]);
      continue;
    }
    for (std::size_t c = 0; c < 3; ++c) {
      const int i = faces_[f].corners[c];
      const int j = faces_[f].corners[(c + 1) % 3];
      if (is_removed[static_cast<std::size_t>(face_with_edge(j, i))] == 0) edges.emplace_back(i, j);
    }
  }
  if (!edges.empty()) faces_ = std::move(kept);
  return edges;
}

/// The point of a face nearest to the origin: by its plane, with weights cut to those of the face.
MinkowskiPoint Polytope::nearest_in(const Face& face, double& distance) const {
  const auto& [i, j, k] = face.corners;
  const Vec3 p = face.offset * face.normal;
  const double whole = face.normal.dot((d(j) - d(i)).cross(d(k) - d(i)));
  Vec3 weights(face.normal.dot((d(k) - d(j)).cross(p - d(j))),
               face.normal.dot((d(i) - d(k)).cross(p - d(k))),
               face.normal.dot((d(j) - d(i)).cross(p - d(i))));
  weights = (weights / whole).cwiseMax(0.0);
  weights /= weights.sum();
  MinkowskiPoint point;
  for (int c = 0; c < 3; ++c) {
    const MinkowskiPoint& at_corner =
        points_[static_cast<std::size_t>(face.corners[static_cast<std::size_t>(c)])];
    point.a += weights[c] * at_corner.a;
    point.b += weights[c] * at_corner.b;
    point.d += weights[c] * at_corner.d;
  }
  distance = point.d.norm();
  return point;
}

/// The face in the nearest plane whose point is nearest to the origin.
PolytopeNormal Polytope::nearest() const {
  constexpr double kSamePlane = 1e-12;
  double least = std::numeric_limits<double>::infinity();
  for (const Face& face : faces_) least = std::min(least, face.offset);
  PolytopeNormal nearest;
  double nearest_distance = std::numeric_limits<double>::infinity();
  for (const Face& face : faces_) {
    if (face.offset > least + kSamePlane * difference_.size_mm()) continue;
    double distance = 0.0;
    const MinkowskiPoint point = nearest_in(face, distance);
    if (distance >= nearest_distance) continue;
    nearest_distance = distance;
    nearest = {-face.normal, point};
  }
  return nearest;
}

}  // namespace

PolytopeNormal expand_polytope(const MinkowskiDifference& difference) {
  constexpr std::size_t kMostFaces = 400;
  Polytope polytope(difference);
  while (polytope.faces() < kMostFaces && polytope.expand()) {
  }
  return polytope.best();
}

}  // namespace graspmap
