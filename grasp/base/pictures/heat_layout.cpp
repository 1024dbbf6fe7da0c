#include "grasp/base/pictures/heat_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/pictures/figure.hpp"

namespace graspmap {
namespace {

using Sign = LegendEntry::Sign;

constexpr double kSign = 24.0;  ///< a sign's side, in pixels
constexpr double kSignGap = 10.0;

/// The level of the borders that are seen, where it is the same for all.
std::optional<double> common_border(const HeatPanelsInput& input) {
  std::optional<double> common;
  for (const HeatPanel& panel : input.panels) {
    const bool is_seen = panel.border && std::any_of(panel.values.begin(), panel.values.end(),
                                                     [&](double v) { return v >= *panel.border; });
    if (!is_seen) continue;
    if (common && *common != *panel.border) return std::nullopt;
    common = panel.border;
  }
  return common;
}

/// How the square or circle of a sign is drawn.
std::string ring_style(const LegendEntry& entry) {
  if (entry.sign == Sign::kClass) {
    return fmt::format("fc rgb '{}' fs solid border lc rgb '#606060'", class_colour(entry.number));
  }
  if (entry.sign == Sign::kHatched) return "fc rgb '#808080' fs pattern 4 border lc rgb '#808080'";
  const double width = entry.sign == Sign::kDrawing           ? kDrawingWidth
                       : entry.sign == Sign::kBorder          ? kBorderWidth
                       : entry.line == HeatMark::Line::kSolid ? kRingWidth
                                                              : kDashedWidth;
  return fmt::format("fs empty border lc rgb 'black' lw {} dt {}", width,
                     kDashes[static_cast<std::size_t>(entry.line)]);
}

Sign sign_of(HeatMark::Kind kind) {
  if (kind == HeatMark::Kind::kPoint) return Sign::kPoint;
  return kind == HeatMark::Kind::kEllipse ? Sign::kEllipse : Sign::kRectangle;
}

std::string sign_command(const LegendEntry& entry) {
  const double middle = entry.left + kSign / 2.0;
  if (entry.sign == Sign::kPoint) {
    return fmt::format(
        "  set label '' at screen x_screen({:.6g}), screen y_screen({:.6g}) \\\n"
        "      point pt 7 ps point_size(picture, {}) lc rgb 'black'\n",
        middle, entry.middle, kPointSize);
  }
  if (entry.sign == Sign::kEllipse) {
    return fmt::format(
        "  set object circle at screen x_screen({:.6g}), screen y_screen({:.6g}) \\\n"
        "      size screen {:.6g} / real(canvas_width) {}\n",
        middle, entry.middle, kSign / 2.0, ring_style(entry));
  }
  return fmt::format(
      "  set object rectangle from screen x_screen({:.6g}), screen y_screen({:.6g}) \\\n"
      "      to screen x_screen({:.6g}), screen y_screen({:.6g}) {}\n",
      entry.left, entry.middle + kSign / 2.0, entry.left + kSign, entry.middle - kSign / 2.0,
      ring_style(entry));
}

}  // namespace

const char* class_colour(std::size_t number) {
  // Okabe and Ito's colours for colour-blind eyes, after white; grey at last.
  constexpr std::array<const char*, kMostClasses> kColours{
      "#ffffff", "#e69f00", "#56b4e9", "#009e73", "#cc79a7", "#0072b2", "#d55e00", "#999999"};
  return kColours.at(number);
}

double LegendEntry::width() const { return kSign + kSignGap + text_width_px(text, kFontPx); }

std::array<Axis, 2> shown_axes(const HeatPanel& panel) {
  if (!panel.window) return {panel.x_mm, panel.y_mm};
  const auto& [min, max] = *panel.window;
  return {Axis{min.x(), max.x(), 1}, Axis{min.y(), max.y(), 1}};
}

bool has_unknown(const HeatPanel& panel) {
  return std::any_of(panel.values.begin(), panel.values.end(),
                     [](double value) { return std::isnan(value); });
}

std::vector<LegendEntry> legend_entries(const HeatPanelsInput& input) {
  std::vector<LegendEntry> entries;
  const auto add = [&](Sign sign, const std::string& text,
                       HeatMark::Line line = HeatMark::Line::kSolid) {
    const bool is_known = std::any_of(
        entries.begin(), entries.end(),
        [&](const LegendEntry& entry) { return entry.sign == sign && entry.text == text; });
    if (!text.empty() && !is_known) entries.push_back({sign, text, line});
  };
  for (std::size_t k = 0; k < input.colours.classes.size(); ++k) {
    entries.push_back({Sign::kClass, input.colours.classes[k]});
    entries.back().number = k;
  }
  if (std::any_of(input.panels.begin(), input.panels.end(), has_unknown)) {
    add(Sign::kHatched, input.nan_label);
  }
  if (const auto level = common_border(input)) {
    add(Sign::kBorder, input.border_label.empty() ? fmt::format("outlined: {:.4g} or more", *level)
                                                  : input.border_label);
  }
  for (const HeatPanel& panel : input.panels) {
    for (const HeatDrawing& drawing : panel.drawings) add(Sign::kDrawing, drawing.legend);
    for (const HeatMark& mark : panel.marks) add(sign_of(mark.kind), mark.legend, mark.line);
  }
  return entries;
}

std::string legend_commands(const std::vector<LegendEntry>& legend) {
  std::string commands;
  for (const LegendEntry& entry : legend) {
    commands +=
        sign_command(entry) +
        fmt::format(
            "  set label {} at screen x_screen({:.6g}), screen y_screen({:.6g}) noenhanced\n",
            gnuplot_string(entry.text), entry.left + kSign + kSignGap, entry.middle);
  }
  return commands;
}

namespace {

constexpr double kEdge = 20.0;         ///< free at the canvas' edges
constexpr double kAxisLabel = 42.0;    ///< room for an axis' label
constexpr double kTicks = 24.0;        ///< room for ticks beside their labels
constexpr double kBelowMap = 58.0;     ///< ticks and their labels
constexpr double kAboveMap = 14.0;     ///< between a panel's title and its map
constexpr double kBetweenRows = 24.0;  ///< above a panel's title
constexpr double kBetweenColumns = 20.0;
constexpr double kBarGap = 30.0;  ///< between map and colour bar
constexpr double kBarWidth = 28.0;
constexpr double kBarTicks = 14.0;     ///< between a colour bar and its ticks' labels
constexpr double kBarLabelGap = 24.0;  ///< between the ticks' labels and that of the bar
constexpr double kLegendLine = 34.0;
constexpr double kAroundLegend = 7.0;  ///< above and below its lines
constexpr double kBetweenEntries = 40.0;
constexpr double kWide = 1.4;           ///< a map may be so much wider than high before it shrinks
constexpr double kLeastWidth = 330.0;   ///< of a panel, for its title
constexpr double kLeastHeight = 170.0;  ///< of a panel, for its colour bar
constexpr double kLeastCanvasWidth = 800.0;
constexpr std::size_t kMostLines = 3;

std::size_t column_count(const HeatPanelsInput& input) {
  const std::size_t panels = input.panels.size();
  if (input.columns)
    return static_cast<std::size_t>(std::clamp(*input.columns, 1, static_cast<int>(panels)));
  if (panels == 3) return 3;
  const auto [x, y] = shown_axes(input.panels[0]);
  if (panels == 2 && x.max - x.min > kWide * (y.max - y.min)) return 1;
  return static_cast<std::size_t>(std::ceil(std::sqrt(panels)));
}

/// The largest magnitude among the panels of these colours; 1 where all are 0 or nothing is known.
double most_of(const HeatPanelsInput& input, const HeatColours& colours) {
  if (colours.most) return *colours.most;
  double most = 0.0;
  for (const HeatPanel& panel : input.panels) {
    if (colours_of(input, panel) != colours) continue;
    for (const double value : panel.values) {
      if (!std::isnan(value)) most = std::max(most, std::abs(value));
    }
  }
  return most > 0.0 ? most : 1.0;
}

/// One figure while it is laid out.
class Layouter {
 public:
  explicit Layouter(const HeatPanelsInput& input) : input_(input), columns_(column_count(input)) {
    layout_.legend = legend_entries(input);
  }

