#pragma once

#include <array>

namespace graspmap {

/// How far one coordinate of the placement that is reached is off the nominal one, in mm or rad.
struct AxisError {
  enum class Kind {
    kExact,   ///< not at all, as far as the map can tell: the cell that holds it, uniform
    kNormal,  ///< normal with mean 0
    kUniform  ///< uniform
  };
  Kind kind = Kind::kExact;
  double size = 0.0;  ///< > 0: the standard deviation, or the half width
};

/// The errors of x, y and theta, independent of each other.
using PlacementError = std::array<AxisError, 3>;

/// A normal error; exact for sigma 0.
AxisError normal_error(double sigma);
/// A uniform error in +-half_width; exact for 0.
AxisError uniform_error(double half_width);

/// P(low <= error <= high). Not for an exact one.
double error_mass(const AxisError& error, double low, double high);

/// The logarithm of the error's density, relative to its largest value: 0 for an exact one.
double log_relative_density(const AxisError& error, double offset);

}  // namespace graspmap
