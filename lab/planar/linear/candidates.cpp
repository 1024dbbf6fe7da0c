#include "lab/planar/linear/candidates.hpp"

#include <algorithm>

namespace graspmap {

std::vector<ContactKey> candidate_contacts(const PlanarScene& scene, const PlanarState& start,
                                           const PlanarState& at, double h,
                                           const StepperSettings& settings) {
  std::vector<ContactKey> keys;
  if (settings.active_gap_mm >= 0.0) {
    near_contacts(scene, at, settings.active_gap_mm, keys);
  } else {
    near_contacts(scene, start, step_reach_mm(scene, start, h), keys);
  }
  return keys;
}

double closed_gap_mm(const PlanarScene& scene, const PlanarState& start, double h) {
  return 1e-12 * step_scales(scene, start, h).length_mm;
}

bool add_overlapping(const PlanarScene& scene, const PlanarState& end, double slack_mm,
                     std::vector<ContactKey>& keys) {
  std::vector<ContactKey> overlapping;
  near_contacts(scene, end, -slack_mm, overlapping);
  const std::size_t before = keys.size();
  for (const ContactKey& key : overlapping) {
    const auto known = keys.begin() + static_cast<std::ptrdiff_t>(before);
    if (std::find(keys.begin(), known, key) == known) keys.push_back(key);
  }
  return keys.size() > before;
}

}  // namespace graspmap
