#pragma once

#include <string>

#include "grasp/base/pictures/shapes.hpp"
#include "grasp/show/story/trial_scene.hpp"

namespace graspmap {

/// What all pictures of one trial have in common.
struct PanelView {
  Box window_mm;  ///< of G
  double px_per_mm = 1.0;
  double px_per_n = 0.0;  ///< of the force arrows
  FingerShapes fingers;   ///< those that are outlines

  [[nodiscard]] Vec2 size_px() const { return px_per_mm * (window_mm.max - window_mm.min); }
  /// A point of G in pixels, y down, from the window's upper left corner.
  [[nodiscard]] Vec2 to_px(const Vec2& p_G_mm) const {
    return px_per_mm * Vec2(p_G_mm.x() - window_mm.min.x(), window_mm.max.y() - p_G_mm.y());
  }
  /// The point of G that is there.
  [[nodiscard]] Vec2 to_mm(const Vec2& px) const {
    return {window_mm.min.x() + px.x() / px_per_mm, window_mm.max.y() - px.y() / px_per_mm};
  }
  /// A direction of G in pixels, y down.
  static Vec2 turned_down(const Vec2& v_G) { return {v_G.x(), -v_G.y()}; }
};

/// The style sheet and the definitions that the marks below refer to.
extern const char* const kTrialStyleSheet;
extern const char* const kTrialDefinitions;
inline constexpr double kSmallFont_px = 11.0;
inline constexpr double kFont_px = 13.0;

/// "0.14 N", "48 N".
std::string force_text(double force_n);

/// The style of a contact's marks.
const char* grip_style(Grip grip);

/// Draws the mark of a contact: it sticks, slides or rests.
void draw_contact_mark(SvgWriter& svg, const Vec2& at_px, Grip grip);

/// Draws an arrow; `length_px` runs from its tail to its tip.
void draw_arrow(SvgWriter& svg, const Vec2& tip_px, const Vec2& length_px);

/// Draws the friction cone that opens from a contact towards a direction (a unit vector in pixels).
void draw_friction_cone(SvgWriter& svg, const Vec2& apex_px, const Vec2& direction,
                        double half_angle_rad);

/// Draws one moment of a trial into the picture's viewport: jaws and palm, part, where its origin
/// was before (`path_G_mm`, from the start on), contacts with forces, names. A force's arrow ends
/// at its contact, so it lies where it comes from, in the jaw, and so does the friction cone that
/// holds it.
void draw_trial_panel(SvgWriter& svg, const PanelView& view, const Part& part,
                      const PartShape& shape, const Scene& scene, const Pose2& start,
                      const Points& path_G_mm);

}  // namespace graspmap
