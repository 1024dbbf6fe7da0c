#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "grasp/figures/figure.hpp"
#include "grasp/figures/script_parts.hpp"
#include "grasp/io/gnuplot.hpp"

namespace graspmap {
namespace {

/// How the panels lie on the canvas, in pixels.
struct Layout {
  int rows = 1;
  int columns = 1;
  MapPixels map;  ///< of one panel
};

constexpr int kLeft = 110;
constexpr int kRight = 170;  ///< with the colour box
constexpr int kTop = 150;
constexpr int kBottom = 100;
constexpr int kBetweenColumns = 80;
constexpr int kBetweenRows = 130;

std::vector<Outcome> occurring(const CellCounts& total) {
  std::vector<Outcome> outcomes;
  for (const Outcome outcome : kOutcomes) {
    if (total.count(outcome) > 0) outcomes.push_back(outcome);
  }
  if (outcomes.empty()) outcomes.push_back(Outcome::kSuccess);  // no trials: one hatched panel
  return outcomes;
}

Layout layout_for(const SuccessMap& map, std::size_t panels) {
  constexpr std::array<int, kOutcomeCount + 1> kColumns{1, 1, 2, 3, 2, 3, 3};
  Layout layout;
  layout.columns = kColumns[panels];
  layout.rows = (static_cast<int>(panels) + layout.columns - 1) / layout.columns;
  const double side = layout.columns == 1 ? 800.0 : layout.columns == 2 ? 460.0 : 380.0;
  layout.map = fit_map(map, side, side);
  return layout;
}

Canvas canvas_for(const Layout& layout) {
  constexpr int kLeastPanelWidth = 330;  // for its title
  constexpr int kLeastPanelHeight = 150;
  const int width = std::max(kLeastPanelWidth, static_cast<int>(layout.map.width));
  const int height = std::max(kLeastPanelHeight, static_cast<int>(layout.map.height));
  return {std::max(1000, kLeft + kRight + layout.columns * width +
                             (layout.columns - 1) * kBetweenColumns),
          kTop + kBottom + layout.rows * height + (layout.rows - 1) * kBetweenRows};
}

/// The panels' places, as parts of the canvas, and the steps of the colour box beside them.
std::string places(const Layout& layout, const Canvas& canvas) {
  return fmt::format(
             "\n# Pixels from the canvas' edges and between the panels.\n"
             "rows = {}\ncolumns = {}\nleft = {}. / canvas_width\nright = 1 - {}. / canvas_width\n"
             "top = 1 - {}. / canvas_height\nbottom = {}. / canvas_height\n"
             "between_columns = {}. / canvas_width\nbetween_rows = {}. / canvas_height\n",
             layout.rows, layout.columns, kLeft, kRight, kTop, kBottom, kBetweenColumns,
             kBetweenRows) +
         fmt::format(
             "set cbtics {}\n",
             tick_step(1.0, std::clamp((canvas.height - kTop - kBottom) / 60.0, 1.0, 10.0)));
}

std::string percent(std::int64_t count, std::int64_t total) {
  if (count == 0) return "0 %";
  const double value = 100.0 * static_cast<double>(count) / static_cast<double>(total);
  return value < 0.1 ? "< 0.1 %" : fmt::format("{:.1f} %", value);
}

std::string panel_title(const CellCounts& total, Outcome outcome) {
  const std::int64_t count = total.count(outcome);
  return fmt::format("{}: {} ({})", name(outcome), grouped(count), percent(count, total.trials()));
}

/// The outcomes in order, and a variable with the title of each panel.
std::string panel_list(const CellCounts& total, const std::vector<Outcome>& outcomes) {
  std::string words;
  std::string titles;
  for (const Outcome outcome : outcomes) {
    words += fmt::format("{}{}", words.empty() ? "" : " ", name(outcome));
    titles +=
        fmt::format("title_{} = {}\n", name(outcome), gnuplot_string(panel_title(total, outcome)));
  }
  return fmt::format("\noutcomes = '{}'\n{}", words, titles);
}

constexpr const char* kShare = R"gp(
# The outcome's share of all trials of a cell; where it never occurs the cell is left white.
share(outcome) = column(outcome) > 0 ? column(outcome) / column('trials') : NaN
set cblabel "share of the cell's trials (white: none)"
unset key
)gp";

constexpr const char* kPanels = R"gp(
  set multiplot layout rows, columns margins screen left, right, bottom, top \
      spacing screen between_columns, between_rows title name."\n".subtitle noenhanced
  set colorbox user origin screen right + 40. / canvas_width, bottom \
      size screen 30. / canvas_width, top - bottom
  do for [k = 1:words(outcomes)] {
    outcome = word(outcomes, k)
    set xlabel (k + columns > words(outcomes) ? 'placement x (mm)' : '')
    set ylabel (k % columns == 1 % columns ? 'placement y (mm)' : '')
    set title value('title_'.outcome) noenhanced
    plot map using (x_center(0)):(y_center(0)):'x_min_mm':'x_max_mm':'y_min_mm':'y_max_mm' \
             :(share(outcome)) with boxxyerror lw 1 lc palette fs solid border, \
         map using (column('trials') > 0 ? NaN : x_center(0)):(y_center(0)) \
             :'x_min_mm':'x_max_mm':'y_min_mm':'y_max_mm' \
             with boxxyerror lw 1 lc rgb '#808080' fs pattern 4 border
    unset colorbox
  }
  unset multiplot
)gp";

}  // namespace

Figure outcomes_figure(const FigureInput& input) {
  const CellCounts total = input.map.total();
  const std::vector<Outcome> outcomes = occurring(total);
  const Layout layout = layout_for(input.map, outcomes.size());
  const Canvas canvas = canvas_for(layout);
  return {"outcomes",
          script_head(input, "outcomes", "The share of each outcome in each cell.", canvas) +
              map_axes(input.map, layout.map) + places(layout, canvas) +
              panel_list(total, outcomes) + kShare + for_each_picture(kPanels),
          std::nullopt};
}

}  // namespace graspmap
