#include "grasp/base/solids/mesh.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <unordered_map>

namespace graspmap {
namespace {

/// Gives points no farther apart than a distance one number.
class PointWelder {
 public:
  PointWelder(std::vector<Vec3>& points, double weld_mm) : points_(points), weld_(weld_mm) {}

  int index_of(const Vec3& point) {
    const std::array<std::int64_t, 3> cell = cell_of(point);
    for (std::int64_t k = 0; k < 27; ++k) {
      const auto found =
          cells_.find(key(cell[0] + k % 3 - 1, cell[1] + k / 3 % 3 - 1, cell[2] + k / 9 - 1));
      if (found == cells_.end()) continue;
      for (const int other : found->second) {
        if ((points_[index(other)] - point).norm() <= weld_) return other;
      }
    }
    const int own = static_cast<int>(points_.size());
    points_.push_back(point);
    cells_[key(cell[0], cell[1], cell[2])].push_back(own);
    return own;
  }

 private:
  [[nodiscard]] std::array<std::int64_t, 3> cell_of(const Vec3& point) const {
    const auto cell = [&](double x) { return static_cast<std::int64_t>(std::floor(x / weld_)); };
    return {cell(point.x()), cell(point.y()), cell(point.z())};
  }
  /// Cells that share a key are told apart by the distance.
  static std::uint64_t key(std::int64_t i, std::int64_t j, std::int64_t k) {
    return static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15U ^
           static_cast<std::uint64_t>(j) * 0xC2B2AE3D27D4EB4FU ^
           static_cast<std::uint64_t>(k) * 0x165667B19E3779F9U;
  }

  std::vector<Vec3>& points_;
  double weld_;
  std::unordered_map<std::uint64_t, std::vector<int>> cells_;
};

}  // namespace

SolidMesh welded_mesh(const std::vector<Vec3>& corners_mm, const std::vector<bool>& is_flat,
                      double weld_mm) {
  SolidMesh mesh;
  PointWelder welder(mesh.points_mm, weld_mm);
  for (std::size_t k = 0; k + 2 < corners_mm.size(); k += 3) {
    const std::array<int, 3> facet{welder.index_of(corners_mm[k]),
                                   welder.index_of(corners_mm[k + 1]),
                                   welder.index_of(corners_mm[k + 2])};
    if (facet[0] == facet[1] || facet[1] == facet[2] || facet[2] == facet[0]) continue;
    mesh.facets.push_back(facet);
    if (!is_flat.empty()) mesh.is_flat.push_back(is_flat[k / 3]);
  }
  return mesh;
}

std::array<Vec3, 3> corners_of(const SolidMesh& mesh, std::size_t facet) {
  const std::array<int, 3>& f = mesh.facets[facet];
  return {mesh.points_mm[index(f[0])], mesh.points_mm[index(f[1])], mesh.points_mm[index(f[2])]};
}

std::string corner_text(const Vec3& point_mm) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", point_mm.x(), point_mm.y(), point_mm.z());
}

std::string mesh_fault(const SolidMesh& mesh) {
  struct Passes {
    int forward = 0;
    int backward = 0;
  };
  std::map<std::pair<int, int>, Passes> edges;
  for (const std::array<int, 3>& facet : mesh.facets) {
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = facet[k];
      const int b = facet[(k + 1) % 3];
      Passes& passes = edges[std::minmax(a, b)];
      ++(a < b ? passes.forward : passes.backward);
    }
  }
  for (const auto& [edge, passes] : edges) {
    if (passes.forward == passes.backward) continue;
    const int count = passes.forward + passes.backward;
    const std::string what = count == 1       ? "one facet only"
                             : count % 2 == 1 ? fmt::format("{} facets", count)
                                              : "facets that face opposite ways";
    return fmt::format("the edge {} to {} has {}", corner_text(mesh.points_mm[index(edge.first)]),
                       corner_text(mesh.points_mm[index(edge.second)]), what);
  }
  return "";
}

void find_flat_facets(SolidMesh& mesh) {
  constexpr double kSamePlane = 5e-4;  // sine of the angle between facets
  std::vector<Vec3> normals;
  std::map<std::pair<int, int>, std::vector<std::size_t>> facets_at;
  for (std::size_t k = 0; k < mesh.facets.size(); ++k) {
    const auto [p, q, r] = corners_of(mesh, k);
    normals.push_back((q - p).cross(r - p).normalized());
    const auto& [a, b, c] = mesh.facets[k];
    for (const auto& [i, j] : {std::pair(a, b), std::pair(b, c), std::pair(c, a)}) {
      facets_at[std::minmax(i, j)].push_back(k);
    }
  }
  std::vector<std::vector<std::size_t>> coplanar(mesh.facets.size());
  for (const auto& [edge, facets] : facets_at) {
    for (const std::size_t a : facets) {
      for (const std::size_t b : facets) {
        const bool is_same = a != b && normals[a].cross(normals[b]).norm() < kSamePlane &&
                             normals[a].dot(normals[b]) > 0.0;
        if (is_same) coplanar[a].push_back(b);
      }
    }
  }
  mesh.is_flat.assign(mesh.facets.size(), false);
  for (std::size_t k = 0; k < mesh.facets.size(); ++k) {
    if (coplanar[k].size() < 2) continue;
    mesh.is_flat[k] = true;
    for (const std::size_t other : coplanar[k]) mesh.is_flat[other] = true;
  }
}

SolidIntegrals mesh_integrals(const SolidMesh& mesh) {
  // Sums of tetrahedra from a point of the mesh, so that a solid far from the origin loses no
  // digits.
  const Vec3 from = mesh.points_mm.empty() ? Vec3::Zero() : mesh.points_mm.front();
  double volume6 = 0.0;
  Vec3 first = Vec3::Zero();
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  for (const std::array<int, 3>& facet : mesh.facets) {
    const Vec3 a = mesh.points_mm[index(facet[0])] - from;
    const Vec3 b = mesh.points_mm[index(facet[1])] - from;
    const Vec3 c = mesh.points_mm[index(facet[2])] - from;
    const double v = a.dot(b.cross(c));
    const Vec3 sum = a + b + c;
    volume6 += v;
    first += v * sum;
    second +=
        v * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
  }
  SolidIntegrals integrals;
  integrals.volume_mm3 = volume6 / 6.0;
  if (volume6 == 0.0) return integrals;
  const Vec3 centroid = first / (4.0 * volume6);
  const Eigen::Matrix3d moments =
      second / 120.0 - integrals.volume_mm3 * centroid * centroid.transpose();
  integrals.centroid_mm = from + centroid;
  integrals.inertia_mm5 = moments.trace() * Eigen::Matrix3d::Identity() - moments;
  return integrals;
}

std::pair<double, double> mesh_heights(const SolidMesh& mesh, const SolidPose& pose) {
  std::pair<double, double> heights{std::numeric_limits<double>::infinity(),
                                    -std::numeric_limits<double>::infinity()};
  for (const Vec3& point : mesh.points_mm) {
    const double z = (pose * point).z();
    heights = {std::min(heights.first, z), std::max(heights.second, z)};
  }
  return heights;
}

}  // namespace graspmap