  HeatLayout lay_out() {
    size_maps();
    measure_columns();
    const double right = place_columns();
    layout_.canvas.width = static_cast<int>(
        std::ceil(std::max({kLeastCanvasWidth, right, widest_entry() + 2.0 * kEdge})));
    center(right);
    wrap_titles();
    place_rows();
    if (has_one_bar_) place_common_bar();
    return std::move(layout_);
  }

 private:
  struct Column {
    double left_gap = 0.0;  ///< labels of the y axis
    double width = 0.0;
    double right_gap = 0.0;  ///< the colour bar, where there is one
    double left = 0.0;
  };

  [[nodiscard]] std::size_t count() const { return input_.panels.size(); }
  [[nodiscard]] std::size_t row_end(std::size_t row) const {
    return std::min(count(), (row + 1) * columns_);
  }
  [[nodiscard]] const HeatColours& colours(std::size_t k) const {
    return colours_of(input_, input_.panels[k]);
  }

  void size_maps() {
    layout_.panels.resize(count());
    constexpr std::array<double, 6> kSides{0.0, 860.0, 500.0, 400.0, 340.0, 300.0};
    const double side = kSides[std::min(columns_, kSides.size() - 1)];
    for (std::size_t k = 0; k < count(); ++k) {
      const auto [x, y] = shown_axes(input_.panels[k]);
      const MapPixels pixels = fit_map(x, y, columns_ > 1 ? kWide * side : side, side);
      layout_.panels[k].map.width = pixels.width;
      layout_.panels[k].map.height = pixels.height;
      layout_.panels[k].has_y_label = k % columns_ == 0;
      layout_.panels[k].has_x_label = k + columns_ >= count();
      has_one_bar_ = has_one_bar_ && colours(k) == colours(0);
    }
  }

