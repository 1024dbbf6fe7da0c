#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "geometry/elementary/elementary.hpp"
#include "grasp/base/solids/mesh.hpp"

namespace graspmap {
namespace {

/// Programs put the corners of a mesh on the curves that it replaces, up to this share of the
/// polygon's size: the last digits of single precision.
constexpr double kOnCurve = 1e-6;

/// Corners this near are one, mm.
constexpr double kSameCornerMm = 1e-9;

/// Chords of an arc, at least: two follow one always.
constexpr std::size_t kLeastChords = 3;

/// A corner that turns by more is no point of an arc.
constexpr double kSharpRad = 0.7;

/// How far points may be from a stroke that replaces their chords, and these.
struct FitTolerance {
  double point_mm;
  double chord_mm;
};

/// What replaces the chords from a point to another one; an arc of more than half a circle is two,
/// up to a point in its middle.
struct Fit {
  std::size_t end = 0;
  double bulge = 0.0;
  double error_mm = 0.0;
  std::size_t middle = 0;
  double first_bulge = 0.0;
};

/// Segments and arcs that replace a polygon, and its largest distance from them.
struct FittedPolygon {
  std::vector<SectionStroke> strokes;
  double error_mm = 0.0;
};

class PolygonFitter {
 public:
  explicit PolygonFitter(const Polygon2& polygon) {
    for (const Vec2& p : polygon) {
      if (points_.empty() || (p - points_.back()).norm() > kSameCornerMm) points_.push_back(p);
    }
    while (points_.size() > 1 && (points_.back() - points_.front()).norm() <= kSameCornerMm) {
      points_.pop_back();
    }
    Eigen::AlignedBox2d box;
    for (const Vec2& p : points_) box.extend(p);
    if (points_.size() > 2) on_curve_ = kOnCurve * box.sizes().maxCoeff();
  }

  FittedPolygon fit(double tolerance_mm) {
    FittedPolygon fitted;
    if (points_.size() < 3) return fitted;
    const double exact_mm = std::min(0.1 * tolerance_mm, on_curve_);
    tolerance_mm -= exact_mm;  // for what comes after
    // Where planes cut facets, points lie within the chords of curves: these go first.
    begin_at(break_of(true));
    Polygon2 corners;
    for (std::size_t at = 0; at + 1 < points_.size();) {
      corners.push_back(points_[at]);
      const Fit line = longest_line(at, points_.size() - 1, exact_mm);
      fitted.error_mm = std::max(fitted.error_mm, line.error_mm);
      at = line.end;
    }
    points_ = std::move(corners);
    if (points_.size() < 3) return {};
    const double within_chords_mm = std::exchange(fitted.error_mm, 0.0);
    begin_at(break_of(false));
    // What follows arcs exactly first; then what is left, within the tolerance.
    const std::size_t last = points_.size() - 1;
    for (std::size_t at = 0; at < last;) {
      if (const Fit arc = longest_arc(at, last, {exact_mm, tolerance_mm}); arc.end > at) {
        add(fitted, at, arc);
        at = arc.end;
        continue;
      }
      std::size_t end = at + 1;  // of the chords on no arc
      while (end < last && longest_arc(end, last, {exact_mm, tolerance_mm}).end == 0) ++end;
      while (at < end) {
        const Fit line = longest_line(at, end, tolerance_mm);
        const Fit arc = longest_arc(at, end, {tolerance_mm, tolerance_mm});
        const Fit& longer = arc.end > line.end ? arc : line;
        add(fitted, at, longer);
        at = longer.end;
      }
    }
    fitted.error_mm += within_chords_mm;
    return fitted;
  }

 private:
  /// The sharpest corner; where none is sharp, and one need not be taken, an end of the longest
  /// chord.
  [[nodiscard]] std::size_t break_of(bool corner) const {
    const std::size_t n = points_.size();
    std::size_t sharpest = 0;
    std::size_t longest_chord = 0;
    double most = -1.0;
    double length = -1.0;
    for (std::size_t k = 0; k < n; ++k) {
      const Vec2 before = points_[k] - points_[(k + n - 1) % n];
      const Vec2 after = points_[(k + 1) % n] - points_[k];
      const double turn =
          std::abs(elementary::atan2(graspmap::cross(before, after), before.dot(after)));
      if (turn > most) {
        most = turn;
        sharpest = k;
      }
      if (after.norm() > length) {
        length = after.norm();
        longest_chord = k;
      }
    }
    return corner || most > kSharpRad ? sharpest : longest_chord;
  }

  /// Makes a point the first one, and the last.
  void begin_at(std::size_t first) {
    std::rotate(points_.begin(), points_.begin() + static_cast<std::ptrdiff_t>(first),
                points_.end());
    points_.push_back(points_.front());
  }

  void add(FittedPolygon& fitted, std::size_t at, const Fit& fit) const {
    const std::size_t middle = fit.middle;
    if (middle > 0) fitted.strokes.push_back({points_[at], points_[middle], fit.first_bulge});
    fitted.strokes.push_back({points_[middle > 0 ? middle : at], points_[fit.end], fit.bulge});
    fitted.error_mm = std::max(fitted.error_mm, fit.error_mm);
  }

  [[nodiscard]] Fit longest_line(std::size_t begin, std::size_t last, double tolerance_mm) const {
    return farthest(begin, last, 1,
                    [&](std::size_t end) { return line_fit(begin, end, tolerance_mm); });
  }

