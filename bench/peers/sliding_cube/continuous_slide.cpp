#include "bench/peers/sliding_cube/continuous_slide.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace graspmap::bench {
namespace {

constexpr double kFinePart_s = 2e-5;

/// Braked by friction alone.
Slide straight_slide(const CubeCase& cube, double time_s) {
  const double speed = cube.velocity_m_s.norm();
  const double t = std::min(time_s, speed / kBraking_m_s2);
  const double distance = t * (speed - 0.5 * kBraking_m_s2 * t);
  const Vec2 direction = cube.velocity_m_s / speed;
  return {distance * direction, (speed - kBraking_m_s2 * t) * direction, distance};
}

/// The motion that a force bends, in the force's axes. With n = b/a the speed is
/// C/2 (u^(n-1) + u^(n+1)), and dt = -C/(2a) (u^(n-2) + u^n) du.
class BentSlide {
 public:
  explicit BentSlide(const CubeCase& cube) {
    along_ = cube.force_n.normalized();
    const double v_along = along_.dot(cube.velocity_m_s);
    across_ = cube.velocity_m_s - v_along * along_;
    const double v_across = across_.norm();
    if (v_across == 0.0) throw std::invalid_argument("the force acts along the velocity");
    across_ /= v_across;
    a_ = cube.force_n.norm() / kMass_kg;
    n_ = kBraking_m_s2 / a_;
    const double speed = std::hypot(v_along, v_across);
    u_0_ = std::tan(0.5 * std::atan2(v_across, v_along));
    c_ = 2.0 * speed / (std::pow(u_0_, n_ - 1.0) + std::pow(u_0_, n_ + 1.0));
  }

  [[nodiscard]] Slide at(double time_s) const {
    const double u = u_at(time_s);
    const double along =
        c_ * c_ / (4.0 * a_) * (power(2.0 * n_ - 2.0, u) - power(2.0 * n_ + 2.0, u));
    const double across =
        c_ * c_ / (2.0 * a_) * (power(2.0 * n_ - 1.0, u) + power(2.0 * n_ + 1.0, u));
    const double distance =
        c_ * c_ / (4.0 * a_) *
        (power(2.0 * n_ - 2.0, u) + 2.0 * power(2.0 * n_, u) + power(2.0 * n_ + 2.0, u));
    Vec2 velocity = Vec2::Zero();
    if (u > 0.0) {
      velocity = 0.5 * c_ * (std::pow(u, n_ - 1.0) - std::pow(u, n_ + 1.0)) * along_ +
                 c_ * std::pow(u, n_) * across_;
    }
    return {along * along_ + across * across_, velocity, distance};
  }

 private:
  /// The integral of u^(k-1) from u to u_0.
  [[nodiscard]] double power(double k, double u) const {
    if (std::abs(k) < 1e-12) return std::log(u_0_ / u);
    return (std::pow(u_0_, k) - std::pow(u, k)) / k;
  }

  [[nodiscard]] double time(double u) const {
    return c_ / (2.0 * a_) * (power(n_ - 1.0, u) + power(n_ + 1.0, u));
  }

  /// 0: at rest.
  [[nodiscard]] double u_at(double time_s) const {
    if (n_ > 1.0 && time_s >= time(0.0)) return 0.0;
    double low = std::log(u_0_) - 500.0;
    double high = std::log(u_0_);
    for (int i = 0; i < 80; ++i) {
      const double middle = 0.5 * (low + high);
      (time(std::exp(middle)) > time_s ? low : high) = middle;
    }
    return std::exp(0.5 * (low + high));
  }

  Vec2 along_;   ///< of the force
  Vec2 across_;  ///< the velocity's side of it
  double a_ = 0.0;
  double n_ = 0.0;
  double u_0_ = 0.0;
  double c_ = 0.0;
};

/// Friction is -mu m g E^2 v / |E v| with E = diag(1, e_o).
Slide rate(const CubeCase& cube, const Slide& at) {
  const Vec2 e(1.0, cube.e_o);
  const Vec2& v = at.velocity_m_s;
  const double s = v.cwiseProduct(e).norm();
  return {v, cube.force_n / kMass_kg - kBraking_m_s2 / s * v.cwiseProduct(e).cwiseProduct(e),
          v.norm()};
}

Slide moved(const Slide& from, const Slide& rate, double h) {
  return {from.position_m + h * rate.position_m, from.velocity_m_s + h * rate.velocity_m_s,
          from.distance_m + h * rate.distance_m};
}

Slide runge_kutta(const CubeCase& cube, const Slide& at, double h) {
  const Slide k1 = rate(cube, at);
  const Slide k2 = rate(cube, moved(at, k1, 0.5 * h));
  const Slide k3 = rate(cube, moved(at, k2, 0.5 * h));
  const Slide k4 = rate(cube, moved(at, k3, h));
  return moved(moved(moved(moved(at, k1, h / 6.0), k2, h / 3.0), k3, h / 3.0), k4, h / 6.0);
}

}  // namespace

Slide isotropic_slide(const CubeCase& cube, double time_s) {
  if (cube.e_o != 1.0) throw std::invalid_argument("friction is anisotropic");
  if (cube.force_n.isZero(0.0)) return straight_slide(cube, time_s);
  return BentSlide(cube).at(time_s);
}

std::vector<Slide> integrated_slide(const CubeCase& cube, double h, int steps, double part_s) {
  const int parts = std::max(1, static_cast<int>(std::ceil(h / part_s - 1e-9)));
  const double part = h / parts;
  std::vector<Slide> slides{{Vec2::Zero(), cube.velocity_m_s, 0.0}};
  for (int step = 0; step < steps; ++step) {
    Slide at = slides.back();
    for (int i = 0; i < parts; ++i) {
      if (at.velocity_m_s.norm() <= 2.0 * kBraking_m_s2 * part) {
        throw std::domain_error("the cube comes to rest");
      }
      at = runge_kutta(cube, at, part);
    }
    slides.push_back(at);
  }
  return slides;
}

std::vector<Slide> continuous_slide(const CubeCase& cube, double h, int steps) {
  if (cube.e_o != 1.0) return integrated_slide(cube, h, steps, kFinePart_s);
  std::vector<Slide> slides;
  for (int step = 0; step <= steps; ++step) slides.push_back(isotropic_slide(cube, step * h));
  return slides;
}

}  // namespace graspmap::bench
