#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "geometry/types.hpp"
#include "tests/support/random.hpp"
#include "tests/support/squeezed_plate.hpp"

/// Convex polygons between flat jaws, by their diameter function (Goldberg 1993).

namespace graspmap::testing {

using Polygon = std::vector<Vec2>;

inline constexpr double kHalfTurn_rad = std::numbers::pi;

/// A polygon of 4 to 8 corners on an ellipse, or of twice as many that is its own image under half
/// a turn; no side is shorter than 3 mm.
inline Polygon random_convex_polygon(Random& random, bool of_half_turn) {
  for (;;) {
    const double a = random.uniform(12.0, 22.0);
    const double b = random.uniform(10.0, 18.0);
    const int corners = (of_half_turn ? 3 : 4) + random.index(of_half_turn ? 3 : 5);
    const double range = (of_half_turn ? 1.0 : 2.0) * std::numbers::pi;
    std::vector<double> angles;
    for (int k = 0; k < corners; ++k) angles.push_back(random.uniform(0.0, range));
    std::sort(angles.begin(), angles.end());
    Polygon polygon;
    for (const double angle : angles) polygon.push_back({a * std::cos(angle), b * std::sin(angle)});
    if (of_half_turn) {
      for (int k = 0; k < corners; ++k) polygon.push_back(-polygon[static_cast<std::size_t>(k)]);
    }
    double shortest = 1e9;
    double widest_gap = 0.0;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const Vec2& next = polygon[(k + 1) % polygon.size()];
      shortest = std::min(shortest, (next - polygon[k]).norm());
      if (k < angles.size()) {
        const double after = k + 1 < angles.size() ? angles[k + 1] : angles[0] + range;
        widest_gap = std::max(widest_gap, after - angles[k]);
      }
    }
    if (shortest > 3.0 && widest_gap < 0.8 * std::numbers::pi) return polygon;
  }
}

/// `squeezed_plate` with the corners of a polygon.
inline std::string squeezed_plate(const Polygon& polygon, const std::string& friction_jaw = "0",
                                  const std::string& friction_support = "0.05") {
  std::ostringstream corners;
  corners.precision(17);
  for (const Vec2& corner : polygon) corners << "[" << corner.x() << ", " << corner.y() << "], ";
  return squeezed_plate(corners.str(), friction_jaw, friction_support);
}

/// The polygon's extent in x when it is turned by an angle: its middle and its width.
struct Extent {
  double low = 0.0;
  double high = 0.0;
  [[nodiscard]] double width() const { return high - low; }
  [[nodiscard]] double middle() const { return 0.5 * (low + high); }
};
inline Extent extent_of(const Polygon& polygon, double angle) {
  Extent extent{1e9, -1e9};
  for (const Vec2& corner : polygon) {
    const double x = std::cos(angle) * corner.x() - std::sin(angle) * corner.y();
    extent.low = std::min(extent.low, x);
    extent.high = std::max(extent.high, x);
  }
  return extent;
}

