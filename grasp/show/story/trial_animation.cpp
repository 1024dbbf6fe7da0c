#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/pictures/shapes.hpp"
#include "grasp/show/story/trial_drawing.hpp"
#include "grasp/show/story/trial_panel.hpp"
#include "grasp/show/story/trial_report.hpp"
#include "grasp/show/story/trial_story.hpp"
#include "sim/closing/broad_phase.hpp"

namespace graspmap {
namespace {

constexpr int kFramesPerSecond = 25;
constexpr int kMostFrames = 150;
constexpr double kHeld_s = 2.5;  ///< how long the last frame is shown
constexpr double kWidth_px = 640.0;
constexpr double kFrameMargin_px = 15.0;
constexpr double kFrameHead_px = 70.0;
constexpr double kFoot_px = 92.0;
constexpr double kFrameCone_px = 34.0;
constexpr double kFingersBeyond_px = 5.0;  ///< how far outlines reach out of the window
constexpr const char* kAnimation = "trial.gif";
constexpr const char* kPicture = "trial.png";

enum class Frames { kAll, kLast };

/// The colours of a contact.
struct GripColors {
  const char* mark;
  const char* cone;
};

GripColors colors(Grip grip) {
  switch (grip) {
    case Grip::kResting:
      return {"#666666", "#cccccc"};
    case Grip::kSticking:
      return {"#0072b2", "#a9cfe6"};
    case Grip::kSliding:
      break;
  }
  return {"#c44e00", "#efc3a4"};
}

/// The largest 1, 2 or 5 times a power of ten by which a trial can be slowed down.
double slow_down(double duration_s) {
  return duration_s > 0.0 ? round_below((kMostFrames - 1) / (kFramesPerSecond * duration_s)) : 1.0;
}

/// A pair of coordinates for gnuplot.
std::string at(const Vec2& p) { return fmt::format("{:.4f},{:.4f}", p.x(), p.y()); }

/// Writes the script.
class AnimationScript {
 public:
  AnimationScript(const TrialStory& story, const std::string& title, Frames frames)
      : story_(story),
        frames_(frames),
        free_travel_(story.scenario.gripper),
        shape_(part_shape(story.scenario.part)),
        moments_(all_moments(story)),
        slow_down_(slow_down(story.row.end_time_s)) {
    view_.window_mm = scene_window(story, shape_);
    for (const double time_s : frame_times()) scenes_.push_back(scene_at_time(time_s));
    constexpr double kLongestArrow = 0.2;  // of the lesser side without arrows
    const double mm_per_n = arrow_mm_per_n(view_.window_mm, scenes_, kLongestArrow);
    view_.window_mm = with_arrows(view_.window_mm, scenes_, mm_per_n);
    view_.px_per_mm =
        (kWidth_px - 2.0 * kFrameMargin_px) / (view_.window_mm.max - view_.window_mm.min).x();
    view_.fingers = finger_shapes(story.scenario, kFingerTolerance_px / view_.px_per_mm);
    height_px_ = std::round(view_.size_px().y() + kFrameHead_px + kFoot_px);
    view_.px_per_n = mm_per_n * view_.px_per_mm;
    write_output();
    write_head(title);
    write_legend();
    for (std::size_t k = frames == Frames::kAll ? 0 : scenes_.size() - 1; k < scenes_.size(); ++k) {
      write_frame(k);
    }
    script_ += "unset output\n";
  }

  [[nodiscard]] const std::string& text() const { return script_; }

 private:
  [[nodiscard]] std::vector<double> frame_times() const {
    std::vector<double> times;
    const double end_s = story_.row.end_time_s;
    const double step_s = 1.0 / (kFramesPerSecond * slow_down_);
    for (int k = 0; k * step_s < end_s; ++k) times.push_back(k * step_s);
    times.push_back(end_s);
    return times;
  }

  /// The scene within the step that is under way. Until the first contact the jaws travel freely;
  /// the trajectory has no steps for that.
  [[nodiscard]] Scene scene_at_time(double time_s) const {
    const auto& trajectory = story_.trajectory;
    std::size_t k = 0;
    while (k + 1 < trajectory.size() && trajectory[k].time_s < time_s) ++k;
    if (time_s == trajectory[k].time_s) return scene_at(story_, k);
    if (k > 1 || !story_.scenario.program.empty()) return scene_within_step(k, time_s);
    Scene scene = scene_at(story_, 0);
    const double travel_mm = free_travel_.travel_at(time_s);
    scene.time_s = time_s;
    scene.jaw_right_mm -= travel_mm;
    scene.jaw_left_mm += travel_mm;
    return scene;
  }

