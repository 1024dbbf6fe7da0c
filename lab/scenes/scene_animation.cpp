#include "lab/scenes/scene_animation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "grasp/io/units.hpp"
#include "lab/scenes/animation_layout.hpp"
#include "lab/scenes/scene_colors.hpp"
#include "lab/scenes/scene_drawing.hpp"

namespace graspmap {
namespace {

/// The force of a contact on its body that moves, at a point, N.
struct ContactForce {
  Vec2 at_mm{0, 0};
  Vec2 force_n{0, 0};
};

/// The forces of a sample. Of two bodies that move the first has it drawn.
std::vector<ContactForce> contact_forces(const PlanarScene& scene, const SceneSample& sample) {
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

/// The outlines and marks of the blocks; those that do not move only in the first frame.
std::string frame_data(const SceneFile& file, const PlanarState& state, const Box& window,
                       bool is_first) {
  std::string data;
  for (std::size_t block = 0; block < file.blocks.size(); ++block) {
    const PlanarBody& first =
        file.scene.bodies[static_cast<std::size_t>(file.blocks[block].bodies.front())];
    if (!is_first && !first.moves_freely() && !first.shake) continue;
    data += fmt::format("$outlines_{} << EOD\n{}EOD\n$marks_{} << EOD\n{}EOD\n", block,
                        outlines_data(file, block, state, window), block,
                        marks_data(file, block, state, window));
  }
  return data;
}

std::string frame_layers(const SceneFile& file) {
  std::string layers;
  for (std::size_t block = 0; block < file.blocks.size(); ++block) {
    const std::string color = block_color(file, block);
    layers += fmt::format(
        "$outlines_{0} using 1:2 with filledcurves closed fc rgb '{1}', "
        "$outlines_{0} using 1:2 with lines lw 1 lc rgb '{2}', "
        "$marks_{0} using 1:2 with lines lw 1 lc rgb '{2}', ",
        block, mixed_with_white(color, 0.35), mixed_with_white(color, 0.9));
  }
  return layers;
}

}  // namespace

std::string scene_animation_script(const SceneFile& file, const SceneResult& result) {
  const auto& samples = result.recording.samples;
  const Box window = scene_window_mm(file, result.recording);
  const std::vector<std::size_t> frames = animation_frames(samples.size());
  std::vector<double> times_s;
  for (const std::size_t frame : frames) times_s.push_back(samples[frame].state.time_s);
  AnimationScript script(file.title, window, times_s, force_scale_n(file.scene, result.recording));
  for (const std::size_t frame : frames) {
    const SceneSample& sample = samples[frame];
    std::string arrows;
    for (const ContactForce& force : contact_forces(file.scene, sample)) {
      arrows += script.arrow(force.at_mm, force.force_n);
    }
    script.add_frame(frame_data(file, sample.state, window, frame == 0), frame_layers(file),
                     arrows);
  }
  return script.text();
}

std::string scene_animation(const SceneFile& file, const SceneResult& result,
                            const std::string& gnuplot) {
  return drawn_animation(scene_animation_script(file, result), gnuplot);
}

}  // namespace graspmap
