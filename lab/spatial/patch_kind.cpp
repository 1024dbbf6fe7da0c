#include "lab/spatial/patch_kind.hpp"

namespace graspmap {
namespace {

bool is_same_pair(const SpatialContact& c, const SpatialContact& d) {
  return c.body_a == d.body_a && c.body_b == d.body_b;
}

PatchKind patch_of(const SpatialContact& contact, double closed_mm,
                   const std::vector<SpatialContact>& contacts) {
  int touching = 0;
  bool carries = false;
  for (const SpatialContact& other : contacts) {
    if (!is_same_pair(contact, other)) continue;
    if (other.gap_mm <= closed_mm) ++touching;
    carries = carries || other.p_n > 0.0;
  }
  if (!carries || (contact.p_n == 0.0 && contact.gap_mm > closed_mm)) return PatchKind::kOpen;
  if (touching <= 1) return PatchKind::kPoint;
  return touching == 2 ? PatchKind::kLine : PatchKind::kSurface;
}

}  // namespace

void set_patches(double closed_mm, std::vector<SpatialContact>& contacts) {
  for (SpatialContact& contact : contacts) contact.patch = patch_of(contact, closed_mm, contacts);
}

}  // namespace graspmap
