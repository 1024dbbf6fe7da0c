#include "grasp/base/pictures/svg.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "grasp/base/io/printable_text.hpp"

namespace graspmap {
namespace {

/// A hundredth of a pixel is enough; no minus zero.
std::string px(double value) { return fmt::format("{:.7g}", std::round(value * 100) / 100 + 0.0); }

}  // namespace

std::string xml_text(std::string_view text) {
  std::string escaped;
  for (; !text.empty(); text.remove_prefix(first_character(text).bytes)) {
    const FirstCharacter character = first_character(text);
    if (character.code == '&') {
      escaped += "&amp;";
    } else if (character.code == '<') {
      escaped += "&lt;";
    } else if (character.code == '>') {
      escaped += "&gt;";
    } else if (character.code == '"') {
      escaped += "&quot;";
    } else {
      escaped += character.is_harmless() ? text.substr(0, character.bytes) : " ";
    }
  }
  return escaped;
}

SvgWriter::SvgWriter(const Vec2& size_px, std::string_view style_sheet,
                     std::string_view definitions) {
  const std::string width = px(size_px.x());
  const std::string height = px(size_px.y());
  svg_ = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\">\n<style>\n{2}</style>\n<defs>\n{3}</defs>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      width, height, style_sheet, definitions);
}

void SvgWriter::line(const Vec2& from, const Vec2& to, const char* style) {
  svg_ += fmt::format("<line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n", style,
                      px(from.x()), px(from.y()), px(to.x()), px(to.y()));
}

void SvgWriter::polyline(const std::vector<Vec2>& points, const char* style) {
  this->points("polyline", points, style);
}

void SvgWriter::polygon(const std::vector<Vec2>& points, const char* style) {
  this->points("polygon", points, style);
}

void SvgWriter::region(const std::vector<std::vector<Vec2>>& polygons, const char* style) {
  svg_ += fmt::format("<path class=\"{}\" fill-rule=\"evenodd\" d=\"", style);
  for (const std::vector<Vec2>& polygon : polygons) {
    const char* command = "M";
    for (const Vec2& point : polygon) {
      svg_ += fmt::format("{}{},{}", std::exchange(command, " "), px(point.x()), px(point.y()));
    }
    if (!polygon.empty()) svg_ += "Z";
  }
  svg_ += "\"/>\n";
}

void SvgWriter::points(const char* element, const std::vector<Vec2>& points, const char* style) {
  svg_ += fmt::format("<{} class=\"{}\" points=\"", element, style);
  for (std::size_t k = 0; k < points.size(); ++k) {
    svg_ += fmt::format("{}{},{}", k > 0 ? " " : "", px(points[k].x()), px(points[k].y()));
  }
  svg_ += "\"/>\n";
}

void SvgWriter::circle(const Vec2& center, double radius, const char* style) {
  svg_ += fmt::format("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n", style,
                      px(center.x()), px(center.y()), px(radius));
}

void SvgWriter::rectangle(const Vec2& corner, const Vec2& size, const char* style) {
  svg_ += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", style,
                      px(corner.x()), px(corner.y()), px(size.x()), px(size.y()));
}

void SvgWriter::text(const Vec2& at, std::string_view text, const char* style) {
  svg_ += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>\n", style, px(at.x()),
                      px(at.y()), xml_text(text));
}

void SvgWriter::centered_text(const Vec2& at, std::string_view text, const char* style) {
  svg_ += fmt::format("<text class=\"{}\" text-anchor=\"middle\" x=\"{}\" y=\"{}\">{}</text>\n",
                      style, px(at.x()), px(at.y()), xml_text(text));
}

void SvgWriter::open_group(const char* style, std::string_view tooltip) {
  svg_ += fmt::format("<g class=\"{}\">\n", style);
  if (!tooltip.empty()) svg_ += fmt::format("<title>{}</title>\n", xml_text(tooltip));
}

void SvgWriter::close_group() { svg_ += "</g>\n"; }

void SvgWriter::open_viewport(const Vec2& corner, const Vec2& size) {
  svg_ += fmt::format("<svg x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\">\n", px(corner.x()),
                      px(corner.y()), px(size.x()), px(size.y()));
}

void SvgWriter::close_viewport() { svg_ += "</svg>\n"; }

std::string SvgWriter::finish() { return svg_ + "</svg>\n"; }

}  // namespace graspmap
