#include <algorithm>
#include <array>
#include <cmath>

#include "grasp/base/io/number.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/pictures/heat_layout.hpp"
#include "grasp/base/pictures/shapes.hpp"

namespace graspmap {
namespace {

constexpr double kPointPx = 16.0;  ///< a point with its rim

/// Where labels are tried, as parts of the reach: the handier first.
// clang-format off
constexpr std::array<std::array<double, 2>, 12> kDirections{
    {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 0.5}, {1, -0.5},
     {-1, 0.5}, {-1, -0.5}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}}};
// clang-format on

Vec2 turned(const HeatMark& mark, double dx_mm, double dy_mm) {
  const double c = std::cos(mark.angle_rad);
  const double s = std::sin(mark.angle_rad);
  return {mark.x_mm + c * dx_mm - s * dy_mm, mark.y_mm + s * dx_mm + c * dy_mm};
}

std::vector<Vec2> ellipse(const HeatMark& mark) {
  constexpr int kSides = 72;
  std::vector<Vec2> ring;
  for (int k = 0; k <= kSides; ++k) {
    const double t = kWholeTurn_rad * k / kSides;
    ring.push_back(
        turned(mark, mark.half_width_mm * std::cos(t), mark.half_height_mm * std::sin(t)));
  }
  return ring;
}

/// The closed line of a mark; of a point, itself.
std::vector<Vec2> ring_of(const HeatMark& mark) {
  switch (mark.kind) {
    case HeatMark::Kind::kPoint:
      return {{mark.x_mm, mark.y_mm}};
    case HeatMark::Kind::kEllipse:
      return ellipse(mark);
    case HeatMark::Kind::kRectangle: {
      const double w = mark.half_width_mm;
      const double h = mark.half_height_mm;
      return {turned(mark, -w, -h), turned(mark, w, -h), turned(mark, w, h), turned(mark, -w, h),
              turned(mark, -w, -h)};
    }
  }
  return {};
}

/// The box around a mark.
Box bounds(const std::vector<Vec2>& points) {
  Box box{points[0], points[0]};
  for (const Vec2& point : points) {
    box.min = box.min.cwiseMin(point);
    box.max = box.max.cwiseMax(point);
  }
  return box;
}

/// Places the labels of one panel, in pixels.
class MarkLabeller {
 public:
  MarkLabeller(const HeatPanel& panel, const PanelPlace& place)
      : panel_(panel),
        shown_(shown_axes(panel)),
        scale_(place.map.width / (shown_[0].max - shown_[0].min)),
        area_{Vec2::Zero(), {place.map.width + place.room_at_right, place.map.height}},
        off_all_(area_),
        off_points_(area_) {
    for (const HeatMark& mark : panel.marks) {
      std::vector<Vec2> ring = ring_of(mark);
      for (Vec2& point : ring) point = pixels(point);
      if (mark.kind == HeatMark::Kind::kPoint) {
        block_all(box_about(ring[0], Vec2::Constant(kPointPx)));
      } else {
        off_all_.block_path(ring, 3.0);
      }
      rings_.push_back(std::move(ring));
    }
    block_lines(border_of(panel));
    for (const HeatDrawing& drawing : panel.drawings) block_lines(drawing.lines);
  }

  /// Points first: their labels should be near.
  std::vector<MarkLabel> place() {
    std::vector<MarkLabel> labels;
    for (const bool is_point : {true, false}) {
      for (std::size_t k = 0; k < panel_.marks.size(); ++k) {
        if ((panel_.marks[k].kind == HeatMark::Kind::kPoint) == is_point) add_label(k, labels);
      }
    }
    return labels;
  }

 private:
  [[nodiscard]] Vec2 pixels(const Vec2& mm) const {
    return scale_ * (mm - Vec2(shown_[0].min, shown_[1].min));
  }

  void add_label(std::size_t k, std::vector<MarkLabel>& labels) {
    const HeatMark& mark = panel_.marks[k];
    const double width = std::max(120.0, 0.7 * area_.max.x());
    MarkLabel label{balanced(mark.label, kLabelFontPx, width, 3), Vec2::Zero()};
    if (label.lines.empty() || !is_seen(mark)) return;
    label.center_px = place_one(size_of(label.lines), bounds(rings_[k]));
    labels.push_back(std::move(label));
  }

  /// A point outside of the map is not drawn.
  [[nodiscard]] bool is_seen(const HeatMark& mark) const {
    return mark.kind != HeatMark::Kind::kPoint ||
           (mark.x_mm >= shown_[0].min && mark.x_mm <= shown_[0].max &&
            mark.y_mm >= shown_[1].min && mark.y_mm <= shown_[1].max);
  }

  static Vec2 size_of(const std::vector<std::string>& lines) {
    double width = 0.0;
    for (const std::string& line : lines) {
      width = std::max(width, text_width_px(line, kLabelFontPx));
    }
    return {width + 8.0, kLabelLinePx * static_cast<double>(lines.size()) + 2.0};
  }

