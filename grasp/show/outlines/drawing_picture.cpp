#include "grasp/show/outlines/drawing_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

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
    ".finger { fill: #d9d9d9; stroke: #444444; stroke-width: 1.5 }\n"
    ".map { stroke: #1b7837; stroke-width: 1.5; fill: none }\n"
    ".end { fill: #222222; stroke: none }\n";

/// How a style looks: its class in the style sheet, and colour and width of its lines in gnuplot.
struct Look {
  const char* css;
  const char* colour;
  double width;
};

Look look_of(ShapeStyle style) {
  static constexpr std::array<Look, 12> kLooks{{{"region", "#dfe7ef", 0},
                                                {"hole", "#ffffff", 0},
                                                {"finger", "#d9d9d9", 0},
                                                {"edge", "#1f4e79", 2},
                                                {"arc", "#b3541e", 2},
                                                {"size", "#777777", 1},
                                                {"leader", "#aaaaaa", 1},
                                                {"origin", "#cc0000", 1},
                                                {"map", "#1b7837", 1.5},
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
    case ShapeStyle::kFinger:
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
    case ShapeStyle::kFinger:
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

/// A script for gnuplot that draws a picture into picture.png.
std::string picture_script(const PictureShapes& picture) {
  std::string script = fmt::format(
      "set terminal pngcairo size {0:.0f},{1:.0f} rounded font 'DejaVu Sans,9' background rgb "
      "'white'\nset output 'picture.png'\nset xrange [0:{0:.0f}]\nset yrange [{1:.0f}:0]\n"
      "set margins 0,0,0,0\nunset border\nunset tics\nunset key\n",
      picture.size_px.x(), picture.size_px.y());
  for (const PictureShape& shape : picture.shapes) script += command(shape);
  return script + "plot NaN\nset output\n";
}

}  // namespace

std::string picture_svg(const PictureShapes& picture) {
  SvgWriter svg(picture.size_px, kStyleSheet, "");
  for (const PictureShape& shape : picture.shapes) add_svg(svg, shape);
  return svg.finish();
}

bool is_picture_file(const fs::path& file) {
  return file.extension() == ".svg" || file.extension() == ".png";
}

void write_picture(const fs::path& file, const PictureShapes& picture) {
  if (file.extension() == ".png") {
    return write_file_atomically(file, drawn_png(picture_script(picture), "picture.png"));
  }
  write_file_atomically(file, picture_svg(picture));
}

namespace {

constexpr double kDrawnPx = 760.0;  ///< the longer side of what is drawn
constexpr double kLeastPx = 240.0;  ///< the shorter side has room for labels
constexpr double kMarginPx = 150.0;
constexpr std::size_t kMostLabels = 20;  ///< of elements
constexpr double kAxisPx = 40.0;
constexpr double kLinePx = 16.0;
constexpr double kBesidePx = 10.0;  ///< a label farther away has a line to what it names
constexpr int kLeaderSteps = 20;    ///< points of an element to which it may lead, but one
constexpr double kStepPx = 5.0;     ///< of an arc's polyline

/// A number with the digits that a person measures.
std::string mm(double value) { return fmt::format("{:.5g}", std::round(value * 1e4) / 1e4 + 0.0); }

class Picture {
 public:
  Picture(const std::vector<Outline>& regions, const SetupAround* around)
      : regions_(regions),
        around_(around),
        part_(box_around(regions)),
        box_(with_fingers(part_, around)),
        scale_(kDrawnPx / box_.sizes().maxCoeff()),
        size_(size_of()),
        placer_(box_about(0.5 * size_, size_ - Vec2(4, 4))) {}

  PictureShapes draw() {
    fill();
    if (around_ != nullptr) draw_around(*around_);
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
    for (const Outline& region : regions) box.extend(box_of(region.outer));
    return box;
  }
  static Eigen::AlignedBox2d with_fingers(Eigen::AlignedBox2d box, const SetupAround* around) {
    if (around == nullptr) return box;
    box.extend(around->map_mm);
    for (const auto* finger : {&around->left_finger, &around->right_finger}) {
      for (const std::vector<Vec2>& polygon : *finger) {
        for (const Vec2& point : polygon) box.extend(point);
      }
    }
    return box;
  }
  [[nodiscard]] Vec2 size_of() const {
    const Vec2 drawn = scale_ * box_.sizes();
    return drawn.cwiseMax(kLeastPx) + Vec2::Constant(2 * kMarginPx) + Vec2(0, below_px());
  }
  /// The lines of text below the drawing.
  [[nodiscard]] double below_px() const {
    return kLinePx * (around_ == nullptr ? 1.0 : 1.0 + static_cast<double>(words().size()));
  }
  /// What is said about the setup, in lines that fit.
  [[nodiscard]] std::vector<std::string> words() const {
    std::vector<std::string> lines;
    const double width_px =
        std::max(scale_ * box_.sizes().x(), kLeastPx) + 2 * kMarginPx - 2 * kBesidePx;
    for (const std::string& sentence : around_->words) {
      for (const std::string& line : wrapped(sentence, kTextPx, width_px, 4)) lines.push_back(line);
    }
    return lines;
  }

  [[nodiscard]] Vec2 px(const Vec2& point_mm) const {
    const Vec2 from_center = scale_ * (point_mm - box_.center());
    return {0.5 * size_.x() + from_center.x(), 0.5 * (size_.y() - below_px()) - from_center.y()};
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
    const Vec2 room(text_width_px(text, kTextPx) + 8, kLinePx);
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
    const Vec2 low = px(part_.min());
    const Vec2 high = px(part_.max());
    const double below = px(box_.min()).y() + 0.78 * kMarginPx;
    const double left = px(box_.min()).x() - 0.78 * kMarginPx;
    dimension({low.x(), below}, {high.x(), below}, mm(part_.sizes().x()));
    dimension({left, low.y()}, {left, high.y()}, mm(part_.sizes().y()));
  }

  void draw_around(const SetupAround& around) {
    const std::array fingers = {std::pair("left finger", &around.left_finger),
                                std::pair("right finger", &around.right_finger)};
    for (const auto& [name, polygons] : fingers) {
      for (const std::vector<Vec2>& polygon : *polygons) {
        std::vector<Vec2> points;
        Eigen::AlignedBox2d box;
        for (const Vec2& point : polygon) box.extend(points.emplace_back(px(point)));
        add(ShapeStyle::kFinger, points);
        points.push_back(points.front());
        placer_.block_path(points, 2.0);
        const Vec2 room = room_of(name);
        const Vec2 out(0, 0.5 * box.sizes().y() + kLinePx);
        put(name, room, {box.center(), box.center() - out, box.center() + out}, {});
        const double towards = polygons == &around.left_finger ? 1.0 : -1.0;
        const Vec2 inside(0.5 * box.sizes().x() + 4.0, 0.25 * box.sizes().y());
        draw_arrow(ShapeStyle::kSize, box.center() + Vec2(towards * inside.x(), -inside.y()),
                   {towards, 0});
      }
    }
    const auto corner = [&](Eigen::AlignedBox2d::CornerType c) {
      return px(around.map_mm.corner(c));
    };
    const std::vector<Vec2> map = {
        corner(Eigen::AlignedBox2d::BottomLeft), corner(Eigen::AlignedBox2d::BottomRight),
        corner(Eigen::AlignedBox2d::TopRight), corner(Eigen::AlignedBox2d::TopLeft),
        corner(Eigen::AlignedBox2d::BottomLeft)};
    add(ShapeStyle::kMap, map);
    placer_.block_path(map, 2.0);
    const Vec2 middle = px(around.map_mm.center());
    add(ShapeStyle::kMap, {middle - Vec2(5, 0), middle + Vec2(5, 0)});
    add(ShapeStyle::kMap, {middle - Vec2(0, 5), middle + Vec2(0, 5)});
    placer_.block(box_about(middle, {12, 12}));
  }

  /// An arrow, of a direction along an axis; returns its tip.
  Vec2 draw_arrow(ShapeStyle style, const Vec2& from, const Vec2& along) {
    const Vec2 tip = from + kAxisPx * along;
    const Vec2 side = 3.0 * perp(along);
    add(style, {from, tip});
    add(style, {tip - 8.0 * along + side, tip, tip - 8.0 * along - side});
    placer_.block_line(from, tip, 6.0);
    return tip;
  }

  void draw_axis(const Vec2& origin, const Vec2& along, const char* letter) {
    const Vec2 beside(-along.y(), -along.x());
    const Vec2 at = draw_arrow(ShapeStyle::kOrigin, origin, along) + 4.0 * along + 9.0 * beside;
    write(at, letter);
    placer_.block(box_about(at, {14, 14}));
  }

  void draw_origin() {
    const Vec2 at = px({0, 0});
    shows_origin_ = (at.array() >= 0).all() && (at.array() <= size_.array()).all();
    if (!shows_origin_) return;
    add(ShapeStyle::kOrigin, {at - Vec2(7, 0), at + Vec2(7, 0)});
    add(ShapeStyle::kOrigin, {at - Vec2(0, 7), at + Vec2(0, 7)});
    placer_.block(box_about(at, {14, 14}));
    if (around_ == nullptr) return;
    draw_axis(at, {1, 0}, "x");
    draw_axis(at, {0, -1}, "y");
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

  /// What a label takes.
  static Vec2 room_of(std::string_view text) { return {text_width_px(text, kTextPx) + 2, kLinePx}; }

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

  /// Names that many arcs have which go on with each other: of splines and ellipses.
  static std::set<std::string> spline_names(const OutlineLoop& loop,
                                            const std::vector<OutlineCurve>& curves) {
    constexpr int kSmoothJoints = 6;
    constexpr double kSmooth = 1e-3;
    std::map<std::string, int> joints;
    std::set<std::string> names;
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const std::size_t next = (k + 1) % loop.size();
      if (loop[k].name.empty() || loop[next].name != loop[k].name) continue;
      if (!curves[k].is_arc() || !curves[next].is_arc()) continue;
      const Vec2 turn = tangent_at(curves[next], 0.0) - tangent_at(curves[k], 1.0);
      if (turn.norm() < kSmooth && ++joints[loop[k].name] == kSmoothJoints) {
        names.insert(loop[k].name);
      }
    }
    return names;
  }

  /// The longest ones. The many arcs of a spline have its name once, without their radii.
  void label_elements() {
    std::vector<std::pair<std::string, OutlineCurve>> elements;
    std::set<std::string> splines;
    for (const Outline& region : regions_) {
      const std::vector<OutlineCurve> curves = outline_curves(region.outer);
      const std::set<std::string> names = spline_names(region.outer, curves);
      splines.insert(names.begin(), names.end());
      for (std::size_t k = 0; k < curves.size(); ++k) {
        const std::string& name = region.outer[k].name;
        const bool is_spline = curves[k].is_arc() && names.contains(name);
        elements.emplace_back(is_spline ? name : label_of(region.outer, k, curves[k]), curves[k]);
      }
    }
    std::stable_sort(elements.begin(), elements.end(), [](const auto& a, const auto& b) {
      return a.second.length_mm() > b.second.length_mm();
    });
    std::set<std::string> named;
    std::erase_if(elements, [&](const auto& element) {
      return splines.contains(element.first) && !named.insert(element.first).second;
    });
    const std::size_t labels = std::min(elements.size(), kMostLabels);
    left_out_ += static_cast<int>(elements.size() - labels);
    for (std::size_t k = 0; k < labels; ++k) {
      const auto& [text, curve] = elements[k];
      const Vec2 room = room_of(text);
      put(text, room, places_at(curve, room), {curve});
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
        const Eigen::AlignedBox2d box = box_of(region.holes[k]);
        const std::optional<double> round = diameter(curves);
        const Vec2 extent = box.sizes();
        const std::string text = fmt::format(
            "hole {}: {}", k + 1,
            round ? "\u00d8" + mm(*round) : fmt::format("{} x {}", mm(extent.x()), mm(extent.y())));
        const Vec2 room = room_of(text);
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
    const auto note = [&](double up_px, const std::string& text) {
      shapes_.push_back({ShapeStyle::kNote, {{8, size_.y() - up_px}}, text});
    };
    const char* origin = !shows_origin_       ? "The origin lies outside of the picture"
                         : around_ == nullptr ? "The red cross is the origin"
                                              : "Red: the part's axes";
    note(12, fmt::format("Lengths and radii (R) in mm. {}{}.", origin, left_out));
    if (around_ == nullptr) return;
    const std::vector<std::string> lines = words();
    for (std::size_t k = 0; k < lines.size(); ++k) {
      note(12 + kLinePx * static_cast<double>(lines.size() - k), lines[k]);
    }
  }

  const std::vector<Outline>& regions_;
  const SetupAround* around_;
  Eigen::AlignedBox2d part_;
  Eigen::AlignedBox2d box_;  ///< of all that is drawn
  double scale_;
  Vec2 size_;
  std::vector<PictureShape> shapes_;
  LabelPlacer placer_;
  int left_out_ = 0;
  bool shows_origin_ = false;
};

}  // namespace

PictureShapes drawing_picture(const std::vector<Outline>& regions, const SetupAround* around) {
  GRASPMAP_CHECK(!regions.empty());
  return Picture(regions, around).draw();
}

}  // namespace graspmap
