#include "bench/peers/sliding_cube/continuous_slide.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

using namespace graspmap;
using namespace graspmap::bench;

namespace {

const CubeCase& case_named(const std::vector<CubeCase>& cases, const std::string& id) {
  for (const CubeCase& cube : cases) {
    if (cube.id == id) return cube;
  }
  throw std::invalid_argument(id);
}

/// Compares the closed form with the integration at the end of `steps` h.
void check_against_integration(const CubeCase& cube, double h, int steps) {
  const Slide integrated = integrated_slide(cube, h, steps, 1e-3).back();
  const Slide closed = isotropic_slide(cube, steps * h);
  CHECK((closed.position_m - integrated.position_m).norm() < 1e-8);
  CHECK((closed.velocity_m_s - integrated.velocity_m_s).norm() < 1e-8);
  CHECK(closed.distance_m == Approx(integrated.distance_m).margin(1e-8));
}

}  // namespace

TEST_CASE("the closed form of a bent slide is what integration gives") {
  const auto cases = cube_cases();
  check_against_integration(case_named(cases, "D1a"), 0.1, 9);
  check_against_integration(case_named(cases, "D1b"), 0.1, 40);  // friction below the force
  check_against_integration(case_named(cases, "D1c"), 0.1, 27);  // above it
}

TEST_CASE("the closed form holds for a force against the motion and on its other side") {
  CubeCase cube{"back", "", {-3.0, -4.0}};
  check_against_integration(cube, 0.05, 8);
  cube.force_n = {-5.0, 9.0};
  check_against_integration(cube, 0.1, 30);
}

TEST_CASE("a cube without force stops at v^2 / (2 mu g)") {
  const CubeCase cube;
  const Slide end = isotropic_slide(cube, kDuration_s);
  CHECK(end.velocity_m_s.norm() == 0.0);
  CHECK(end.distance_m == Approx(5.0 / (2.0 * kBraking_m_s2)));
  CHECK(end.position_m.x() == Approx(0.518568).margin(1e-6));
  CHECK(end.position_m.y() == Approx(1.037136).margin(1e-6));
}

TEST_CASE("a cube under a force below friction rests where it stops") {
  const auto cases = cube_cases();
  const CubeCase& cube = case_named(cases, "D1c");
  const Slide end = isotropic_slide(cube, kDuration_s);
  CHECK(end.velocity_m_s.norm() == 0.0);
  CHECK((end.position_m - Vec2(2.265211, 2.260377)).norm() < 2e-6);
  CHECK(isotropic_slide(cube, 3.0862).velocity_m_s.norm() > 0.0);
  CHECK(isotropic_slide(cube, 3.0863).velocity_m_s.norm() == 0.0);
}

TEST_CASE("anisotropic friction is integrated") {
  const auto cases = cube_cases();
  const CubeCase& cube = case_named(cases, "D1d");
  const Slide coarse = integrated_slide(cube, 0.1, 40, 2e-3).back();
  const Slide fine = integrated_slide(cube, 0.1, 40, 1e-3).back();
  CHECK((coarse.position_m - fine.position_m).norm() < 1e-8);
  CHECK((fine.position_m - Vec2(12.02445, 5.13348)).norm() < 2e-5);
  CHECK((fine.velocity_m_s - Vec2(4.77421, 0.91681)).norm() < 2e-5);
  CHECK(continuous_slide(cube, 0.01, 3).size() == 4);
}

TEST_CASE("what has no closed form is refused") {
  CubeCase cube{"aniso", "", {9.0, 0.0}, 0.5};
  CHECK_THROWS_AS(isotropic_slide(cube, 1.0), std::invalid_argument);
  cube = {"straight", "", {9.0, 0.0}, 1.0, {1.0, 0.0}};
  CHECK_THROWS_AS(isotropic_slide(cube, 1.0), std::invalid_argument);
  CHECK_THROWS_AS(integrated_slide(CubeCase{}, 0.1, 20, 1e-3), std::domain_error);
}
