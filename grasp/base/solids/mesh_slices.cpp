#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <polyclipping/clipper.hpp>

#include "grasp/base/solids/mesh.hpp"

namespace graspmap {
namespace {

/// A point of a sliced mesh: one of its points, (p, p, 0), or where an edge passes the lower (1) or
/// the upper height (2).
struct SlicedPoint {
  int a = 0;
  int b = 0;
  int cut = 0;

  auto operator<=>(const SlicedPoint&) const = default;
};

using SlicedEdges = std::map<std::pair<SlicedPoint, SlicedPoint>, int>;

/// Directed edges as closed chains: at each point as many end as begin.
std::vector<std::vector<SlicedPoint>> chains_of(const SlicedEdges& edges) {
  std::map<SlicedPoint, std::vector<SlicedPoint>> next;
  for (const auto& [edge, count] : edges) {
    for (int k = 0; k < count; ++k) next[edge.first].push_back(edge.second);
  }
  std::vector<std::vector<SlicedPoint>> chains;
  for (auto& [begin, ends] : next) {
    while (!ends.empty()) {
      std::vector<SlicedPoint> chain;
      for (SlicedPoint at = begin; chain.empty() || at != begin;) {
        chain.push_back(at);
        std::vector<SlicedPoint>& ways = next.at(at);
        at = ways.back();
        ways.pop_back();
      }
      chains.push_back(std::move(chain));
    }
  }
  return chains;
}

class Slicer {
 public:
  Slicer(const SolidMesh& mesh, const SolidPose& pose, double low_mm, double high_mm)
      : mesh_(mesh), low_(low_mm), high_(high_mm) {
    placed_.reserve(mesh.points_mm.size());
    for (const Vec3& point : mesh.points_mm) placed_.emplace_back(pose * point);
  }

  /// The section at the lower height. Points on the plane count as above it.
  [[nodiscard]] std::vector<Polygon2> section() const {
    SlicedEdges edges;
    for (const std::array<int, 3>& facet : mesh_.facets) {
      std::array<SlicedPoint, 2> ends;  // where its edges go down, and up
      int crossings = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        const int a = facet[k];
        const int b = facet[(k + 1) % 3];
        const bool above = is_above(a, low_);
        if (above == is_above(b, low_)) continue;
        ends[above ? 0 : 1] = {std::min(a, b), std::max(a, b), 1};
        ++crossings;
      }
      if (crossings == 2) ++edges[{ends[0], ends[1]}];
    }
    return polygons(edges);
  }

  /// Boundaries of what faces up between the heights, and the section at the upper one: around each
  /// point they wind as often as it is covered.
  [[nodiscard]] std::vector<Polygon2> covers() const {
    SlicedEdges edges;
    for (const std::array<int, 3>& facet : mesh_.facets) {
      const Vec2 p = placed_[index(facet[0])].head<2>();
      const Vec2 q = placed_[index(facet[1])].head<2>();
      const Vec2 r = placed_[index(facet[2])].head<2>();
      if (!(graspmap::cross(q - p, r - p) > 0.0)) continue;
      std::vector<SlicedPoint> cut;
      for (const int corner : facet) cut.push_back({corner, corner, 0});
      cut = clipped_at(cut, low_, 1, true);
      cut = clipped_at(cut, high_, 2, false);
      for (std::size_t k = 0; k < cut.size(); ++k) add(edges, cut[k], cut[(k + 1) % cut.size()]);
    }
    std::vector<Polygon2> all = polygons(edges);
    if (std::isfinite(high_)) {
      Slicer top = *this;
      top.low_ = high_;
      for (Polygon2& polygon : top.section()) all.push_back(std::move(polygon));
    }
    return all;
  }

 private:
  [[nodiscard]] bool is_above(int point, double height) const {
    return placed_[index(point)].z() >= height;
  }

  [[nodiscard]] Vec3 place(const SlicedPoint& point) const {
    const Vec3& p = placed_[index(point.a)];
    if (point.cut == 0) return p;
    const Vec3& q = placed_[index(point.b)];
    const double height = point.cut == 1 ? low_ : high_;
    return p + (height - p.z()) / (q.z() - p.z()) * (q - p);
  }

  [[nodiscard]] std::vector<Polygon2> polygons(const SlicedEdges& edges) const {
    std::vector<Polygon2> found;
    for (const std::vector<SlicedPoint>& chain : chains_of(edges)) {
      Polygon2 polygon;
      for (const SlicedPoint& point : chain) polygon.emplace_back(place(point).head<2>());
      if (polygon.size() > 2) found.push_back(std::move(polygon));
    }
    return found;
  }