  /// Near and off everything, if there is room; else farther; else over lines; else anywhere.
  Vec2 place_one(const Vec2& size, const Box& mark) {
    const std::vector<Vec2> near = candidates(size, mark, {12.0, 24.0});
    const std::vector<Vec2> far = candidates(size, mark, {50.0, 100.0});
    std::optional<Vec2> place;
    for (LabelPlacer* placer : {&off_all_, &off_points_}) {
      if (!place) place = placer->place(size, near);
      if (!place) place = placer->place(size, far);
    }
    if (!place) {
      place = near[0].cwiseMin(area_.max - 0.5 * size).cwiseMax(area_.min + 0.5 * size);
    }
    block_all(box_about(*place, size));
    return *place;
  }

  void block_lines(const std::vector<Points>& lines_mm) {
    const Box seen{Vec2(shown_[0].min, shown_[1].min), Vec2(shown_[0].max, shown_[1].max)};
    for (const std::vector<Vec2>& line : lines_mm) {
      for (std::size_t k = 1; k < line.size(); ++k) {
        // The placer's squares along a line far outside of the map would be many.
        if (Box{line[k - 1].cwiseMin(line[k]), line[k - 1].cwiseMax(line[k])}.overlaps(seen)) {
          off_all_.block_line(pixels(line[k - 1]), pixels(line[k]), 3.0);
        }
      }
    }
  }

  void block_all(const Box& box) {
    off_all_.block(box);
    off_points_.block(box);
  }

  /// Right, left, above, below and at the corners of the mark's box, at distances.
  static std::vector<Vec2> candidates(const Vec2& size, const Box& mark,
                                      const std::array<double, 2>& distances) {
    const Vec2 center = 0.5 * (mark.min + mark.max);
    std::vector<Vec2> result;
    for (const double distance : distances) {
      const Vec2 reach = 0.5 * (mark.max - mark.min + size) + Vec2::Constant(distance);
      for (const auto& [x, y] : kDirections) {
        result.push_back(center + reach.cwiseProduct(Vec2(x, y)));
      }
    }
    return result;
  }

  const HeatPanel& panel_;
  std::array<Axis, 2> shown_;
  double scale_;  ///< pixels per millimetre
  Box area_;
  LabelPlacer off_all_;
  LabelPlacer off_points_;
  std::vector<Points> rings_;
};

}  // namespace

std::vector<Points> mark_rings(const std::vector<HeatMark>& marks, HeatMark::Line line) {
  std::vector<Points> rings;
  for (const HeatMark& mark : marks) {
    if (mark.kind != HeatMark::Kind::kPoint && mark.line == line) rings.push_back(ring_of(mark));
  }
  return rings;
}

std::vector<MarkLabel> place_mark_labels(const HeatPanel& panel, const PanelPlace& place) {
  return MarkLabeller(panel, place).place();
}

namespace {

/// A run of consecutive numbers [begin, end).
struct Run {
  int begin = 0;
  int end = 0;
};

/// The runs of k in [0, count) for which `is_in` holds.
std::vector<Run> runs(int count, const std::function<bool(int)>& is_in) {
  std::vector<Run> result;
  for (int k = 0; k < count; ++k) {
    if (!is_in(k)) continue;
    if (!result.empty() && result.back().end == k) {
      ++result.back().end;
    } else {
      result.push_back({k, k + 1});
    }
  }
  return result;
}

}  // namespace

std::vector<Points> cells_border(const Axis& x, const Axis& y,
                                 const std::function<bool(int, int)>& is_in) {
  const auto inside = [&](int i, int j) {
    const bool exists = i >= 0 && i < x.cells && j >= 0 && j < y.cells;
    return exists && is_in(i, j);
  };
  std::vector<Points> border;
  for (int i = 0; i <= x.cells; ++i) {
    const double at_x = x.cell_min(i);
    const auto is_border = [&](int j) { return inside(i - 1, j) != inside(i, j); };
    for (const Run& run : runs(y.cells, is_border)) {
      border.push_back({{at_x, y.cell_min(run.begin)}, {at_x, y.cell_min(run.end)}});
    }
  }
  for (int j = 0; j <= y.cells; ++j) {
    const double at_y = y.cell_min(j);
    const auto is_border = [&](int i) { return inside(i, j - 1) != inside(i, j); };
    for (const Run& run : runs(x.cells, is_border)) {
      border.push_back({{x.cell_min(run.begin), at_y}, {x.cell_min(run.end), at_y}});
    }
  }
  return border;
}

std::vector<Points> border_of(const HeatPanel& panel) {
  if (!panel.border) return {};
  const auto is_in = [&](int i, int j) {
    return panel.values[static_cast<std::size_t>(j * panel.x_mm.cells + i)] >= *panel.border;
  };
  return cells_border(panel.x_mm, panel.y_mm, is_in);
}

}  // namespace graspmap
