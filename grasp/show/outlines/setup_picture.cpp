#include <fmt/format.h>

#include "geometry/assert.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/pictures/shapes.hpp"
#include "grasp/show/outlines/drawing_picture.hpp"

namespace graspmap {

PictureShapes setup_picture(const SweepConfig& config) {
  const CellGrid& grid = config.placement;
  const Gripper& gripper = config.scenario.gripper;
  GRASPMAP_CHECK(gripper.right_finger && gripper.left_finger);
  std::vector<Outline> regions;
  SetupAround around;
  for (const OutlinePiece& piece : config.scenario.part.outlines) {
    regions.push_back(placed(piece.outline, piece.pose));
  }
  around.map_mm = {Vec2(grid.x_mm.min, grid.y_mm.min), Vec2(grid.x_mm.max, grid.y_mm.max)};
  const Vec2 middle = around.map_mm.center();
  Eigen::AlignedBox2d all = around.map_mm;
  for (const Outline& region : regions) all.extend(box_of(region.outer));
  const Vec2 half(0.5 * gripper.opening_mm, 0.0);
  all.extend(middle + half).extend(middle - half);
  const Vec2 margin = Vec2::Constant(0.15 * all.sizes().maxCoeff());
  const Box picture{all.min() - margin, all.max() + margin};
  around.left_finger = polygons_within(*gripper.left_finger, middle - half, picture);
  around.right_finger = polygons_within(*gripper.right_finger, middle + half, picture);
  around.words = {fmt::format(
      "The fingers stand at the middle of the map, ({}, {}) mm, open {} mm; green: the map, where "
      "the point between them may stand, {} x {} cells.",
      short_mm(middle.x()), short_mm(middle.y()), short_mm(gripper.opening_mm), grid.x_mm.cells,
      grid.y_mm.cells)};
  around.words.push_back(fmt::format("Success: {}.", success_words(config.success)));
  return drawing_picture(regions, &around);
}

}  // namespace graspmap
