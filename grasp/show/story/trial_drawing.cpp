#include "grasp/show/story/trial_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "grasp/base/pictures/figure.hpp"
#include "grasp/show/story/trial_panel.hpp"
#include "grasp/show/story/trial_report.hpp"
#include "grasp/show/story/trial_story.hpp"

namespace graspmap {
TrialDrawing drawing_for(const std::filesystem::path& file) {
  const std::filesystem::path ending = file.extension();
  if (ending == ".svg") return trial_strip;
  if (ending == ".gif") {
    return [](const TrialStory& story, const std::string& title) {
      return trial_animation(story, title);
    };
  }
  if (ending == ".png") return trial_picture;
  if (ending == ".csv") {
    return [](const TrialStory& story, const std::string&) {
      return csv_text(trajectory_table(story));
    };
  }
  return nullptr;
}

namespace {

constexpr double kPanelWidth_px = 300.0;
constexpr double kGap_px = 20.0;
constexpr double kStripMargin_px = 20.0;
constexpr double kLine_px = 17.0;
constexpr double kStripHead_px = 56.0;  ///< title and subtitle
constexpr std::size_t kCaptionLines = 3;
constexpr double kLegendFont_px = 12.0;
constexpr double kLegendRow_px = 26.0;

/// Symbols with words, set in rows.
class Legend {
 public:
  explicit Legend(double width_px) : width_px_(width_px) {}

  /// `draw` is given the middle of the symbol's left side.
  void add(double symbol_px, const std::string& words,
           std::function<void(SvgWriter& svg, const Vec2& at_px)> draw) {
    const double width = symbol_px + kBetween_px + text_width_px(words, kLegendFont_px);
    if (next_.x() > 0.0 && next_.x() + width > width_px_) next_ = {0.0, next_.y() + kLegendRow_px};
    entries_.push_back({next_, symbol_px, words, std::move(draw)});
    next_.x() += width + 2.0 * kBetween_px;
  }

  [[nodiscard]] double height_px() const { return next_.y() + kLegendRow_px; }

  void draw(SvgWriter& svg, const Vec2& corner) const {
    for (const Entry& entry : entries_) {
      const Vec2 at = corner + entry.at_px + Vec2(0.0, 0.5 * kLegendRow_px);
      entry.draw(svg, at);
      svg.text(at + Vec2(entry.symbol_px + kBetween_px, 0.36 * kLegendFont_px), entry.words,
               "legend");
    }
  }

 private:
  static constexpr double kBetween_px = 8.0;
  struct Entry {
    Vec2 at_px;
    double symbol_px;
    std::string words;
    std::function<void(SvgWriter& svg, const Vec2& at_px)> draw;
  };

  double width_px_;
  Vec2 next_ = Vec2::Zero();
  std::vector<Entry> entries_;
};

/// The strip while it is drawn.
class Strip {
 public:
  Strip(const TrialStory& story, const std::string& title)
      : story_(story),
        title_(title),
        shape_(part_shape(story.scenario.part)),
        moments_(key_moments(story)) {
    for (const Moment& moment : moments_) {
      scenes_.push_back(scene_at(story, moment.sample));
      captions_.push_back(wrapped(moment.caption, kFont_px, kPanelWidth_px, kCaptionLines));
    }
    arrange();
    fill_legend();
  }

  std::string draw() {
    const Vec2 size(inner_width() + 2.0 * kStripMargin_px,
                    legend_top() + legend_.height_px() + kStripMargin_px);
    SvgWriter svg(size, kTrialStyleSheet, kTrialDefinitions);
    draw_head(svg);
    for (std::size_t k = 0; k < moments_.size(); ++k) draw_moment(svg, k);
    legend_.draw(svg, {kStripMargin_px, legend_top()});
    return svg.finish();
  }

