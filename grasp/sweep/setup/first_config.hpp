#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "geometry/mass_properties.hpp"
#include "geometry/outline.hpp"
#include "grasp/sweep/config/gripper_models.hpp"

namespace graspmap {

/// Of a gripper that nobody has named.
inline constexpr double kUsualForce_n = 20.0;
inline constexpr double kUsualSpeed_mm_s = 50.0;

/// Integrals over a solid of density 1, as it lies on the table.
struct SolidVolume {
  double volume_mm3 = 0.0;
  Vec2 center_of_mass_mm{0, 0};
  double inertia_mm5 = 0.0;  ///< about the vertical through the centre of mass
};

/// What a person, or a default, says about a grasp that has no configuration yet.
struct FirstGrasp {
  std::string name;             ///< of the part's piece
  std::string source;           ///< where the outlines come from, for a comment: "read from a.dxf"
  std::vector<Outline> bodies;  ///< the part, in mm; not empty
  std::string material = "steel";
  double thickness_mm = 10.0;
  const GripperModel* gripper = nullptr;  ///< what of the following is not given
  std::optional<double> opening_mm;
  std::optional<std::array<double, 2>> pad_mm;  ///< width along y, depth along x
  std::optional<double> force_n;                ///< on each jaw
  std::optional<double> speed_mm_s;             ///< of each jaw
  std::array<double, 2> jaw_friction = {0.1, 0.3};
  std::array<double, 2> table_friction = {0.1, 0.4};
  double robot_sigma_mm = 0.5;  ///< of what is given instead: its standard deviation
  std::optional<double> robot_repeatability_mm;
  std::optional<double> robot_range_mm;
  double robot_sigma_rad = 0.01;
  /// How far the held part may lie from where the map's middle puts it.
  std::optional<double> within_mm;
  std::vector<std::string> hold_by;  ///< pieces or elements that the fingers must touch
  int trials_per_cell = 150;
  /// For a solid, which is no plate; and comment lines below its mass properties.
  std::optional<SolidVolume> solid;
  std::string solid_comment = {};
};

/// A configuration that runs as it is, with a comment above each key. What is not said follows from
/// the part's size; of names to hold by each belongs to the finger, or both, on whose side it lies.
/// Throws ConfigError for names that the part has not, or that leave a finger without one, and for
/// an opening that the part does not fit into.
std::string first_config(const FirstGrasp& grasp);

/// A part of a common shape, of kFirstShapes, which says what its sizes are. Sides are named; the
/// centroid is the origin. Throws ConfigError.
Outline first_shape(const std::string& shape, const std::vector<double>& sizes_mm);

struct FirstShape {
  const char* name;
  const char* sizes;  ///< "DIAMETER", "WIDTH,HEIGHT"
  std::size_t count;
};
inline constexpr std::array kFirstShapes{
    FirstShape{"disc", "DIAMETER", 1}, FirstShape{"ring", "OUTER,INNER", 2},
    FirstShape{"rectangle", "WIDTH,HEIGHT", 2}, FirstShape{"hexagon", "ACROSS_FLATS", 1},
    FirstShape{"slot", "LENGTH,WIDTH", 2}};

}  // namespace graspmap
