#include "lab/spatial_scenes/painting_order.hpp"

#include "lab/solids/closest_points3.hpp"

namespace graspmap {
namespace {

bool are_together(const PaintedSolid& a, const PaintedSolid& b) {
  return a.moment < 0 || b.moment < 0 || a.moment == b.moment;
}

/// Whether one may hide the other at all, by circles about them.
bool may_hide(const PaintedSolid& a, const PaintedSolid& b, const SpatialView& view) {
  const double apart = (view.flat(a.pose.position_mm) - view.flat(b.pose.position_mm)).norm();
  return apart < bounding_radius_mm(a.solid) + bounding_radius_mm(b.solid);
}

/// Whether `a` is painted before `b`: it is behind the plane between them.
bool is_behind(const PaintedSolid& a, const PaintedSolid& b, const SpatialView& view) {
  constexpr double kBeside = 1e-6;
  if (!are_together(a, b) || !may_hide(a, b, view)) return false;
  return closest_points(a.solid, a.pose, b.solid, b.pose).normal.dot(view.toward) < -kBeside;
}

/// Whether `a` is painted first when both could be.
bool comes_first(const PaintedSolid& a, const PaintedSolid& b, const SpatialView& view) {
  if (a.moment != b.moment) return a.moment < b.moment;
  return a.pose.position_mm.dot(view.toward) < b.pose.position_mm.dot(view.toward);
}

}  // namespace

std::vector<std::size_t> painting_order(const std::vector<PaintedSolid>& solids,
                                        const SpatialView& view) {
  const std::size_t count = solids.size();
  std::vector<std::vector<std::size_t>> in_front(count);
  std::vector<int> behind(count, 0);  ///< how many that are not painted yet
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = 0; b < count; ++b) {
      if (a == b || !is_behind(solids[a], solids[b], view)) continue;
      in_front[a].push_back(b);
      ++behind[b];
    }
  }
  std::vector<std::size_t> order;
  std::vector<char> is_painted(count, 0);
  while (order.size() < count) {
    std::size_t next = count;
    for (std::size_t k = 0; k < count; ++k) {
      if (is_painted[k] != 0) continue;
      // Fewest behind first: in a ring there is none with nothing behind it.
      if (next == count || behind[k] < behind[next] ||
          (behind[k] == behind[next] && comes_first(solids[k], solids[next], view))) {
        next = k;
      }
    }
    order.push_back(next);
    is_painted[next] = 1;
    for (const std::size_t k : in_front[next]) --behind[k];
  }
  return order;
}

}  // namespace graspmap
