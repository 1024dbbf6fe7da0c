#include "grasp/show/outlines/setup_picture.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "geometry/assert.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/pictures/shapes.hpp"

namespace graspmap {
namespace {

std::string touched(const char* finger, const std::vector<TouchTarget>& targets) {
  if (targets.empty()) return fmt::format("the {} finger touches the part", finger);
  std::vector<std::string> names;
  for (const TouchTarget& target : targets) names.push_back(target.name);
  return fmt::format("the {} finger touches {}", finger, fmt::join(names, " and "));
}

}  // namespace

std::vector<std::string> success_words(const SweepConfig& config) {
  std::vector<std::string> sentences;
  for (const SuccessAlternative& rule : config.success) {
    std::vector<std::string> words = {touched("left", rule.left), touched("right", rule.right)};
    if (rule.left.empty() && rule.right.empty()) words = {"both fingers touch the part"};
    const auto add = [&](const char* what, const std::optional<Window>& window, const char* unit) {
      if (!window) return;
      words.push_back(fmt::format("{} in {} to {} {}", what, short_mm(window->min),
                                  short_mm(window->max), unit));
    };
    add("the part's origin between the fingers at x", rule.x_mm, "mm");
    add("y", rule.y_mm, "mm");
    add("its angle", rule.theta_rad, "rad");
    add("the opening", rule.opening_mm, "mm");
    if (rule.at_rest) words.emplace_back("all at rest");
    sentences.push_back(fmt::format("Success: {}.", fmt::join(words, ", ")));
  }
  return sentences;
}

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
  for (const std::string& sentence : success_words(config)) around.words.push_back(sentence);
  return drawing_picture(regions, &around);
}

}  // namespace graspmap