  [[nodiscard]] Scene scene_within_step(std::size_t k, double time_s) const {
    const double begin_s = story_.trajectory[k - 1].time_s;
    return scene_between(scene_at(story_, k - 1), scene_at(story_, k),
                         (time_s - begin_s) / (story_.trajectory[k].time_s - begin_s));
  }

  /// A length of the canvas in gnuplot's screen coordinates; y points up.
  [[nodiscard]] Vec2 screen(double x_px, double y_px) const {
    return {x_px / kWidth_px, 1.0 - y_px / height_px_};
  }
  [[nodiscard]] Vec2 screen(const Vec2& px) const { return screen(px.x(), px.y()); }

  void write_label(int tag, double x_px, double y_px, const std::string& text,
                   const char* font = "") {
    script_ += fmt::format("set label {} {} at screen {} noenhanced front {}\n", tag,
                           gnuplot_string(text), at(screen(x_px, y_px)), font);
  }

  void write_data_block(const std::string& name, const Points& points) {
    script_ += "$" + name + " << EOD\n";
    for (const Vec2& p : points) script_ += fmt::format("{:.4f} {:.4f}\n", p.x(), p.y());
    script_ += "EOD\n";
  }

  /// Polygons as a block of lines, and as one that is filled.
  void write_region(const std::string& name, const std::vector<Points>& polygons) {
    write_data_block(name + "_filled", joined_polygon(polygons));
    script_ += "$" + name + " << EOD\n";
    for (const Points& polygon : polygons) {
      for (const Vec2& p : polygon) script_ += fmt::format("{:.4f} {:.4f}\n", p.x(), p.y());
      script_ += fmt::format("{:.4f} {:.4f}\n\n", polygon.front().x(), polygon.front().y());
    }
    script_ += "EOD\n";
  }

  /// The outline of a finger or the palm in its own frame, as much of it as any frame shows.
  void write_finger(JawSide side) {
    const Box& window = view_.window_mm;
    const Vec2 margin_mm = Vec2::Constant(kFingersBeyond_px / view_.px_per_mm);
    Box seen{Vec2::Constant(std::numeric_limits<double>::infinity()), {}};
    seen.max = -seen.min;
    for (const Scene& scene : scenes_) {
      for (const Vec2& corner : {window.min, window.max, Vec2(window.min.x(), window.max.y()),
                                 Vec2(window.max.x(), window.min.y())}) {
        const Vec2 corner_F = inverse_transform(side_pose(scene, side), corner);
        seen = {seen.min.cwiseMin(corner_F), seen.max.cwiseMax(corner_F)};
      }
    }
    std::vector<Points>& polygons = view_.fingers[side_index(side)];
    polygons = clipped(polygons, {seen.min - margin_mm, seen.max + margin_mm});
    if (polygons.empty()) return;
    script_ += "set clip two\n";  // lines that cross the window
    write_region(finger_block(side), polygons);
  }

  static std::string finger_block(JawSide side) { return fmt::format("finger_{}", word(side)); }

  void write_output() {
    const std::string size = fmt::format("size {:.0f},{:.0f}", kWidth_px, height_px_);
    script_ += "set encoding utf8\n";
    script_ += frames_ == Frames::kAll
                   ? fmt::format(
                         "set terminal gif animate optimize delay {} loop 0 {} font "
                         "'DejaVu Sans,10' background '#ffffff'\nset output '{}'\n",
                         100 / kFramesPerSecond, size, kAnimation)
                   : fmt::format(
                         "set terminal pngcairo {} font 'DejaVu Sans,9' background rgb "
                         "'white'\nset output '{}'\n",
                         size, kPicture);
  }

