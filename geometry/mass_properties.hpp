#pragma once

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

}  // namespace graspmap
