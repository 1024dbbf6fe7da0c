#include "grasp/decide/plan/placement_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace graspmap {

AxisError normal_error(double sigma) {
  return sigma > 0 ? AxisError{AxisError::Kind::kNormal, sigma} : AxisError{};
}

AxisError uniform_error(double half_width) {
  return half_width > 0 ? AxisError{AxisError::Kind::kUniform, half_width} : AxisError{};
}

double error_mass(const AxisError& error, double low, double high) {
  switch (error.kind) {
    case AxisError::Kind::kExact:
      break;
    case AxisError::Kind::kNormal: {
      const double scale = 1 / (error.size * std::numbers::sqrt2);
      return (std::erf(high * scale) - std::erf(low * scale)) / 2;
    }
    case AxisError::Kind::kUniform: {
      const double overlap = std::min(high, error.size) - std::max(low, -error.size);
      return std::max(overlap, 0.0) / (2 * error.size);
    }
  }
  return 1.0;
}

double log_relative_density(const AxisError& error, double offset) {
  switch (error.kind) {
    case AxisError::Kind::kExact:
      break;
    case AxisError::Kind::kNormal: {
      const double z = offset / error.size;
      return -z * z / 2;
    }
    case AxisError::Kind::kUniform:
      return std::abs(offset) <= error.size ? 0.0 : -std::numeric_limits<double>::infinity();
  }
  return 0.0;
}

}  // namespace graspmap
