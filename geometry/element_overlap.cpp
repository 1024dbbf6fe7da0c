#include "geometry/element_overlap.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "geometry/elementary/elementary.hpp"
#include "geometry/tolerances.hpp"

namespace graspmap {
namespace {

using Kind = ContactElement::Kind;

/// The superellipse's gauge (|x/a|^e + |y/b|^e)^(1/e): 1 on the boundary, convex, and as large as a
/// point is far away.
struct GaugeAt {
  double value = 0.0;
  Vec2 gradient{0, 0};

  /// True for a point within that is deeper than `depth_mm` to first order, and at least then.
  [[nodiscard]] bool is_deep(double depth_mm) const {
    return value < 1.0 && 1.0 - value > depth_mm * gradient.norm();
  }
};

GaugeAt gauge_at(const Superellipse& shape, const Vec2& x) {
  const double X = std::abs(x.x()) / shape.a_mm;
  const double Y = std::abs(x.y()) / shape.b_mm;
  const double most = std::max(X, Y);
  if (most == 0.0) return {};
  const double ratio = std::min(X, Y) / most;
  const bool round = shape.exponent == 2.0;
  const double power = round ? ratio * ratio : elementary::pow(ratio, shape.exponent);
  const double root =
      round ? std::sqrt(1.0 + power) : elementary::pow(1.0 + power, 1.0 / shape.exponent);
  const double large = root / (1.0 + power);
  const double small = ratio > 0.0 ? large * power / ratio : 0.0;
  return {most * root,
          {std::copysign(X >= Y ? large : small, x.x()) / shape.a_mm,
           std::copysign(X >= Y ? small : large, x.y()) / shape.b_mm}};
}

/// A superellipse that curves in its own axes may cut.
class Cut {
 public:
  Cut(const Superellipse& shape, double radius_mm, double depth_mm)
      : shape_(shape), depth_mm_(depth_mm), radius_mm_(radius_mm) {}

  /// True when the segment from `begin` to `end` has a point that is deep enough.
  [[nodiscard]] bool segment(const Vec2& begin, const Vec2& end) const {
    const Vec2 chord = end - begin;
    double from = 0.0;
    double to = 1.0;
    if (!clip(begin.x(), chord.x(), shape_.a_mm, from, to)) return false;
    if (!clip(begin.y(), chord.y(), shape_.b_mm, from, to)) return false;
    const Vec2 n = perp(chord).normalized();
    if (n.dot(support_point(shape_, n)) - std::abs(n.dot(begin)) <= depth_mm_) return false;
    return any_deep(begin + from * chord, begin + to * chord);
  }

  /// True when the arc of a circle, counter-clockwise from the direction `from` to `to` by at most
  /// a quarter turn, has such a point. Its region is within the circle, or without: within it is a
  /// polyline of chords, or of tangents.
  [[nodiscard]] bool arc(const Vec2& center, double radius, const Vec2& from, const Vec2& to,
                         bool hollow) const {
    const Vec2 middle = (from + to).normalized();
    const double cosine = middle.dot(from);
    const Vec2 begin = center + radius * from;
    const Vec2 end = center + radius * to;
    const Vec2 corner = center + radius / cosine * middle;
    const bool on_chord = segment(begin, end);
    if (on_chord && !hollow) return true;
    const bool on_tangents = segment(begin, corner) || segment(corner, end);
    if (on_tangents && hollow) return true;
    if (radius * (1.0 - cosine) <= depth_mm_) return false;
    if (!on_chord && !on_tangents && !holds_centre(begin, corner, end)) return false;
    return arc(center, radius, from, middle, hollow) || arc(center, radius, middle, to, hollow);
  }

  /// True when the whole disc is clear of the superellipse.
  [[nodiscard]] bool is_clear_of_disc(const Vec2& center, double radius) const {
    if (gauge_at(shape_, center).value <= 1.0) return false;
    const Vec2 nearest = closest_boundary_point(shape_, center).position_mm;
    return radius - (nearest - center).norm() <= depth_mm_;
  }

