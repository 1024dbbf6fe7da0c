#pragma once

#include <string>
#include <vector>

#include "geometry/outline.hpp"

namespace graspmap {

/// What can be wrong with an outline.
enum class OutlineFaultKind {
  kNotFinite,    ///< a coordinate or a bulge is no number, or farther than any part reaches
  kTooFew,       ///< one element alone cannot close, none is nothing
  kZeroLength,   ///< an element ends where it begins
  kBulge,        ///< an arc is a segment, or a whole circle, up to rounding
  kSpike,        ///< an element runs back along the one before it
  kCrossing,     ///< two elements cross
  kTouching,     ///< two elements touch that are no neighbours
  kZeroArea,     ///< a chain encloses nothing
  kHoleOutside,  ///< a hole lies outside of the outer chain
  kHoleInHole    ///< a hole lies within another hole
};

/// An element of an outline, as a message names it.
struct FaultyElement {
  std::size_t loop = 0;     ///< 0 the outer chain, k + 1 hole k
  std::size_t element = 0;  ///< from 0
  std::string name;         ///< see `element_name`
};

/// One fault, its elements and where it is.
struct OutlineFault {
  OutlineFaultKind kind = OutlineFaultKind::kNotFinite;
  std::size_t loop = 0;                 ///< 0 the outer chain, k + 1 hole k
  std::vector<FaultyElement> elements;  ///< none, one or two
  Vec2 point_mm{0, 0};                  ///< on the (first) element, in the outline's frame
};

/// What is wrong with an outline, most basic first: when single elements are faulty, crossings are
/// not looked for, and while chains cross, it is not asked which hole lies where. Neighbours that
/// are tangent up to the digits of a drawing do not cross. The direction of chains is no fault, see
/// `oriented` (outline_shapes.hpp).
/// Cost: n log n for n elements and a cheap test for each pair that overlaps along x; some ms for
/// 5,000 elements.
std::vector<OutlineFault> outline_faults(const Outline& outline);

/// One line without a full stop: "edge 7 and arc 12 cross at (3.2, 4) mm".
std::string describe(const OutlineFault& fault);

}  // namespace graspmap
