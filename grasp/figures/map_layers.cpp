#include "grasp/figures/map_layers.hpp"

#include <fmt/format.h>

#include "grasp/figures/script_parts.hpp"

namespace graspmap {

std::string plateau_title(double probability) {
  return fmt::format("plateau: p ≥ {:.4g}", probability);
}

std::string sweet_spot_title(const SweetSpot& spot) {
  return fmt::format("sweet spot ({}, {}) mm", short_mm(spot.x_mm), short_mm(spot.y_mm));
}

std::string square_title(const SweetSpot& spot) {
  return fmt::format("±{} mm around it: lowest p = {:.3f} (95 % interval {:.3f} to {:.3f})",
                     short_mm(spot.half_width_mm), spot.lowest_probability,
                     spot.lowest_interval.low, spot.lowest_interval.high);
}

std::string sweet_spot_block(const SweetSpot& spot) {
  const double left = spot.x_mm - spot.half_width_mm;
  const double right = spot.x_mm + spot.half_width_mm;
  const double low = spot.y_mm - spot.half_width_mm;
  const double high = spot.y_mm + spot.half_width_mm;
  return fmt::format(
      "\n$sweet_spot << EOD\nx_mm,y_mm\n{0},{1}\nEOD\n"
      "$square << EOD\nx_mm,y_mm\n{2},{4}\n{3},{4}\n{3},{5}\n{2},{5}\n{2},{4}\nEOD\n",
      spot.x_mm, spot.y_mm, left, right, low, high);
}

}  // namespace graspmap
