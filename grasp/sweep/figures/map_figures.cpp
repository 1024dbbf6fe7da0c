#include "grasp/sweep/figures/map_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/figures/grasp_drawing.hpp"

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

Object cell_fields(const CellGrid& grid, std::size_t cell) {
  const auto [i, j, k] = grid.cell(cell);
  return {{"cell_x", i},
          {"cell_y", j},
          {"cell_theta", k},
          {"x_min_mm", grid.x_mm.cell_min(i)},
          {"x_max_mm", grid.x_mm.cell_max(i)},
          {"y_min_mm", grid.y_mm.cell_min(j)},
          {"y_max_mm", grid.y_mm.cell_max(j)},
          {"theta_min_rad", grid.theta_rad.cell_min(k)},
          {"theta_max_rad", grid.theta_rad.cell_max(k)}};
}

Object count_fields(const CellCounts& counts) {
  Object fields;
  for (const Outcome outcome : kOutcomes) fields.add({name(outcome), counts.count(outcome)});
  return fields;
}

Object sweet_spot_fields(const SweetSpot& spot, const Object& more, const Object& angles) {
  Object fields{{"found", spot.found}, {"half_width_mm", spot.half_width_mm}};
  if (!spot.found) return fields;
  fields.add(Object{{"x_mm", spot.x_mm},
                    {"y_mm", spot.y_mm},
                    angles,
                    {"lowest_probability", spot.lowest_probability, "of a cell of the square"},
                    more});
  return fields;
}

Object sweet_spot_fields(const SweetSpot& spot, const Object& more) {
  return sweet_spot_fields(spot, more, {{"theta_rad", spot.theta_rad}});
}

std::vector<HeatMark> sweet_spot_marks(const SweetSpot& spot) {
  if (!spot.found) return {};
  HeatMark point;
  point.x_mm = spot.x_mm;
  point.y_mm = spot.y_mm;
  if (spot.half_width_mm == 0) {
    point.legend = "where to put the gripper";
    return {point};
  }
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
  panel.border = plateau_probability;
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

const char* const kHistogramBars = R"gp(
set zrange [0:1]
set ztics 0.2, 0.2 offset 0.5,0
set xyplane at 0
set border 31 lw 1
set view equal xy
set view 50, 325, view_size, 0.75  # down from the vertical, about the vertical, size, height
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
  const double least_step = tick_step(std::max(width, depth), 10.0);  // labels need their room
  return fmt::format(
      "\nset xrange [{}:{}]\nset yrange [{}:{}]\nset xtics {} offset 0.7,-0.3\n"
      "set ytics {} offset -0.7,-0.3\nset xlabel 'placement x (mm)' rotate parallel offset 0,-1\n"
      "set ylabel 'placement y (mm)' rotate parallel offset 0,-1\n"
      "set zlabel 'success probability' rotate offset 0.5,0\n",
      map.x_mm.cell_min(first_x), map.x_mm.max, map.y_mm.min, map.y_mm.max,
      std::max(tick_step(width, 5.0), least_step), std::max(tick_step(depth, 5.0), least_step));
}

double histogram_size(const SuccessMap& map, int first_x) {
  const double width = map.x_mm.max - map.x_mm.cell_min(first_x);
  const double depth = map.y_mm.max - map.y_mm.min;
  // As the view of kHistogramBars projects them, for a longer side of 1.
  const auto across = [](double x, double y) { return 0.819 * x + 0.574 * y; };
  const auto upwards = [](double x, double y) { return 0.643 * (0.574 * x + 0.819 * y) + 0.574; };
  const double longer = std::max(width, depth);
  return std::min(across(1, 1) / across(width / longer, depth / longer),
                  upwards(1, 1) / upwards(width / longer, depth / longer));
}

int first_right_column(const Axis& x) {
  const double rounding = 1e-9 * x.cell_size();
  int i = 0;
  while (i < x.cells && x.cell_center(i) < -rounding) ++i;
  return i;
}

namespace {

enum class Face { kTop, kAlongX, kAlongY, kUncounted };

struct Corner {
  double x, y, z;
};

class BarWriter {
 public:
  BarWriter(const SuccessMap& map, int first_x) : map_(map), first_x_(first_x) {}

  std::string write() {
    for (int j = 0; j < map_.y_mm.cells; ++j) {
      for (int i = first_x_; i < map_.x_mm.cells; ++i) add_bar(i, j);
    }
    return csv_;
  }

 private:
  [[nodiscard]] bool is_counted(int i, int j) const { return map_.at(i, j).valid_trials() > 0; }

