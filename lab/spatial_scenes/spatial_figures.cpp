#include "lab/spatial_scenes/spatial_figures.hpp"

#include <fmt/format.h>

#include <array>

#include "lab/scenes/positions_figure.hpp"
#include "lab/scenes/scene_colors.hpp"
#include "lab/spatial_scenes/contacts_figure.hpp"
#include "lab/spatial_scenes/spatial_motion_figure.hpp"

namespace graspmap {
namespace {

/// One line for each body that moves.
PositionsPicture spatial_positions(const SpatialSceneFile& file) {
  PositionsPicture picture;
  picture.purpose = "Where the bodies are and how fast they turn over time; a line for each.";
  picture.panels = {
      {"x_mm", "x (mm)"}, {"y_mm", "y (mm)"}, {"z_mm", "z (mm)"}, {"spin_rad_s", "spin (rad/s)"}};
  for (std::size_t k = 0; k < file.bodies.size(); ++k) {
    if (file.bodies[k].is_fixed) continue;
    const char* color = moving_color(picture.groups.size());
    picture.groups.push_back({k, {k}, fmt::format("lw 2.5 lc rgb '{}'", color)});
    picture.legend.push_back({file.bodies[k].name, color});
  }
  return picture;
}

}  // namespace

std::vector<Figure> scene_figures(const SpatialSceneFile& file, const SpatialResult& result) {
  const SceneReport report = scene_report(file, result);
  const auto place = [](const SpatialSnapshot& at, std::size_t body) {
    const Vec3& p = at.poses[body].position_mm;
    return std::array{p.x(), p.y(), p.z(), at.velocities[body].tail<3>().norm()};
  };
  std::vector<Figure> figures = {
      energy_figure(report),
      positions_figure(spatial_positions(file), report, result.recording, place)};
  if (auto contacts = contacts_figure(report, result.recording)) figures.push_back(*contacts);
  figures.push_back(overlap_figure(report, "of the contacts that took part"));
  figures.push_back(spatial_motion_figure(file, result));
  return figures;
}

}  // namespace graspmap
