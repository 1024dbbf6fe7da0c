#pragma once

#include <algorithm>
#include <numbers>

namespace graspmap::testing {

struct Extremum {
  double argument;
  double value;
};

/// The largest value of f in [lo, hi], where f has a single peak: golden-section search.
template <typename F>
Extremum golden_section_max(const F& f, double lo, double hi) {
  constexpr double kGolden = std::numbers::phi - 1.0;
  while (true) {
    const double left = hi - kGolden * (hi - lo);
    const double right = lo + kGolden * (hi - lo);
    if (!(left > lo && left < right && right < hi)) return {left, f(left)};
    (f(left) > f(right) ? hi : lo) = f(left) > f(right) ? right : left;
  }
}

/// The largest value of f on [lo, hi]: a grid, then golden-section search around its best point.
template <typename F>
Extremum interval_max(const F& f, double lo, double hi, int samples) {
  const double step = (hi - lo) / samples;
  Extremum best{lo, f(lo)};
  for (int k = 1; k <= samples; ++k) {
    const double x = lo + step * k;
    const double fx = f(x);
    if (fx > best.value) best = {x, fx};
  }
  const Extremum refined =
      golden_section_max(f, std::max(lo, best.argument - step), std::min(hi, best.argument + step));
  return refined.value > best.value ? refined : best;
}

/// The largest value of a function of period 2 pi.
template <typename F>
Extremum periodic_max(const F& f, int samples) {
  const double period = 2.0 * std::numbers::pi;
  const Extremum coarse = interval_max(f, 0.0, period, samples);
  const double step = period / samples;
  const Extremum refined = golden_section_max(f, coarse.argument - step, coarse.argument + step);
  return refined.value > coarse.value ? refined : coarse;
}

}  // namespace graspmap::testing
