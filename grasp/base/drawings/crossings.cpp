#include "grasp/base/drawings/crossings.hpp"

#include <algorithm>

#include "geometry/outline_boundary.hpp"
#include "geometry/tolerances.hpp"

namespace graspmap {
namespace {

struct BoxedCurve {
  ChainElement where;
  const OutlineCurve* curve;
  Eigen::AlignedBox2d box;
};

/// True for an element and the next one of its chain, which share a point.
bool are_neighbours(const ChainElement& a, const ChainElement& b, std::size_t size) {
  if (a.chain != b.chain) return false;
  return (a.element + 1) % size == b.element || (b.element + 1) % size == a.element;
}

/// The axis along which the boxes are shorter.
Eigen::Index axis_of(const std::vector<BoxedCurve>& curves) {
  Vec2 sum = Vec2::Zero();
  for (const BoxedCurve& curve : curves) sum += curve.box.sizes();
  return sum.x() <= sum.y() ? 0 : 1;
}

}  // namespace

std::optional<Crossing> first_crossing(const std::vector<std::vector<OutlineCurve>>& chains) {
  std::vector<BoxedCurve> curves;
  for (std::size_t chain = 0; chain < chains.size(); ++chain) {
    for (std::size_t k = 0; k < chains[chain].size(); ++k) {
      curves.push_back({{chain, k}, &chains[chain][k], box_of(chains[chain][k])});
    }
  }
  Eigen::AlignedBox2d all;
  for (const BoxedCurve& curve : curves) all.extend(curve.box);
  const double touch_mm = curves.empty() ? 0.0 : tolerances::kOutlineTouch * all.sizes().maxCoeff();
  for (BoxedCurve& curve : curves) {
    curve.box.extend(Vec2(curve.box.max() + Vec2::Constant(touch_mm)));
  }
  const Eigen::Index axis = axis_of(curves);
  std::sort(curves.begin(), curves.end(), [&](const BoxedCurve& a, const BoxedCurve& b) {
    return a.box.min()[axis] < b.box.min()[axis];
  });
  std::vector<const BoxedCurve*> open;  // those that reach as far as the next one's begin
  for (const BoxedCurve& next : curves) {
    std::erase_if(open, [&](const BoxedCurve* other) {
      return other->box.max()[axis] < next.box.min()[axis];
    });
    for (const BoxedCurve* other : open) {
      if (!other->box.intersects(next.box)) continue;
      if (are_neighbours(other->where, next.where, chains[next.where.chain].size())) continue;
      const auto found = meetings(*other->curve, *next.curve, touch_mm);
      if (!found.empty()) return Crossing{other->where, next.where, found.front().point_mm};
    }
    open.push_back(&next);
  }
  return std::nullopt;
}

}  // namespace graspmap
