#pragma once

#include <memory>
#include <string>
#include <vector>

#include "grasp/base/solids/solid.hpp"

namespace graspmap {

/// Corners of triangles, three for each, as one mesh: those no farther apart than `weld_mm` > 0 are
/// one point; triangles of which two corners are one are left out. `is_flat` is of each triangle,
/// or empty.
SolidMesh welded_mesh(const std::vector<Vec3>& corners_mm, const std::vector<bool>& is_flat,
                      double weld_mm);

/// The corners of a facet, by its number.
std::array<Vec3, 3> corners_of(const SolidMesh& mesh, std::size_t facet);

/// A point of a mesh, for messages: "(0, 10, 2.5)".
std::string corner_text(const Vec3& point_mm);

/// Why a mesh encloses no solid, naming an edge; "" when it does: each edge is passed as often one
/// way as the other.
std::string mesh_fault(const SolidMesh& mesh);

/// Why the shells of a closed mesh make no solid, naming one; "" when they lie apart, or as hollows
/// within one. `slack_mm` is how far they may reach into each other.
std::string shell_fault(const SolidMesh& mesh, double slack_mm);

/// Marks the facets that lie in a plane with two or more that they are joined with: on curved faces
/// they do so in pairs at most.
void find_flat_facets(SolidMesh& mesh);

/// By the divergence theorem, exact to rounding. The volume is negative when facets face inwards.
SolidIntegrals mesh_integrals(const SolidMesh& mesh);

/// The lowest and the highest point of a mesh above the table.
std::pair<double, double> mesh_heights(const SolidMesh& mesh, const SolidPose& pose);

/// A chain of points, whose last one is joined with its first.
using Polygon2 = std::vector<Vec2>;

/// Where the plane at a height cuts a mesh: polygons, counter-clockwise around the solid.
std::vector<Polygon2> mesh_section(const SolidMesh& mesh, const SolidPose& pose, double height_mm);

/// What is seen from above of the part of a mesh between two heights, either of which may be
/// infinite: polygons, outer ones counter-clockwise, holes clockwise.
std::vector<Polygon2> mesh_silhouette(const SolidMesh& mesh, const SolidPose& pose, double low_mm,
                                      double high_mm);

/// Segments and arcs in place of polygons: chords in a line become one, and three or more that
/// follow an arc become it, where the polygon is nowhere farther from it than `tolerance_mm` > 0.
SolidSection section_of(const std::vector<Polygon2>& polygons, double tolerance_mm);

/// The solid of an STL file, ASCII or binary, with lengths multiplied by `scale`. Throws
/// ConfigError, "FILE: what is wrong; what is allowed".
std::unique_ptr<SolidBody> parse_stl(std::string_view bytes, const std::string& file, double scale);

}  // namespace graspmap
