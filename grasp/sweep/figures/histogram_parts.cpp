#include "grasp/sweep/figures/histogram_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "grasp/base/pictures/script_parts.hpp"

namespace graspmap {
namespace {

/// The tick step of an axis on a floor whose longer side is `longest_mm`: labels need their room.
double floor_tick_step(double extent_mm, double longest_mm) {
  return std::max(tick_step(extent_mm, 5.0), tick_step(longest_mm, 10.0));
}

}  // namespace

const char* const kHistogramBars = R"gp(
set zrange [0:1]
set ztics 0.2, 0.2 offset 0.5,0
set xyplane at 0
set border 31 lw 1
set view equal xy
set view 45, 240, view_size, 0.75  # down from the vertical, about the vertical, size, height
unset key
unset colorbox

set pm3d depthorder base
set pm3d border lc rgb '#303030' lw 0.6

# The light comes from above: how bright a face is (0 top, 1 facing along x, 2 facing along y).
brightness(face) = face == 1 ? 0.62 : face == 2 ? 0.80 : 1.0
channel(color, shift, face) = int(brightness(face) * ((color >> shift) & 255)) << shift
shaded(color, face) = \
    channel(color, 16, face) + channel(color, 8, face) + channel(color, 0, face)
face_color(p, face) = face == 3 ? 0xd0d0d0 : shaded(palette(p), face)
)gp";

const char* const kHistogramFaces =
    "using 1:2:3:(face_color($4, $5)) with pm3d fillcolor rgb variable";

std::string histogram_axes(const SuccessMap& map, int first_x) {
  const double width = map.x_mm.max - map.x_mm.cell_min(first_x);
  const double depth = map.y_mm.max - map.y_mm.min;
  const double longest = std::max(width, depth);
  return fmt::format(
      "\nset xrange [{}:{}]\nset yrange [{}:{}]\nset xtics {} offset 0,-0.3\n"
      "set ytics {} offset 0,-0.3\nset xlabel 'placement x (mm)' rotate parallel offset 0,-1\n"
      "set ylabel 'placement y (mm)' rotate parallel offset 0,-1\n"
      "set zlabel 'success probability' rotate offset 0.5,0\n",
      map.x_mm.cell_min(first_x), map.x_mm.max, map.y_mm.min, map.y_mm.max,
      floor_tick_step(width, longest), floor_tick_step(depth, longest));
}

int first_right_column(const Axis& x) {
  const double rounding = 1e-9 * x.cell_size();
  int i = 0;
  while (i < x.cells && x.cell_center(i) < -rounding) ++i;
  return i;
}

}  // namespace graspmap
