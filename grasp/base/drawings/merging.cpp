#include <algorithm>
#include <cmath>
#include <optional>

#include "geometry/elementary/elementary.hpp"
#include "grasp/base/drawings/joining.hpp"

namespace graspmap {
namespace {

/// How far a merged stroke may be from those that it replaces, mm: the last digits of files.
constexpr double kMergedErrorMm = 1e-6;

/// Each stroke is compared with all that it replaces.
constexpr std::size_t kMostMerged = 500;

constexpr double kHalfCircle = M_PI * (1.0 + 1e-9);

/// Strokes that follow each other and lie on a line or a circle, in place of which `merged` stands.
struct Run {
  Stroke merged;
  std::vector<Vec2> joints;
};

bool lies_on(const OutlineCurve& curve, const Vec2& point) {
  if (curve.is_arc()) {
    return std::abs((point - curve.center_mm).norm() - curve.radius_mm) <= kMergedErrorMm;
  }
  const Vec2 chord = curve.end_mm - curve.begin_mm;
  return std::abs(cross(chord, point - curve.begin_mm)) <= kMergedErrorMm * chord.norm();
}

/// The stroke in place of a run and the one after it, if there is one.
std::optional<Stroke> joined(const Run& run, const Stroke& next) {
  const Stroke& last = run.merged;
  if (last.layer != next.layer || (last.bulge == 0.0) != (next.bulge == 0.0)) return std::nullopt;
  if (last.bulge * next.bulge < 0.0 || run.joints.size() >= kMostMerged) return std::nullopt;
  const OutlineCurve a = outline_curve(last.begin_mm, last.end_mm, last.bulge);
  const OutlineCurve b = outline_curve(next.begin_mm, next.end_mm, next.bulge);
  const double turn = a.turn_rad + b.turn_rad;
  if (std::abs(turn) > kHalfCircle || tangent_at(a, 1.0).dot(tangent_at(b, 0.0)) <= 0.0) {
    return std::nullopt;
  }
  Stroke both = last;
  both.end_mm = next.end_mm;
  both.bulge = elementary::tan(0.25 * turn);
  const OutlineCurve whole = outline_curve(both.begin_mm, both.end_mm, both.bulge);
  if (whole.is_arc() && (std::abs(a.radius_mm - whole.radius_mm) > kMergedErrorMm ||
                         std::abs(b.radius_mm - whole.radius_mm) > kMergedErrorMm)) {
    return std::nullopt;
  }
  const bool fits = lies_on(whole, next.begin_mm) &&
                    std::all_of(run.joints.begin(), run.joints.end(),
                                [&](const Vec2& joint) { return lies_on(whole, joint); });
  return fits ? std::optional(both) : std::nullopt;
}

}  // namespace

int merge_strokes(ClosedChain& chain) {
  const std::size_t before = chain.size();
  std::vector<Run> runs;
  for (const Stroke& stroke : chain) {
    const auto both = runs.empty() ? std::nullopt : joined(runs.back(), stroke);
    if (!both) {
      runs.push_back({stroke, {}});
      continue;
    }
    runs.back().joints.push_back(stroke.begin_mm);
    runs.back().merged = *both;
  }
  // Around the chain's begin.
  if (runs.size() > 2 && runs.front().joints.empty()) {
    if (const auto both = joined(runs.back(), runs.front().merged)) {
      runs.back().merged = *both;
      runs.erase(runs.begin());
    }
  }
  chain.clear();
  for (const Run& run : runs) chain.push_back(run.merged);
  return static_cast<int>(before - chain.size());
}

}  // namespace graspmap
