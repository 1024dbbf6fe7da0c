#include "grasp/show/outlines/picture_shapes.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/io/work_folder.hpp"
#include "grasp/base/pictures/svg.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace {

constexpr double kDotPx = 2.5;
constexpr double kTextPx = 12.0;
constexpr double kBaseLine = 0.36;  ///< of a text, below its middle, in heights

constexpr const char* kStyleSheet =
    "text { font: 12px 'DejaVu Sans', sans-serif; fill: #222222; stroke: none }\n"
    ".region { fill: #dfe7ef; stroke: none }\n"
    ".hole { fill: white; stroke: #44566b; stroke-width: 1.5 }\n"
    ".edge { stroke: #1f4e79; stroke-width: 2; fill: none }\n"
    ".arc { stroke: #b3541e; stroke-width: 2; fill: none }\n"
    ".size { stroke: #777777; stroke-width: 1; fill: none }\n"
    ".leader { stroke: #aaaaaa; stroke-width: 1; fill: none }\n"
    ".origin { stroke: #cc0000; stroke-width: 1; fill: none }\n"
    ".end { fill: #222222; stroke: none }\n";

void add_svg(SvgWriter& svg, const PictureShape& shape) {
  const std::vector<Vec2>& points = shape.points_px;
  const Vec2 base(0, kBaseLine * kTextPx);
  switch (shape.style) {
    case ShapeStyle::kRegion:
      return svg.polygon(points, "region");
    case ShapeStyle::kHole:
      return svg.polygon(points, "hole");
    case ShapeStyle::kEdge:
      return svg.polyline(points, "edge");
    case ShapeStyle::kArc:
      return svg.polyline(points, "arc");
    case ShapeStyle::kSize:
      return svg.polyline(points, "size");
    case ShapeStyle::kLeader:
      return svg.polyline(points, "leader");
    case ShapeStyle::kOrigin:
      return svg.polyline(points, "origin");
    case ShapeStyle::kEnd:
      return svg.circle(points[0], kDotPx, "end");
    case ShapeStyle::kLabel:
      return svg.centered_text(points[0] + base, shape.text, "label");
    case ShapeStyle::kNote:
      return svg.text(points[0] + base, shape.text, "note");
  }
}

std::string point(const Vec2& p) { return fmt::format("{:.2f},{:.2f}", p.x(), p.y()); }

std::string polygon_command(const std::vector<Vec2>& points, const char* colour,
                            const char* border) {
  std::string command = "set object polygon from ";
  for (const Vec2& p : points) command += fmt::format("{} to ", point(p));
  command += fmt::format("{} behind fillstyle solid {} fillcolor rgb '{}'\n", point(points[0]),
                         border, colour);
  return command;
}

std::string line_commands(const std::vector<Vec2>& points, const char* colour, double width) {
  std::string commands;
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    commands +=
        fmt::format("set arrow from {} to {} nohead front linecolor rgb '{}' linewidth {}\n",
                    point(points[k]), point(points[k + 1]), colour, width);
  }
  return commands;
}

std::string text_command(const PictureShape& shape, const char* side) {
  return fmt::format("set label {} at {} {} front noenhanced textcolor rgb '#222222'\n",
                     gnuplot_string(shape.text), point(shape.points_px[0]), side);
}

std::string command(const PictureShape& shape) {
  const std::vector<Vec2>& points = shape.points_px;
  switch (shape.style) {
    case ShapeStyle::kRegion:
      return polygon_command(points, "#dfe7ef", "noborder");
    case ShapeStyle::kHole:
      return polygon_command(points, "#ffffff", "border linecolor rgb '#44566b' linewidth 1.5");
    case ShapeStyle::kEdge:
      return line_commands(points, "#1f4e79", 2);
    case ShapeStyle::kArc:
      return line_commands(points, "#b3541e", 2);
    case ShapeStyle::kSize:
      return line_commands(points, "#777777", 1);
    case ShapeStyle::kLeader:
      return line_commands(points, "#aaaaaa", 1);
    case ShapeStyle::kOrigin:
      return line_commands(points, "#cc0000", 1);
    case ShapeStyle::kEnd:
      return fmt::format(
          "set object circle at {} size {} front fillstyle solid noborder fillcolor "
          "rgb '#222222'\n",
          point(points[0]), kDotPx);
    case ShapeStyle::kLabel:
      return text_command(shape, "center");
    case ShapeStyle::kNote:
      return text_command(shape, "left");
  }
  return "";
}

void write_png(const fs::path& file, const PictureShapes& picture) {
  const WorkFolder folder(file.string() + ".partial");
  write_file_atomically(folder.path() / "picture.gp", picture_script(picture));
  run_gnuplot(folder.path() / "picture.gp", "gnuplot");
  std::ifstream stream(folder.path() / "picture.png", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (bytes.find("IEND") == std::string::npos) {
    throw IoError(
        fmt::format("{}: gnuplot did not write it completely; is the disk full?", file.string()));
  }
  write_file_atomically(file, bytes);
}

}  // namespace

std::string picture_svg(const PictureShapes& picture) {
  SvgWriter svg(picture.size_px, kStyleSheet, "");
  for (const PictureShape& shape : picture.shapes) add_svg(svg, shape);
  return svg.finish();
}

std::string picture_script(const PictureShapes& picture) {
  std::string script = fmt::format(
      "set terminal pngcairo size {0:.0f},{1:.0f} rounded font 'DejaVu Sans,9' background rgb "
      "'white'\nset output 'picture.png'\nset xrange [0:{0:.0f}]\nset yrange [{1:.0f}:0]\n"
      "set margins 0,0,0,0\nunset border\nunset tics\nunset key\n",
      picture.size_px.x(), picture.size_px.y());
  for (const PictureShape& shape : picture.shapes) script += command(shape);
  return script + "plot NaN\nset output\n";
}

bool is_picture_file(const fs::path& file) {
  return file.extension() == ".svg" || file.extension() == ".png";
}

void write_picture(const fs::path& file, const PictureShapes& picture) {
  if (file.extension() == ".png") return write_png(file, picture);
  write_file_atomically(file, picture_svg(picture));
}

}  // namespace graspmap
