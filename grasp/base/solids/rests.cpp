#include "grasp/base/solids/rests.hpp"

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <set>
#include <tuple>

#include "geometry/elementary/elementary.hpp"
#include "grasp/base/io/errors.hpp"
#include "grasp/base/solids/mesh.hpp"

namespace graspmap {
namespace {

/// Facets of the hull that are tilted less than this against each other are one: what files, and
/// tessellation, round off.
constexpr double kSameFaceRad = 1e-3;

/// What lies this near to a plane touches it, as a share of the solid's size.
constexpr double kTouch = 1e-6;

/// A mesh's facets of a curved face are tilted less than this against each other; on them the solid
/// tips onto the next one within a few times that angle.
constexpr double kCurvedRad = 0.35;
constexpr double kRollingShare = 3.0;

/// Margins that differ by less are alike.
constexpr double kAlikeRad = 1e-6;

/// A facet of the hull; centroid at the origin.
struct HullFacet {
  Vec3 normal;
  double distance_mm = 0.0;  ///< of its plane from the centroid
  double area_mm2 = 0.0;
  std::vector<std::size_t> neighbours;
};

std::vector<HullFacet> hull_of(const std::vector<Vec3>& points, const std::string& file) {
  std::vector<double> coordinates;
  for (const Vec3& p : points) coordinates.insert(coordinates.end(), p.begin(), p.end());
  // qhull prints its errors itself: not here.
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> nowhere(std::fopen("/dev/null", "w"),
                                                                &std::fclose);
  qhT state;
  qh_zero(&state, nowhere.get());
  char options[] = "qhull";
  const int failed = qh_new_qhull(&state, 3, static_cast<int>(points.size()), coordinates.data(),
                                  False, options, nowhere.get(), nowhere.get());
  std::vector<HullFacet> hull;
  if (failed == 0) {
    qh_getarea(&state, state.facet_list);
    std::vector<std::size_t> index_of_id(state.facet_id, 0);
    const auto see_facets = [&](const auto& see) {
      // The list ends with a sentinel. Ids have gaps: facets come and go while the hull grows.
      for (const facetT* f = state.facet_list; f != nullptr && f->next != nullptr; f = f->next)
        see(*f);
    };
    see_facets([&](const facetT& f) {
      index_of_id[f.id] = hull.size();
      hull.push_back({Vec3(f.normal[0], f.normal[1], f.normal[2]), -f.offset, f.f.area, {}});
    });
    std::size_t at = 0;
    see_facets([&](const facetT& f) {
      for (int k = 0; f.neighbors->e[k].p != nullptr; ++k) {
        const auto* other = static_cast<const facetT*>(f.neighbors->e[k].p);
        hull[at].neighbours.push_back(index_of_id[other->id]);
      }
      ++at;
    });
  }
  // Before the error below is thrown: this memory has no owner.
  qh_freeqhull(&state, True);
  int used = 0;
  int left = 0;
  qh_memfreeshort(&state, &used, &left);
  if (failed != 0) {
    throw config_error({file}, "",
                       "is too thin to find the faces on which it rests; say with --up "
                       "X,Y,Z which direction of the file points up");
  }
  return hull;
}

double angle_between(const Vec3& a, const Vec3& b) {
  return elementary::atan2(a.cross(b).norm(), a.dot(b));
}

/// How far a solid on a facet is tilted when its centroid is above the edge with a neighbour, < 0
/// when it is beyond already.
double tipping_rad(const HullFacet& facet, const HullFacet& neighbour) {
  const double turn = angle_between(facet.normal, neighbour.normal);
  const double share = neighbour.distance_mm / facet.distance_mm;
  return elementary::atan2(share - elementary::cos(turn), elementary::sin(turn));
}

/// The plane on which it rests, turned to the table; x stays where it is as far as it can.
SolidPose pose_with_up(const Vec3& up) {
  const Vec3 v = up.cross(Vec3::UnitZ());
  const double c = up.z();
  Eigen::Matrix3d turn;
  if (c < -1.0 + 1e-9) {  // upside down: about x
    turn = Vec3(1, -1, -1).asDiagonal();
  } else {
    Eigen::Matrix3d skew;
    skew << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
    turn = Eigen::Matrix3d::Identity() + skew + skew * skew / (1.0 + c);
  }
  SolidPose pose = SolidPose::Identity();
  pose.linear() = turn;
  return pose;
}

/// A unit vector without noise: axes of the file exactly.
Vec3 cleaned(const Vec3& direction) {
  constexpr double kNoise = 1e-12;
  Vec3 clean = direction.normalized();
  for (double& x : clean) {
    if (std::abs(x) < kNoise) x = 0.0;
  }
  return clean.normalized();
}

/// The convex hull of points of the plane, counter-clockwise (Andrew's monotone chain).
std::vector<Vec2> hull_in_plane(std::vector<Vec2> points) {
  std::sort(points.begin(), points.end(), [](const Vec2& a, const Vec2& b) {
    return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y());
  });
  std::vector<Vec2> hull;
  for (int side = 0; side < 2; ++side) {
    const std::size_t first = hull.size();
    for (const Vec2& p : points) {
      while (hull.size() >= first + 2 &&
             graspmap::cross(hull.back() - hull[hull.size() - 2], p - hull.back()) <= 0.0) {
        hull.pop_back();
      }
      hull.push_back(p);
    }
    if (!hull.empty()) hull.pop_back();
    std::reverse(points.begin(), points.end());
  }
  return hull;
}

/// The outward normal of the mesh's facets in a plane, weighted with their areas; and whether one
/// of them is known to be flat.
struct FaceInPlane {
  Vec3 normal = Vec3::Zero();
  bool is_flat = false;
};

FaceInPlane face_in_plane(const SolidMesh& mesh, const Vec3& normal, double touch_mm,
                          double distance_mm, const Vec3& centroid) {
  FaceInPlane face;
  for (std::size_t k = 0; k < mesh.facets.size(); ++k) {
    const auto [p, q, r] = corners_of(mesh, k);
    const auto is_in = [&](const Vec3& x) {
      return normal.dot(x - centroid) > distance_mm - touch_mm;
    };
    if (!is_in(p) || !is_in(q) || !is_in(r)) continue;
    const Vec3 own = (q - p).cross(r - p);
    if (angle_between(own, normal) >= kSameFaceRad) continue;
    face.normal += own;
    face.is_flat = face.is_flat || (k < mesh.is_flat.size() && mesh.is_flat[k]);
  }
  return face;
}

/// Fills in what follows from `up`.
Rest standing(const SolidBody& solid, const Vec3& up) {
  Rest rest;
  rest.up = up;
  rest.pose = pose_with_up(up);
  const auto [low, high] = mesh_heights(solid.mesh(), rest.pose);
  rest.pose.translation().z() = -low;
  rest.height_mm = high - low;
  rest.centroid_height_mm = (rest.pose * solid.integrals().centroid_mm).z();
  return rest;
}

/// Area and margin of the support polygon; false where the centroid is not above it.
bool measure_support(const SolidBody& solid, double touch_mm, Rest& rest) {
  std::vector<Vec2> touching;
  for (const Vec3& point : solid.mesh().points_mm) {
    const Vec3 placed = rest.pose * point;
    if (placed.z() <= touch_mm) touching.emplace_back(placed.head<2>());
  }
  const std::vector<Vec2> support = hull_in_plane(std::move(touching));
  if (support.size() < 3) return false;
  const Vec2 centroid = (rest.pose * solid.integrals().centroid_mm).head<2>();
  double least = std::numeric_limits<double>::infinity();
  double twice_area = 0.0;
  for (std::size_t k = 0; k < support.size(); ++k) {
    const Vec2& p = support[k];
    const Vec2& q = support[(k + 1) % support.size()];
    least = std::min(least, graspmap::cross(Vec2(q - p).normalized(), centroid - p));
    twice_area += graspmap::cross(p - centroid, q - centroid);
  }
  rest.support_mm2 = 0.5 * twice_area;
  rest.margin_rad = elementary::atan2(least, rest.centroid_height_mm);
  return least > touch_mm;
}

}  // namespace

