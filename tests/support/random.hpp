#pragma once

#include <cstdint>
#include <random>

namespace graspmap::testing {

/// A seeded source of numbers that is the same with every standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Uniform in [lo, hi).
  double uniform(double lo, double hi) {
    return lo + (hi - lo) * 0x1p-53 * static_cast<double>(engine_() >> 11U);
  }

  /// One of 0 ... count - 1.
  int index(int count) { return static_cast<int>(uniform(0.0, count)); }

 private:
  std::mt19937_64 engine_;
};

}  // namespace graspmap::testing
