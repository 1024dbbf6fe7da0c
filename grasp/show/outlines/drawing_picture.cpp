#include "grasp/show/outlines/drawing_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>

#include "geometry/assert.hpp"
#include "geometry/outline.hpp"
#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/pictures/shapes.hpp"

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

/// How a style looks: its class in the style sheet, and colour and width of its lines in gnuplot.
struct Look {
  const char* css;
  const char* colour;
  double width;
};

Look look_of(ShapeStyle style) {
  static constexpr std::array<Look, 10> kLooks{{{"region", "#dfe7ef", 0},
                                                {"hole", "#ffffff", 0},
                                                {"edge", "#1f4e79", 2},
                                                {"arc", "#b3541e", 2},
                                                {"size", "#777777", 1},
                                                {"leader", "#aaaaaa", 1},
                                                {"origin", "#cc0000", 1},
                                                {"end", "#222222", 0},
                                                {"label", "#222222", 0},
                                                {"note", "#222222", 0}}};
  return kLooks[static_cast<std::size_t>(style)];
}

void add_svg(SvgWriter& svg, const PictureShape& shape) {
  const std::vector<Vec2>& points = shape.points_px;
  const char* css = look_of(shape.style).css;
  const Vec2 base(0, kBaseLine * kTextPx);
  switch (shape.style) {
    case ShapeStyle::kRegion:
    case ShapeStyle::kHole:
      return svg.polygon(points, css);
    case ShapeStyle::kEnd:
      return svg.circle(points[0], kDotPx, css);
    case ShapeStyle::kLabel:
      return svg.centered_text(points[0] + base, shape.text, css);
    case ShapeStyle::kNote:
      return svg.text(points[0] + base, shape.text, css);
    default:
      return svg.polyline(points, css);
  }
}

