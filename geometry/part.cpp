#include "geometry/part.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "geometry/assert.hpp"
#include "geometry/elementary/elementary.hpp"
#include "geometry/outline.hpp"
#include "geometry/tolerances.hpp"
#include "geometry/types.hpp"

namespace graspmap {

int feature_count(const Part& part) { return first_feature(part, part.outlines.size()); }

int first_feature(const Part& part, std::size_t outline) {
  std::size_t feature = part.pieces.size();
  for (std::size_t k = 0; k < outline; ++k) feature += 2 * part.outlines[k].outline.outer.size();
  return static_cast<int>(feature);
}

std::string feature_name(const Part& part, int feature) {
  GRASPMAP_CHECK(feature >= 0 && feature < feature_count(part));
  if (index(feature) < part.pieces.size()) return part.pieces[index(feature)].name;
  std::size_t k = index(feature) - part.pieces.size();
  std::size_t outline = 0;
  for (; k >= 2 * part.outlines[outline].outline.outer.size(); ++outline) {
    k -= 2 * part.outlines[outline].outline.outer.size();
  }
  const OutlinePiece& piece = part.outlines[outline];
  const std::size_t n = piece.outline.outer.size();
  const std::string name =
      k < n ? element_name(piece.outline.outer, k) : corner_name(piece.outline.outer, k - n);
  const bool alone = part.pieces.empty() && part.outlines.size() == 1;
  return alone ? name : piece.name + ": " + name;
}

bool contains(const Part& part, const Vec2& x_P_mm) {
  const auto within_piece = [&](const Piece& piece) {
    return value(piece.shape, inverse_transform(piece.pose, x_P_mm)) <= 0.0;
  };
  const auto within_outline = [&](const OutlinePiece& piece) {
    return contains(piece.outline, inverse_transform(piece.pose, x_P_mm));
  };
  return std::any_of(part.pieces.begin(), part.pieces.end(), within_piece) ||
         std::any_of(part.outlines.begin(), part.outlines.end(), within_outline);
}

double bounding_radius_mm(const Part& part, const Vec2& center_P_mm) {
  double radius = 0.0;
  for (const Piece& piece : part.pieces) {
    const double distance = (piece.pose.position_mm - center_P_mm).norm();
    radius = std::max(radius, distance + piece.shape.bounding_radius_mm());
  }
  for (const OutlinePiece& piece : part.outlines) {
    const Vec2 center_mm = inverse_transform(piece.pose, center_P_mm);
    for (const OutlineCurve& curve : outline_curves(piece.outline.outer)) {
      radius = std::max(radius, farthest_mm(curve, center_mm));
    }
  }
  return radius;
}

namespace {

/// Outwards: chains have the region on their left.
Vec2 outwards_at(const OutlineCurve& curve, double s) { return -perp(tangent_at(curve, s)); }

double sign_of_turn(const OutlineCurve& arc) { return arc.turn_rad > 0.0 ? 1.0 : -1.0; }

/// How far outside of a curve, as if it had no ends, a point lies, mm; and the gradient of that.
double outside_mm(const OutlineCurve& curve, const Vec2& x_mm, Vec2& outwards) {
  if (!curve.is_arc()) {
    outwards = outwards_at(curve, 0.0);
    return outwards.dot(x_mm - curve.begin_mm);
  }
  const Vec2 spoke = x_mm - curve.center_mm;
  outwards = sign_of_turn(curve) * spoke.normalized();
  return sign_of_turn(curve) * (spoke.norm() - curve.radius_mm);
}

/// Where two neighbours meet once both lie `offset_mm` further out: Newton's method from where
/// their tangents would. Nothing when they do not meet.
std::optional<Vec2> moved_joint(const OutlineCurve& before, const OutlineCurve& after,
                                double offset_mm) {
  const Vec2 m = outwards_at(before, 1.0);
  const Vec2 n = outwards_at(after, 0.0);
  Vec2 x = after.begin_mm + offset_mm / (1.0 + m.dot(n)) * (m + n);
  const double rounding = tolerances::kOversizeRounding *
                          (std::abs(offset_mm) + before.length_mm() + after.length_mm());
  for (int k = 0; k < tolerances::kMostIterations; ++k) {
    Vec2 g;
    Vec2 h;
    const double f = outside_mm(before, x, g) - offset_mm;
    const double e = outside_mm(after, x, h) - offset_mm;
    if (std::abs(f) <= rounding && std::abs(e) <= rounding) return x;
    const double determinant = cross(g, h);
    const Vec2 step = (f * perp(h) - e * perp(g)) / determinant;
    if (!step.allFinite()) return {};
    x += step;
  }
  return {};
}

/// The angle from one spoke of an arc to another, rad.
double angle_between(const Vec2& from, const Vec2& to) {
  return elementary::atan2(cross(from, to), from.dot(to));
}

/// Gives element k of a moved chain the bulge that it has between its new ends. False when it
/// vanishes.
bool fit_element(const OutlineLoop& drawn, std::size_t k, double offset_mm, OutlineLoop& grown) {
  const OutlineCurve old = outline_curve(drawn, k);
  const Vec2& begin = grown[k].begin_mm;
  const Vec2& end = grown[(k + 1) % grown.size()].begin_mm;
  if (!old.is_arc()) return (end - begin).dot(old.end_mm - old.begin_mm) > 0.0;
  if (old.radius_mm + sign_of_turn(old) * offset_mm <= 0.0) return false;
  const double turn = old.turn_rad +
                      angle_between(old.end_mm - old.center_mm, end - old.center_mm) -
                      angle_between(old.begin_mm - old.center_mm, begin - old.center_mm);
  if (turn * sign_of_turn(old) <= 0.0 || std::abs(turn) >= 2.0 * std::numbers::pi) return false;
  grown[k].bulge = elementary::tan(0.25 * turn);
  return true;
}

/// The element that vanishes; nothing when none does. `grown` is a copy of the chain.
std::optional<std::size_t> grow(const OutlineLoop& drawn, double offset_mm, OutlineLoop& grown) {
  OutlineCurve before = outline_curve(drawn, drawn.size() - 1);
  for (std::size_t k = 0; k < drawn.size(); ++k) {
    const OutlineCurve after = outline_curve(drawn, k);
    const std::optional<Vec2> joint = moved_joint(before, after, offset_mm);
    if (!joint) return k;
    grown[k].begin_mm = *joint;
    before = after;
  }
  for (std::size_t k = 0; k < drawn.size(); ++k) {
    if (!fit_element(drawn, k, offset_mm, grown)) return k;
  }
  return {};
}

std::string grow(const OutlinePiece& drawn, double offset_mm, OutlinePiece& grown) {
  if (const auto k = grow(drawn.outline.outer, offset_mm, grown.outline.outer)) {
    return element_name(drawn.outline.outer, *k) + " of \"" + drawn.name + "\"";
  }
  for (std::size_t hole = 0; hole < drawn.outline.holes.size(); ++hole) {
    const OutlineLoop& loop = drawn.outline.holes[hole];
    if (const auto k = grow(loop, offset_mm, grown.outline.holes[hole])) {
      return element_name(loop, *k) + " of hole " + std::to_string(hole + 1) + " of \"" +
             drawn.name + "\"";
    }
  }
  return {};
}

}  // namespace

std::string oversize(const Part& drawn, double offset_mm, Part& grown) {
  grown = drawn;
  if (offset_mm == 0.0) return {};
  for (Piece& piece : grown.pieces) {
    piece.shape.a_mm += offset_mm;
    piece.shape.b_mm += offset_mm;
    if (!(std::min(piece.shape.a_mm, piece.shape.b_mm) > 0.0)) return "\"" + piece.name + "\"";
  }
  for (std::size_t k = 0; k < drawn.outlines.size(); ++k) {
    std::string vanishes = grow(drawn.outlines[k], offset_mm, grown.outlines[k]);
    if (!vanishes.empty()) return vanishes;
  }
  return {};
}

bool has_friction_factors(const Part& part) {
  const auto has = [](const auto& piece) { return piece.friction_factor != 1.0; };
  return std::any_of(part.pieces.begin(), part.pieces.end(), has) ||
         std::any_of(part.outlines.begin(), part.outlines.end(), has);
}

double friction_factor(const Part& part, int feature) {
  GRASPMAP_ASSERT(feature >= 0 && feature < feature_count(part));
  if (index(feature) < part.pieces.size()) return part.pieces[index(feature)].friction_factor;
  std::size_t k = part.outlines.size() - 1;
  while (k > 0 && feature < first_feature(part, k)) --k;
  return part.outlines[k].friction_factor;
}

}  // namespace graspmap
