#pragma once

#include <catch2/catch.hpp>

namespace graspmap::testing {

/// Compares equal to numbers that differ from `value` by at most an absolute tolerance.
inline Approx within(double value, double tolerance) {
  return Approx(value).epsilon(0.0).margin(tolerance);
}

}  // namespace graspmap::testing
