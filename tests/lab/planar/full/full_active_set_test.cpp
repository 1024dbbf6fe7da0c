/// The choice of k1 for intersections against intersections, Chakraborty et al. 2014, section 7.

#include "lab/planar/full/full_active_set.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "lab/planar/full/implicit_full.hpp"
#include "lab/planar/stepper.hpp"
#include "tests/support/keep_largest.hpp"

using namespace graspmap;

namespace {

RoundedPolygon box(double half_width, double half_height) {
  return polygon({{-half_width, -half_height},
                  {half_width, -half_height},
                  {half_width, half_height},
                  {-half_width, half_height}});
}

/// A polygon of 0.2 kg above a fixed one.
PlanarScene two_polygons(const RoundedPolygon& low, const Vec3& low_pose, const RoundedPolygon& up,
                         const Vec3& up_pose, const Vec3& velocity, double mu) {
  PlanarScene scene;
  scene.mu = mu;
  scene.bodies.resize(2);
  scene.bodies[0].shapes = {{low, {}}};
  scene.bodies[0].pose = low_pose;
  scene.bodies[1].shapes = {{up, {}}};
  scene.bodies[1].pose = up_pose;
  scene.bodies[1].mass_kg = 0.2;
  scene.bodies[1].inertia_kg_mm2 = 60.0;
  set_free(scene, 1, velocity);
  return scene;
}

/// Runs a scene with the full stepper, without halving. Checks what must hold at every step:
/// no overlap, and no energy from contacts but what convex corners give by their discrete turns.
PlanarState run_active_set(const PlanarScene& scene, double step_s, double duration_s,
                           double energy_margin_j) {
  const auto stepper = make_implicit_full({});
  SceneRunSettings settings;
  settings.step_s = step_s;
  settings.duration_s = duration_s;
  settings.max_halvings = 0;
  PlanarState end;
  double last = energy(scene, start_state(scene)).total_j();
  double rise = 0.0;
  double overlap = 0.0;
  const SceneRun run =
      simulate_scene(scene, *stepper, settings, [&](const PlanarState& state, const PlanarStep*) {
        end = state;
        testing::keep_largest(rise, energy(scene, state).total_j() - last);
        last = energy(scene, state).total_j();
        testing::keep_largest(overlap, worst_overlap_mm(scene, state));
        return true;
      });
  CHECK_FALSE(run.failure);
  CHECK(rise <= energy_margin_j);
  CHECK(overlap < 1e-8);
  return end;
}

/// Solves the step from a state with one k1 to start with. Returns nu, empty when not solved.
struct Solved {
  bool is_solved = false;
  Eigen::VectorXd nu;
  double p_n = 0.0;
  int choices = 0;
  std::size_t k1_count = 0;
};
Solved solve_from_k1(const PlanarScene& scene, double h, std::size_t k1) {
  const PlanarState start = start_state(scene);
  std::vector<ContactKey> keys;
  near_contacts(scene, start, 10.0, keys);
  std::vector<PiecePair> pairs;
  for (const ContactKey& key : keys) add_to_pairs(key, pairs);
  FullActiveSet active;
  active.reset(scene);
  active.begin(scene, start, h, pairs);
  StepGuess guess;
  guess_step(scene, start, h, pairs, active.problem().free_velocity(), guess);
  active.start_at(guess);
  Solved solved;
  solved.k1_count = active.problem().contacts[0].F.chosen.size();
  if (k1 >= solved.k1_count) return solved;
  active.choose_k1(0, k1);
  solved.is_solved = active.solve() && !active.is_refuted();
  solved.nu = active.x().head(3);
  solved.p_n = active.x()[active.problem().contacts[0].at.p_n];
  solved.choices = active.choices();
  return solved;
}

/// Every k1 to start with leads to the same motion, and some only by a change.
void check_all_k1(const PlanarScene& scene, double h) {
  const auto stepper = make_implicit_full({});
  PlanarStep step;
  stepper->step(scene, start_state(scene), h, step);
  REQUIRE(step.status == mcp::Status::kSolved);
  const std::size_t count = solve_from_k1(scene, h, 0).k1_count;
  REQUIRE(count >= 4);
  int changed = 0;
  for (std::size_t k1 = 0; k1 < count; ++k1) {
    INFO("k1 = " << k1);
    const Solved solved = solve_from_k1(scene, h, k1);
    CHECK(solved.is_solved);
    CHECK(solved.p_n > 1.0);
    CHECK((solved.nu - step.end.nu).lpNorm<Eigen::Infinity>() < 1e-6);
    if (solved.choices > 1) ++changed;
  }
  CHECK(changed >= 2);
}

constexpr double kQuarter = 0.25 * std::numbers::pi;
const double kDiagonal = std::sqrt(2.0);

}  // namespace

