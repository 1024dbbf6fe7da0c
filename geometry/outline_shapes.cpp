#include "geometry/outline_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "geometry/assert.hpp"
#include "geometry/elementary/elementary.hpp"
#include "geometry/outline.hpp"
#include "geometry/tolerances.hpp"
#include "geometry/types.hpp"

namespace graspmap {
OutlineLoop reversed(const OutlineLoop& loop) {
  const std::size_t n = loop.size();
  OutlineLoop chain(n);
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t old = n - 1 - k;
    chain[k] = {loop[(n - k) % n].begin_mm, -loop[old].bulge, element_name(loop, old)};
  }
  return chain;
}

Outline oriented(Outline outline) {
  if (signed_area_mm2(outline.outer) < 0.0) outline.outer = reversed(outline.outer);
  for (OutlineLoop& hole : outline.holes) {
    if (signed_area_mm2(hole) > 0.0) hole = reversed(hole);
  }
  return outline;
}

namespace {

constexpr double kQuarterTurn = std::numbers::sqrt2 - 1.0;  ///< tan(pi / 8): the bulge of an arc

/// From the top edge to below the tip.
void add_tip(const FingerShape& shape, const char* inside, OutlineLoop& loop) {
  const double x_mm = shape.step_depth_mm;
  const double top_mm = shape.top_mm();
  if (shape.tip_radius_mm > 0.0) {
    loop.push_back({{x_mm + shape.tip_radius_mm, top_mm}, kQuarterTurn, "tip"});
  } else if (shape.tip_chamfer_mm > 0.0) {
    loop.push_back({{x_mm + shape.tip_chamfer_mm, top_mm}, 0.0, "chamfer"});
  }
  loop.push_back({{x_mm, top_mm - shape.tip_height_mm()}, 0.0, inside});
}

void add_groove(const FingerShape& shape, OutlineLoop& loop) {
  const double y_mm = shape.groove_position_mm;
  const double half_mm = shape.groove_half_height_mm();
  if (shape.groove_radius_mm > 0.0) {
    // The bulge of an arc is its height over half its chord.
    loop.push_back({{0.0, y_mm + half_mm}, -shape.groove_depth_mm / half_mm, "groove"});
  } else {
    loop.push_back({{0.0, y_mm + half_mm}, 0.0, "groove_upper"});
    loop.push_back({{shape.groove_depth_mm, y_mm}, 0.0, "groove_lower"});
  }
  loop.push_back({{0.0, y_mm - half_mm}, 0.0, "inside"});
}

/// From a pad's inside to its outside.
void add_lower_tip(const FingerShape& shape, OutlineLoop& loop) {
  const double bottom_mm = -shape.top_mm();
  if (shape.tip_radius_mm > 0.0) {
    loop.push_back({{0.0, shape.inside_end_mm()}, kQuarterTurn, "tip_lower"});
  } else if (shape.tip_chamfer_mm > 0.0) {
    loop.push_back({{0.0, shape.inside_end_mm()}, 0.0, "chamfer_lower"});
  }
  loop.push_back({{std::max(shape.tip_radius_mm, shape.tip_chamfer_mm), bottom_mm}, 0.0, "base"});
}

/// Where features meet, the element between them has no length.
void drop_zero_lengths(OutlineLoop& loop) {
  OutlineLoop kept;
  for (std::size_t k = 0; k < loop.size(); ++k) {
    if (loop[k].begin_mm != loop[(k + 1) % loop.size()].begin_mm) kept.push_back(loop[k]);
  }
  loop = std::move(kept);
}

}  // namespace

double FingerShape::tip_height_mm() const {
  if (tip_radius_mm > 0.0) return tip_radius_mm;
  return tip_chamfer_mm > 0.0 ? tip_chamfer_mm / elementary::tan(tip_chamfer_rad) : 0.0;
}

double FingerShape::groove_half_height_mm() const {
  if (groove_radius_mm > 0.0) {
    return std::sqrt(groove_depth_mm * (2.0 * groove_radius_mm - groove_depth_mm));
  }
  return groove_depth_mm * elementary::tan(0.5 * groove_angle_rad);
}

double FingerShape::inside_end_mm() const {
  return is_pad() ? tip_height_mm() - top_mm() : -kFingerReach_mm;
}

bool fits(const FingerShape& shape) {
  const double tip_mm = std::max(shape.tip_radius_mm, shape.tip_chamfer_mm);
  const double depth_mm = shape.depth_mm();
  const double height_mm = shape.step_depth_mm > 0.0 ? shape.step_height_mm : shape.tip_height_mm();
  const double inside_mm = shape.top_mm() - height_mm;
  const double half_mm = shape.groove_half_height_mm();
  const double least = std::min({shape.tip_radius_mm, shape.tip_chamfer_mm, shape.step_depth_mm,
                                 shape.step_height_mm, shape.groove_depth_mm,
                                 shape.groove_radius_mm, shape.pad_width_mm, shape.pad_depth_mm});
  const auto between = [](double x, double min, double max) { return x > min && x < max; };
  return least >= 0.0 && between(depth_mm, 0.0, 2.0 * kFingerReach_mm) &&
         between(shape.tip_chamfer_rad, 0.0, 0.5 * std::numbers::pi) &&
         between(shape.groove_angle_rad, 0.0, std::numbers::pi) &&
         tip_mm <= depth_mm - shape.step_depth_mm && shape.step_depth_mm < depth_mm &&
         !(shape.is_pad() && shape.step_depth_mm > 0.0) && shape.groove_depth_mm < depth_mm &&
         (shape.groove_radius_mm == 0.0 || shape.groove_depth_mm <= shape.groove_radius_mm) &&
         shape.tip_height_mm() <= height_mm && inside_mm >= shape.inside_end_mm() &&
         (shape.groove_depth_mm == 0.0 ||
          (shape.groove_position_mm + half_mm <= inside_mm &&
           shape.groove_position_mm - half_mm >= shape.inside_end_mm()));
}

Outline finger_outline(const FingerShape& shape) {
  GRASPMAP_CHECK(fits(shape));
  const double depth_mm = shape.depth_mm();
  OutlineLoop loop = {{{depth_mm, shape.top_mm()}, 0.0, "top"}};
  const bool has_step = shape.step_depth_mm > 0.0;
  add_tip(shape, has_step ? "set_back" : "inside", loop);
  if (has_step) {
    loop.push_back({{shape.step_depth_mm, -shape.step_height_mm}, 0.0, "ledge"});
    loop.push_back({{0.0, -shape.step_height_mm}, 0.0, "inside"});
  }
  if (shape.groove_depth_mm > 0.0) add_groove(shape, loop);
  if (shape.is_pad()) {
    add_lower_tip(shape, loop);
  } else {
    loop.push_back({{0.0, -kFingerReach_mm}, 0.0, "base"});
  }
  const double bottom_mm = shape.is_pad() ? -shape.top_mm() : -kFingerReach_mm;
  loop.push_back({{depth_mm, bottom_mm}, 0.0, "outside"});
  drop_zero_lengths(loop);
  return {loop, {}};
}

}  // namespace graspmap
