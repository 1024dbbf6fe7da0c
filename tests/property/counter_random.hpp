#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "grasp/base/probability/random.hpp"

namespace graspmap::testing {

/// The numbers that belong to a seed and an index: counter-based, so that each index can be drawn
/// by itself. Has the calls of Random (tests/support/random.hpp).
class CounterRandom {
 public:
  CounterRandom(std::uint64_t seed, std::uint64_t index) : seed_(seed), index_(index) {}

  /// Uniform between lo and hi.
  double uniform(double lo, double hi) {
    return lo + (hi - lo) * uniform_open(seed_, index_, draw_++);
  }
  /// 10 to a power that is uniform between lo and hi.
  double decade(double lo, double hi) { return std::pow(10.0, uniform(lo, hi)); }
  /// One of 0 ... count - 1.
  int index(int count) { return std::min(static_cast<int>(uniform(0.0, count)), count - 1); }
  /// True once in `count` times.
  bool once_in(int count) { return index(count) == 0; }

 private:
  std::uint64_t seed_;
  std::uint64_t index_;
  std::uint32_t draw_ = 0;
};

}  // namespace graspmap::testing
