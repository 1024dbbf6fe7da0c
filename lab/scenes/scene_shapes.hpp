#pragma once

#include <optional>
#include <vector>

#include "geometry/mass_properties.hpp"
#include "grasp/base/io/toml_reader.hpp"
#include "lab/planar/convex_shape.hpp"
#include "lab/planar/scene.hpp"
#include "lab/scenes/scene_report.hpp"

namespace graspmap {

/// Reads the shape of a body or of a piece: `kind` and the keys that belong to it. A stand-in until
/// the caller has checked the table's keys. Throws ConfigError.
ConvexShape read_scene_shape(const TomlTable& table);

/// Reads a [[body.piece]]: a shape with position_mm and angle_rad in the body's frame. Throws
/// ConfigError.
PlacedShape read_scene_piece(const TomlTable& table);

/// Area, centroid and polar moment of a closed rounded polygon in its own axes, in closed form: the
/// core by the shoelace formula, a rectangle along each edge, a circular sector at each vertex.
AreaIntegrals plate_integrals(const RoundedPolygon& shape);

/// The same for closed shapes placed in a body's frame. Superellipses alone may overlap (their
/// union counts); in all other sets each shape counts, so they should not.
AreaIntegrals plate_integrals(const std::vector<PlacedShape>& shapes);

/// True for a shape that reaches to infinity.
bool is_open(const ConvexShape& shape);

/// The shape with all its lengths multiplied by `factor` > 0.
ConvexShape scaled(const ConvexShape& shape, double factor);

/// How deep two shapes overlap, mm; 0 when they do not. For two polygons with no vertex of one in
/// the other, the depth is that of their cores.
double overlap_mm(const PlacedShape& a, const PlacedShape& b);

/// The deepest overlap of two bodies, one of which moves, beyond what their law allows (a soft
/// layer's largest deflection; anything when they do not touch); nothing when all are below 1e-6 of
/// the bodies' size. Looks at all pairs, whatever contacts a step took into account. `poses` by
/// body.
std::optional<BodyOverlap> deepest_overlap(const PlanarScene& scene,
                                           const std::vector<Vec3>& poses);

}  // namespace graspmap
