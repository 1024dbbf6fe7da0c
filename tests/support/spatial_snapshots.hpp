#pragma once

#include <algorithm>

#include "lab/spatial_scenes/spatial_recording.hpp"

namespace graspmap::testing {

/// Snapshots of a scene of rigid bodies in which nothing touches: each body keeps its velocity.
/// `contacts` are those of each step.
inline std::vector<SpatialSnapshot> drifting(const SpatialSceneFile& file, int steps,
                                             const std::vector<SpatialContact>& contacts = {}) {
  const SpatialScene& scene = file.rigid().scene;
  SpatialState state = start_state(scene);
  std::vector<SpatialSnapshot> snapshots;
  for (int k = 0; k <= steps; ++k) {
    SpatialSnapshot shown;
    shown.time_s = k * file.run.step_s;
    shown.step_s = k > 0 ? file.run.step_s : 0.0;
    shown.poses = state.poses;
    shown.velocities = state.velocities;
    if (k > 0) {
      shown.contacts = contacts;
      shown.iterations = 3;
      shown.unknowns = 12;
      shown.residual = 1e-12;
      for (const SpatialContact& contact : contacts) {
        shown.worst_overlap_mm = std::max(shown.worst_overlap_mm, -contact.gap_mm);
      }
    }
    shown.energy = energy(scene, state);
    snapshots.push_back(shown);
    const SpatialState start = state;
    advance(scene, start, start.velocities, file.run.step_s, state);
  }
  return snapshots;
}

/// What a simulation that shows these snapshots keeps.
inline SpatialResult recorded(const SpatialSceneFile& file,
                              const std::vector<SpatialSnapshot>& snapshots,
                              std::int64_t every = 1) {
  SpatialRecorder recorder(file, every);
  SpatialResult result;
  for (const SpatialSnapshot& snapshot : snapshots) {
    recorder.observe(snapshot);
    if (snapshot.step_s > 0.0) ++result.run.totals.steps;
  }
  result.recording = recorder.finish();
  result.wall_time_s = 0.5;
  return result;
}

/// The ball of `kRigidSceneText` on its floor.
inline SpatialContact ball_on_floor() {
  SpatialContact contact;
  contact.body_a = 0;
  contact.body_b = 1;
  contact.friction = {0.5, 1.0, 1.0, 3.0};
  contact.on_a_mm = {-50, 0, 0};
  contact.on_b_mm = {-50, 0, -0.25};
  contact.normal = {0, 0, -1};
  contact.t = {1, 0, 0};
  contact.o = {0, -1, 0};
  contact.gap_mm = -0.25;
  contact.p_n = 20.0;
  contact.p_t = 6.0;
  contact.p_o = 8.0;
  contact.p_r = 9.0;
  contact.v_t_mm_s = 30.0;
  contact.v_o_mm_s = 40.0;
  contact.w_r_rad_s = 2.0;
  contact.sigma_mm_s = 50.0;
  contact.patch = PatchKind::kPoint;
  contact.facets_b = 1;
  return contact;
}

}  // namespace graspmap::testing
