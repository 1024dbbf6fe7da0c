#pragma once

#include <Eigen/Geometry>
#include <filesystem>
#include <string>
#include <vector>

#include "geometry/outline.hpp"
#include "geometry/types.hpp"
#include "grasp/sweep/config/gripper_models.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

/// What a shape of a picture is, which gives it its colours and lines.
enum class ShapeStyle {
  kRegion,  ///< a polygon
  kHole,    ///< a polygon
  kFinger,  ///< a polygon
  kEdge,    ///< lines, as the following
  kArc,
  kSize,
  kLeader,
  kOrigin,
  kMap,
  kEnd,    ///< a dot at a point
  kLabel,  ///< a text about a point
  kNote    ///< a text that begins at a point, at half its height
};

struct PictureShape {
  ShapeStyle style = ShapeStyle::kEdge;
  std::vector<Vec2> points_px;
  std::string text;
};

/// A picture, in pixels; y points down. What comes later lies above.
struct PictureShapes {
  Vec2 size_px{0, 0};
  std::vector<PictureShape> shapes;
};

std::string picture_svg(const PictureShapes& picture);

/// True for a file that write_picture can write: FILE.svg or FILE.png.
bool is_picture_file(const std::filesystem::path& file);

/// Writes a picture as the file's name says. Throws IoError, also where a PNG is wanted and gnuplot
/// is missing.
void write_picture(const std::filesystem::path& file, const PictureShapes& picture);

/// What stands about a part before it is grasped, in the part's frame.
struct SetupAround {
  std::vector<std::vector<Vec2>> left_finger, right_finger;  ///< polygons
  Eigen::AlignedBox2d map_mm;                                ///< the gripper's placements
  std::vector<std::string> words;                            ///< below the picture, a line each
};

/// A picture: the regions with their holes, the names of the 20 longest outer elements with their
/// lengths or radii, diameters of round holes, width and height, and the origin; with what is
/// around them, if that is given. A label without a place is left out; the picture says how many.
/// Regions must not be empty.
PictureShapes drawing_picture(const std::vector<Outline>& regions,
                              const SetupAround* around = nullptr);

/// The pads of grippers from above, open, to one scale: a row each, with name, opening, force.
PictureShapes gripper_picture(std::span<const GripperModel> models);

/// "This is how I understood it": the part of a configuration with names and dimensions, the open
/// fingers at the middle of the map, the map's rectangle, the part's axes, and in words what
/// success means. The part is of outlines, the fingers are given.
PictureShapes setup_picture(const SweepConfig& config);

}  // namespace graspmap