 private:
  void arrange() {
    const std::size_t panels = moments_.size();
    columns_ = panels <= 4 ? panels : (panels + 1) / 2;
    view_.window_mm = scene_window(story_, shape_);
    constexpr double kLongestArrow = 0.24;  // of the lesser side without arrows
    const double mm_per_n = arrow_mm_per_n(view_.window_mm, scenes_, kLongestArrow);
    view_.window_mm = with_arrows(view_.window_mm, scenes_, mm_per_n);
    view_.px_per_mm = kPanelWidth_px / (view_.window_mm.max - view_.window_mm.min).x();
    view_.fingers = finger_shapes(story_.scenario, kFingerTolerance_px / view_.px_per_mm);
    view_.px_per_n = mm_per_n * view_.px_per_mm;
    legend_ = Legend(inner_width());
  }

  /// Wide enough for two panels, for title and legend's sake.
  [[nodiscard]] double inner_width() const {
    const double columns = static_cast<double>(std::max<std::size_t>(columns_, 2));
    return columns * kPanelWidth_px + (columns - 1.0) * kGap_px;
  }

  [[nodiscard]] std::size_t row_of(std::size_t panel) const { return panel / columns_; }
  /// Where a row of panels begins; for the row after the last one, where the legend does.
  [[nodiscard]] double row_top(std::size_t row) const {
    double top = kStripHead_px;
    for (std::size_t above = 0; above < row; ++above) {
      std::size_t lines = 0;
      for (std::size_t k = 0; k < captions_.size(); ++k) {
        if (row_of(k) == above) lines = std::max(lines, captions_[k].size());
      }
      top += view_.size_px().y() + static_cast<double>(lines + 1) * kLine_px + 1.5 * kGap_px;
    }
    return top;
  }
  [[nodiscard]] double legend_top() const { return row_top(row_of(captions_.size() - 1) + 1); }

  void draw_head(SvgWriter& svg) const {
    constexpr double kTitleFont_px = 17.0 * 1.12;  // bold letters are wider
    const auto line = [&](const std::string& text, double font_px) {
      const auto lines = wrapped(text, font_px, inner_width(), 1);
      return lines.empty() ? "" : lines.front();
    };
    svg.text({kStripMargin_px, 26.0}, line(title_, kTitleFont_px), "heading");
    svg.text({kStripMargin_px, 45.0}, line(trial_subtitle(story_.row), kFont_px), "words");
  }

  /// The path of P's origin up to a sample.
  [[nodiscard]] Points path_until(std::size_t sample) const {
    Points path;
    const double least_mm = 0.5 / view_.px_per_mm;  // half a pixel
    for (std::size_t k = 0; k < sample; ++k) {
      const Vec2& at = story_.trajectory[k].part_pose.position_mm;
      if (path.empty() || (at - path.back()).norm() > least_mm) path.push_back(at);
    }
    path.push_back(story_.trajectory[sample].part_pose.position_mm);
    return path;
  }

  void draw_moment(SvgWriter& svg, std::size_t k) const {
    const Vec2 size = view_.size_px();
    const Vec2 corner(
        kStripMargin_px + static_cast<double>(k % columns_) * (kPanelWidth_px + kGap_px),
        row_top(row_of(k)));
    svg.open_viewport(corner, size);
    draw_trial_panel(svg, view_, story_.scenario.part, shape_, scenes_[k],
                     story_.trajectory.front().part_pose, path_until(moments_[k].sample));
    svg.close_viewport();
    svg.rectangle(corner, size, "frame");
    Vec2 at = corner + Vec2(0.0, size.y() + kLine_px + 2.0);
    svg.text(at, fmt::format("{}", k + 1), "number");
    svg.text(at + Vec2(18.0, 0.0), fmt::format("{:.4f} s", scenes_[k].time_s), "moment");
    for (const std::string& line : captions_[k]) {
      at.y() += kLine_px;
      svg.text(at, line, "words");
    }
  }

