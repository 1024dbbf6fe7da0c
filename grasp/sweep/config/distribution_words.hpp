#pragma once

#include <array>
#include <cstddef>

#include "grasp/base/probability/distribution.hpp"

namespace graspmap {

/// The words of a configuration for the kinds of distributions, in the order of the enumeration.
inline constexpr std::array<const char*, 8> kDistributionWords = {
    "fixed",     "uniform",    "normal",   "truncated_normal",
    "lognormal", "triangular", "discrete", "histogram"};

inline const char* word(DistributionKind kind) {
  return kDistributionWords[static_cast<std::size_t>(kind)];
}

}  // namespace graspmap
