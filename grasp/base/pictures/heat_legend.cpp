#include "grasp/base/pictures/heat_legend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/pictures/script_parts.hpp"
#include "grasp/base/pictures/text_layout.hpp"

namespace graspmap {
namespace {

using Sign = LegendEntry::Sign;

constexpr double kSign = 24.0;  ///< a sign's side, in pixels
constexpr double kSignGap = 10.0;

/// The level of the outlines that are seen, where it is the same for all.
std::optional<double> common_outline(const HeatPanelsInput& input) {
  std::optional<double> common;
  for (const HeatPanel& panel : input.panels) {
    const bool is_seen =
        panel.outline && std::any_of(panel.values.begin(), panel.values.end(),
                                     [&](double v) { return v >= *panel.outline; });
    if (!is_seen) continue;
    if (common && *common != *panel.outline) return std::nullopt;
    common = panel.outline;
  }
  return common;
}

/// How the square of a sign is drawn.
std::string square_style(Sign sign) {
  if (sign == Sign::kHatched) return "fc rgb '#808080' fs pattern 4 border lc rgb '#808080'";
  return fmt::format("fs empty border lc rgb 'black' lw {}",
                     sign == Sign::kOutline ? kOutlineWidth : kRingWidth);
}

std::string sign_command(const LegendEntry& entry) {
  const double middle = entry.left + kSign / 2.0;
  if (entry.sign == Sign::kPoint) {
    return fmt::format(
        "  set label '' at screen x_screen({:.6g}), screen y_screen({:.6g}) \\\n"
        "      point pt 7 ps point_size(picture, {}) lc rgb 'black'\n",
        middle, entry.middle, kPointSize);
  }
  return fmt::format(
      "  set object rectangle from screen x_screen({:.6g}), screen y_screen({:.6g}) \\\n"
      "      to screen x_screen({:.6g}), screen y_screen({:.6g}) {}\n",
      entry.left, entry.middle + kSign / 2.0, entry.left + kSign, entry.middle - kSign / 2.0,
      square_style(entry.sign));
}

}  // namespace

double LegendEntry::width() const { return kSign + kSignGap + text_width_px(text, kFontPx); }

bool has_unknown(const HeatPanel& panel) {
  return std::any_of(panel.values.begin(), panel.values.end(),
                     [](double value) { return std::isnan(value); });
}

std::vector<LegendEntry> legend_entries(const HeatPanelsInput& input) {
  std::vector<LegendEntry> entries;
  const auto add = [&](Sign sign, const std::string& text) {
    const bool is_known = std::any_of(
        entries.begin(), entries.end(),
        [&](const LegendEntry& entry) { return entry.sign == sign && entry.text == text; });
    if (!text.empty() && !is_known) entries.push_back({sign, text});
  };
  if (std::any_of(input.panels.begin(), input.panels.end(), has_unknown)) {
    add(Sign::kHatched, input.nan_label);
  }
  if (const auto level = common_outline(input)) {
    add(Sign::kOutline, input.outline_label.empty()
                            ? fmt::format("outlined: {:.4g} or more", *level)
                            : input.outline_label);
  }
  for (const HeatPanel& panel : input.panels) {
    for (const HeatMark& mark : panel.marks) {
      add(mark.kind == HeatMark::Kind::kPoint ? Sign::kPoint : Sign::kRing, mark.legend);
    }
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

}  // namespace graspmap
