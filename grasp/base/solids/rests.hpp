#pragma once

#include <vector>

#include "grasp/base/solids/solid.hpp"

namespace graspmap {

/// How a solid stands on a table.
struct Rest {
  Vec3 up{0, 0, 1};  ///< what points up, in the axes of the solid's file
  SolidPose pose = SolidPose::Identity();
  double height_mm = 0.0;           ///< of the whole solid
  double centroid_height_mm = 0.0;  ///< above the table
  double support_mm2 = 0.0;         ///< area of the support polygon: the hull of what touches
  /// By how much it can be tilted until the centre of mass is above an edge of the support polygon:
  /// the least over all edges.
  double margin_rad = 0.0;
};

/// The rests of a solid of uniform density: faces of its convex hull above which its centre of mass
/// lies. The most stable comes first: by margin; those alike by how far `up` is turned from z.
/// Facets of curved faces, on which it would roll on, are left out. Throws ConfigError naming
/// `file` when the hull cannot be found.
std::vector<Rest> rests_of(const SolidBody& solid, const std::string& file);

/// How it stands when a direction of its file, of any length > 0, points up. Support and margin are
/// not known.
Rest rest_with_up(const SolidBody& solid, const Vec3& up);

/// The same rest with the heights of the solid, not of its mesh.
Rest on_table(const SolidBody& solid, Rest rest);

}  // namespace graspmap
