#include "lab/scenes/scene_tables.hpp"

#include <fmt/format.h>

#include <iterator>

#include "grasp/io/units.hpp"

namespace graspmap {
namespace {

std::vector<int> moving_bodies(const PlanarScene& scene) {
  std::vector<int> bodies;
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    const PlanarBody& body = scene.bodies[k];
    if (body.moves_freely() || body.shake) bodies.push_back(static_cast<int>(k));
  }
  return bodies;
}

const char* name(ContactFeature::Kind kind) {
  switch (kind) {
    case ContactFeature::Kind::kWhole:
      return "whole";
    case ContactFeature::Kind::kVertexOfA:
      return "vertex_of_a";
    case ContactFeature::Kind::kVertexOfB:
      break;
  }
  return "vertex_of_b";
}

std::string contact_row_csv(const PlanarScene& scene, const SceneSample& sample, std::size_t k) {
  const PlanarContact& contact = sample.contacts[k];
  const ContactKey& key = contact.key;
  const Vec2 at = 0.5 * (contact.at.on_a_mm + contact.at.on_b_mm);
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", sample.state.time_s,
                     scene.bodies[static_cast<std::size_t>(key.body_a)].name, key.shape_a,
                     scene.bodies[static_cast<std::size_t>(key.body_b)].name, key.shape_b,
                     name(key.feature.kind), key.feature.vertex, at.x(), at.y(),
                     contact.at.normal.x(), contact.at.normal.y(), contact.at.gap_mm, contact.p_n,
                     contact.p_t, contact.p_core, kNewtons * contact.p_n / sample.step_s,
                     contact.slip_mm_s, name(contact_hold(sample, k)));
}

}  // namespace

std::string scene_trajectory_csv(const PlanarScene& scene, const SceneRecording& recording) {
  const std::vector<int> bodies = moving_bodies(scene);
  std::string csv = "time_s";
  for (const int body : bodies) {
    for (const char* column :
         {"x_mm", "y_mm", "theta_rad", "v_x_mm_s", "v_y_mm_s", "omega_rad_s"}) {
      csv += fmt::format(",{}.{}", scene.bodies[static_cast<std::size_t>(body)].name, column);
    }
  }
  csv += '\n';
  for (const SceneSample& sample : recording.samples) {
    csv += fmt::format("{}", sample.state.time_s);
    for (const int body : bodies) {
      const Vec3& q = sample.state.poses[static_cast<std::size_t>(body)];
      const Vec3 v = body_velocity(scene, sample.state, body);
      fmt::format_to(std::back_inserter(csv), ",{},{},{},{},{},{}", q[0], q[1], q[2], v[0], v[1],
                     v[2]);
    }
    csv += '\n';
  }
  return csv;
}

std::string scene_contacts_csv(const PlanarScene& scene, const SceneRecording& recording) {
  std::string csv =
      "time_s,body_a,piece_a,body_b,piece_b,feature,vertex,x_mm,y_mm,normal_x,normal_y,gap_mm,"
      "p_n_mn_s,p_t_mn_s,p_core_mn_s,force_n,slip_mm_s,state\n";
  for (const SceneSample& sample : recording.samples) {
    for (std::size_t k = 0; k < sample.contacts.size(); ++k) {
      csv += contact_row_csv(scene, sample, k);
    }
  }
  return csv;
}

std::string scene_energy_csv(const SceneRecording& recording) {
  std::string csv = "time_s,kinetic_j,potential_j,elastic_j,total_j\n";
  for (const SceneSample& sample : recording.samples) {
    csv += fmt::format("{},{},{},{},{}\n", sample.state.time_s, sample.energy.kinetic_j,
                       sample.energy.potential_j, sample.energy.elastic_j, sample.energy.total_j());
  }
  return csv;
}

std::string scene_steps_csv(const SceneRecording& recording) {
  std::string csv =
      "time_s,steps,iterations,contacts,worst_residual,worst_overlap_mm,overlap_found_mm\n";
  for (const SceneSample& sample : recording.samples) {
    csv +=
        fmt::format("{},{},{},{},{},{},{}\n", sample.state.time_s, sample.since.steps,
                    sample.since.iterations, sample.contacts.size(), sample.since.worst_residual,
                    sample.since.worst_overlap_mm, sample.overlap ? sample.overlap->depth_mm : 0.0);
  }
  return csv;
}

}  // namespace graspmap