  /// Whether a colour bar stands right of a panel, in its row.
  [[nodiscard]] bool has_own_bar(std::size_t k) const {
    if (has_one_bar_ || colours(k).scale == HeatScale::kClasses) return false;
    return (k + 1) % columns_ == 0 || k + 1 == count() || colours(k + 1) != colours(k);
  }

  /// A colour bar of this height, at no place yet.
  [[nodiscard]] ColourBar bar_of(std::size_t k, double height) const {
    const ColourRange range = colour_range(input_, colours(k));
    ColourBar bar;
    bar.box = {0.0, 0.0, kBarWidth, height};
    bar.label_lines = balanced(colours(k).label, kFontPx, height, kMostLines);
    bar.tick_step = tick_step(range.high - range.low, std::clamp(height / 60.0, 2.0, 10.0));
    return bar;
  }

  /// From the map to the end of the bar's label, which gnuplot puts beyond the ticks' labels by
  /// their letters.
  [[nodiscard]] double bar_room(std::size_t k, double height) const {
    if (colours(k).scale == HeatScale::kClasses) return kBarGap;
    const ColourBar bar = bar_of(k, height);
    const ColourRange range = colour_range(input_, colours(k));
    return kBarGap + kBarWidth + kBarTicks +
           tick_labels_width(range.low, range.high, bar.tick_step) + kBarLabelGap +
           kLinePx * static_cast<double>(bar.label_lines.size());
  }

  void measure_columns() {
    column_.resize(columns_);
    for (std::size_t k = 0; k < count(); ++k) {
      Column& column = column_[k % columns_];
      const PixelBox& map = layout_.panels[k].map;
      const Axis y = shown_axes(input_.panels[k])[1];
      column.width = std::max({column.width, map.width, kLeastWidth});
      const double labels = tick_labels_width(y.min, y.max, axis_tick_step(y, map.height));
      column.left_gap = std::max(
          column.left_gap, kTicks + labels + (k % columns_ == 0 ? kAxisLabel : kBetweenColumns));
      if (!has_own_bar(k)) continue;
      column.right_gap =
          std::max(column.right_gap, bar_room(k, std::max(map.height, kLeastHeight)));
    }
  }

  /// The columns' places; returns the right end of all.
  double place_columns() {
    double x = kEdge;
    for (Column& column : column_) {
      column.left = x + column.left_gap;
      x = column.left + column.width + column.right_gap;
    }
    maps_right_ = x;
    if (has_one_bar_) x += bar_room(0, rows_height());
    return x + kEdge;
  }

  /// The height of the rows' maps alone: the least that a bar beside all of them has.
  [[nodiscard]] double rows_height() const {
    double height = 0.0;
    for (std::size_t row = 0; row * columns_ < count(); ++row) height += row_height(row);
    return height;
  }

  [[nodiscard]] double row_height(std::size_t row) const {
    double height = kLeastHeight;
    for (std::size_t k = row * columns_; k < row_end(row); ++k) {
      height = std::max(height, layout_.panels[k].map.height);
    }
    return height;
  }

  void center(double right) {
    const double shift = (layout_.canvas.width - right) / 2.0;
    maps_right_ += shift;
    for (Column& column : column_) column.left += shift;
    for (std::size_t k = 0; k < count(); ++k) {
      const Column& column = column_[k % columns_];
      PixelBox& map = layout_.panels[k].map;
      map.left = column.left + (column.width - map.width) / 2.0;
      layout_.panels[k].room_at_right = (column.width - map.width) / 2.0;
    }
  }