/// The squeeze function of a polygon between jaws without friction that touch it at the same time:
/// from between two maxima of the diameter function to the minimum there. Angles in [0, pi) and one
/// more: a minimum lies between low[k] and high[k].
struct SqueezeSteps {
  std::vector<double> low, high, minimum;
};
inline SqueezeSteps squeeze_steps(const Polygon& polygon) {
  const auto width = [&](double angle) { return extent_of(polygon, angle).width(); };
  std::vector<double> minima;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Vec2 side = polygon[(k + 1) % polygon.size()] - polygon[k];
    double angle = 0.5 * kHalfTurn_rad - std::atan2(side.y(), side.x());  // the side is along y
    angle -= kHalfTurn_rad * std::floor(angle / kHalfTurn_rad);
    constexpr double kBeside = 1e-6;
    if (width(angle - kBeside) > width(angle) && width(angle + kBeside) > width(angle)) {
      minima.push_back(angle);
    }
  }
  std::sort(minima.begin(), minima.end());
  const auto same = [](double a, double b) { return b - a < 1e-9; };
  minima.erase(std::unique(minima.begin(), minima.end(), same), minima.end());
  SqueezeSteps steps;
  const std::size_t n = minima.size();
  std::vector<double> maxima;  // after each minimum
  for (std::size_t k = 0; k < n; ++k) {
    // Between two minima it rises, and then it falls.
    double from = minima[k];
    double to = k + 1 < n ? minima[k + 1] : minima[0] + kHalfTurn_rad;
    for (int i = 0; i < 100; ++i) {
      const double third = (to - from) / 3.0;
      if (width(from + third) < width(to - third)) {
        from += third;
      } else {
        to -= third;
      }
    }
    maxima.push_back(from);
  }
  for (std::size_t k = 0; k < n; ++k) {
    steps.minimum.push_back(minima[k]);
    steps.high.push_back(maxima[k]);
    steps.low.push_back(k > 0 ? maxima[k - 1] : maxima[n - 1] - kHalfTurn_rad);
  }
  return steps;
}

/// Goldberg's plan (1993, the algorithm of section 4).
struct GoldbergPlan {
  std::vector<double> turns_rad;  ///< of the gripper, before each squeeze
  double end_rad = 0.0;           ///< where the part ends
  double slack_rad = 1.0;  ///< by how much each image is narrower than the interval it is put into
};

/// Backwards from the widest step, each time the widest interval of steps whose image fits into the
/// one before; the gripper turns so that its middle comes to lie in the middle of that.
inline GoldbergPlan goldberg_plan(const SqueezeSteps& steps) {
  const int n = static_cast<int>(steps.minimum.size());
  const auto at = [&](const std::vector<double>& values, int k) {
    const int half_turns = k / n;
    return values[static_cast<std::size_t>(k % n)] + kHalfTurn_rad * half_turns;
  };
  struct Interval {
    int first = 0;
    int last = 0;
  };
  const auto width = [&](const Interval& i) {
    return at(steps.high, i.last) - at(steps.low, i.first);
  };
  const auto image = [&](const Interval& i) {
    return at(steps.minimum, i.last) - at(steps.minimum, i.first);
  };
  const auto widest_with = [&](double below) {
    Interval widest;
    double most = 0.0;
    for (int first = 0; first < n; ++first) {
      for (int last = first; last < first + n; ++last) {
        if (image({first, last}) >= below || width({first, last}) <= most) continue;
        most = width({first, last});
        widest = {first, last};
      }
    }
    return widest;
  };
  std::vector<Interval> backwards{widest_with(1e-12)};
  while (width(backwards.back()) < kHalfTurn_rad - 1e-9) {
    backwards.push_back(widest_with(width(backwards.back())));
  }
  GoldbergPlan plan{{0.0}, at(steps.minimum, backwards.front().first)};
  for (std::size_t k = backwards.size() - 1; k > 0; --k) {
    const Interval& from = backwards[k];
    const Interval& to = backwards[k - 1];
    const double image_middle =
        0.5 * (at(steps.minimum, from.first) + at(steps.minimum, from.last));
    plan.turns_rad.push_back(image_middle -
                             0.5 * (at(steps.low, to.first) + at(steps.high, to.last)));
    plan.slack_rad = std::min(plan.slack_rad, width(to) - image(from));
  }
  return plan;
}

inline Polygon rectangle_polygon(double width, double height) {
  return {{-0.5 * width, -0.5 * height},
          {0.5 * width, -0.5 * height},
          {0.5 * width, 0.5 * height},
          {-0.5 * width, 0.5 * height}};
}

inline Polygon regular_polygon(int corners, double radius) {
  Polygon polygon;
  for (int k = 0; k < corners; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / corners;
    polygon.push_back({radius * std::cos(angle), radius * std::sin(angle)});
  }
  return polygon;
}

}  // namespace graspmap::testing
