#pragma once

#include <string>
#include <vector>

#include "grasp/base/pictures/shapes.hpp"
#include "lab/spatial_scenes/solid_drawing.hpp"
#include "lab/spatial_scenes/spatial_recording.hpp"

namespace graspmap {

/// The surface of a half-space as far as a picture shows it: a rectangle with lines at equal
/// distances.
struct GroundGrid {
  DrawnLine outline;             ///< closed; empty when other half-spaces hide all of it
  std::vector<DrawnLine> lines;  ///< two points each
  double spacing_mm = 0.0;
  bool faces_eye = true;  ///< false: it is seen from inside the half-space
};

/// The grids of half-spaces (z <= 0 of their frames) about all that moves, each as far as it is
/// outside the others.
std::vector<GroundGrid> ground_grids(const std::vector<Pose3>& half_spaces,
                                     const GrowingBox3& moving, const SpatialView& view);

/// The colours of a solid, "#rrggbb" or "#aarrggbb" with the alpha in front.
struct SolidLook {
  std::string fill;
  std::string line;
};

/// How moving or fixed solids look: see-through to different degrees, or in colours mixed with
/// white where a picture has no transparency.
SolidLook see_through_look(const std::string& color, double pale);
SolidLook solid_look(const std::string& color);

/// A simulation in space as gnuplot draws it in the picture's plane: where the eye is, what part is
/// seen, and data blocks and layers (see `MotionPicture`) of its bodies. Lives no longer than the
/// file and the recording.
class SpatialPicture {
 public:
  SpatialPicture(const SpatialSceneFile& file, const SpatialRecording& recording);

  [[nodiscard]] const SpatialView& view() const { return view_; }
  [[nodiscard]] const Box& window() const { return window_; }

  /// Half-spaces, as grids.
  [[nodiscard]] std::string ground_data() const;
  [[nodiscard]] std::vector<std::string> ground_layers() const;
  /// "", or "; the grid's lines are 500 mm apart".
  [[nodiscard]] std::string ground_text() const;

  /// Whether a body is drawn as a solid: bounded, and not a link without a ball.
  [[nodiscard]] bool is_solid(std::size_t body) const;
  /// The colour of a body: grey when it is fixed.
  [[nodiscard]] std::string color(std::size_t body) const;

  /// Whether a body goes farther than one and a half times its size, so that it can be seen at
  /// several moments in one picture.
  [[nodiscard]] bool moves_far() const;

  /// A body at a pose, with marks if it moves; `id` is a word that makes the names of its data
  /// blocks unique.
  [[nodiscard]] std::string solid_data(const std::string& id, std::size_t body,
                                       const Pose3& pose) const;
  [[nodiscard]] static std::string solid_layers(const std::string& id, const SolidLook& look);

  /// The joints, as points; of links also the lines from joints to links.
  [[nodiscard]] std::string rods_data(const std::string& id, const SpatialSnapshot& at) const;
  [[nodiscard]] std::vector<std::string> rods_layers(const std::string& id,
                                                     const std::string& rgb) const;

 private:
  [[nodiscard]] GrowingBox3 moving_box() const;
  [[nodiscard]] Box window_of_all() const;

  const SpatialSceneFile& file_;
  const SpatialRecording& recording_;
  SpatialView view_;
  std::vector<GroundGrid> grids_;
  std::vector<bool> grid_is_level_;
  Box window_;
};

}  // namespace graspmap