  /// Its end is 0 where no arc replaces three chords.
  [[nodiscard]] Fit longest_arc(std::size_t begin, std::size_t last,
                                const FitTolerance& tolerance) const {
    return farthest(begin, last, kLeastChords,
                    [&](std::size_t end) { return arc_fit(begin, end, tolerance); });
  }

  /// The last end for which `fits` has an answer, by doubling and halving steps.
  template <typename Fits>
  [[nodiscard]] static Fit farthest(std::size_t begin, std::size_t last, std::size_t least,
                                    const Fits& fits) {
    Fit best;
    std::size_t step = least;
    while (begin + step <= last) {
      const std::optional<Fit> fit = fits(begin + step);
      if (!fit) break;
      best = *fit;
      if (begin + step == last) return best;
      step = std::min(2 * step, last - begin);
    }
    if (best.end == 0) return best;
    std::size_t refused = begin + step;
    while (refused - best.end > 1) {
      const std::size_t middle = best.end + (refused - best.end) / 2;
      if (const std::optional<Fit> fit = fits(middle)) {
        best = *fit;
      } else {
        refused = middle;
      }
    }
    return best;
  }

  [[nodiscard]] std::optional<Fit> line_fit(std::size_t begin, std::size_t end,
                                            double tolerance_mm) const {
    const Vec2 along = (points_[end] - points_[begin]).normalized();
    Fit fit;
    fit.end = end;
    if (end == begin + 1) return fit;
    double reached = 0.0;
    for (std::size_t k = begin + 1; k <= end; ++k) {
      const Vec2 offset = points_[k] - points_[begin];
      const double forward = along.dot(offset);
      if (!(forward > reached)) return std::nullopt;
      reached = forward;
      fit.error_mm = std::max(fit.error_mm, std::abs(graspmap::cross(along, offset)));
    }
    if (fit.error_mm > tolerance_mm) return std::nullopt;
    return fit;
  }

  [[nodiscard]] std::optional<Fit> arc_fit(std::size_t begin, std::size_t end,
                                           const FitTolerance& tolerance) const {
    const bool is_whole = points_[begin] == points_[end];
    const std::size_t chords = end - begin;
    const Vec2& a = points_[begin];
    const Vec2 u = points_[begin + (is_whole ? chords / 3 : chords / 2)] - a;
    const Vec2 v = points_[is_whole ? begin + 2 * chords / 3 : end] - a;
    const double twice = 2.0 * graspmap::cross(u, v);
    const Vec2 to_center = Vec2(v.y() * u.squaredNorm() - u.y() * v.squaredNorm(),
                                u.x() * v.squaredNorm() - v.x() * u.squaredNorm()) /
                           twice;
    const double r = to_center.norm();
    if (!std::isfinite(r)) return std::nullopt;
    const Vec2 center = a + to_center;
    const double sense = twice > 0.0 ? 1.0 : -1.0;
    Fit fit;
    fit.end = end;
    double turn = 0.0;
    double first_turn = 0.0;
    double most_off = 0.0;
    const std::size_t middle = begin + chords / 2;
    for (std::size_t k = begin; k < end; ++k) {
      const Vec2 from = points_[k] - center;
      const Vec2 to = points_[k + 1] - center;
      const double step = sense * elementary::atan2(graspmap::cross(from, to), from.dot(to));
      const double off = std::abs(to.norm() - r);
      if (!(step > 0.0 && step <= kSharpRad && off <= tolerance.point_mm)) return std::nullopt;
      turn += step;
      if (k + 1 == middle) first_turn = turn;
      // A chord is nearest to the center at its foot, and farthest at its ends.
      const Vec2 chord = to - from;
      const double foot = std::clamp(-from.dot(chord) / chord.squaredNorm(), 0.0, 1.0);
      most_off = std::max(most_off, off);
      fit.error_mm = std::max({fit.error_mm, off, r - (from + foot * chord).norm()});
    }
    if (fit.error_mm > tolerance.chord_mm || turn > 2.0 * M_PI + kOnCurve) return std::nullopt;
    if (turn > M_PI + kOnCurve) {
      if (most_off > on_curve_) return std::nullopt;  // its middle must lie on it
      fit.middle = middle;
      fit.first_bulge = sense * elementary::tan(first_turn / 4);
      turn -= first_turn;
    }
    fit.bulge = sense * elementary::tan(turn / 4);
    return fit;
  }

  Polygon2 points_;
  double on_curve_ = 0.0;
};

/// A polygon that could do with half as many strokes has more than these.
constexpr std::size_t kManyStrokes = 12;

}  // namespace

SolidSection section_of(const std::vector<Polygon2>& polygons, double tolerance_mm) {
  const auto fitted = [&](double tolerance) {
    SolidSection section;
    for (const Polygon2& polygon : polygons) {
      const FittedPolygon fit = PolygonFitter(polygon).fit(tolerance);
      section.curves.insert(section.curves.end(), fit.strokes.begin(), fit.strokes.end());
      section.deviation_mm = std::max(section.deviation_mm, fit.error_mm);
    }
    return section;
  };
  SolidSection section = fitted(tolerance_mm);
  for (const double factor : {2.0, 5.0, 10.0, 20.0, 50.0}) {
    if (section.curves.size() <= kManyStrokes) break;
    if (2 * fitted(factor * tolerance_mm).curves.size() > section.curves.size()) continue;
    section.smoother_mm = factor * tolerance_mm;
    break;
  }
  return section;
}

}  // namespace graspmap