Rest rest_with_up(const SolidBody& solid, const Vec3& up) { return standing(solid, cleaned(up)); }

Rest on_table(const SolidBody& solid, Rest rest) {
  const auto [low, high] = solid.heights(rest.pose);
  rest.pose.translation().z() -= low;
  rest.height_mm = high - low;
  rest.centroid_height_mm -= low;
  return rest;
}

std::vector<Rest> rests_of(const SolidBody& solid, const std::string& file) {
  const SolidMesh& mesh = solid.mesh();
  const Vec3& centroid = solid.integrals().centroid_mm;
  std::set<int> used;
  for (const std::array<int, 3>& facet : mesh.facets) used.insert(facet.begin(), facet.end());
  std::vector<Vec3> points;
  Eigen::AlignedBox3d box;
  for (const int k : used) {
    points.push_back(mesh.points_mm[index(k)] - centroid);
    box.extend(points.back());
  }
  const double touch_mm = std::max(kTouch * box.sizes().maxCoeff(), 2.0 * mesh.deviation_mm);
  std::vector<Rest> rests;
  const std::vector<HullFacet> hull = hull_of(points, file);
  std::vector<bool> is_done(hull.size(), false);
  // The largest facets first: they have the planes of those that are the same up to rounding.
  std::vector<std::size_t> by_area(hull.size());
  std::iota(by_area.begin(), by_area.end(), std::size_t{0});
  std::stable_sort(by_area.begin(), by_area.end(), [&](std::size_t a, std::size_t b) {
    return hull[a].area_mm2 > hull[b].area_mm2;
  });
  for (const std::size_t seed : by_area) {
    if (is_done[seed]) continue;
    const HullFacet& facet = hull[seed];
    double margin = std::numeric_limits<double>::infinity();
    bool may_be_curved = false;
    std::vector<std::size_t> same{seed};
    is_done[seed] = true;
    for (std::size_t at = 0; at < same.size(); ++at) {
      for (const std::size_t k : hull[same[at]].neighbours) {
        const double between = angle_between(facet.normal, hull[k].normal);
        if (between >= kSameFaceRad) {
          const double tipping = tipping_rad(facet, hull[k]);
          margin = std::min(margin, tipping);
          may_be_curved |= between < kCurvedRad && tipping < kRollingShare * between;
        } else if (!is_done[k]) {
          is_done[k] = true;
          same.push_back(k);
        }
      }
    }
    if (margin < 0.0) continue;
    const FaceInPlane face =
        face_in_plane(mesh, facet.normal, touch_mm, facet.distance_mm, centroid);
    if (may_be_curved && !face.is_flat) continue;
    const bool has_face = face.normal.norm() > touch_mm * touch_mm;
    Rest rest = standing(solid, cleaned(-(has_face ? face.normal : facet.normal)));
    if (measure_support(solid, touch_mm, rest)) rests.push_back(rest);
  }
  const auto order = [](const Rest& rest) {
    return std::tuple(std::llround(rest.margin_rad / kAlikeRad), rest.up.z(), rest.up.y(),
                      rest.up.x());
  };
  std::stable_sort(rests.begin(), rests.end(),
                   [&](const Rest& a, const Rest& b) { return order(a) > order(b); });
  return rests;
}

}  // namespace graspmap