 private:
  /// Leaves of the shares of a segment those that are within `half` of 0 in one coordinate. False
  /// when no share is left.
  static bool clip(double begin, double change, double half, double& from, double& to) {
    if (change == 0.0) return std::abs(begin) < half;
    const double a = (-half - begin) / change;
    const double b = (half - begin) / change;
    from = std::max(from, std::min(a, b));
    to = std::min(to, std::max(a, b));
    return from < to;
  }

  /// The tangents at two points of a convex function bound its least value in between.
  [[nodiscard]] bool any_deep(const Vec2& begin, const Vec2& end) const {
    struct At {
      double s, value, slope;
    };
    bool deep = false;
    const auto at = [&](double s) {
      const GaugeAt gauge = gauge_at(shape_, begin + s * (end - begin));
      deep = deep || gauge.is_deep(depth_mm_);
      return At{s, gauge.value, gauge.gradient.dot(end - begin)};
    };
    At lo = at(0.0);
    At hi = at(1.0);
    // A point of a smaller depth has a larger value.
    const double enough = 1.0 - depth_mm_ / radius_mm_;
    for (int k = 0; k < tolerances::kMostIterations && !deep && lo.slope < 0.0 && hi.slope > 0.0;
         ++k) {
      const double s =
          (lo.value - hi.value + hi.slope * hi.s - lo.slope * lo.s) / (hi.slope - lo.slope);
      if (lo.value + lo.slope * (s - lo.s) >= enough) return false;
      const double middle = 0.5 * (lo.s + hi.s);
      const At next = at(k % 2 == 0 && s > lo.s && s < hi.s ? s : middle);
      (next.slope < 0.0 ? lo : hi) = next;
    }
    return deep;
  }

  [[nodiscard]] static bool holds_centre(const Vec2& a, const Vec2& b, const Vec2& c) {
    const double ab = cross(a, b);
    const double bc = cross(b, c);
    const double ca = cross(c, a);
    return (ab >= 0.0 && bc >= 0.0 && ca >= 0.0) || (ab <= 0.0 && bc <= 0.0 && ca <= 0.0);
  }

  const Superellipse& shape_;
  double depth_mm_;
  double radius_mm_;  ///< of a circle about the superellipse
};

/// How far a point is behind an element's line or circle, mm.
double behind_mm(const ContactElement& e, const Vec2& x) {
  if (e.kind == Kind::kSegment) return -e.normal_lo.dot(x - e.point_mm);
  const double inside = e.radius_mm - (x - e.point_mm).norm();
  return e.kind == Kind::kHollow ? -inside : inside;
}

/// The direction in which that grows.
Vec2 inward(const ContactElement& e, const Vec2& x) {
  if (e.kind == Kind::kSegment) return -e.normal_lo;
  const Vec2 out = (x - e.point_mm).normalized();
  return e.kind == Kind::kHollow ? out : Vec2(-out);
}

/// True when an arc has a point in a direction from its centre.
bool has_direction(const ContactElement& arc, const Vec2& w) {
  const Vec2 u = arc.kind == Kind::kHollow ? Vec2(-w) : w;
  return range_of(arc, u, 0.0) == NormalRange::kInside;
}

/// A curve along its tangent, or counter-clockwise along an arc: `to` mm or rad from its begin.
struct Track {
  const ContactElement& e;