/// The same for gnuplot.
std::string command(const PictureShape& shape) {
  const auto point = [](const Vec2& p) { return fmt::format("{:.2f},{:.2f}", p.x(), p.y()); };
  const std::vector<Vec2>& points = shape.points_px;
  const auto [css, colour, width] = look_of(shape.style);
  std::string text;
  switch (shape.style) {
    case ShapeStyle::kRegion:
    case ShapeStyle::kHole:
      text = "set object polygon from ";
      for (const Vec2& p : points) text += fmt::format("{} to ", point(p));
      return text + fmt::format("{} behind fillstyle solid {} fillcolor rgb '{}'\n",
                                point(points[0]),
                                shape.style == ShapeStyle::kRegion
                                    ? "noborder"
                                    : "border linecolor rgb '#44566b' linewidth 1.5",
                                colour);
    case ShapeStyle::kEnd:
      return fmt::format(
          "set object circle at {} size {} front fillstyle solid noborder fillcolor rgb '{}'\n",
          point(points[0]), kDotPx, colour);
    case ShapeStyle::kLabel:
    case ShapeStyle::kNote:
      return fmt::format("set label {} at {} {} front noenhanced textcolor rgb '{}'\n",
                         gnuplot_string(shape.text), point(points[0]),
                         shape.style == ShapeStyle::kLabel ? "center" : "left", colour);
    default:
      for (std::size_t k = 0; k + 1 < points.size(); ++k) {
        text +=
            fmt::format("set arrow from {} to {} nohead front linecolor rgb '{}' linewidth {}\n",
                        point(points[k]), point(points[k + 1]), colour, width);
      }
      return text;
  }
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

namespace {

constexpr double kDrawnPx = 760.0;  ///< the longer side of what is drawn
constexpr double kLeastPx = 240.0;  ///< the shorter side has room for labels
constexpr double kMarginPx = 150.0;
constexpr double kFontPx = 12.0;
constexpr double kLinePx = 16.0;
constexpr double kBesidePx = 10.0;  ///< a label farther away has a line to what it names
constexpr int kLeaderSteps = 20;    ///< points of an element to which it may lead, but one
constexpr double kStepPx = 5.0;     ///< of an arc's polyline

/// A number with the digits that a person measures.
std::string mm(double value) { return fmt::format("{:.5g}", std::round(value * 1e4) / 1e4 + 0.0); }

class Picture {
 public:
  explicit Picture(const std::vector<Outline>& regions)
      : regions_(regions),
        box_(box_around(regions)),
        scale_(scale_of(box_)),
        size_(size_of()),
        placer_(box_about(0.5 * size_, size_ - Vec2(4, 4))) {}

  PictureShapes draw() {
    fill();
    draw_size();
    draw_lines();
    draw_origin();
    label_elements();
    label_holes();
    tell();
    return {size_, std::move(shapes_)};
  }

 private:
  static Eigen::AlignedBox2d box_around(const std::vector<Outline>& regions) {
    Eigen::AlignedBox2d box;
    for (const Outline& region : regions) {
      for (const OutlineCurve& curve : outline_curves(region.outer)) box.extend(box_of(curve));
    }
    return box;
  }
  static double scale_of(const Eigen::AlignedBox2d& box) {
    return kDrawnPx / box.sizes().maxCoeff();
  }
  [[nodiscard]] Vec2 size_of() const {
    const Vec2 drawn = scale_ * box_.sizes();
    return drawn.cwiseMax(kLeastPx) + Vec2::Constant(2 * kMarginPx) + Vec2(0, kLinePx);
  }

  [[nodiscard]] Vec2 px(const Vec2& point_mm) const {
    const Vec2 from_center = scale_ * (point_mm - box_.center());
    return {0.5 * size_.x() + from_center.x(), 0.5 * (size_.y() - kLinePx) - from_center.y()};
  }

  [[nodiscard]] std::vector<Vec2> points_of(const OutlineCurve& curve) const {
    const double length_px = scale_ * curve.length_mm();
    const int steps =
        curve.is_arc() ? std::clamp(static_cast<int>(length_px / kStepPx), 8, 200) : 1;
    std::vector<Vec2> points;
    for (int k = 0; k <= steps; ++k) points.push_back(px(point_at(curve, double(k) / steps)));
    return points;
  }
  [[nodiscard]] std::vector<Vec2> points_of(const OutlineLoop& loop) const {
    std::vector<Vec2> points;
    for (const OutlineCurve& curve : outline_curves(loop)) {
      const std::vector<Vec2> more = points_of(curve);
      points.insert(points.end(), more.begin(), more.end() - 1);
    }
    return points;
  }

  void fill() {
    for (const Outline& region : regions_) {
      add(ShapeStyle::kRegion, points_of(region.outer));
      for (const OutlineLoop& hole : region.holes) {
        std::vector<Vec2> points = points_of(hole);
        add(ShapeStyle::kHole, points);
        points.push_back(points.front());
        placer_.block_path(points, 2.0);
      }
    }
  }

  void draw_lines() {
    for (const Outline& region : regions_) {
      for (const OutlineCurve& curve : outline_curves(region.outer)) {
        const std::vector<Vec2> points = points_of(curve);
        add(curve.is_arc() ? ShapeStyle::kArc : ShapeStyle::kEdge, points);
        placer_.block_path(points, 2.0);
      }
      for (const OutlineElement& element : region.outer) {
        add(ShapeStyle::kEnd, {px(element.begin_mm)});
      }
    }
  }

  /// A line between two points with ticks at its ends, and its length in a gap in the middle.
  void dimension(const Vec2& from, const Vec2& to, const std::string& text) {
    const Vec2 along = (to - from).normalized();
    const Vec2 tick = 4.0 * perp(along);
    const Vec2 middle = 0.5 * (from + to);
    const Vec2 room(text_width_px(text, kFontPx) + 8, kLinePx);
    const Vec2 gap = 0.5 * along.cwiseAbs().dot(room) * along;
    add(ShapeStyle::kSize, {from, middle - gap});
    add(ShapeStyle::kSize, {middle + gap, to});
    add(ShapeStyle::kSize, {from - tick, from + tick});
    add(ShapeStyle::kSize, {to - tick, to + tick});
    write(middle, text);
    placer_.block(box_about(middle, room));
    placer_.block_line(from, to, 5.0);
  }

  void draw_size() {
    const Vec2 low = px(box_.min());
    const Vec2 high = px(box_.max());
    const double below = low.y() + 0.78 * kMarginPx;
    const double left = low.x() - 0.78 * kMarginPx;
    dimension({low.x(), below}, {high.x(), below}, mm(box_.sizes().x()));
    dimension({left, low.y()}, {left, high.y()}, mm(box_.sizes().y()));
  }

  void draw_origin() {
    const Vec2 at = px({0, 0});
    if ((at.array() < 0).any() || (at.array() > size_.array()).any()) return;
    add(ShapeStyle::kOrigin, {at - Vec2(7, 0), at + Vec2(7, 0)});
    add(ShapeStyle::kOrigin, {at - Vec2(0, 7), at + Vec2(0, 7)});
    placer_.block(box_about(at, {14, 14}));
  }

  void add(ShapeStyle style, const std::vector<Vec2>& points) {
    shapes_.push_back({style, points, ""});
  }
  void write(const Vec2& middle, const std::string& text) {
    shapes_.push_back({ShapeStyle::kLabel, {middle}, text});
  }

  static std::string label_of(const OutlineLoop& loop, std::size_t k, const OutlineCurve& curve) {
    return fmt::format("{}: {}{}", element_name(loop, k), curve.is_arc() ? "R" : "",
                       mm(curve.is_arc() ? curve.radius_mm : curve.length_mm()));
  }

  /// Near a curve, on both sides, first near its middle; `out` is away from the region.
  [[nodiscard]] std::vector<Vec2> places_at(const OutlineCurve& curve, const Vec2& room) const {
    std::vector<Vec2> places;
    for (const double gap : {4.0, 14.0, 28.0, 44.0, 62.0, 90.0, 125.0}) {
      for (const double side : {1.0, -1.0}) {
        for (const double share : {0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8}) {
          const Vec2 tangent = tangent_at(curve, share);
          const Vec2 out = side * Vec2(tangent.y(), tangent.x());  // y points down in the picture
          // The label's half in the direction of `out`.
          const double half = 0.5 * (std::abs(out.x()) * room.x() + std::abs(out.y()) * room.y());
          places.push_back(px(point_at(curve, share)) + (half + gap) * out);
        }
      }
    }
    return places;
  }

  void label_elements() {
    for (const Outline& region : regions_) {
      const std::vector<OutlineCurve> curves = outline_curves(region.outer);
      for (std::size_t k = 0; k < curves.size(); ++k) {
        const std::string text = label_of(region.outer, k, curves[k]);
        const Vec2 room(text_width_px(text, kFontPx) + 2, kLinePx);
        put(text, room, places_at(curves[k], room), {curves[k]});
      }
    }
  }

  /// Writes a label near one of some curves, with a line to it where it is not beside it.
  void put(const std::string& text, const Vec2& room, const std::vector<Vec2>& places,
           const std::vector<OutlineCurve>& curves) {
    const std::optional<Vec2> place = placer_.place(room, places);
    if (!place) {
      ++left_out_;
      return;
    }
    write(*place, text);
    Vec2 from = *place;
    Vec2 to = *place;
    double gap = std::numeric_limits<double>::infinity();
    for (const OutlineCurve& curve : curves) {
      for (int k = 0; k <= kLeaderSteps; ++k) {
        const Vec2 meant = px(point_at(curve, double(k) / kLeaderSteps));
        const Vec2 beside = meant.cwiseMax(*place - 0.5 * room).cwiseMin(*place + 0.5 * room);
        if ((beside - meant).norm() >= gap) continue;
        gap = (beside - meant).norm();
        from = beside;
        to = meant;
      }
    }
    if (gap < kBesidePx || curves.empty()) return;
    add(ShapeStyle::kLeader, {from, to});
    placer_.block_line(from, to, 2.0);
  }

  /// In the middle of a hole, where no line is needed, or beside it.
  void put_in_hole(const std::string& text, const Vec2& room, const std::vector<Vec2>& places,
                   const std::vector<OutlineCurve>& curves) {
    if (!placer_.is_free(box_about(places[0], room))) return put(text, room, places, curves);
    put(text, room, {places[0]}, {});
  }

  /// The diameter of a loop that is a circle.
  static std::optional<double> diameter(const std::vector<OutlineCurve>& curves) {
    for (const OutlineCurve& curve : curves) {
      if (!curve.is_arc()) return std::nullopt;
      const double slack_mm = 1e-6;
      if ((curve.center_mm - curves[0].center_mm).norm() > slack_mm) return std::nullopt;
      if (std::abs(curve.radius_mm - curves[0].radius_mm) > slack_mm) return std::nullopt;
    }
    return 2.0 * curves[0].radius_mm;
  }

  void label_holes() {
    for (const Outline& region : regions_) {
      for (std::size_t k = 0; k < region.holes.size(); ++k) {
        const std::vector<OutlineCurve> curves = outline_curves(region.holes[k]);
        Eigen::AlignedBox2d box;
        for (const OutlineCurve& curve : curves) box.extend(box_of(curve));
        const std::optional<double> round = diameter(curves);
        const Vec2 extent = box.sizes();
        const std::string text = fmt::format(
            "hole {}: {}", k + 1,
            round ? "\u00d8" + mm(*round) : fmt::format("{} x {}", mm(extent.x()), mm(extent.y())));
        const Vec2 room(text_width_px(text, kFontPx) + 2, kLinePx);
        std::vector<Vec2> places{px(box.center())};
        for (const OutlineCurve& curve : curves) {
          const std::vector<Vec2> more = places_at(curve, room);
          places.insert(places.end(), more.begin(), more.end());
        }
        put_in_hole(text, room, places, curves);
      }
    }
  }

  void tell() {
    const std::string left_out =
        left_out_ == 0 ? "" : fmt::format("; labels without a place here: {}", left_out_);
    shapes_.push_back(
        {ShapeStyle::kNote,
         {{8, size_.y() - 12}},
         fmt::format("Lengths and radii (R) in mm. The red cross is the origin{}.", left_out)});
  }

  const std::vector<Outline>& regions_;
  Eigen::AlignedBox2d box_;
  double scale_;
  Vec2 size_;
  std::vector<PictureShape> shapes_;
  LabelPlacer placer_;
  int left_out_ = 0;
};

}  // namespace

PictureShapes drawing_picture(const std::vector<Outline>& regions) {
  GRASPMAP_CHECK(!regions.empty());
  return Picture(regions).draw();
}

}  // namespace graspmap
