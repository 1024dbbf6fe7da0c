#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "geometry/elementary/elementary.hpp"
#include "grasp/base/solids/mesh.hpp"

namespace graspmap {
namespace {

/// Solid angles that are summed up at most to see what lies within what.
constexpr std::size_t kMostSolidAngles = 20'000'000;

/// A closed surface of its own.
struct Shell {
  std::vector<std::size_t> facets;
  Eigen::AlignedBox3d box;
  double volume6 = 0.0;  ///< < 0 where the facets face inwards, as around a hollow
};

Eigen::AlignedBox3d facet_box(const SolidMesh& mesh, std::size_t facet) {
  Eigen::AlignedBox3d box;
  for (const Vec3& corner : corners_of(mesh, facet)) box.extend(corner);
  return box;
}

/// Sets of facets that are joined.
class FacetSets {
 public:
  explicit FacetSets(std::size_t size) : parents_(size) {
    std::iota(parents_.begin(), parents_.end(), 0);
  }
  std::size_t of(std::size_t facet) {
    while (parents_[facet] != facet) facet = parents_[facet] = parents_[parents_[facet]];
    return facet;
  }
  void join(std::size_t a, std::size_t b) { parents_[of(a)] = of(b); }

 private:
  std::vector<std::size_t> parents_;
};

/// Facets are joined over edges of two. Over an edge of more they are where one of the sets would
/// be open there: two boxes that share an edge are two shells, those that share a face are one.
std::vector<Shell> shells_of(const SolidMesh& mesh) {
  std::vector<std::tuple<int, int, std::size_t, int>> edges;
  for (std::size_t k = 0; k < mesh.facets.size(); ++k) {
    for (std::size_t i = 0; i < 3; ++i) {
      const int a = mesh.facets[k][i];
      const int b = mesh.facets[k][(i + 1) % 3];
      edges.emplace_back(std::min(a, b), std::max(a, b), k, a < b ? 1 : -1);
    }
  }
  std::sort(edges.begin(), edges.end());
  FacetSets sets(mesh.facets.size());
  for (const bool is_second_pass : {false, true}) {
    for (auto first = edges.begin(); first != edges.end();) {
      const auto end = std::find_if(first, edges.end(), [&](const auto& edge) {
        return std::get<0>(edge) != std::get<0>(*first) || std::get<1>(edge) != std::get<1>(*first);
      });
      // Where a set is closed its facets pass an edge as often in one direction as in the other.
      std::map<std::size_t, int> passes;
      if (is_second_pass && end - first > 2) {
        for (auto k = first; k != end; ++k) passes[sets.of(std::get<2>(*k))] += std::get<3>(*k);
      }
      const bool is_open = std::any_of(passes.begin(), passes.end(),
                                       [](const auto& entry) { return entry.second != 0; });
      if (is_open || (!is_second_pass && end - first == 2)) {
        for (auto k = first; k != end; ++k) sets.join(std::get<2>(*k), std::get<2>(*first));
      }
      first = end;
    }
  }
  std::map<std::size_t, Shell> shells;
  for (std::size_t k = 0; k < mesh.facets.size(); ++k) {
    Shell& shell = shells[sets.of(k)];
    shell.facets.push_back(k);
    shell.box.extend(facet_box(mesh, k));
    const Vec3& from = mesh.points_mm[index(mesh.facets[shell.facets.front()][0])];
    const auto [a, b, c] = corners_of(mesh, k);
    // Tetrahedra from a corner of the shell: from a far origin their volumes would cancel.
    shell.volume6 += (a - from).dot((b - from).cross(c - from));
  }
  std::vector<Shell> all;
  for (auto& [first, shell] : shells) all.push_back(std::move(shell));
  return all;
}

/// True where a segment passes through a triangle, farther than `slack_mm` from its end and from
/// the triangle's edges.
bool passes_through(const Vec3& p, const Vec3& q, const std::array<Vec3, 3>& triangle,
                    double slack_mm) {
  const auto& [a, b, c] = triangle;
  const Vec3 normal = (b - a).cross(c - a).normalized();
  const double above = normal.dot(p - a);
  const double below = normal.dot(q - a);
  if (above * below >= 0.0 || std::min(std::abs(above), std::abs(below)) <= slack_mm) return false;
  const Vec3 x = p + (q - p) * (above / (above - below));
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3& from = triangle[k];
    const Vec3 side = normal.cross(triangle[(k + 1) % 3] - from).normalized();
    if (side.dot(x - from) <= slack_mm) return false;
  }
  return true;
}

bool facets_cross(const SolidMesh& mesh, std::size_t f, std::size_t g, double slack_mm) {
  for (const auto& [one, other] : {std::pair(f, g), std::pair(g, f)}) {
    const std::array<Vec3, 3> corners = corners_of(mesh, one);
    for (std::size_t k = 0; k < 3; ++k) {
      if (passes_through(corners[k], corners[(k + 1) % 3], corners_of(mesh, other), slack_mm)) {
        return true;
      }
    }
  }
  return false;
}

std::string named(const Shell& shell) {
  return fmt::format("the shell from {} to {} mm", corner_text(shell.box.min()),
                     corner_text(shell.box.max()));
}

/// True where boxes share more than a face.
bool boxes_overlap(const Eigen::AlignedBox3d& a, const Eigen::AlignedBox3d& b, double slack_mm) {
  return a.intersection(b).sizes().minCoeff() > slack_mm;
}

std::string crossing_fault(const SolidMesh& mesh, const std::vector<Shell>& shells,
                           double slack_mm) {
  struct BoxedFacet {
    Eigen::AlignedBox3d box;
    std::size_t facet;
    std::size_t shell;
  };
  std::vector<BoxedFacet> candidates;
  for (std::size_t i = 0; i < shells.size(); ++i) {
    Eigen::AlignedBox3d shared;
    for (std::size_t j = 0; j < shells.size(); ++j) {
      if (i == j || !boxes_overlap(shells[i].box, shells[j].box, slack_mm)) continue;
      shared.extend(shells[i].box.intersection(shells[j].box));
    }
    for (const std::size_t facet : shells[i].facets) {
      const Eigen::AlignedBox3d box = facet_box(mesh, facet);
      if (box.intersects(shared)) candidates.push_back({box, facet, i});
    }
  }
  std::sort(candidates.begin(), candidates.end(), [](const BoxedFacet& a, const BoxedFacet& b) {
    return a.box.min().x() < b.box.min().x();
  });
  std::vector<const BoxedFacet*> open;  // those that reach as far as the next one's begin
  for (const BoxedFacet& next : candidates) {
    std::erase_if(
        open, [&](const BoxedFacet* other) { return other->box.max().x() < next.box.min().x(); });
    for (const BoxedFacet* other : open) {
      if (other->shell == next.shell || !other->box.intersects(next.box)) continue;
      if (!facets_cross(mesh, other->facet, next.facet, slack_mm)) continue;
      return fmt::format("{} crosses {}", named(shells[std::min(other->shell, next.shell)]),
                         named(shells[std::max(other->shell, next.shell)]));
    }
    open.push_back(&next);
  }
  return "";
}

/// How often a shell winds around a point: 1 within, 0 outside, 1/2 no farther from it than a
/// slack.
double winding(const SolidMesh& mesh, const Shell& shell, const Vec3& point, double slack_mm) {
  double angle = 0.0;  // half of the solid angle, by van Oosterom and Strackee
  for (const std::size_t facet : shell.facets) {
    auto [a, b, c] = corners_of(mesh, facet);
    a -= point;
    b -= point;
    c -= point;
    const double la = a.norm();
    const double lb = b.norm();
    const double lc = c.norm();
    const double volume6 = a.dot(b.cross(c));
    const double along = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    const bool is_on = std::abs(volume6) <= slack_mm * (b - a).cross(c - a).norm() && along < 0.0;
    if (!is_on) angle += elementary::atan2(volume6, along);
  }
  return angle / (2.0 * M_PI);
}

/// Looks at middles of facets: those of a shell must lie outside of the others, those of a hollow
/// within one.
std::string nesting_fault(const SolidMesh& mesh, const std::vector<Shell>& shells,
                          double slack_mm) {
  constexpr double kClear = 0.1;
  const std::size_t most =
      std::max<std::size_t>(kMostSolidAngles / mesh.facets.size(), shells.size());
  const std::size_t step = mesh.facets.size() / most + 1;
  for (const Shell& shell : shells) {
    const int expected = shell.volume6 > 0.0 ? 0 : 1;
    for (std::size_t k = 0; k < shell.facets.size(); k += step) {
      const auto [a, b, c] = corners_of(mesh, shell.facets[k]);
      const Vec3 middle = (a + b + c) / 3.0;
      long around = 0;
      bool is_clear = true;
      for (const Shell& other : shells) {
        if (&other == &shell || !other.box.contains(middle)) continue;
        const double turns = winding(mesh, other, middle, slack_mm);
        is_clear &= std::abs(turns - std::round(turns)) < kClear;
        around += std::lround(turns);
      }
      if (!is_clear || around == expected) continue;
      return expected == 0
                 ? named(shell) + " faces outwards, and lies in another one or overlaps it"
                 : named(shell) + " faces inwards, as that of a hollow, but lies in no other one";
    }
  }
  return "";
}

/// The corners with the least first: the same for all ways to write a facet.
std::array<int, 3> rotated(std::array<int, 3> facet) {
  std::rotate(facet.begin(), std::min_element(facet.begin(), facet.end()), facet.end());
  return facet;
}

}  // namespace

std::string shell_fault(const SolidMesh& mesh, double slack_mm) {
  std::vector<std::array<int, 3>> facets;
  for (const std::array<int, 3>& facet : mesh.facets) facets.push_back(rotated(facet));
  std::sort(facets.begin(), facets.end());
  const auto twice = std::adjacent_find(facets.begin(), facets.end());
  if (twice != facets.end()) {
    return fmt::format("a facet at {} is there twice",
                       corner_text(mesh.points_mm[index((*twice)[0])]));
  }
  const std::vector<Shell> shells = shells_of(mesh);
  if (shells.size() < 2) return "";
  const std::string crossing = crossing_fault(mesh, shells, slack_mm);
  return crossing.empty() ? nesting_fault(mesh, shells, slack_mm) : crossing;
}

}  // namespace graspmap
