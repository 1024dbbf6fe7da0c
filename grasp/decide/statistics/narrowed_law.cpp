#include "grasp/decide/statistics/narrowed_law.hpp"

namespace graspmap {

Distribution narrowed_law(const Distribution& law, double factor) {
  Distribution narrow = law;
  if (law.sigma > 0) {
    narrow.sigma *= factor;
    narrow.lot_sigma *= factor;
    return narrow;
  }
  const double centre = mean_of_law(law);
  const auto move = [&](double& value) { value = centre + factor * (value - centre); };
  move(narrow.min);
  move(narrow.max);
  move(narrow.mode);
  for (double& value : narrow.values) move(value);
  return narrow;
}

}  // namespace graspmap
