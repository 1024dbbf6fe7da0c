#pragma once

#include <cstddef>
#include <vector>

#include "geometry/part.hpp"

namespace graspmap {

/// Mass, centre of mass and moment of inertia of a flat part.
struct MassProperties {
  double mass_kg = 0.0;
  Vec2 center_of_mass_P_mm = Vec2::Zero();
  double inertia_kg_mm2 = 0.0;  ///< about the centre of mass, about the axis normal to the table
};

/// Integrals over the union of a part's pieces, every overlap counted once.
struct AreaIntegrals {
  double area_mm2 = 0.0;
  Vec2 centroid_P_mm = Vec2::Zero();
  double polar_moment_mm4 = 0.0;  ///< integral of |x - centroid|^2
};

/// Area, centroid and polar moment of the union, exact up to quadrature along the boundary
/// (Green's theorem over the arcs that are not covered by another piece); relative error below
/// 1e-9.
AreaIntegrals area_integrals(const Part& part);

/// Mass properties of a plate of the part's outline with uniform density.
/// density in kg/mm^3, thickness in mm, both > 0.
MassProperties mass_properties(const Part& part, double density_kg_per_mm3, double thickness_mm);

/// The mean distance of the part's area from a point, in mm: the ratio e_r of friction moment to
/// friction force under uniform pressure (2R/3 for a disc about its centre). Relative error < 1e-6.
double mean_radius_mm(const Part& part, const Vec2& center_P_mm);

/// An arc of one piece's boundary, run through with the piece on its left: counter-clockwise, and
/// clockwise along holes. Outer chains and holes of outlines are boundary alike.
struct BoundaryArc {
  std::size_t piece = 0;    ///< index into Part::pieces; from pieces.size() on into Part::outlines
  double begin = 0.0;       ///< of a superellipse: boundary parameters, 0 <= begin < end <= 2 pi,
  double end = 0.0;         ///< see `boundary_point`; of an outline: shares of its element's length
  std::size_t loop = 0;     ///< of an outline: index into loops_of(outline)
  std::size_t element = 0;  ///< of an outline: the loop's element, from 0
};

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

/// Points of P along an arc of a part's boundary, for pictures, in mm: both ends, and between them
/// as many as `per_turn` > 0 points of a whole turn ask for. A segment has its two ends only.
std::vector<Vec2> boundary_points(const Part& part, const BoundaryArc& arc, int per_turn);

}  // namespace graspmap