  /// The bar's height, 0 outside the map and without counted trials.
  [[nodiscard]] double height(int i, int j) const {
    const bool exists = i >= first_x_ && i < map_.x_mm.cells && j >= 0 && j < map_.y_mm.cells;
    return exists && is_counted(i, j) ? map_.at(i, j).success_probability() : 0.0;
  }

  void add_bar(int i, int j) {
    const double z = height(i, j);
    const double x = map_.x_mm.cell_min(i);
    const double y = map_.y_mm.cell_min(j);
    const std::array<Corner, 4> top = {{{x, y, z},
                                        {map_.x_mm.cell_min(i + 1), y, z},
                                        {x, map_.y_mm.cell_min(j + 1), z},
                                        {map_.x_mm.cell_min(i + 1), map_.y_mm.cell_min(j + 1), z}}};
    add_face(top, z, is_counted(i, j) ? Face::kTop : Face::kUncounted);
    add_side(top[0], top[2], height(i - 1, j), Face::kAlongX);
    add_side(top[1], top[3], height(i + 1, j), Face::kAlongX);
    add_side(top[0], top[1], height(i, j - 1), Face::kAlongY);
    add_side(top[2], top[3], height(i, j + 1), Face::kAlongY);
  }

  /// The side below the edge from a to b, down to `bottom`.
  void add_side(const Corner& a, const Corner& b, double bottom, Face face) {
    if (bottom >= a.z) return;
    add_face({{{a.x, a.y, bottom}, {b.x, b.y, bottom}, a, b}}, a.z, face);
  }

  void add_face(const std::array<Corner, 4>& corners, double probability, Face face) {
    for (std::size_t k = 0; k < corners.size(); ++k) {
      csv_ += fmt::format("{},{},{},{},{}\n", corners[k].x, corners[k].y, corners[k].z, probability,
                          static_cast<int>(face));
      if (k == 1) csv_ += "\n";
    }
    csv_ += "\n\n";
  }

  const SuccessMap& map_;
  int first_x_;
  std::string csv_ = "x_mm,y_mm,height,probability,face\n";
};

}  // namespace

std::string bar_faces_csv(const SuccessMap& map, int first_x) {
  return BarWriter(map, first_x).write();
}

namespace {

constexpr int kMostPanels = 25;

/// The slices that are drawn: all, or every n-th.
std::vector<int> shown_slices(const FigureInput& input) {
  const int cells = input.map.theta_rad.cells;
  const int step = (cells + kMostPanels - 1) / kMostPanels;
  std::vector<int> slices;
  for (int k = input.sweet_spot.cell_theta % step; k < cells; k += step) slices.push_back(k);
  return slices;
}

/// "sweet spot (-1, -11) mm", and its angle where the map has several.
std::string point_text(const FigureInput& input) {
  const SweetSpot& spot = input.sweet_spot;
  return fmt::format("{} ({}, {}) mm{}", spot.half_width_mm > 0 ? "sweet spot" : "gripper at",
                     short_mm(spot.x_mm), short_mm(spot.y_mm),
                     input.map.theta_rad.cells > 1 ? ", θ = " + angle_label(spot.theta_rad) : "");
}

std::string square_text(const SweetSpot& spot) {
  return fmt::format("±{} mm around it: lowest p = {:.3f} (95 % interval {:.3f} to {:.3f})",
                     short_mm(spot.half_width_mm), spot.lowest_probability,
                     spot.lowest_interval.low, spot.lowest_interval.high);
}

HeatPanel panel_of_slice(const FigureInput& input, int slice) {
  const Axis& theta_rad = input.map.theta_rad;
  HeatPanel panel =
      success_panel(input.map, slice,
                    theta_rad.cells > 1 ? "θ = " + angle_label(theta_rad.cell_center(slice)) : "",
                    input.plateau_probability, input.sweet_spot);
  for (HeatMark& mark : panel.marks) {
    mark.legend =
        mark.kind == HeatMark::Kind::kPoint ? point_text(input) : square_text(input.sweet_spot);
  }
  if (input.scenario != nullptr) {
    draw_grasp(*input.scenario, grasp_at(input.sweet_spot, slice, theta_rad), panel);
  }
  return panel;
}

}  // namespace

Figure success_map_figure(const FigureInput& input) {
  const std::vector<int> slices = shown_slices(input);
  HeatPanelsInput figure;
  figure.name = "success_map";
  figure.title = input.title;
  figure.subtitle = map_subtitle(input.map);
  if (std::ssize(slices) < input.map.theta_rad.cells) {
    figure.subtitle += fmt::format(", {} of them shown", slices.size());
  }
  figure.colours = {HeatScale::kProbability, "success probability p", {}};
  for (const int slice : slices) figure.panels.push_back(panel_of_slice(input, slice));
  share_window(figure.panels);
  figure.nan_label = "no counted trials";
  figure.border_label = fmt::format("plateau: p ≥ {:.4g}", input.plateau_probability);
  return heat_panels_figure(figure);
}

