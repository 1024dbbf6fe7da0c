#include "lab/scenes/scene_animation.hpp"

#include <fmt/format.h>

#include "grasp/base/io/units.hpp"
#include "lab/scenes/animation_layout.hpp"
#include "lab/scenes/scene_colors.hpp"
#include "lab/scenes/scene_drawing.hpp"

namespace graspmap {
namespace {

/// The forces of a moment. Of two bodies that move the first has it drawn.
std::vector<DrawnForce> contact_forces(const PlanarScene& scene, const PlanarSnapshot& at) {
  std::vector<DrawnForce> forces;
  for (std::size_t k = 0; k < at.contacts.size(); ++k) {
    if (contact_hold(at, k) == ContactHold::kOpen) continue;
    const PlanarContact& contact = at.contacts[k];
    const bool a_moves = scene.bodies[static_cast<std::size_t>(contact.key.body_a)].moves_freely();
    const Vec2 impulse = contact.p_n * contact.at.normal + contact.p_t * perp(contact.at.normal);
    const Vec2 force_n =
        (a_moves ? kNewtonsPerMillinewton : -kNewtonsPerMillinewton) / at.step_s * impulse;
    forces.push_back({a_moves ? contact.at.on_a_mm : contact.at.on_b_mm, force_n, force_n.norm()});
  }
  return forces;
}

double weight_n(const PlanarScene& scene) {
  double mass = 0.0;
  for (const PlanarBody& body : scene.bodies) mass += body.moves_freely() ? body.mass_kg : 0.0;
  return kNewtonsPerMillinewton * mass * scene.gravity_mm_s2.norm();
}

/// The outlines and marks of the blocks; those that do not move only in the first frame.
std::string frame_data(const SceneFile& file, const PlanarSnapshot& at, const Box& window,
                       bool is_first) {
  std::string data;
  for (std::size_t block = 0; block < file.blocks.size(); ++block) {
    const PlanarBody& first =
        file.scene.bodies[static_cast<std::size_t>(file.blocks[block].bodies.front())];
    if (!is_first && !first.moves_freely() && !first.shake) continue;
    data += fmt::format("$outlines_{} << EOD\n{}EOD\n$marks_{} << EOD\n{}EOD\n", block,
                        outlines_data(file, block, at, window), block,
                        marks_data(file, block, at, window));
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

std::string scene_animation_script(const SceneFile& file, const PlanarResult& result) {
  const Box window = scene_window_mm(file, result.recording);
  return animation_script(
      file.title, window, weight_n(file.scene), result.recording,
      [&](const PlanarSnapshot& at) { return contact_forces(file.scene, at); },
      [&](const PlanarSnapshot& at, bool is_first) {
        return FrameParts{frame_data(file, at, window, is_first), frame_layers(file)};
      });
}

std::string scene_animation(const SceneFile& file, const PlanarResult& result,
                            const std::string& gnuplot) {
  return drawn_animation(scene_animation_script(file, result), gnuplot);
}

}  // namespace graspmap
