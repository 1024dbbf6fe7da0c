#include "grasp/scenes/scene_animation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grasp/figures/drawn_gif.hpp"
#include "grasp/figures/script_parts.hpp"
#include "grasp/figures/text_layout.hpp"
#include "grasp/gnuplot.hpp"
#include "grasp/scenes/scene_drawing.hpp"

namespace graspmap {
namespace {

constexpr int kFramesPerSecond = 25;
constexpr std::size_t kMostFrames = 150;
constexpr double kHeld_s = 2.0;
constexpr double kWidth_px = 640.0;
constexpr double kMargin_px = 15.0;
constexpr double kHead_px = 34.0;
constexpr double kFoot_px = 34.0;
constexpr double kFont_px = 13.0;
constexpr const char* kOutput = "motion.gif";
constexpr const char* kForceColor = "#b00020";

/// "0.2", "50", "20,000".
std::string amount_text(double amount) {
  return amount >= 1000.0 ? grouped(std::llround(amount)) : fmt::format("{:.4g}", amount);
}

/// The force of a contact on its body that moves, at a point, N.
struct ContactForce {
  Vec2 at_mm{0, 0};
  Vec2 force_n{0, 0};
};

/// The forces of a sample. Of two bodies that move the first has it drawn.
std::vector<ContactForce> contact_forces(const PlanarScene& scene, const SceneSample& sample) {
  constexpr double kNewtons = 1e-3;
  std::vector<ContactForce> forces;
  for (std::size_t k = 0; k < sample.contacts.size(); ++k) {
    if (contact_hold(sample, k) == ContactHold::kOpen) continue;
    const PlanarContact& contact = sample.contacts[k];
    const bool a_moves = scene.bodies[static_cast<std::size_t>(contact.key.body_a)].moves_freely();
    const Vec2 impulse = contact.p_n * contact.at.normal + contact.p_t * perp(contact.at.normal);
    forces.push_back({a_moves ? contact.at.on_a_mm : contact.at.on_b_mm,
                      (a_moves ? kNewtons : -kNewtons) / sample.step_s * impulse});
  }
  return forces;
}

/// What a force is compared with: the weight of all bodies that move; without gravity the largest
/// force.
double force_scale_n(const PlanarScene& scene, const SceneRecording& recording) {
  constexpr double kNewtons = 1e-3;
  double mass = 0.0;
  for (const PlanarBody& body : scene.bodies) mass += body.moves_freely() ? body.mass_kg : 0.0;
  const double weight = kNewtons * mass * scene.gravity_mm_s2.norm();
  if (weight > 0.0) return weight;
  double largest = 0.0;
  for (const SceneSample& sample : recording.samples) {
    for (const ContactForce& force : contact_forces(scene, sample)) {
      largest = std::max(largest, force.force_n.norm());
    }
  }
  return largest > 0.0 ? largest : 1.0;
}

class SceneAnimation {
 public:
  SceneAnimation(const SceneFile& file, const SceneResult& result)
      : file_(file),
        recording_(result.recording),
        window_(scene_window_mm(file, recording_)),
        frames_(animation_samples(recording_, kMostFrames)),
        scale_n_(force_scale_n(file.scene, recording_)) {
    px_per_mm_ = (kWidth_px - 2.0 * kMargin_px) / (window_.max - window_.min).x();
    height_px_ = std::round(px_per_mm_ * (window_.max - window_.min).y() + kHead_px + kFoot_px);
    write_head();
    for (std::size_t k = 0; k < frames_.size(); ++k) write_frame(k);
    script_ += "unset output\n";
  }

  [[nodiscard]] const std::string& text() const { return script_; }

 private:
  [[nodiscard]] const SceneSample& sample(std::size_t frame) const {
    return recording_.samples[frames_[frame]];
  }

  [[nodiscard]] double from_left(double px) const { return px / kWidth_px; }
  [[nodiscard]] double from_top(double px) const { return 1.0 - px / height_px_; }

  /// How many seconds of the scene pass in one of the animation.
  [[nodiscard]] double speed() const {
    const double shown_s = static_cast<double>(frames_.size() - 1) / kFramesPerSecond;
    return shown_s > 0.0 ? sample(frames_.size() - 1).state.time_s / shown_s : 1.0;
  }

  [[nodiscard]] std::string speed_text() const {
    if (frames_.size() == 1) return "";
    if (std::abs(speed() - 1.0) < 0.03) return "(in real time)";
    return speed() < 1.0 ? fmt::format("({:.2g} times slower)", 1.0 / speed())
                         : fmt::format("({:.2g} times faster)", speed());
  }

  void write_head() {
    const auto lines = wrapped(file_.title, 16.0, kWidth_px - 2.0 * kMargin_px, 1);
    script_ += fmt::format(
        "set encoding utf8\n"
        "set terminal gif animate optimize delay {} loop 0 size {:.0f},{:.0f} font 'DejaVu "
        "Sans,10' background '#ffffff'\nset output '{}'\n"
        "set lmargin at screen {}\nset rmargin at screen {}\n"
        "set bmargin at screen {}\nset tmargin at screen {}\n"
        "set xrange [{}:{}]\nset yrange [{}:{}]\nset border 31 lc rgb '#999999'\nunset tics\n"
        "unset key\nset label 1 {} at screen {},{} noenhanced font 'DejaVu Sans:Bold,12'\n",
        100 / kFramesPerSecond, kWidth_px, height_px_, kOutput, from_left(kMargin_px),
        from_left(kWidth_px - kMargin_px), from_top(height_px_ - kFoot_px), from_top(kHead_px),
        window_.min.x(), window_.max.x(), window_.min.y(), window_.max.y(),
        gnuplot_string(lines.empty() ? "" : lines.front()), from_left(kMargin_px),
        from_top(0.5 * kHead_px));
    write_legend();
  }