void draw_one_grasp(const FigureInput& input, std::vector<HeatPanel>& panels) {
  if (input.scenario == nullptr) return;
  ShownGrasp grasp = grasp_at(input.sweet_spot, 0, input.map.theta_rad);
  if (input.sweet_spot.found) grasp.fingers_mm = {input.sweet_spot.x_mm, input.sweet_spot.y_mm};
  draw_grasp(*input.scenario, grasp, panels);
}

namespace {

/// The outcome's share of the trials of a cell; NaN without trials.
double share(const CellCounts& cell, Outcome outcome) {
  if (cell.trials() == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(cell.count(outcome)) / static_cast<double>(cell.trials());
}

/// So that what is rare does not look like nothing.
std::string rare_percent(double share) {
  if (!(share > 0)) return "0 %";
  return 100.0 * share < 0.1 ? "< 0.1 %" : percent(share);
}

}  // namespace

Figure outcomes_figure(const FigureInput& input) {
  const CellCounts total = input.map.total();
  HeatPanelsInput figure;
  figure.name = "outcomes";
  figure.title = input.title;
  figure.subtitle = map_subtitle(input.map);
  figure.colours = {HeatScale::kShare, "share of the cell's trials (white: none)", {}};
  figure.nan_label = "no trials";
  for (const Outcome outcome : kOutcomes) {
    // Without trials there is one hatched panel.
    const bool shown = total.trials() > 0 ? total.count(outcome) > 0 : outcome == Outcome::kSuccess;
    if (!shown) continue;
    const std::string title =
        fmt::format("{}: {} ({})", name(outcome), grouped(total.count(outcome)),
                    rare_percent(share(total, outcome)));
    figure.panels.push_back(slice_panel(input.map, 0, title, [&](std::size_t cell) {
      return share(input.map.cells[cell], outcome);
    }));
    figure.panels.back().marks = sweet_spot_marks(input.sweet_spot);
  }
  draw_one_grasp(input, figure.panels);
  return heat_panels_figure(figure);
}

std::optional<Figure> trials_figure(const FigureInput& input) {
  HeatPanel panel = slice_panel(input.map, 0, "", [&](std::size_t cell) {
    return static_cast<double>(input.map.cells[cell].trials());
  });
  if (panel.values.empty()) return std::nullopt;
  const auto [least, most] = std::minmax_element(panel.values.begin(), panel.values.end());
  if (*most - *least <= 1) return std::nullopt;
  panel.marks = sweet_spot_marks(input.sweet_spot);
  HeatPanelsInput figure;
  figure.name = "trials";
  figure.title = input.title;
  figure.subtitle = fmt::format(
      "where {} trials went: {} to {} in a cell", grouped(input.map.total().trials()),
      grouped(static_cast<std::int64_t>(*least)), grouped(static_cast<std::int64_t>(*most)));
  figure.colours = {HeatScale::kFromZero, "trials in the cell", std::nullopt};
  figure.panels.push_back(std::move(panel));
  draw_one_grasp(input, figure.panels);
  return heat_panels_figure(figure);
}

namespace {

constexpr Canvas kHistogramCanvas{1200, 1050};

Figure bars(const FigureInput& input, const std::string& name, const std::string& purpose,
            int first_x) {
  const double view_size = 1.06 * histogram_size(input.map, first_x);
  return {name,
          script_start(name, purpose, gnuplot_string(input.title),
                       gnuplot_string(map_subtitle(input.map)), kHistogramCanvas) +
              kPictures + fmt::format("set palette {}\nset cbrange [0:1]\n", kViridis) +
              histogram_axes(input.map, first_x) + fmt::format("view_size = {:.4g}\n", view_size) +
              kHistogramBars + "\nset title name.\"\\n\".subtitle noenhanced\n" +
              for_each_picture(fmt::format("  splot figure.'.csv' {}\n", kHistogramFaces)),
          bar_faces_csv(input.map, first_x)};
}

}  // namespace

Figure histogram_figure(const FigureInput& input) {
  return bars(input, "histogram_3d", "The success probability of each cell as the height of a bar.",
              0);
}

std::optional<Figure> half_histogram_figure(const FigureInput& input) {
  const int first_x = first_right_column(input.map.x_mm);
  if (first_x == input.map.x_mm.cells) return std::nullopt;
  FigureInput half = input;
  half.title += ", x ≥ 0";
  return bars(half, "histogram_3d_half",
              "The half with x >= 0: the success probability of each cell as the height of a bar.",
              first_x);
}

}  // namespace graspmap