  [[nodiscard]] bool straight() const { return e.kind == Kind::kSegment; }
  [[nodiscard]] double end() const { return straight() ? e.length_mm : e.span_rad; }
  [[nodiscard]] Vec2 spoke() const {
    return e.kind == Kind::kHollow ? Vec2(-e.normal_lo) : e.normal_lo;
  }
  /// Just before an arc it is just below 0.
  [[nodiscard]] double at_direction(const Vec2& w) const {
    const double angle = elementary::atan2(cross(spoke(), w), spoke().dot(w));
    const double next = angle + 2.0 * std::numbers::pi;
    return angle < 0.0 && next - e.span_rad < -angle ? next : angle;
  }
  [[nodiscard]] double at_point(const Vec2& x) const {
    return straight() ? e.tangent.dot(x - e.point_mm) : at_direction(x - e.point_mm);
  }
  [[nodiscard]] Vec2 point(double at) const {
    if (straight()) return e.point_mm + at * e.tangent;
    return e.point_mm + e.radius_mm * (Rotation2(at) * spoke());
  }
  [[nodiscard]] Vec2 tangent(const Vec2& x) const {
    return straight() ? e.tangent : perp(x - e.point_mm);
  }
  [[nodiscard]] bool has(const Vec2& x) const {
    if (!straight()) return has_direction(e, (x - e.point_mm).normalized());
    const double along = at_point(x);
    return along >= 0.0 && along <= e.length_mm;
  }
  /// Where the curve's line or circle is furthest behind f's; < 0 for nowhere.
  [[nodiscard]] double furthest_behind(const ContactElement& f) const {
    if (straight()) {
      return f.kind == Kind::kRound ? at_point(f.point_mm) : -1.0;
    }
    if (f.kind == Kind::kSegment) return at_direction(-f.normal_lo);
    const Vec2 between = f.point_mm - e.point_mm;
    return at_direction(f.kind == Kind::kRound ? between : Vec2(-between));
  }
};

/// Where the lines or circles of two elements meet.
struct Meetings {
  std::array<Vec2, 2> points;
  int count = 0;

