#pragma once

#include <Eigen/Geometry>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "geometry/outline.hpp"
#include "grasp/base/io/errors.hpp"

namespace graspmap {

/// Where the outlines' origin lies.
enum class DrawingOrigin {
  kDrawn,     ///< where the drawing has it
  kCentroid,  ///< at the centroid of the area of all regions
  kPoint      ///< at `DrawingOptions.origin_mm`
};

/// How a drawing is read. The steps come in this order: the file's unit to mm; `scale` and
/// `rotation_rad` about the drawing's origin; curves and gaps, by `tolerance_mm`; the origin.
struct DrawingOptions {
  std::vector<std::string> layers;  ///< only these; empty: all that are shown
  double tolerance_mm = 0.005;      ///< > 0: widest gap that is joined, largest error of a curve
  double scale = 1.0;               ///< > 0
  double rotation_rad = 0.0;
  DrawingOrigin origin = DrawingOrigin::kDrawn;
  Vec2 origin_mm{0, 0};  ///< for kPoint: in the drawing, scaled and rotated
  /// True: elements have the names of their layers. Without a value: when the outer outlines have
  /// elements of several layers.
  std::optional<bool> name_by_layer;
  /// Only what lies in this box, scaled and rotated; empty: everything.
  Eigen::AlignedBox2d box_mm;
  int view = 0;  ///< only this region, from 1; 0: all
};

/// Two ends that did not meet, and do now.
struct JoinedGap {
  Vec2 at_mm{0, 0};
  double width_mm = 0.0;
};

/// Entities of one kind that make no outline.
struct IgnoredEntities {
  std::string kind;    ///< "TEXT", "CIRCLE on layer 'dim'"
  std::string reason;  ///< "is no line"
  int count = 0;
  int first_line = 0;  ///< of the file
};

/// A drawing as it was understood. Lengths are in mm, scaled, rotated and seen from the new origin.
struct Drawing {
  std::vector<Outline> regions;         ///< the outermost outlines, each with its holes; at least 1
  std::string units;                    ///< "inch", "mm: the file names no unit"
  std::map<std::string, int> entities;  ///< those that were read, by kind: LINE, ARC, path, ...
  std::vector<std::string> layers;      ///< whose entities were read
  std::vector<IgnoredEntities> ignored;  ///< in the order of their first lines
  std::vector<JoinedGap> joined_gaps;    ///< the widest first
  int duplicates = 0;                    ///< elements that another one covers, which were dropped
  int zero_length = 0;                   ///< elements without length, which were dropped
  int merged = 0;                        ///< elements that continue the one before them
  double curve_error_mm = 0.0;     ///< largest distance of splines and ellipses from their arcs
  std::vector<std::string> notes;  ///< what else a person should know, a sentence each
  Vec2 min_mm{0, 0};               ///< corners of the box around all regions
  Vec2 max_mm{0, 0};
  double area_mm2 = 0.0;
  Vec2 centroid_mm{0, 0};
  Vec2 origin_mm{0, 0};  ///< the origin, in the scaled and turned drawing
};

/// Throws ConfigError naming the file when numbers of the options are not allowed.
void check_drawing_options(const std::filesystem::path& file, const DrawingOptions& options);

/// Whether a file's name is that of a solid, STEP or STL, of which outlines are made first.
bool is_solid_file(const std::filesystem::path& file);

/// Reads the outlines of a DXF or SVG file; the file's name says which. Throws ConfigError in one
/// line, "FILE:LINE: what is wrong; what is allowed", when it cannot be read or its lines make no
/// closed outlines.
Drawing read_drawing(const std::filesystem::path& file, const DrawingOptions& options);

/// The same for the text of such a file; messages call it `file`, whose name says what it is.
Drawing parse_drawing(std::string text, const std::filesystem::path& file,
                      const DrawingOptions& options);

/// Regions, numbered, for messages: "1: 60 x 40 mm at (30, 20), 2: 9 x 9 mm at (30, 20) in a hole
/// of 1, ...".
std::string regions_text(const std::vector<Outline>& regions);

/// "shows 2 outlines apart from each other: 1: ...; layers: 'a', 'b'".
std::string outlines_text(const Drawing& drawing);

/// Gives the elements of an outline the names of the sides to which they face: left, right, top,
/// bottom.
void name_sides(Outline& outline);

/// The one region of a drawing. Throws ConfigError besides when there are several, and says where.
Outline read_outline(const std::filesystem::path& file, const DrawingOptions& options);

/// What was understood of a drawing, for a person: a few lines, each of one fact. `kg_per_mm2` is
/// density times thickness, for the mass.
std::string drawing_text(const Drawing& drawing, const std::string& file,
                         std::optional<double> kg_per_mm2);

}  // namespace graspmap