TEST_CASE("a wrong active index is refuted for a vertex that lands on an edge") {
  check_all_k1(two_polygons(box(20.0, 10.0), {0.0, -10.0, 0.0}, box(15.0, 8.0), {3.0, 11.1, 0.2},
                            {20.0, -200.0, 0.5}, 0.3),
               0.005);
}

TEST_CASE("a wrong active index is refuted for an edge that lands on an edge") {
  check_all_k1(two_polygons(box(20.0, 10.0), {0.0, -10.0, 0.0}, box(15.0, 8.0), {3.0, 8.5, 0.0},
                            {0.0, -200.0, 0.0}, 0.3),
               0.005);
}

TEST_CASE("a wrong active index is refuted for an edge that lands on a corner") {
  check_all_k1(two_polygons(box(20.0, 20.0), {0.0, 0.0, kQuarter}, box(30.0, 10.0),
                            {4.0, 20.0 * kDiagonal + 10.5, 0.0}, {0.0, -200.0, 0.0}, 0.3),
               0.005);
}

TEST_CASE("a corner that lands exactly on a corner finds one of the solutions") {
  // straight up on both corners, or past them along either edge: all solve the step
  const PlanarScene scene =
      two_polygons(box(20.0, 20.0), {0.0, 0.0, kQuarter}, box(10.0, 10.0),
                   {0.0, 30.0 * kDiagonal + 1.0, kQuarter}, {0.0, -300.0, 0.0}, 0.3);
  const auto stepper = make_implicit_full({});
  PlanarStep step;
  stepper->step(scene, start_state(scene), 0.005, step);
  REQUIRE(step.status == mcp::Status::kSolved);
  REQUIRE(step.contacts.size() == 1);
  const ShapeContact& at = step.contacts[0].at;
  CHECK(step.contacts[0].p_n > 0.0);
  CHECK((at.on_a_mm - at.on_b_mm).norm() < 1e-8);
  CHECK(worst_overlap_mm(scene, step.end) < 1e-8);
  // n out of the upper box into the lower one, within 45 degrees of straight down
  CHECK(at.normal.y() < -std::cos(kQuarter) + 1e-9);
  CHECK(energy(scene, step.end).kinetic_j < energy(scene, start_state(scene)).kinetic_j);
  run_active_set(scene, 0.002, 0.3, 1e-6);
}

TEST_CASE("a box comes to rest on a box with its weight under its centre") {
  for (const double tilt : {0.0, 0.2, -0.3}) {
    const PlanarScene scene = two_polygons(box(20.0, 10.0), {0.0, -10.0, 0.0}, box(15.0, 8.0),
                                           {3.0, 18.0, tilt}, Vec3::Zero(), 0.3);
    const PlanarState end = run_active_set(scene, 0.002, 0.4, 1e-12);
    CHECK(end.poses[1].y() == Approx(8.0).margin(1e-8));
    CHECK(std::abs(end.poses[1][2]) < 1e-9);
    CHECK(end.nu.norm() < 1e-6);
    const auto stepper = make_implicit_full({});
    PlanarStep step;
    stepper->step(scene, end, 0.002, step);
    REQUIRE(step.contacts.size() == 1);
    CHECK(step.contacts[0].p_n == Approx(0.2 * 9810.0 * 0.002).epsilon(1e-8));
    // the equivalent contact point: fixed by the balance of moments
    CHECK(step.contacts[0].at.on_a_mm.x() == Approx(end.poses[1].x()).margin(1e-6));
  }
}

