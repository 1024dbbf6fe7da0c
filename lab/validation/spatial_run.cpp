#include "lab/validation/spatial_run.hpp"

#include <algorithm>
#include <cmath>

namespace graspmap {

const SpatialSnapshot& SpatialRun::at_s(double time_s) const {
  return *std::min_element(shown.begin(), shown.end(),
                           [&](const SpatialSnapshot& a, const SpatialSnapshot& b) {
                             return std::abs(a.time_s - time_s) < std::abs(b.time_s - time_s);
                           });
}

SpatialRun watch_spatial(const SpatialSceneFile& file) {
  SpatialRun seen;
  while (seen.body + 1 < file.bodies.size() && file.bodies[seen.body].is_fixed) ++seen.body;
  StepClock clock;
  seen.run = simulate(file, [&](const SpatialSnapshot& at) {
    seen.computing_s.push_back(seen.shown.empty() ? 0.0 : clock.step_s());
    seen.shown.push_back(at);
    clock.go_on();
    return true;
  });
  return seen;
}

FeltContact felt_contact(const SpatialSnapshot& at, std::size_t body) {
  FeltContact felt;
  for (const SpatialContact& contact : at.contacts) {
    const bool is_a = static_cast<std::size_t>(contact.body_a) == body;
    if (!is_a && static_cast<std::size_t>(contact.body_b) != body) continue;
    if (contact.patch == PatchKind::kOpen) continue;
    if (felt.contact != nullptr && contact.p_n <= felt.contact->p_n) continue;
    felt.contact = &contact;
    felt.arm_mm = (is_a ? contact.on_a_mm : contact.on_b_mm) - at.poses[body].position_mm;
    felt.friction_mn_s = (contact.p_t * contact.t + contact.p_o * contact.o) * (is_a ? 1.0 : -1.0);
    felt.facets = is_a ? contact.facets_a : contact.facets_b;
  }
  return felt;
}

double lowest_point_mm(const SpatialSceneFile& file, const SpatialSnapshot& at, std::size_t body) {
  const Pose3& pose = at.poses[body];
  const Vec3 down = pose.orientation.conjugate() * Vec3(-Vec3::UnitZ());
  return pose.to_world(support_point(file.bodies[body].solid, down)).z();
}

}  // namespace graspmap
