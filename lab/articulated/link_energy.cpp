#include "lab/articulated/link_energy.hpp"

namespace graspmap {

SceneEnergy energy(const ArticulatedSystem& system, const std::vector<LinkKinematics>& links) {
  SceneEnergy sum;
  for (std::size_t k = 0; k < links.size(); ++k) {
    const Link& link = system.links[k];
    const Vec3 c = links[k].arm(link.centre_of_mass_mm);
    const Vec3 v = velocity_at(links[k].velocity, c);
    const Vec3 w = links[k].R.transpose() * links[k].velocity.tail<3>();
    sum.kinetic_j += 0.5 * kJoulesPerMillinewtonMillimetre *
                     (link.mass_kg * v.squaredNorm() + w.dot(link.inertia_kg_mm2 * w));
    sum.potential_j -= kJoulesPerMillinewtonMillimetre * link.mass_kg *
                       system.gravity_mm_s2.dot(links[k].origin_mm + c);
  }
  return sum;
}

}  // namespace graspmap