  void write_head(const std::string& title) {
    const Box& window = view_.window_mm;
    const Vec2 corner = screen(kFrameMargin_px, kFrameHead_px + view_.size_px().y());
    const Vec2 opposite = screen(kWidth_px - kFrameMargin_px, kFrameHead_px);
    script_ += fmt::format(
        "set lmargin at screen {}\nset rmargin at screen {}\n"
        "set bmargin at screen {}\nset tmargin at screen {}\n"
        "set xrange [{}:{}]\nset yrange [{}:{}]\nset border 31 lc rgb '#999999'\nunset tics\n"
        "unset key\ngx(x, y) = X + C * x - S * y\ngy(x, y) = Y + S * x + C * y\n",
        corner.x(), opposite.x(), corner.y(), opposite.y(), window.min.x(), window.max.x(),
        window.min.y(), window.max.y());
    for (std::size_t k = 0; k < shape_.pieces.size(); ++k) {
      write_data_block(fmt::format("piece_{}", k), shape_.pieces[k]);
    }
    for (std::size_t k = 0; k < shape_.boundary.size(); ++k) {
      write_data_block(fmt::format("boundary_{}", k), shape_.boundary[k]);
    }
    for (std::size_t k = 0; k < shape_.outlines.size(); ++k) {
      write_region(fmt::format("outline_{}", k), shape_.outlines[k]);
    }
    for (const JawSide side : kJawSides) write_finger(side);
    Points path;
    for (const Scene& scene : scenes_) path.push_back(scene.part_pose.position_mm);
    write_data_block("path", path);
    write_label(1, kFrameMargin_px, 16.0, one_line(title, 16.0), "font 'DejaVu Sans:Bold,12'");
    const auto lines =
        wrapped(trial_subtitle(story_.row), kFont_px, kWidth_px - 2.0 * kFrameMargin_px, 2);
    for (std::size_t k = 0; k < lines.size(); ++k) {
      write_label(8 + static_cast<int>(k), kFrameMargin_px, 36.0 + 17.0 * static_cast<double>(k),
                  lines[k]);
    }
  }

  [[nodiscard]] static std::string one_line(const std::string& text, double font_px) {
    const auto lines = wrapped(text, font_px, kWidth_px - 2.0 * kFrameMargin_px, 1);
    return lines.empty() ? "" : lines.front();
  }

  /// The scales and the marks, below the window.
  void write_legend() {
    const double y = height_px_ - 16.0;
    double x = kFrameMargin_px;
    const double length_mm = round_below(85.0 / view_.px_per_mm);
    script_ += fmt::format("set arrow 1 from screen {} to screen {} heads size screen 0.006,90\n",
                           at(screen(x, y)), at(screen(x + length_mm * view_.px_per_mm, y)));
    x = write_words(3, x + length_mm * view_.px_per_mm, short_mm(length_mm) + " mm");
    if (view_.px_per_n == 0.0) return;
    const double force_n = round_below(largest_force_n(scenes_));
    script_ += fmt::format("set arrow 2 from screen {} to screen {} lw 2 lc rgb '#666666' {}\n",
                           at(screen(x, y)), at(screen(x + force_n * view_.px_per_n, y)), kHead);
    x = write_words(4, x + force_n * view_.px_per_n, fmt::format("{} N", force_n));
    x = write_grip(5, x, Grip::kSticking, "sticks");
    x = write_grip(6, x, Grip::kSliding, "slides");
    write_grip(7, x, Grip::kResting, "no force");
  }

  /// Words behind a symbol of the legend; returns where the next symbol begins.
  double write_words(int tag, double x_px, const std::string& words) {
    constexpr double kBetween_px = 7.0;
    write_label(tag, x_px + kBetween_px, height_px_ - 16.0, words);
    return x_px + 2.5 * kBetween_px + text_width_px(words, kFont_px);
  }

  /// All colours must be in the first frame: the later ones have no others. So the cones are in the
  /// legend.
  double write_grip(int tag, double x_px, Grip grip, const std::string& words) {
    const double symbol_px = grip == Grip::kResting ? 5.0 : kFrameCone_px;
    const Vec2 center(x_px + symbol_px, height_px_ - 16.0);
    if (grip != Grip::kResting) {
      const Vec2 half(0.0, kFrameCone_px * std::tan(friction_cone_rad()));
      const Vec2 back = center - Vec2(kFrameCone_px, 0.0);
      script_ += fmt::format(
          "set object {} polygon from screen {} to screen {} to screen {} to screen {} {}\n",
          10 + tag, at(screen(center)), at(screen(back - half)), at(screen(back + half)),
          at(screen(center)), filled(grip));
    }
    script_ += fmt::format("set label {} '' at screen {} point {} front\n", 10 + tag,
                           at(screen(center)), mark(grip));
    return write_words(tag, center.x() + 5.0, words);
  }

  static std::string filled(Grip grip) {
    return fmt::format("fc rgb '{}' fs solid noborder front", colors(grip).cone);
  }

  [[nodiscard]] double friction_cone_rad() const { return std::atan(story_.row.parameters.mu_jaw); }

