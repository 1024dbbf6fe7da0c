#include "geometry/friction_factors.hpp"

#include <algorithm>

#include "geometry/index.hpp"

namespace graspmap {

bool has_friction_factors(const Part& part) {
  const auto has = [](const auto& piece) { return piece.friction_factor != 1.0; };
  return std::any_of(part.pieces.begin(), part.pieces.end(), has) ||
         std::any_of(part.outlines.begin(), part.outlines.end(), has);
}

double friction_factor(const Part& part, int feature) {
  if (index(feature) < part.pieces.size()) return part.pieces[index(feature)].friction_factor;
  std::size_t k = part.outlines.size() - 1;
  while (k > 0 && feature < first_feature(part, k)) --k;
  return part.outlines[k].friction_factor;
}

}  // namespace graspmap