  void wrap_titles() {
    const double width = layout_.canvas.width - 2.0 * kEdge;
    layout_.title_lines = balanced(input_.title, kFontPx, width, kMostLines);
    layout_.subtitle_lines = balanced(input_.subtitle, kFontPx, width, kMostLines);
    for (std::size_t k = 0; k < count(); ++k) {
      layout_.panels[k].title_lines =
          balanced(input_.panels[k].title, kFontPx, column_[k % columns_].width, kMostLines);
    }
  }

  void place_rows() {
    double y = kEdge + kLinePx * static_cast<double>(layout_.title_lines.size() +
                                                     layout_.subtitle_lines.size());
    for (std::size_t row = 0; row * columns_ < count(); ++row) y = place_row(row, y);
    layout_.legend_top = y;
    layout_.canvas.height = static_cast<int>(std::ceil(place_legend(y) + kEdge));
  }

  /// Returns the lower end of the row that begins at `y`.
  double place_row(std::size_t row, double y) {
    std::size_t lines = 0;
    double label = 0.0;
    for (std::size_t k = row * columns_; k < row_end(row); ++k) {
      lines = std::max(lines, layout_.panels[k].title_lines.size());
      if (layout_.panels[k].has_x_label) label = kAxisLabel;
    }
    const double top = y + kBetweenRows + kLinePx * static_cast<double>(lines) + kAboveMap;
    const double height = row_height(row);
    for (std::size_t k = row * columns_; k < row_end(row); ++k) {
      PanelPlace& place = layout_.panels[k];
      PixelBox& map = place.map;
      map.top = top + (height - map.height) / 2.0;
      if (!has_own_bar(k)) continue;
      ColourBar bar = bar_of(k, std::max(map.height, kLeastHeight));
      bar.box.left = map.left + map.width + place.room_at_right + kBarGap;
      bar.box.top = map.top + (map.height - bar.box.height) / 2.0;
      place.bar = bar;
    }
    return top + height + kBelowMap + label;
  }

  [[nodiscard]] double widest_entry() const {
    double width = 0.0;
    for (const LegendEntry& entry : layout_.legend) width = std::max(width, entry.width());
    return width;
  }

  /// In lines that begin below the first map, or as far left as the widest entry needs. Returns the
  /// lower end.
  double place_legend(double y) {
    if (layout_.legend.empty()) return y;
    const double end = layout_.canvas.width - kEdge;
    const double begin = std::min(layout_.panels[0].map.left, end - widest_entry());
    double x = begin;
    y += kAroundLegend + kLegendLine / 2.0;
    for (LegendEntry& entry : layout_.legend) {
      if (x > begin && x + entry.width() > end) {
        x = begin;
        y += kLegendLine;
      }
      entry.left = x;
      entry.middle = y;
      x += entry.width() + kBetweenEntries;
    }
    return y + kLegendLine / 2.0 + kAroundLegend;
  }

  /// Beside all rows, from the first map's top to the last one's bottom.
  void place_common_bar() {
    if (colours(0).scale == HeatScale::kClasses) return;
    double top = layout_.canvas.height;
    double bottom = 0.0;
    for (const PanelPlace& place : layout_.panels) {
      top = std::min(top, place.map.top);
      bottom = std::max(bottom, place.map.top + place.map.height);
    }
    ColourBar bar = bar_of(0, std::max(bottom - top, kLeastHeight));
    bar.box.left = maps_right_ + kBarGap;
    bar.box.top = (top + bottom - bar.box.height) / 2.0;
    layout_.panels[0].bar = bar;
  }

  const HeatPanelsInput& input_;
  std::size_t columns_;
  bool has_one_bar_ = true;
  std::vector<Column> column_;
  double maps_right_ = 0.0;
  HeatLayout layout_;
};

}  // namespace

const HeatColours& colours_of(const HeatPanelsInput& input, const HeatPanel& panel) {
  return panel.colours ? *panel.colours : input.colours;
}

ColourRange colour_range(const HeatPanelsInput& input, const HeatColours& colours) {
  switch (colours.scale) {
    case HeatScale::kProbability:
    case HeatScale::kShare:
      return {0.0, 1.0};
    case HeatScale::kDifference:
      return {-most_of(input, colours), most_of(input, colours)};
    case HeatScale::kFromZero:
      return {0.0, most_of(input, colours)};
    case HeatScale::kClasses:
      return {-0.5, static_cast<double>(kMostClasses) - 0.5};
  }
  return {};
}

HeatLayout heat_layout(const HeatPanelsInput& input) { return Layouter(input).lay_out(); }

}  // namespace graspmap