  static std::string mark(Grip grip) {
    const int type = grip == Grip::kResting ? 6 : grip == Grip::kSticking ? 7 : 13;
    return fmt::format("pt {} ps {} lc rgb '{}'", type, type == 13 ? 1.7 : 1.2, colors(grip).mark);
  }

  /// How the animation's time runs, if it does.
  [[nodiscard]] std::string slow_down_text() const {
    if (scenes_.size() == 1 || frames_ == Frames::kLast) return "";
    if (slow_down_ == 1.0) return "   (in real time)";
    return slow_down_ > 1.0 ? fmt::format("   ({:g} times slower)", slow_down_)
                            : fmt::format("   ({:g} times faster)", 1.0 / slow_down_);
  }

  /// The caption of the last moment until now.
  [[nodiscard]] const std::string& caption_at(double time_s) const {
    std::size_t k = 0;
    while (k + 1 < moments_.size() && story_.trajectory[moments_[k + 1].sample].time_s <= time_s) {
      ++k;
    }
    return moments_[k].caption;
  }

  void write_frame(std::size_t k) {
    const Scene& scene = scenes_[k];
    const double foot = kFrameHead_px + view_.size_px().y();
    write_label(20, kFrameMargin_px, foot + 16.0,
                fmt::format("{:.4f} s{}", scene.time_s, slow_down_text()),
                "font 'DejaVu Sans:Bold,10'");
    const auto lines =
        wrapped(caption_at(scene.time_s), kFont_px, kWidth_px - 2.0 * kFrameMargin_px, 2);
    for (std::size_t line = 0; line < 2; ++line) {
      write_label(21 + static_cast<int>(line), kFrameMargin_px,
                  foot + 34.0 + 17.0 * static_cast<double>(line),
                  line < lines.size() ? lines[line] : "");
    }
    write_jaws(scene);
    for (std::size_t i = 0; i < most_contacts_; ++i) unset_contact(static_cast<int>(i));
    for (std::size_t i = 0; i < scene.contacts.size(); ++i) {
      write_contact(static_cast<int>(i), scene.contacts[i]);
    }
    most_contacts_ = std::max(most_contacts_, scene.contacts.size());
    write_names(scene);
    write_element_names(scene);
    const bool has_names = !story_.scenario.part.outlines.empty();
    if (has_names && k == 0) write_letter_colors();
    if (has_names && k == 1) unset_letter_colors();
    write_plot(scene, k);
  }

  void write_jaws(const Scene& scene) {
    if (story_.scenario.gripper.right_finger) return;  // an outline, see write_plot
    const Box& window = view_.window_mm;
    write_jaw(1, scene.jaw_left_mm, window.min.x());
    write_jaw(2, scene.jaw_right_mm, window.max.x());
  }

  /// A jaw from its fingertip to the side of the window.
  void write_jaw(int tag, double fingertip_mm, double side_mm) {
    const double bottom = view_.window_mm.min.y();
    script_ += fmt::format(
        "set object {} rectangle from {} to {} behind fc rgb '#dddddd' fs solid noborder\n", tag,
        at({fingertip_mm, bottom}), at({side_mm, 0.0}));
    for (const int edge : {0, 1}) {
      script_ += fmt::format("set arrow {} from {} to {} nohead lw 2 lc rgb '#444444'\n",
                             10 * tag + edge, at({fingertip_mm, 0.0}),
                             at(edge == 0 ? Vec2(fingertip_mm, bottom) : Vec2(side_mm, 0.0)));
    }
  }

  static int contact_tag(int contact) { return 100 + contact; }

  void unset_contact(int contact) {
    const int tag = contact_tag(contact);
    script_ += fmt::format("unset object {0}\nunset arrow {0}\nunset label {0}\n", tag);
  }

  void write_contact(int contact, const SceneContact& c) {
    const int tag = contact_tag(contact);
    if (c.grip != Grip::kResting) {
      write_cone(tag, c);
      const Vec2 arrow_mm = view_.px_per_n / view_.px_per_mm * c.force_n;
      script_ +=
          fmt::format("set arrow {} from {} to {} lw 2 lc rgb '{}' {} front\n", tag,
                      at(c.point_G_mm - arrow_mm), at(c.point_G_mm), colors(c.grip).mark, kHead);
    }
    script_ +=
        fmt::format("set label {} '' at {} point {} front\n", tag, at(c.point_G_mm), mark(c.grip));
  }

