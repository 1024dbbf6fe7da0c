#include "lab/spatial_scenes/spatial_tables.hpp"

#include <fmt/format.h>

#include <iterator>

#include "grasp/io/units.hpp"

namespace graspmap {
namespace {

std::string columns_of(const Vec3& v) { return fmt::format("{},{},{}", v.x(), v.y(), v.z()); }

std::string contact_columns(const SpatialSceneFile& file, const SpatialSnapshot& at,
                            std::size_t k) {
  const SpatialContact& c = at.contacts[k];
  const auto body = [&](int index) { return file.bodies[static_cast<std::size_t>(index)].name; };
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                     at.time_s, body(c.body_a), body(c.body_b), name(c.patch), c.facets_a,
                     c.facets_b, columns_of(c.on_a_mm), columns_of(c.on_b_mm), columns_of(c.normal),
                     columns_of(c.t), columns_of(c.o), c.gap_mm, c.p_n, c.p_t, c.p_o, c.p_r,
                     kNewtons * c.p_n / at.step_s, c.friction.mu, c.v_t_mm_s, c.v_o_mm_s,
                     c.w_r_rad_s, c.sigma_mm_s, name(contact_hold(at, k)));
}

}  // namespace

std::string spatial_trajectory_csv(const SpatialSceneFile& file,
                                   const SpatialRecording& recording) {
  std::string csv = "time_s";
  for (const SceneSolid& body : file.bodies) {
    if (body.is_fixed) continue;
    for (const char* column :
         {"x_mm", "y_mm", "z_mm", "qw", "qx", "qy", "qz", "v_x_mm_s", "v_y_mm_s", "v_z_mm_s",
          "omega_x_rad_s", "omega_y_rad_s", "omega_z_rad_s"}) {
      csv += fmt::format(",{}.{}", body.name, column);
    }
  }
  csv += '\n';
  for (const SpatialSample& sample : recording.samples) {
    csv += fmt::format("{}", sample.shown.time_s);
    for (std::size_t k = 0; k < file.bodies.size(); ++k) {
      if (file.bodies[k].is_fixed) continue;
      const Pose3& pose = sample.shown.poses[k];
      const Eigen::Quaterniond& q = pose.orientation;
      const Twist& nu = sample.shown.velocities[k];
      fmt::format_to(std::back_inserter(csv), ",{},{},{},{},{},{},{}", columns_of(pose.position_mm),
                     q.w(), q.x(), q.y(), q.z(), columns_of(nu.head<3>()),
                     columns_of(nu.tail<3>()));
    }
    csv += '\n';
  }
  return csv;
}

std::string spatial_contacts_csv(const SpatialSceneFile& file, const SpatialRecording& recording) {
  std::string csv =
      "time_s,body_a,body_b,patch,facets_a,facets_b,on_a_x_mm,on_a_y_mm,on_a_z_mm,on_b_x_mm,"
      "on_b_y_mm,on_b_z_mm,normal_x,normal_y,normal_z,t_x,t_y,t_z,o_x,o_y,o_z,gap_mm,p_n_mn_s,"
      "p_t_mn_s,p_o_mn_s,p_r_mn_s_mm,force_n,friction,v_t_mm_s,v_o_mm_s,omega_r_rad_s,sigma_mm_s,"
      "state\n";
  for (const SpatialSample& sample : recording.samples) {
    for (std::size_t k = 0; k < sample.shown.contacts.size(); ++k) {
      csv += contact_columns(file, sample.shown, k);
    }
  }
  return csv;
}

std::string spatial_energy_csv(const SpatialRecording& recording) {
  std::string csv = "time_s,kinetic_j,potential_j,total_j\n";
  for (const SpatialSample& sample : recording.samples) {
    const SpatialEnergy& energy = sample.shown.energy;
    csv += fmt::format("{},{},{},{}\n", sample.shown.time_s, energy.kinetic_j, energy.potential_j,
                       energy.total_j());
  }
  return csv;
}

std::string spatial_steps_csv(const SpatialSceneFile& file, const SpatialRecording& recording) {
  std::string csv =
      "time_s,steps,iterations,unknowns,contacts,worst_residual,worst_overlap_mm,"
      "overlap_found_mm";
  csv += file.is_articulated() ? ",contact_work_j\n" : "\n";
  for (const SpatialSample& sample : recording.samples) {
    csv += fmt::format("{},{},{},{},{},{},{},{}", sample.shown.time_s, sample.since.steps,
                       sample.since.iterations, sample.shown.unknowns, sample.shown.contacts.size(),
                       sample.since.worst_residual, sample.since.worst_overlap_mm,
                       sample.overlap ? sample.overlap->depth_mm : 0.0);
    if (file.is_articulated()) csv += fmt::format(",{}", sample.contact_work_j);
    csv += '\n';
  }
  return csv;
}

}  // namespace graspmap
