#include "lab/spatial_scenes/spatial_animation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "grasp/io/units.hpp"
#include "lab/scenes/animation_layout.hpp"
#include "lab/scenes/scene_colors.hpp"
#include "lab/spatial_scenes/painting_order.hpp"
#include "lab/spatial_scenes/spatial_picture.hpp"

namespace graspmap {
namespace {

/// The force of a contact on its body that moves, at a point, N. Of two that move the first has it
/// drawn.
struct SpatialForce {
  Vec3 at_mm = Vec3::Zero();
  Vec3 force_n = Vec3::Zero();
};

std::vector<SpatialForce> forces_at(const SpatialSceneFile& file, const SpatialSnapshot& at) {
  std::vector<SpatialForce> forces;
  for (std::size_t k = 0; k < at.contacts.size(); ++k) {
    if (contact_hold(at, k) == ContactHold::kOpen) continue;
    const SpatialContact& c = at.contacts[k];
    const bool a_moves = !file.bodies[static_cast<std::size_t>(c.body_a)].is_fixed;
    const Vec3 impulse = c.p_n * c.normal + c.p_t * c.t + c.p_o * c.o;
    forces.push_back(
        {a_moves ? c.on_a_mm : c.on_b_mm, (a_moves ? kNewtons : -kNewtons) / at.step_s * impulse});
  }
  return forces;
}

double moving_mass_kg(const SpatialSceneFile& file) {
  double mass = 0.0;
  if (file.is_articulated()) {
    for (const Link& link : file.articulated().system.links) mass += link.mass_kg;
  } else {
    for (const SpatialBody& body : file.rigid().scene.bodies) mass += body.mass_kg;
  }
  return mass;
}

/// What a force is compared with: the weight of all that moves; without gravity the largest force.
double spatial_force_scale_n(const SpatialSceneFile& file, const SpatialRecording& recording) {
  const Vec3 gravity = file.is_articulated() ? file.articulated().system.gravity_mm_s2
                                             : file.rigid().scene.gravity_mm_s2;
  const double weight = kNewtons * moving_mass_kg(file) * gravity.norm();
  if (weight > 0.0) return weight;
  double largest = 0.0;
  for (const SpatialSample& sample : recording.samples) {
    for (const SpatialForce& force : forces_at(file, sample.shown)) {
      largest = std::max(largest, force.force_n.norm());
    }
  }
  return largest > 0.0 ? largest : 1.0;
}

/// The bodies of a frame in the order of painting, with their data; those that do not move are
/// written in the first one.
struct PaintedFrame {
  std::string data;
  std::string layers;
};

PaintedFrame painted_frame(const SpatialSceneFile& file, const SpatialPicture& picture,
                           const SpatialSnapshot& at, bool is_first) {
  PaintedFrame frame{is_first ? picture.ground_data() : "", ""};
  frame.data += picture.rods_data("all", at);
  std::vector<std::string> layers = picture.ground_layers();
  for (const std::string& layer : picture.rods_layers("all", "#666666")) layers.push_back(layer);
  std::vector<PaintedSolid> solids;
  std::vector<std::size_t> bodies;
  for (std::size_t k = 0; k < file.bodies.size(); ++k) {
    if (!picture.is_solid(k)) continue;
    solids.push_back({file.bodies[k].solid, at.poses[k], 0});
    bodies.push_back(k);
    if (is_first || !file.bodies[k].is_fixed) {
      frame.data += picture.solid_data(std::to_string(k), k, at.poses[k]);
    }
  }
  for (const std::size_t k : painting_order(solids, picture.view())) {
    layers.push_back(SpatialPicture::solid_layers(std::to_string(bodies[k]),
                                                  solid_look(picture.color(bodies[k]))));
  }
  frame.layers = fmt::format("{}, \\\n       ", fmt::join(layers, ", \\\n       "));
  return frame;
}

}  // namespace

std::string scene_animation_script(const SpatialSceneFile& file, const SpatialResult& result) {
  const auto& samples = result.recording.samples;
  const SpatialPicture picture(file, result.recording);
  const std::vector<std::size_t> frames = animation_frames(samples.size());
  std::vector<double> times_s;
  for (const std::size_t frame : frames) times_s.push_back(samples[frame].shown.time_s);
  AnimationScript script(file.title, picture.window(), times_s,
                         spatial_force_scale_n(file, result.recording));
  for (const std::size_t frame : frames) {
    const SpatialSnapshot& at = samples[frame].shown;
    std::string arrows;
    for (const SpatialForce& force : forces_at(file, at)) {
      arrows += script.arrow(picture.view().flat(force.at_mm), picture.view().flat(force.force_n));
    }
    const PaintedFrame painted = painted_frame(file, picture, at, frame == 0);
    script.add_frame(painted.data, painted.layers, arrows);
  }
  return script.text();
}

std::string scene_animation(const SpatialSceneFile& file, const SpatialResult& result,
                            const std::string& gnuplot) {
  return drawn_animation(scene_animation_script(file, result), gnuplot);
}

}  // namespace graspmap
