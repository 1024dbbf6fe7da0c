#include "grasp/base/drawings/drawing_report.hpp"

#include <fmt/format.h>

#include <cmath>

namespace graspmap {
namespace {

/// Gaps, and layers, that are listed; of more, there is a number.
constexpr std::size_t kMostReported = 6;

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// Six digits, and nothing below a millionth of a mm.
std::string report_mm(double value) {
  return fmt::format("{:.6g}", std::round(value * 1e6) / 1e6 + 0.0);
}

std::string at(const Vec2& point) {
  return fmt::format("({}, {})", report_mm(point.x()), report_mm(point.y()));
}

std::string line(std::string_view what, const std::string& text) {
  return fmt::format("  {:<9} {}\n", what, text);
}

struct ElementCounts {
  std::size_t edges = 0;
  std::size_t arcs = 0;
  std::size_t holes = 0;
};

ElementCounts count_elements(const Drawing& drawing) {
  ElementCounts counts;
  const auto add = [&](const OutlineLoop& loop) {
    for (const OutlineElement& element : loop)
      ++(element.bulge == 0.0 ? counts.edges : counts.arcs);
  };
  for (const Outline& region : drawing.regions) {
    add(region.outer);
    for (const OutlineLoop& hole : region.holes) add(hole);
    counts.holes += region.holes.size();
  }
  return counts;
}

std::string headline(const Drawing& drawing, const std::string& file) {
  const ElementCounts counts = count_elements(drawing);
  const std::string holes =
      counts.holes == 0 ? "" : fmt::format(" with {}", counted(counts.holes, "hole", "holes"));
  return fmt::format("{}: {}{}, {} and {}\n", file,
                     counted(drawing.regions.size(), "outline", "outlines"), holes,
                     counted(counts.edges, "edge", "edges"), counted(counts.arcs, "arc", "arcs"));
}

std::string entities_line(const Drawing& drawing) {
  std::string text;
  for (const auto& [kind, count] : drawing.entities) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, kind);
  }
  std::string layers;
  for (const std::string& layer : drawing.layers) {
    if (!layer.empty()) layers += fmt::format("{}'{}'", layers.empty() ? "" : ", ", layer);
  }
  if (!layers.empty()) {
    text += fmt::format(" on {} {}", drawing.layers.size() == 1 ? "layer" : "layers", layers);
  }
  return line("read", text);
}

std::string gaps_line(const Drawing& drawing) {
  if (drawing.joined_gaps.empty()) return "";
  std::string list;
  for (std::size_t k = 0; k < drawing.joined_gaps.size() && k < kMostReported; ++k) {
    const JoinedGap& gap = drawing.joined_gaps[k];
    list += fmt::format("{}{:.3g} mm at {}", k == 0 ? "" : ", ", gap.width_mm, at(gap.at_mm));
  }
  if (drawing.joined_gaps.size() > kMostReported) list += ", ...";
  return line("joined",
              fmt::format("{}: {}", counted(drawing.joined_gaps.size(), "gap", "gaps"), list));
}

std::string dropped_lines(const Drawing& drawing) {
  std::string text;
  const auto number = [](int count) { return static_cast<std::size_t>(count); };
  if (drawing.duplicates > 0) {
    text += line("dropped", counted(number(drawing.duplicates), "duplicate", "duplicates"));
  }
  if (drawing.zero_length > 0) {
    text += line("dropped",
                 counted(number(drawing.zero_length), "element", "elements") + " without length");
  }
  if (drawing.merged > 0) {
    text += line("merged", counted(number(drawing.merged), "element", "elements") +
                               " with the one before on the same line or circle");
  }
  return text;
}

std::string ignored_lines(const Drawing& drawing) {
  std::string text;
  for (const IgnoredEntities& entry : drawing.ignored) {
    text +=
        line("ignored", fmt::format("{} {}: {} (line {}{})", entry.count, entry.kind, entry.reason,
                                    entry.first_line, entry.count > 1 ? " and others" : ""));
  }
  return text;
}

}  // namespace

std::string drawing_text(const Drawing& drawing, const std::string& file,
                         std::optional<double> kg_per_mm2) {
  const Vec2 extent = drawing.max_mm - drawing.min_mm;
  std::string text = headline(drawing, file) + entities_line(drawing);
  text += line("unit", drawing.units);
  text += line("size", fmt::format("{} x {} mm, from {} to {}", report_mm(extent.x()),
                                   report_mm(extent.y()), at(drawing.min_mm), at(drawing.max_mm)));
  text += line("area", fmt::format("{:.6g} mm^2, centroid {} mm", drawing.area_mm2,
                                   at(drawing.centroid_mm)));
  if (kg_per_mm2) text += line("mass", fmt::format("{:.6g} kg", *kg_per_mm2 * drawing.area_mm2));
  if (drawing.curve_error_mm > 0.0) {
    text += line("curves", fmt::format("replaced by arcs that are off by {:.2g} mm at most",
                                       drawing.curve_error_mm));
  }
  text += gaps_line(drawing) + dropped_lines(drawing) + ignored_lines(drawing);
  for (const std::string& note : drawing.notes) text += line("note", note);
  return text;
}

}  // namespace graspmap
