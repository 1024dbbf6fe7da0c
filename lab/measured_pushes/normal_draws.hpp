#pragma once

#include <Eigen/Core>
#include <cstdint>

namespace graspmap {

/// Independent standard normal numbers that belong to a seed and a number.
Eigen::VectorXd normal_draws(Eigen::Index count, std::uint64_t seed, std::uint64_t number);

}  // namespace graspmap
