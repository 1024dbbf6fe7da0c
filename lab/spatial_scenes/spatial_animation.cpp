#include "lab/spatial_scenes/spatial_animation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grasp/base/io/units.hpp"
#include "lab/scenes/animation_layout.hpp"
#include "lab/scenes/scene_colors.hpp"
#include "lab/spatial_scenes/painting_order.hpp"
#include "lab/spatial_scenes/spatial_picture.hpp"

namespace graspmap {
namespace {

/// The forces of a moment. Of two bodies that move the first has it drawn.
std::vector<DrawnForce> forces_at(const SpatialSceneFile& file, const SpatialView& view,
                                  const SpatialSnapshot& at) {
  std::vector<DrawnForce> forces;
  for (std::size_t k = 0; k < at.contacts.size(); ++k) {
    if (contact_hold(at, k) == ContactHold::kOpen) continue;
    const SpatialContact& c = at.contacts[k];
    const bool a_moves = !file.bodies[static_cast<std::size_t>(c.body_a)].is_fixed;
    const Vec3 impulse = c.p_n * c.normal + c.p_t * c.t + c.p_o * c.o;
    const Vec3 force_n =
        (a_moves ? kNewtonsPerMillinewton : -kNewtonsPerMillinewton) / at.step_s * impulse;
    forces.push_back(
        {view.flat(a_moves ? c.on_a_mm : c.on_b_mm), view.flat(force_n), force_n.norm()});
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

double weight_n(const SpatialSceneFile& file) {
  const Vec3 gravity = file.is_articulated() ? file.articulated().system.gravity_mm_s2
                                             : file.rigid().scene.gravity_mm_s2;
  return kNewtonsPerMillinewton * moving_mass_kg(file) * gravity.norm();
}

/// The bodies of a frame in the order of painting, with their data; those that do not move are
/// written in the first one.
FrameParts painted_frame(const SpatialSceneFile& file, const SpatialPicture& picture,
                         const SpatialSnapshot& at, bool is_first) {
  FrameParts frame{is_first ? picture.ground_data() : "", ""};
  frame.data += picture.rods_data("all", at);
  std::vector<std::string> layers = picture.ground_layers();
  const auto add_joints = [&] {
    for (const std::string& layer : picture.rods_layers("all", "#666666")) layers.push_back(layer);
  };
  if (file.is_articulated()) add_joints();
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
  if (!file.is_articulated()) add_joints();
  frame.layers = fmt::format("{}, \\\n       ", fmt::join(layers, ", \\\n       "));
  return frame;
}

}  // namespace

std::string scene_animation_script(const SpatialSceneFile& file, const SpatialResult& result) {
  const SpatialPicture picture(file, result.recording);
  return animation_script(
      file.title, picture.window(), weight_n(file), result.recording,
      [&](const SpatialSnapshot& at) { return forces_at(file, picture.view(), at); },
      [&](const SpatialSnapshot& at, bool is_first) {
        return painted_frame(file, picture, at, is_first);
      });
}

std::string scene_animation(const SpatialSceneFile& file, const SpatialResult& result,
                            const std::string& gnuplot) {
  return drawn_animation(scene_animation_script(file, result), gnuplot);
}

}  // namespace graspmap