  /// What of a polygon on a facet is above a height, or below it.
  [[nodiscard]] std::vector<SlicedPoint> clipped_at(const std::vector<SlicedPoint>& polygon,
                                                    double height, int cut, bool keep_above) const {
    std::vector<SlicedPoint> kept;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const SlicedPoint& from = polygon[k];
      const SlicedPoint& to = polygon[(k + 1) % polygon.size()];
      const bool from_above = is_point_above(from, height, cut);
      const bool to_above = is_point_above(to, height, cut);
      if (from_above == keep_above) kept.push_back(from);
      if (from_above != to_above) kept.push_back(edge_point(from, to, cut));
    }
    return kept;
  }

  /// Points at the lower height are below the upper one.
  [[nodiscard]] bool is_point_above(const SlicedPoint& point, double height, int cut) const {
    return point.cut != 0 ? point.cut == cut : is_above(point.a, height);
  }

  /// Of the mesh's edge on which two points lie.
  [[nodiscard]] static SlicedPoint edge_point(const SlicedPoint& from, const SlicedPoint& to,
                                              int cut) {
    if (from.cut != 0) return {from.a, from.b, cut};
    if (to.cut != 0) return {to.a, to.b, cut};
    return {std::min(from.a, to.a), std::max(from.a, to.a), cut};
  }

  static void add(SlicedEdges& edges, const SlicedPoint& from, const SlicedPoint& to) {
    const auto back = edges.find({to, from});
    if (back == edges.end()) {
      ++edges[{from, to}];
    } else if (--back->second == 0) {
      edges.erase(back);
    }
  }

  const SolidMesh& mesh_;
  double low_;
  double high_;
  std::vector<Vec3> placed_;
};

/// Units of Clipper's whole numbers in a mm: coordinates up to 1e6 mm fit.
constexpr double kUnitsPerMm = 1e10;
/// Points nearer than this to the line through their neighbours are no corners, in units.
constexpr double kNoCorner = 10.0;
/// Regions and holes narrower than this come from rounding.
constexpr double kSliverMm = 1e-7;

/// Regions that meet along an edge only after rounding stay apart in a union: widened by this, and
/// narrowed again, they are joined. In units.
constexpr double kJoint = 1e4;
/// Corners keep their shape up to angles of 1/25 rad.
constexpr double kSharpest = 50.0;

ClipperLib::Paths offset_paths(const ClipperLib::Paths& paths, double by) {
  ClipperLib::ClipperOffset offset(kSharpest);
  offset.AddPaths(paths, ClipperLib::jtMiter, ClipperLib::etClosedPolygon);
  ClipperLib::Paths moved;
  offset.Execute(moved, by);
  return moved;
}

ClipperLib::Paths united_paths(const ClipperLib::Paths& paths) {
  ClipperLib::Clipper clipper(ClipperLib::ioStrictlySimple);
  clipper.AddPaths(paths, ClipperLib::ptSubject, true);
  ClipperLib::Paths united;
  clipper.Execute(ClipperLib::ctUnion, united, ClipperLib::pftPositive, ClipperLib::pftPositive);
  ClipperLib::CleanPolygons(united, kNoCorner);
  std::erase_if(united, [](const ClipperLib::Path& path) { return path.size() < 3; });
  if (united.size() == 1) return united;
  united = offset_paths(offset_paths(united, kJoint), -kJoint);
  ClipperLib::CleanPolygons(united, kNoCorner);
  return united;
}

}  // namespace

std::vector<Polygon2> mesh_section(const SolidMesh& mesh, const SolidPose& pose, double height_mm) {
  return Slicer(mesh, pose, height_mm, std::numeric_limits<double>::infinity()).section();
}

std::vector<Polygon2> mesh_silhouette(const SolidMesh& mesh, const SolidPose& pose, double low_mm,
                                      double high_mm) {
  ClipperLib::Paths paths;
  for (const Polygon2& polygon : Slicer(mesh, pose, low_mm, high_mm).covers()) {
    ClipperLib::Path& path = paths.emplace_back();
    for (const Vec2& p : polygon) {
      path.emplace_back(std::llround(p.x() * kUnitsPerMm), std::llround(p.y() * kUnitsPerMm));
    }
  }
  std::vector<Polygon2> silhouette;
  for (const ClipperLib::Path& path : united_paths(paths)) {
    Polygon2 polygon;
    for (const ClipperLib::IntPoint& p : path) {
      polygon.emplace_back(static_cast<double>(p.X) / kUnitsPerMm,
                           static_cast<double>(p.Y) / kUnitsPerMm);
    }
    double twice_area = 0.0;
    double length = 0.0;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const Vec2& next = polygon[(k + 1) % polygon.size()];
      twice_area += graspmap::cross(polygon[k], next);
      length += (next - polygon[k]).norm();
    }
    if (std::abs(twice_area) > kSliverMm * length) silhouette.push_back(std::move(polygon));
  }
  return silhouette;
}

}  // namespace graspmap
