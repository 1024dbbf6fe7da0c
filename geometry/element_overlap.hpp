#pragma once

#include <cmath>

#include "geometry/contact_element.hpp"
#include "geometry/superellipse.hpp"
#include "geometry/types.hpp"

namespace graspmap {

/// Where the axes of one body are in those of another.
struct RelativePose {
  Vec2 p_mm{0, 0};
  Rotation2 R;
};

/// False when the curve of an element lies outside of a circle, and for a corner, which has none:
/// cheap.
inline bool may_cut(const ContactElement& element, const Vec2& center_mm, double radius_mm) {
  const Vec2 w = center_mm - element.point_mm;
  if (element.kind == ContactElement::Kind::kSegment) {
    const double along = element.tangent.dot(w);
    return std::abs(element.normal_lo.dot(w)) < radius_mm && along > -radius_mm &&
           along < element.length_mm + radius_mm;
  }
  if (element.radius_mm == 0.0) return false;
  const double most = element.radius_mm + radius_mm;
  return w.squaredNorm() < most * most;
}

/// True when an element's curve has a point that lies deeper than `depth_mm` in a superellipse, and
/// the superellipse reaches that deep beyond the element: an overlap of the region behind the
/// element and the superellipse, found from neither's closest points. `radius_mm`: of a circle that
/// holds the superellipse. `X_FA`: its axes in the element's. A corner has no curve. Cost: cheap
/// for what is apart; nothing is allocated.
bool cuts(const ContactElement& element, const Superellipse& shape, double radius_mm,
          const RelativePose& X_FA, double depth_mm);

/// The same for the curves of two elements of outlines: they cross, and each has an end or an
/// extreme point more than `depth_mm` behind the other. `X_FB`: the axes of b in those of a.
bool cuts(const ContactElement& a, const ContactElement& b, const RelativePose& X_FB,
          double depth_mm);

/// The distance of a point from an element's curve, or from a corner, mm.
double distance_mm(const ContactElement& element, const Vec2& x_mm);

}  // namespace graspmap
