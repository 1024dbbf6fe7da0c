#pragma once

/// Elementary functions with one fixed sequence of operations: + - * / and the square root, which
/// IEEE 754 rounds correctly, comparisons, and operations on bits. So they give the same bits on
/// every machine, with any compiler and any C library. Whatever decides how a trial ends uses
/// these, not the C library's. Errors are below one unit in the last place unless said otherwise
/// (tests/geometry/elementary; docs/explanation/same-bits.md).
namespace graspmap::elementary {

struct SinCos {
  double sin;
  double cos;
};

/// Sine and cosine of an angle in rad, of any size; NaN for infinity and NaN.
SinCos sincos(double x);
double sin(double x);
double cos(double x);
double tan(double x);

/// The angle of (x, y), rad in [-pi, pi], with the signs of zero of the C library's atan2.
double atan2(double y, double x);
double atan(double x);

/// The cube root, of the sign of x.
double cbrt(double x);

double exp(double x);
/// exp(x) - 1 without cancellation.
double expm1(double x);
/// The natural logarithm; -infinity for 0, NaN below.
double log(double x);
/// log(1 + x) without cancellation, to 1.5 units in the last place.
double log1p(double x);
/// x^y for x >= 0; NaN for x < 0.
double pow(double x, double y);
/// 2^n, for -1022 <= n <= 1023: exact.
double power_of_two(int n);

/// 1 - erf(x), to 4 units in the last place.
double erfc(double x);
/// The z below which a standard normal variable is with probability p, to 5 units in the last
/// place; -infinity for 0, infinity for 1, NaN outside.
double normal_score(double p);

}  // namespace graspmap::elementary