  void write_cone(int tag, const SceneContact& c) {
    const double length_mm = kFrameCone_px / view_.px_per_mm;
    const Vec2 one = c.point_G_mm - length_mm * (Rotation2(c.cone_rad()) * c.normal_G);
    const Vec2 other = c.point_G_mm - length_mm * (Rotation2(-c.cone_rad()) * c.normal_G);
    script_ += fmt::format("set object {} polygon from {} to {} to {} to {} {}\n", tag,
                           at(c.point_G_mm), at(one), at(other), at(c.point_G_mm), filled(c.grip));
  }

  /// The names of the pieces that have room for them, above their centres.
  void write_names(const Scene& scene) {
    constexpr double kRise_px = 14.0;
    int tag = 200;
    for (const Piece& piece : story_.scenario.part.pieces) {
      const double room_px = view_.px_per_mm * std::min(piece.shape.a_mm, piece.shape.b_mm);
      const Vec2 half(0.5 * text_width_px(piece.name, kFont_px), 0.5 * kFont_px + kRise_px);
      if (half.norm() > room_px) continue;
      const Vec2 center = transform(scene.part_pose, piece.pose.position_mm) +
                          Vec2(0.0, kRise_px / view_.px_per_mm);
      script_ += fmt::format("set label {} {} at {} center noenhanced front\n", tag++,
                             gnuplot_string(piece.name), at(center));
    }
  }

  /// The names of elements, within the part beside their places. Of two that have no room beside
  /// each other the first one stands: those of contacts come first.
  void write_element_names(const Scene& scene) {
    constexpr int kFirstTag = 100000;  // after those of all superellipses
    const Vec2 edge = Vec2::Constant(2.0);
    LabelPlacer placer({edge, view_.size_px() - edge});
    for (std::size_t k = 0; k < std::max(most_labels_, scene.labels.size()); ++k) {
      const int tag = kFirstTag + static_cast<int>(k);
      const std::optional<Vec2> center =
          k < scene.labels.size() ? place_name(scene.labels[k], placer) : std::optional<Vec2>();
      script_ += center
                     ? fmt::format("set label {} {} at {} center noenhanced front\n", tag,
                                   gnuplot_string(scene.labels[k].text), at(view_.to_mm(*center)))
                     : fmt::format("unset label {}\n", tag);
    }
    most_labels_ = std::max(most_labels_, scene.labels.size());
  }

  /// Where the middle of a name may lie, in pixels.
  [[nodiscard]] std::optional<Vec2> place_name(const ElementLabel& label,
                                               LabelPlacer& placer) const {
    const Vec2 at_px = view_.to_px(label.at_G_mm);
    const Vec2 inward = PanelView::turned_down(label.inward_G);
    const Vec2 size(text_width_px(label.text, kFont_px), kFont_px);
    const double beside = std::abs(inward.x()) > 0.5 ? std::copysign(0.5, inward.x()) : 0.0;
    std::vector<Vec2> centers;
    for (const double away_px : {14.0, 28.0, 42.0, -14.0}) {
      const double aside = away_px > 0 ? beside : -beside;
      centers.push_back(at_px + away_px * inward + Vec2(aside * size.x(), 0.0));
    }
    return placer.place(size, centers);
  }

  void write_plot(const Scene& scene, std::size_t k) {
    const Pose2& pose = scene.part_pose;
    if (scene.gripper) write_data_block("table", table_marks(view_.window_mm, *scene.gripper));
    script_ +=
        fmt::format("X = {}\nY = {}\nC = {}\nS = {}\nplot ", pose.position_mm.x(),
                    pose.position_mm.y(), std::cos(pose.angle_rad), std::sin(pose.angle_rad));
    const auto plot_part = [&](const char* name, std::size_t count, const char* block,
                               const char* style) {
      for (std::size_t i = 0; i < count; ++i) {
        script_ +=
            fmt::format("${}_{}{} using (gx($1,$2)):(gy($1,$2)) with {}, ", name, i, block, style);
      }
    };
    const std::size_t pieces = shape_.pieces.size();
    const std::size_t outlines = shape_.outlines.size();
    if (scene.gripper) script_ += "$table with points pt 1 ps 0.6 lc rgb '#b3a06a', ";
    plot_fingers(scene, "_filled", "filledcurves closed fc rgb '#dddddd'");
    plot_part("piece", pieces, "", "filledcurves closed fc rgb '#e4ecf5'");
    plot_part("outline", outlines, "_filled", "filledcurves closed fc rgb '#e4ecf5'");
    plot_part("piece", pieces, "", "lines lc rgb '#b3c1d0'");
    plot_part("outline", outlines, "", "lines lc rgb '#b3c1d0'");
    plot_part("boundary", shape_.boundary.size(), "", "lines lw 2 lc rgb '#26394d'");
    plot_fingers(scene, "", "lines lw 2 lc rgb '#444444'");
    script_ += fmt::format(
        "$path every ::0::{} with lines lw 2 lc rgb '#117a5b', "
        "$path every ::{}::{} with points pt 1 ps 1.5 lw 2 lc rgb '#117a5b'\n",
        k, k, k);
  }

