#include <catch2/catch.hpp>
#include <cmath>

#include "lab/planar/full/full_mncp_contact.hpp"
#include "lab/planar/full/implicit_full.hpp"
#include "lab/planar/stepper.hpp"
#include "tests/support/finite_differences.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

/// Quasi-rigid contacts, Chakraborty et al. 2014, section 6.3 and eq. (33)-(40).

namespace {

/// A disc of 1 kg above a fixed shape with a soft layer.
PlanarScene soft_scene(const ConvexShape& fixed, double radius_mm, const Vec3& pose,
                       const SoftLayer& layer, double mu) {
  PlanarScene scene;
  scene.bodies.resize(2);
  scene.bodies[0].shapes = {{fixed, {}}};
  scene.bodies[1].shapes = {{Superellipse{radius_mm, radius_mm, 2.0}, {}}};
  scene.bodies[1].mass_kg = 1.0;
  scene.bodies[1].inertia_kg_mm2 = 0.5 * radius_mm * radius_mm;
  scene.bodies[1].pose = pose;
  set_free(scene, 1, Vec3::Zero());
  scene.laws.push_back({0, 1, mu, true, layer});
  return scene;
}

/// Runs of an independent program: a unit disc from 1.5 m, k = 1000 kg/s^2, h = 1e-4 s.
struct SoftDiscRun {
  double touches_s = 0.0;
  int unknowns = 0;
  std::vector<std::pair<double, double>> core;  ///< time s, impulse N s
  std::vector<double> energies;                 ///< J, zero at y = 1 m, at the times asked for
  double sideways = 0.0;
};
SoftDiscRun run_disc(double max_deflection_mm, const std::vector<double>& times_s) {
  const PlanarScene scene = soft_scene(half_plane_shape(), 1000.0, {0.0, 1500.0, 0.0},
                                       {1000.0, 0.0, max_deflection_mm}, 0.0);
  const auto stepper = make_implicit_full({});
  SceneRunSettings settings;
  settings.step_s = 1e-4;
  settings.duration_s = times_s.back();
  settings.max_halvings = 0;
  SoftDiscRun out;
  const auto see = [&](const PlanarState& state, const PlanarStep* step) {
    if (step == nullptr) return true;
    out.sideways = std::max({out.sideways, std::abs(state.nu[0]), std::abs(state.nu[2])});
    for (const PlanarContact& contact : step->contacts) {
      if (contact.p_n > 0.0 && out.touches_s == 0.0) {
        out.touches_s = state.time_s;
        out.unknowns = step->unknowns;
      }
      if (contact.p_core > 1e-3) out.core.emplace_back(state.time_s, 1e-3 * contact.p_core);
    }
    for (const double t : times_s) {
      if (std::abs(state.time_s - t) > 1e-9) continue;
      out.energies.push_back(energy(scene, state).total_j() - 9.81);
    }
    return true;
  };
  CHECK_FALSE(simulate_scene(scene, *stepper, settings, see).failure);
  return out;
}

}  // namespace

TEST_CASE("a disc falls through a soft layer onto its core") {
  const SoftDiscRun run = run_disc(50.0, {0.34, 0.4, 0.7, 1.0, 1.4});
  CHECK(run.unknowns == 12);                            // section 6.3
  CHECK(run.touches_s == Approx(0.3193).margin(1e-4));  // 0.319275 s
  REQUIRE(run.core.size() == 2);                        // in two steps
  CHECK(run.core[0].first == Approx(0.3356).margin(1e-9));
  CHECK(run.core[0].second == Approx(2.70316).margin(1e-5));
  CHECK(run.core[1].second == Approx(0.16511).margin(1e-5));
  // backward Euler's losses on the spring, computed independently
  const std::vector<double> expected{0.75915, 0.75484, 0.74916, 0.74333, 0.73066};
  REQUIRE(run.energies.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(run.energies[i] == Approx(expected[i]).margin(1e-5));
  }
  CHECK(run.sideways < 1e-6);
}

TEST_CASE("a disc bounces on a soft layer without touching its core") {
  const SoftDiscRun run = run_disc(1000.0, {0.3, 0.4, 1.0, 1.4});
  CHECK(run.core.empty());
  const std::vector<double> expected{4.9036, 4.8636, 4.8487, 4.7958};
  REQUIRE(run.energies.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(run.energies[i] == Approx(expected[i]).margin(5e-5));
  }
}

TEST_CASE("the deflection of a curved layer is a distance") {
  // eq. (35): at rest on a disc, k delta = m g along the line of centres
  const SoftLayer layer{2000.0, 300.0, 100.0};
  const PlanarScene scene =
      soft_scene(Superellipse{40.0, 40.0, 2.0}, 20.0, {0.0, 59.0, 0.0}, layer, 0.3);
  const auto stepper = make_implicit_full({});
  SceneRunSettings settings;
  settings.step_s = 0.005;
  settings.duration_s = 2.0;
  PlanarState end;
  const SceneRun run =
      simulate_scene(scene, *stepper, settings, [&](const PlanarState& state, const PlanarStep*) {
        end = state;
        return true;
      });
  CHECK_FALSE(run.failure);
  CHECK(end.poses[1].y() == Approx(60.0 - 9810.0 / 2000.0).epsilon(1e-5));
  REQUIRE(end.deflections.size() == 1);
  CHECK(end.deflections[0].delta_mm == Approx(60.0 - end.poses[1].y()).epsilon(1e-10));
  CHECK(end.deflections[0].delta_mm == Approx(9810.0 / 2000.0).epsilon(1e-5));
}

/// The core behind a curved soft layer, Chakraborty et al. 2014, eq. (35), where the layer is deep.

TEST_CASE("the core behind a deep curved layer has the derivatives of finite differences") {
  const auto plane = piece_functions({half_plane_shape(), {}});
  const auto tooth = piece_functions({Superellipse{12.0, 7.0, 4.0}, {}});
  FullContact contact;
  contact.F.functions = &plane;
  contact.F.chosen = {0};
  contact.G.functions = &tooth;
  contact.G.chosen = {0};
  contact.soft = SoftLayer{50.0, 3.0, 5.0};
  const int size = lay_out(contact, 0);
  const BodyMotion F;
  BodyMotion G;
  G.frame = {{1.0, -2.0}, Rotation2(0.3)};
  const auto evaluated = [&](const Vec2& a2, double delta_mm) {
    Eigen::VectorXd x = Eigen::VectorXd::Zero(size);
    x.segment<2>(contact.at.a2) = a2;
    x[contact.at.delta_n] = delta_mm;
    ContactEvaluation at;
    evaluate_contact(contact, F, G, x, at);
    return at;
  };
  for (const Vec2& a2 : {Vec2(10.0, -6.0), Vec2(-8.0, 3.0), Vec2(4.0, 6.0)}) {
    const double delta_mm = 3.0;
    const ContactEvaluation at = evaluated(a2, delta_mm);
    const Vec2 gradient = central_gradient(
        [&](const Vec2& moved) { return evaluated(moved, delta_mm).core_value_mm; }, a2, 1e-3);
    const double slope = central_derivative(
        [&](double depth) { return evaluated(a2, depth).core_value_mm; }, delta_mm, 1e-3);
    CHECK((at.core_gradient - gradient).norm() <= 1e-8 * gradient.norm());
    CHECK(at.core_slope == within(slope, 1e-8 * slope));
  }
}
