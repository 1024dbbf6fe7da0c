#include "lab/measured_pushes/normal_draws.hpp"

#include <boost/math/distributions/normal.hpp>

#include "grasp/base/probability/random.hpp"

namespace graspmap {

Eigen::VectorXd normal_draws(Eigen::Index count, std::uint64_t seed, std::uint64_t number) {
  const boost::math::normal normal;
  Eigen::VectorXd draws(count);
  for (Eigen::Index k = 0; k < count; ++k) {
    draws[k] = quantile(normal, uniform_open(seed, number, static_cast<std::uint32_t>(k)));
  }
  return draws;
}

}  // namespace graspmap
