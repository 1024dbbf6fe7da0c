#include "grasp/sweep/trials/map_shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace graspmap {
namespace {

constexpr double kHigh = 0.9;
constexpr double kHalf = 0.5;
constexpr double kLow = 0.1;
constexpr double kNoShape = std::numeric_limits<double>::quiet_NaN();

/// The probability at distances from a point along a line.
struct Profile {
  struct Sample {
    double distance_mm;
    double p;
  };
  std::vector<Sample> samples;
  double end_mm = 0.0;  ///< the outer edge of the last cell
};

/// The cells of an axis in which a coordinate lies: two on a border, none outside.
std::vector<int> cells_at(const Axis& axis, double at_mm) {
  const double place = (at_mm - axis.min) / axis.cell_size();
  const double border = std::round(place);
  std::vector<int> cells;
  const auto add = [&](double cell) {
    if (cell >= 0 && cell < axis.cells) cells.push_back(static_cast<int>(cell));
  };
  if (std::abs(place - border) < 1e-6) {
    add(border - 1);
    add(border);
  } else {
    add(std::floor(place));
  }
  return cells;
}

/// The mean of what is known of the values; NaN when nothing is.
double mean_of_known(const std::vector<double>& values) {
  double sum = 0;
  int known = 0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    sum += value;
    ++known;
  }
  return known > 0 ? sum / known : kNoShape;
}

/// The cells along the x axis (or y axis) through a point, from it outwards.
Profile profile(const ProbabilityGrid& map, double x_mm, double y_mm, Side side) {
  const bool along_x = side == Side::kLeft || side == Side::kRight;
  const double sign = side == Side::kRight || side == Side::kBehind ? 1.0 : -1.0;
  const Axis& axis = along_x ? map.x_mm : map.y_mm;
  const double from_mm = along_x ? x_mm : y_mm;
  const std::vector<int> across = along_x ? cells_at(map.y_mm, y_mm) : cells_at(map.x_mm, x_mm);
  Profile line;
  for (int step = 0; step < axis.cells; ++step) {
    const int k = sign > 0 ? step : axis.cells - 1 - step;
    const double distance = sign * (axis.cell_center(k) - from_mm);
    if (distance < -1e-6 * axis.cell_size()) continue;
    std::vector<double> values;
    for (const int c : across) values.push_back(along_x ? map.at(k, c) : map.at(c, k));
    const double p = mean_of_known(values);
    if (std::isnan(p)) break;
    line.samples.push_back({distance, p});
    line.end_mm = distance + axis.cell_size() / 2;
  }
  return line;
}

/// Where, at or beyond the k-th sample, p first changes from one side of a level to the other:
/// falling below it, or rising to it. Moves k to the sample after the change.
std::optional<double> crossing(const Profile& line, std::size_t& k, double level, bool falling) {
  const auto beyond = [&](double p) { return falling ? p < level : p >= level; };
  for (; k < line.samples.size(); ++k) {
    const Profile::Sample& outer = line.samples[k];
    if (!beyond(outer.p)) continue;
    if (k == 0) return outer.distance_mm;
    const Profile::Sample& inner = line.samples[k - 1];
    const double share = (inner.p - level) / (inner.p - outer.p);
    return inner.distance_mm + share * (outer.distance_mm - inner.distance_mm);
  }
  return std::nullopt;
}

double drop_off(const Profile& line) {
  if (line.samples.empty() || line.samples.front().p < kHigh) return kNoShape;
  std::size_t k = 0;
  const auto high = crossing(line, k, kHigh, true);
  if (!high) return kNoShape;
  const auto low = crossing(line, k, kLow, true);
  return low ? *low - *high : kNoShape;
}

}  // namespace

const char* name(Side side) {
  switch (side) {
    case Side::kLeft:
      return "left (-x)";
    case Side::kRight:
      return "right (+x)";
    case Side::kFront:
      return "front (-y)";
    case Side::kBehind:
      return "behind (+y)";
  }
  return "";
}

SideShape side_shape(const ProbabilityGrid& map, double x_mm, double y_mm, Side side) {
  const Profile line = profile(map, x_mm, y_mm, side);
  SideShape shape{drop_off(line), kNoShape, kNoShape};
  std::size_t k = 0;
  const auto begins = crossing(line, k, kHalf, true);
  if (!begins) return shape;
  shape.low_begins_mm = *begins;
  shape.low_extent_mm = crossing(line, k, kHalf, false).value_or(line.end_mm) - *begins;
  return shape;
}

double plateau_area_mm2(const ProbabilityGrid& map, double threshold) {
  const auto cells =
      std::count_if(map.values.begin(), map.values.end(), [&](double p) { return p >= threshold; });
  return static_cast<double>(cells) * map.x_mm.cell_size() * map.y_mm.cell_size();
}

double plateau_overlap(const ProbabilityGrid& a, const ProbabilityGrid& b, double threshold) {
  int both = 0;
  int either = 0;
  for (std::size_t k = 0; k < a.values.size(); ++k) {
    if (std::isnan(a.values[k]) || std::isnan(b.values[k])) continue;
    const bool in_a = a.values[k] >= threshold;
    const bool in_b = b.values[k] >= threshold;
    both += in_a && in_b ? 1 : 0;
    either += in_a || in_b ? 1 : 0;
  }
  return either > 0 ? static_cast<double>(both) / either : kNoShape;
}

}  // namespace graspmap
