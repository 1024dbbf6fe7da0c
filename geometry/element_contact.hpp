#pragma once

#include <vector>

#include "geometry/closest_points.hpp"
#include "geometry/contact_element.hpp"

namespace graspmap {

/// The elements of a part in its own axes B, and where B is in G.
struct PlacedElements {
  const std::vector<ContactElement>& elements;
  const Vec2& p_GB_mm;
  const Rotation2& R_GB;
};

/// The elements of a finger in its own frame, whose axes are those of G, and where its origin is.
struct FingerElements {
  const std::vector<ContactElement>& elements;
  Vec2 p_GF_mm;
};

/// Which element of a part and which of a finger a contact is between.
struct ElementPair {
  int part = -1;
  int finger = -1;

  bool operator==(const ElementPair&) const = default;
};

/// True when the two elements can touch each other: not two segments, and a concave arc only a
/// convex arc of a smaller radius or a corner.
bool can_touch(const ContactElement& part, const ContactElement& finger);

/// The contact that continues `pair`, which is updated: where the closest points leave an element,
/// its neighbour takes over, with the same gap and normal at the joint. Where the neighbour cannot
/// touch the other body's element, an arc ends in a corner and a segment's line continues, as both
/// do at a reflex corner. Of the result `feature`
/// and `boundary` are not set; radii of curvature are signed: > 0 convex, 0 a corner, < 0 concave,
/// infinite for a segment.
ClosestPoints follow_elements(const PlacedElements& part, const FingerElements& finger,
                              ElementPair& pair);

/// The same without neighbours: lines continue beyond their ends, arcs end in corners.
ClosestPoints closest_on_elements(const PlacedElements& part, const FingerElements& finger,
                                  const ElementPair& pair);

/// True when the closest points of the pair lie within both elements, and the normal within both
/// ranges of normals, but for `slack` (a sine): then the pair touches first in its neighbourhood.
bool faces(const PlacedElements& part, const FingerElements& finger, const ElementPair& pair,
           double slack);

/// How such a contact moves: as contact_motion, with the centres of curvature of both elements. The
/// normal turns with the direction between them.
ContactMotion element_motion(const ClosestPoints& contact, const Vec2& p_GB_mm);

}  // namespace graspmap
