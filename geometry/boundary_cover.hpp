#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "geometry/elementary/elementary.hpp"
#include "geometry/part.hpp"
#include "geometry/superellipse.hpp"
#include "geometry/tolerances.hpp"

namespace graspmap {

/// A stretch of a boundary's parameter.
struct Stretch {
  double begin;
  double end;
};

/// Appends the stretches that an outline covers, or that another piece covers of an outline, to
/// those of each curve: `covered` has a list for each superellipse of the part, then for each
/// element of the outlines, holes after outer chains. Crossings of segments and arcs are closed
/// forms, those with superellipses are bisected to rounding.
void append_covered_by_outlines(const Part& part, std::vector<std::vector<Stretch>>& covered);

/// (|x/a|^e + |y/b|^e)^(1/e) - 1, the distance to a piece's boundary in units of the piece's own
/// size: unlike f it neither overflows far away nor flattens near the centre.
inline double gauge(const Piece& piece, const Vec2& x_P_mm) {
  const double f = value(piece.shape, inverse_transform(piece.pose, x_P_mm));
  return elementary::pow(f + 1.0, 1.0 / piece.shape.exponent) - 1.0;
}

/// The boundary parameter of the ray from the piece's centre through x.
inline double parameter_towards(const Piece& piece, const Vec2& x_P_mm) {
  const Vec2 local = inverse_transform(piece.pose, x_P_mm);
  return elementary::atan2(local.y() / piece.shape.b_mm, local.x() / piece.shape.a_mm);
}

/// As many samples of a superellipse's boundary as resolve its corners.
inline int sample_count(const Superellipse& shape) {
  return std::max(tolerances::kLeastBoundarySamples,
                  static_cast<int>(std::ceil(tolerances::kSamplesPerExponent * shape.exponent)));
}

/// Where f(t) changes its sign between lo and hi, where its signs differ: by bisection to rounding.
template <typename F>
double sign_change_between(const F& f, double lo, double hi) {
  const bool negative_at_lo = f(lo) < 0.0;
  while (true) {
    const double middle = 0.5 * (lo + hi);
    if (middle <= lo || middle >= hi) return middle;
    ((f(middle) < 0.0) == negative_at_lo ? lo : hi) = middle;
  }
}

/// A parameter in (lo, hi) where f has another sign than at lo and hi, if its extremum there has:
/// golden-section search, ended as soon as the sign changes.
template <typename F>
std::optional<double> dip_between(const F& f, double lo, double hi) {
  constexpr double kGolden = std::numbers::phi - 1.0;
  const bool negative_at_lo = f(lo) < 0.0;
  const double sign = negative_at_lo ? -1.0 : 1.0;
  double t_a = hi - kGolden * (hi - lo);
  double t_b = lo + kGolden * (hi - lo);
  double f_a = f(t_a);
  double f_b = f(t_b);
  for (int i = 0; i < tolerances::kDipIterations; ++i) {
    if ((f_a < 0.0) != negative_at_lo) return t_a;
    if ((f_b < 0.0) != negative_at_lo) return t_b;
    if (sign * f_a < sign * f_b) {
      hi = std::exchange(t_b, t_a);
      f_b = f_a;
      t_a = hi - kGolden * (hi - lo);
      f_a = f(t_a);
    } else {
      lo = std::exchange(t_a, t_b);
      f_a = f_b;
      t_b = lo + kGolden * (hi - lo);
      f_b = f(t_b);
    }
  }
  return std::nullopt;
}

/// Where f of period 2 pi changes its sign: between `n` samples, and between samples around an
/// extremum where it does so twice.
template <typename F>
std::vector<double> sign_changes(const F& f, int n) {
  const auto parameter = [n](int k) { return 2.0 * std::numbers::pi * k / n; };
  std::vector<double> values;
  for (int k = 0; k < n; ++k) values.push_back(f(parameter(k)));
  const auto sample = [&](int k) { return values[static_cast<std::size_t>((k + n) % n)]; };
  const auto same_sign = [&](int j, int k) { return (sample(j) < 0.0) == (sample(k) < 0.0); };

  std::vector<double> found;
  for (int k = 0; k < n; ++k) {
    if (!same_sign(k, k + 1)) {
      found.push_back(sign_change_between(f, parameter(k), parameter(k + 1)));
      continue;
    }
    const bool nearest = std::abs(sample(k)) <= std::abs(sample(k - 1)) &&
                         std::abs(sample(k)) < std::abs(sample(k + 1));
    if (!nearest || !same_sign(k - 1, k)) continue;
    if (const auto dip = dip_between(f, parameter(k - 1), parameter(k + 1))) {
      found.push_back(sign_change_between(f, parameter(k - 1), *dip));
      found.push_back(sign_change_between(f, *dip, parameter(k + 1)));
    }
  }
  return found;
}

}  // namespace graspmap