  void add(const Vec2& x) { points[static_cast<std::size_t>(count++)] = x; }
};

void meet_circle(const ContactElement& line, const ContactElement& circle, Meetings& found) {
  const Vec2 from_center = line.point_mm - circle.point_mm;
  const double foot = -line.tangent.dot(from_center);
  const double distance = line.normal_lo.dot(from_center);
  const double square = circle.radius_mm * circle.radius_mm - distance * distance;
  if (square < 0.0) return;
  for (const double half : {-std::sqrt(square), std::sqrt(square)}) {
    found.add(line.point_mm + (foot + half) * line.tangent);
  }
}

void meet_circles(const ContactElement& a, const ContactElement& b, Meetings& found) {
  const Vec2 between = b.point_mm - a.point_mm;
  const double d = between.norm();
  if (d == 0.0) return;
  const Vec2 along = between / d;
  // (d^2 + r_a^2 - r_b^2) / 2d without squares that nearly cancel.
  const double x = 0.5 * (d + (a.radius_mm - b.radius_mm) * (a.radius_mm + b.radius_mm) / d);
  const double square = a.radius_mm * a.radius_mm - x * x;
  if (square < 0.0) return;
  for (const double half : {-std::sqrt(square), std::sqrt(square)}) {
    found.add(a.point_mm + x * along + half * perp(along));
  }
}

Meetings meetings_of(const ContactElement& a, const ContactElement& b) {
  Meetings found;
  const bool straight_a = a.kind == Kind::kSegment;
  const bool straight_b = b.kind == Kind::kSegment;
  if (straight_a && straight_b) {
    const double sine = cross(a.tangent, b.tangent);
    if (sine == 0.0) return found;
    const double along = cross(b.point_mm - a.point_mm, b.tangent) / sine;
    found.add(a.point_mm + along * a.tangent);
  } else if (straight_a) {
    meet_circle(a, b, found);
  } else if (straight_b) {
    meet_circle(b, a, found);
  } else {
    meet_circles(a, b, found);
  }
  return found;
}

/// How far the curve of e gets behind the line or circle of f, mm, from where they meet to where it
/// ends or meets f's again.
double most_behind_mm(const ContactElement& e, const ContactElement& f, const Meetings& meetings,
                      int k) {
  const Track track{e};
  const Vec2& x = meetings.points[static_cast<std::size_t>(k)];
  const bool forwards = track.tangent(x).dot(inward(f, x)) > 0.0;
  const double from = track.at_point(x);
  double last = forwards ? track.end() : 0.0;
  const auto is_on_the_way = [&](double at) {
    return forwards ? at > from && at < last : at < from && at > last;
  };
  if (meetings.count == 2) {
    const double other = track.at_point(meetings.points[static_cast<std::size_t>(1 - k)]);
    if (is_on_the_way(other)) last = other;
  }
  double most = behind_mm(f, track.point(last));
  const double furthest = track.furthest_behind(f);
  if (is_on_the_way(furthest)) most = std::max(most, behind_mm(f, track.point(furthest)));
  return most;
}

bool overlap(const ContactElement& a, const ContactElement& b, double depth_mm) {
  const Meetings meetings = meetings_of(a, b);
  for (int k = 0; k < meetings.count; ++k) {
    const Vec2& x = meetings.points[static_cast<std::size_t>(k)];
    if (Track{a}.has(x) && Track{b}.has(x) && most_behind_mm(a, b, meetings, k) > depth_mm &&
        most_behind_mm(b, a, meetings, k) > depth_mm) {
      return true;
    }
  }
  return false;
}

bool is_corner(const ContactElement& e) { return e.kind != Kind::kSegment && e.radius_mm == 0.0; }

}  // namespace

bool cuts(const ContactElement& element, const Superellipse& shape, double radius_mm,
          const RelativePose& X_FA, double depth_mm) {
  if (is_corner(element)) return false;
  const Cut cut(shape, radius_mm, depth_mm);
  const auto to_A = [&](const Vec2& x_F) { return X_FA.R.inverse_times(x_F - X_FA.p_mm); };
  if (element.kind == Kind::kSegment) return cut.segment(to_A(element.lo_mm), to_A(element.hi_mm));
  const bool hollow = element.kind == Kind::kHollow;
  const Vec2 center = to_A(element.point_mm);
  if (!hollow && cut.is_clear_of_disc(center, element.radius_mm)) return false;
  const Rotation2 part(element.span_rad /
                       std::max(1.0, std::ceil(element.span_rad / (0.5 * std::numbers::pi))));
  const double side = hollow ? -1.0 : 1.0;
  Vec2 from = X_FA.R.inverse_times(side * element.normal_lo);
  for (double done = 0.0; done < element.span_rad - tolerances::kRounding;) {
    const Vec2 to = part * from;
    if (cut.arc(center, element.radius_mm, from, to, hollow)) return true;
    done += elementary::atan2(part.s, part.c);
    from = to;
  }
  return false;
}

bool cuts(const ContactElement& a, const ContactElement& b, const RelativePose& X_FB,
          double depth_mm) {
  if (is_corner(a) || is_corner(b)) return false;
  ContactElement moved = b;
  for (Vec2* point : {&moved.point_mm, &moved.lo_mm, &moved.hi_mm}) {
    *point = X_FB.p_mm + X_FB.R * *point;
  }
  for (Vec2* direction : {&moved.tangent, &moved.normal_lo, &moved.normal_hi}) {
    *direction = X_FB.R * *direction;
  }
  return overlap(a, moved, depth_mm);
}

double distance_mm(const ContactElement& element, const Vec2& x_mm) {
  const Vec2 from = x_mm - element.point_mm;
  if (element.kind == Kind::kSegment) {
    const double foot = std::clamp(element.tangent.dot(from), 0.0, element.length_mm);
    return (from - foot * element.tangent).norm();
  }
  const double r = from.norm();
  if (r > 0.0 && has_direction(element, from / r)) return std::abs(r - element.radius_mm);
  return std::min((x_mm - element.lo_mm).norm(), (x_mm - element.hi_mm).norm());
}

}  // namespace graspmap