  /// The fingers, the palm and the obstacles that are outlines: filled, or their lines.
  void plot_fingers(const Scene& scene, const char* block, const char* style) {
    for (const JawSide side : kJawSides) {
      if (view_.fingers[side_index(side)].empty()) continue;
      const Pose2 pose = side_pose(scene, side);
      const double x = pose.position_mm.x();
      if (side != JawSide::kObstacle) {
        script_ +=
            fmt::format("${}{} using ($1+{:.4f}):2 with {}, ", finger_block(side), block, x, style);
        continue;
      }
      const Rotation2 R(pose.angle_rad);
      script_ += fmt::format(
          "${}{} using ({:.6f}*$1-{:.6f}*$2+{:.4f}):({:.6f}*$1+{:.6f}*$2+{:.4f}) with {}, ",
          finger_block(side), block, R.c, R.s, x, R.s, R.c, pose.position_mm.y(), style);
    }
  }

  /// The later frames have only the colours of the first one, and the smooth edges of letters have
  /// many. So letters lie on all colours there that names of elements may come to lie on, below a
  /// white strip at the bottom.
  void write_letter_colors() {
    static constexpr std::array kBehind = {"#e4ecf5", "#dddddd", "#26394d", "#444444", "#b3c1d0",
                                           "#117a5b", "#a9cfe6", "#efc3a4", "#0072b2", "#c44e00"};
    constexpr double kStrip_px = 5.0;
    const double step_px = kWidth_px / static_cast<double>(kBehind.size());
    int tag = kLetterTags;
    const auto rectangle = [&](double from_px, double to_px, const char* layer, const char* color) {
      script_ += fmt::format(
          "set object {} rectangle from screen {} to screen {} {} fc rgb '{}' fs solid noborder\n",
          ++tag, at(screen(from_px, height_px_)), at(screen(to_px, height_px_ - kStrip_px)), layer,
          color);
    };
    for (std::size_t k = 0; k < kBehind.size(); ++k) {
      const double x_px = step_px * static_cast<double>(k);
      rectangle(x_px, x_px + step_px, "behind", kBehind[k]);
      script_ += fmt::format(
          "set label {} 'corner 0123456789' at screen {} noenhanced back font 'DejaVu Sans,4'\n",
          tag, at(screen(x_px, height_px_ - 0.5 * kStrip_px)));
    }
    rectangle(0.0, kWidth_px, "front", "#ffffff");
  }

  void unset_letter_colors() {
    for (int tag = kLetterTags + 1; tag <= kLetterTags + 11; ++tag) {
      script_ += fmt::format("unset object {0}\nunset label {0}\n", tag);
    }
  }

  static constexpr int kLetterTags = 200000;
  static constexpr const char* kHead = "head filled size screen 0.02,20";

  const TrialStory& story_;
  Frames frames_;
  FreeTravel free_travel_;
  PartShape shape_;
  std::vector<Moment> moments_;
  double slow_down_;
  PanelView view_;
  double height_px_ = 0.0;
  std::vector<Scene> scenes_;
  std::size_t most_contacts_ = 0;
  std::size_t most_labels_ = 0;
  std::string script_;
};

}  // namespace

std::string trial_animation_script(const TrialStory& story, const std::string& title) {
  return AnimationScript(story, title, Frames::kAll).text();
}

std::string trial_animation(const TrialStory& story, const std::string& title,
                            const std::string& gnuplot) {
  return drawn_gif(trial_animation_script(story, title), kAnimation, kHeld_s, gnuplot);
}

std::string trial_picture(const TrialStory& story, const std::string& title) {
  return drawn_png(AnimationScript(story, title, Frames::kLast).text(), kPicture);
}

}  // namespace graspmap
