#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/drawings/drawing.hpp"
#include "grasp/base/solids/rests.hpp"
#include "grasp/base/solids/solid.hpp"

namespace graspmap {

/// Which outlines are made of a solid.
struct SolidOptions {
  /// Scale comes first, before the solid is turned to the table; layers are not used.
  DrawingOptions drawing;
  std::optional<double> section_mm;        ///< height above the table; nothing: the silhouette
  int rest = 1;                            ///< among rests_of, from 1
  std::optional<Vec3> up;                  ///< instead: the direction of the file that points up
  int solid = 0;                           ///< of a STEP file with several, from 1
  std::optional<double> finger_height_mm;  ///< > 0, from the section up; nothing: any
};

/// Where the solid above the section reaches farthest out of it.
struct Overhang {
  double out_mm = 0.0;
  Vec2 at_mm{0, 0};
};

/// A solid on the table, and its outline. Places are in the drawing's frame, z above the table.
struct SolidDrawing {
  Drawing drawing;
  std::string source;
  std::optional<double> section_mm;
  double height_mm = 0.0;
  double volume_mm3 = 0.0;
  Vec3 center_of_mass_mm = Vec3::Zero();
  double inertia_mm5 = 0.0;  ///< about the vertical axis through the centre of mass, for density 1
  std::optional<Overhang> overhang;  ///< of a section; nothing: it reaches no farther
  std::vector<Rest> rests;
  std::vector<Vec2> sizes_mm;  ///< of each rest: of the section, or else of the silhouette
  std::size_t rest = 0;        ///< index of the chosen one; none when `up` was given
};

/// Reads a STEP or STL file, as its name says. Throws ConfigError in one line.
SolidDrawing read_solid(const std::filesystem::path& file, const SolidOptions& options);

/// The outline of a solid; messages call it `file`.
SolidDrawing solid_drawing(const SolidBody& solid, const std::string& file,
                           const SolidOptions& options);

/// What was understood, for a person: the lines of drawing_text, and those of the solid.
std::string solid_text(const SolidDrawing& solid, const std::string& file,
                       std::optional<double> density_kg_mm3);

}  // namespace graspmap