  /// The scale of lengths and of forces, below the window; with that all colours are in the first
  /// frame, as the later ones have no others.
  void write_legend() {
    const double y = from_top(height_px_ - 0.5 * kFoot_px);
    const double length_mm = round_below(85.0 / px_per_mm_);
    const double force_n = round_below(60.0 / px_per_n());
    double x = 330.0;
    const auto scale = [&](int tag, double px, const std::string& text, const char* look) {
      script_ += fmt::format("set arrow {} from screen {},{} to screen {},{} {}\n", tag,
                             from_left(x), y, from_left(x + px), y, look);
      script_ += fmt::format("set label {} {} at screen {},{} noenhanced\n", tag + 1,
                             gnuplot_string(text), from_left(x + px + 7.0), y);
      x += px + 30.0 + text_width_px(text, kFont_px);
    };
    scale(2, length_mm * px_per_mm_, amount_text(length_mm) + " mm", "heads size screen 0.006,90");
    scale(4, force_n * px_per_n(), amount_text(force_n) + " N",
          fmt::format("lw 2 lc rgb '{}' head filled size screen 0.015,20", kForceColor).c_str());
  }

  /// All weight on one contact is a sixth of the window's width.
  [[nodiscard]] double px_per_n() const { return kWidth_px / 6.0 / scale_n_; }

  void write_frame(std::size_t k) {
    write_data(k);
    script_ += fmt::format(
        "set label 10 {} at screen {},{} noenhanced\n",
        gnuplot_string(fmt::format("{:.3f} s   {}", sample(k).state.time_s, speed_text())),
        from_left(kMargin_px), from_top(height_px_ - 0.5 * kFoot_px));
    script_ += "plot ";
    for (std::size_t block = 0; block < file_.blocks.size(); ++block) {
      const std::string color = block_color(file_, block);
      script_ += fmt::format(
          "$outlines_{0} using 1:2 with filledcurves closed fc rgb '{1}', "
          "$outlines_{0} using 1:2 with lines lw 1 lc rgb '{2}', "
          "$marks_{0} using 1:2 with lines lw 1 lc rgb '{2}', ",
          block, mixed(color, 0.35), mixed(color, 0.9));
    }
    script_ += fmt::format(
        "$forces using 1:2:3:4 with vectors lw 2 lc rgb '{}' head filled size screen 0.015,20\n",
        kForceColor);
  }

  /// "#rrggbb" mixed with white; GIFs have no transparency to do it.
  static std::string mixed(const std::string& color, double share) {
    std::string text = "#";
    for (const std::size_t at : {1U, 3U, 5U}) {
      const int part = std::stoi(color.substr(at, 2), nullptr, 16);
      text += fmt::format("{:02x}", static_cast<int>(std::lround(255.0 + share * (part - 255))));
    }
    return text;
  }

  /// Blocks that do not move are written once.
  void write_data(std::size_t k) {
    for (std::size_t block = 0; block < file_.blocks.size(); ++block) {
      const PlanarBody& first =
          file_.scene.bodies[static_cast<std::size_t>(file_.blocks[block].bodies.front())];
      if (k > 0 && !first.moves_freely() && !first.shake) continue;
      script_ += fmt::format("$outlines_{} << EOD\n{}EOD\n$marks_{} << EOD\n{}EOD\n", block,
                             outlines_data(file_, block, sample(k).state, window_), block,
                             marks_data(file_, block, sample(k).state, window_));
    }
    script_ += "$forces << EOD\n" + forces_data(sample(k)) + "EOD\n";
  }

  /// Arrows that end at the contact; the longest is a third of the window.
  [[nodiscard]] std::string forces_data(const SceneSample& at) const {
    std::string data;
    for (const ContactForce& force : contact_forces(file_.scene, at)) {
      const double most_px = kWidth_px / 3.0;
      const double px = std::min(force.force_n.norm() * px_per_n(), most_px);
      const Vec2 arrow = px / px_per_mm_ * force.force_n.normalized();
      const Vec2 tail = force.at_mm - arrow;
      data +=
          fmt::format("{:.6g} {:.6g} {:.6g} {:.6g}\n", tail.x(), tail.y(), arrow.x(), arrow.y());
    }
    return data.empty() ? "NaN NaN NaN NaN\n" : data;
  }

  const SceneFile& file_;
  const SceneRecording& recording_;
  Box window_;
  std::vector<std::size_t> frames_;
  double scale_n_;
  double px_per_mm_ = 1.0;
  double height_px_ = 0.0;
  std::string script_;
};

}  // namespace

std::vector<std::size_t> animation_samples(const SceneRecording& recording, std::size_t most) {
  const std::size_t count = recording.samples.size();
  const std::size_t frames = std::min(count, most);
  std::vector<std::size_t> samples;
  for (std::size_t k = 0; k + 1 < frames; ++k) samples.push_back(k * (count - 1) / (frames - 1));
  samples.push_back(count - 1);
  return samples;
}

std::string scene_animation_script(const SceneFile& file, const SceneResult& result) {
  return SceneAnimation(file, result).text();
}

std::string scene_animation(const SceneFile& file, const SceneResult& result,
                            const std::string& gnuplot) {
  return drawn_gif(scene_animation_script(file, result), kOutput, kHeld_s, gnuplot);
}

}  // namespace graspmap