  void fill_legend() {
    add_scale_bar();
    if (view_.px_per_n > 0.0) {
      add_force_scale();
      add_grip(Grip::kSticking, "sticks");
      add_grip(Grip::kSliding, "slides");
      add_grip(Grip::kResting, "no force");
      add_friction_cone();
    }
    if (moments_.size() == 1) return;
    legend_.add(26.0, "path of its origin", [](SvgWriter& svg, const Vec2& at) {
      svg.line(at, at + Vec2(26.0, 0.0), "path");
      svg.circle(at + Vec2(2.5, 0.0), 2.5, "path_start");
    });
    legend_.add(26.0, "at the start", [](SvgWriter& svg, const Vec2& at) {
      svg.line(at, at + Vec2(26.0, 0.0), "ghost");
    });
    if (story_.scenario.program.empty()) return;
    legend_.add(8.0, "marks on the table", [](SvgWriter& svg, const Vec2& at) {
      svg.line(at, at + Vec2(8.0, 0.0), "table");
      svg.line(at + Vec2(4.0, -4.0), at + Vec2(4.0, 4.0), "table");
    });
  }

  void add_scale_bar() {
    constexpr double kLongest_px = 80.0;
    const double length_mm = round_below(kLongest_px / view_.px_per_mm);
    const double length_px = length_mm * view_.px_per_mm;
    legend_.add(length_px, short_mm(length_mm) + " mm", [=](SvgWriter& svg, const Vec2& at) {
      const Vec2 end = at + Vec2(length_px, 0.0);
      svg.line(at, end, "bar");
      svg.line(at - Vec2(0, 4), at + Vec2(0, 4), "bar");
      svg.line(end - Vec2(0, 4), end + Vec2(0, 4), "bar");
    });
  }

  void add_force_scale() {
    const double force_n = round_below(largest_force_n(scenes_));
    const double length_px = force_n * view_.px_per_n;
    legend_.add(length_px, fmt::format("{} N on the part", force_n),
                [=](SvgWriter& svg, const Vec2& at) {
                  svg.open_group("rests");
                  draw_arrow(svg, at + Vec2(length_px, 0.0), {length_px, 0.0});
                  svg.close_group();
                });
  }

  void add_grip(Grip grip, const std::string& words) {
    constexpr double kSymbol_px = 10.0;
    legend_.add(kSymbol_px, words, [grip](SvgWriter& svg, const Vec2& at) {
      svg.open_group(grip_style(grip));
      draw_contact_mark(svg, at + Vec2(0.5 * kSymbol_px, 0.0), grip);
      svg.close_group();
    });
  }

  void add_friction_cone() {
    const double cone_rad = std::atan(story_.row.parameters.mu_jaw);
    legend_.add(30.0, "friction cone", [cone_rad](SvgWriter& svg, const Vec2& at) {
      svg.open_group("rests");
      draw_friction_cone(svg, at + Vec2(30.0, 0.0), {-1.0, 0.0}, cone_rad);
      svg.close_group();
    });
  }

  const TrialStory& story_;
  const std::string& title_;
  PartShape shape_;
  std::vector<Moment> moments_;
  std::vector<Scene> scenes_;
  std::vector<std::vector<std::string>> captions_;
  std::size_t columns_ = 1;
  PanelView view_;
  Legend legend_{0.0};
};

}  // namespace

std::string trial_strip(const TrialStory& story, const std::string& title) {
  return Strip(story, title).draw();
}

std::string trial_subtitle(const TrialRow& row) {
  const TrialParameters& p = row.parameters;
  return fmt::format(
      "{} after {:.4g} s; placement ({:.4g}, {:.4g}) mm, {:.4g} rad; friction: jaws {:.3g}, table "
      "{:.3g}",
      name(row.outcome), row.end_time_s, p.placement_x_mm, p.placement_y_mm, p.theta_rad, p.mu_jaw,
      p.mu_support);
}

}  // namespace graspmap
