#pragma once

#include <cstddef>
#include <vector>

#include "geometry/part.hpp"

namespace graspmap {

/// An arc of one piece's boundary, run through with the piece on its left: counter-clockwise, and
/// clockwise along holes. Outer chains and holes of outlines are boundary alike.
struct BoundaryArc {
  std::size_t piece = 0;    ///< index into Part::pieces; from pieces.size() on into Part::outlines
  double begin = 0.0;       ///< of a superellipse: boundary parameters, 0 <= begin < end <= 2 pi,
  double end = 0.0;         ///< see `boundary_point`; of an outline: shares of its element's length
  std::size_t loop = 0;     ///< of an outline: 0 its outer chain, k + 1 its hole k
  std::size_t element = 0;  ///< of an outline: the loop's element, from 0
};

/// The loop of an outline, counted as in BoundaryArc.
const OutlineLoop& outline_loop(const Outline& outline, std::size_t loop);

/// The whole element that an arc of an outline's boundary belongs to, in the outline's frame.
OutlineCurve element_of(const Outline& outline, const BoundaryArc& arc);

/// The whole boundary of one piece, counted as in BoundaryArc: a superellipse has one arc, an
/// outline one for each element of its outer chain, then of its holes.
std::vector<BoundaryArc> piece_boundary(const Part& part, std::size_t piece);

/// The boundary of the union of a part's pieces: the arcs of each piece's boundary that no other
/// piece covers. The end points of the arcs of two pieces that cross agree to rounding. Where two
/// boundaries coincide, the first piece keeps the arc, so a duplicate of a piece has none; where
/// two pieces lie side by side along it, neither has it.
/// Outer chains must run counter-clockwise and holes clockwise, see `oriented`.
/// Cost: of order 10^3 boundary points for each pair of superellipses, or of one and an arc; for
/// outlines of n and m elements that overlap, of order n m cheap tests.
std::vector<BoundaryArc> union_boundary(const Part& part);

}  // namespace graspmap
