#include "lab/scenes/scene_figures.hpp"

#include <fmt/format.h>

#include <array>

#include "grasp/base/io/gnuplot.hpp"
#include "lab/scenes/positions_figure.hpp"
#include "lab/scenes/scene_motion_figure.hpp"

namespace graspmap {
namespace {

/// One line for each body that moves, a colour for each block.
PositionsPicture planar_positions(const SceneFile& file) {
  PositionsPicture picture;
  picture.purpose = "Where the bodies are over time; a line for each, a colour for each [[body]].";
  picture.key = "block";
  picture.panels = {{"x_mm", "x (mm)"}, {"y_mm", "y (mm)"}, {"theta_rad", "angle (rad)"}};
  for (std::size_t k = 0; k < file.blocks.size(); ++k) {
    const SceneBlock& block = file.blocks[k];
    PositionsPicture::Group group{k, {}, {}};
    for (const int body : block.bodies) {
      const auto index = static_cast<std::size_t>(body);
      if (file.scene.bodies[index].moves_freely()) group.bodies.push_back(index);
    }
    if (group.bodies.empty()) continue;
    group.look = fmt::format("lw {} lc rgb '{}' title {}", block.bodies.size() > 12 ? 0.7 : 2.5,
                             block_color(file, k), gnuplot_string(block.name));
    picture.groups.push_back(group);
  }
  return picture;
}

}  // namespace

std::vector<Figure> scene_figures(const SceneFile& file, const PlanarResult& result) {
  const SceneReport report = scene_report(file, result);
  const auto pose = [](const PlanarSnapshot& at, std::size_t body) {
    const Vec3& q = at.poses[body];
    return std::array{q[0], q[1], q[2]};
  };
  return {energy_figure(report),
          positions_figure(planar_positions(file), report, result.recording, pose),
          overlap_figure(report, "of the contacts that took part, soft layers included"),
          scene_motion_figure(file, result)};
}

}  // namespace graspmap