TEST_CASE("a box slides over the corner of a box and falls") {
  const PlanarScene scene = two_polygons(box(20.0, 10.0), {0.0, -10.0, 0.0}, box(15.0, 8.0),
                                         {12.0, 8.0, 0.0}, {150.0, 0.0, 0.0}, 0.1);
  const PlanarState end = run_active_set(scene, 0.002, 0.4, 1e-9);
  CHECK(end.poses[1].y() < -50.0);
  CHECK(end.poses[1][2] < -0.3);  // it turned over the corner
}

TEST_CASE("a box that overhangs by more than half tips over the corner") {
  const PlanarScene scene = two_polygons(box(20.0, 10.0), {0.0, -10.0, 0.0}, box(15.0, 8.0),
                                         {21.0, 8.0, 0.0}, Vec3::Zero(), 0.5);
  CHECK(run_active_set(scene, 0.002, 0.5, 1e-9).poses[1][2] < -0.5);
  const PlanarScene balanced = two_polygons(box(20.0, 10.0), {0.0, -10.0, 0.0}, box(15.0, 8.0),
                                            {19.0, 8.0, 0.0}, Vec3::Zero(), 0.5);
  CHECK(std::abs(run_active_set(balanced, 0.002, 0.5, 1e-9).poses[1][2]) < 1e-9);
}

TEST_CASE("polygons that turn on each other pass from vertices to edges") {
  const PlanarScene scene =
      two_polygons(regular_polygon(5, 20.0, 0.1), Vec3::Zero(), regular_polygon(7, 15.0, 0.3),
                   {4.0, 45.0, 0.0}, {0.0, 0.0, 3.0}, 0.3);
  run_active_set(scene, 0.002, 0.3, 1e-5);
}

TEST_CASE("rounded polygons and rods touch with the corners' functions") {
  RoundedPolygon low = box(20.0, 10.0);
  RoundedPolygon up = box(15.0, 8.0);
  low.radius_mm = 1.5;
  up.radius_mm = 2.0;
  const PlanarState end =
      run_active_set(two_polygons(low, {0.0, -10.0, 0.0}, up, {3.0, 20.0, 0.2}, Vec3::Zero(), 0.3),
                     0.002, 0.4, 1e-9);
  CHECK(end.poses[1].y() == Approx(11.5).margin(1e-7));
  run_active_set(two_polygons(rod(40.0, 5.0), Vec3::Zero(), rod(30.0, 3.0), {5.0, 20.0, 0.2},
                              {0.0, 0.0, 3.0}, 0.3),
                 0.002, 0.3, 1e-5);
}

TEST_CASE("a tower of boxes stands with several active indices at once") {
  PlanarScene scene;
  scene.mu = 0.4;
  scene.bodies.resize(4);
  scene.bodies[0].shapes = {{half_plane_shape(), {}}};
  for (int i = 1; i <= 3; ++i) {
    PlanarBody& body = scene.bodies[static_cast<std::size_t>(i)];
    body.shapes = {{box(15.0, 8.0), {}}};
    body.mass_kg = 0.2;
    body.inertia_kg_mm2 = 60.0;
    body.pose = {2.0 * (i % 2), 8.5 + 16.7 * (i - 1), 0.0};
    set_free(scene, i, Vec3::Zero());
  }
  const PlanarState end = run_active_set(scene, 0.002, 0.15, 1e-9);
  for (std::size_t i = 1; i <= 3; ++i) {
    CHECK(end.poses[i].y() == Approx(8.0 + 16.0 * static_cast<double>(i - 1)).margin(1e-7));
    CHECK(std::abs(end.poses[i][2]) < 1e-8);
  }
}
