#include "grasp/sweep/figures/map_panels.hpp"

#include <fmt/format.h>

#include "grasp/base/pictures/script_parts.hpp"
#include "grasp/sweep/config/angle_words.hpp"

namespace graspmap {
namespace {

/// The map's angles; nothing for one fixed angle.
std::string angles(const Axis& theta_rad) {
  if (theta_rad.is_fixed()) return "";
  const std::string half_cell = short_angle(theta_rad.cell_size() / 2);
  if (theta_rad.cells == 1) {
    return fmt::format(", at θ = {} ± {}", angle_label(theta_rad.cell_center(0)), half_cell);
  }
  return fmt::format(", at {} angles ± {} rad each", theta_rad.cells, half_cell);
}

}  // namespace

std::vector<HeatMark> sweet_spot_marks(const SweetSpot& spot) {
  if (!spot.found) return {};
  HeatMark point;
  point.x_mm = spot.x_mm;
  point.y_mm = spot.y_mm;
  HeatMark square = point;
  square.kind = HeatMark::Kind::kRectangle;
  square.half_width_mm = square.half_height_mm = spot.half_width_mm;
  point.legend = "sweet spot";
  square.legend = fmt::format("±{} mm around it", short_mm(spot.half_width_mm));
  return {point, square};
}

HeatPanel success_panel(const SuccessMap& map, int slice, std::string title,
                        double plateau_probability, const SweetSpot& spot) {
  HeatPanel panel = slice_panel(map, slice, std::move(title), [&](std::size_t cell) {
    return map.cells[cell].success_probability();
  });
  panel.outline = plateau_probability;
  if (spot.cell_theta == slice) panel.marks = sweet_spot_marks(spot);
  return panel;
}

std::string map_subtitle(const SuccessMap& map) {
  const CellCounts total = map.total();
  const std::int64_t failed = total.count(Outcome::kFailed);
  return fmt::format("{} trials, {} × {} cells of {} × {} mm{}{}", grouped(total.trials()),
                     map.x_mm.cells, map.y_mm.cells, short_mm(map.x_mm.cell_size()),
                     short_mm(map.y_mm.cell_size()), angles(map.theta_rad),
                     failed > 0 ? fmt::format("; {} failed, not counted", grouped(failed)) : "");
}

}  // namespace graspmap
