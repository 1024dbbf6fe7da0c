#include <catch2/catch.hpp>
#include <random>

#include "lab/solids/closest_points3.hpp"
#include "lab/spatial/stepper.hpp"
#include "tests/lab/spatial/linear_scenes.hpp"
#include "tests/support/spatial_scenes.hpp"

using namespace graspmap;

namespace {

class SolidSampler {
 public:
  explicit SolidSampler(unsigned seed) : random_(seed) {}

  double between(double low, double high) {
    return low + (high - low) * std::generate_canonical<double, 53>(random_);
  }
  Vec3 vector(double low, double high) {
    const double x = between(low, high);
    const double y = between(low, high);
    return {x, y, between(low, high)};
  }
  Solid solid() {
    const Vec3 size = vector(20.0, 50.0);
    switch (static_cast<int>(between(0.0, 5.0))) {
      case 0:
        return Sphere{size.x()};
      case 1:
        return Ellipsoid{size};
      case 2:
        return Superquadric{size, between(2.5, 5.5)};
      case 3:
        return Box3{size};
      default:
        return Cylinder{size.x(), size.y()};
    }
  }

 private:
  std::mt19937 random_;
};

SpatialScene random_pile(unsigned seed, int bodies) {
  SolidSampler sampler(seed);
  SpatialScene scene;
  scene.friction = {sampler.between(0.0, 0.8), 1.0, 1.0, 10.0};
  scene.bodies = {ground()};
  for (int i = 0; i < bodies; ++i) {
    const Vec3 at(sampler.between(0.0, 40.0), sampler.between(0.0, 40.0), 70.0 + 105.0 * i);
    scene.bodies.push_back(uniform("solid", sampler.solid(), sampler.between(1.0, 2.0), at));
    SpatialBody& body = scene.bodies.back();
    const Vec3 axis = sampler.vector(-1.0, 1.0);
    body.pose.orientation =
        Eigen::Quaterniond(sampler.between(-1.0, 1.0), axis.x(), axis.y(), axis.z()).normalized();
    body.velocity = twist({0.0, 0.0, -1000.0}, sampler.vector(-3.0, 3.0));
  }
  return scene;
}

}  // namespace

TEST_CASE("random solids fall on each other without overlap or loss of a step") {
  const unsigned seed = GENERATE(11U, 12U, 13U, 14U);
  const SpatialScene scene = random_pile(seed, 2);
  const auto stepper = make_spatial_implicit({}, false);
  int touching = 0;
  const auto check = [&](const SpatialState&, const SpatialStep& step) {
    for (std::size_t a = 0; a < scene.bodies.size(); ++a) {
      for (std::size_t b = a + 1; b < scene.bodies.size(); ++b) {
        const SolidContact at = closest_points(scene.bodies[a].solid, step.end.poses[a],
                                               scene.bodies[b].solid, step.end.poses[b]);
        CHECK(at.gap_mm > -1e-6);
      }
    }
    for (const SpatialContact& c : step.end.contacts) {
      const Vec3 p(c.p_t, c.p_o, c.p_r / c.friction.e_r_mm);
      CHECK(p.norm() <= c.friction.mu * c.p_n + 1e-6);
      touching += c.patch == PatchKind::kOpen ? 0 : 1;
    }
  };
  CHECK(run_spatial(scene, *stepper, 0.004, 60, check));
  CHECK(touching > 20);
}

TEST_CASE("piles of six mixed bodies with exponent 6 on a steep ramp", "[.long]") {
  constexpr int kPiles = 1000;
  int stopped = 0;
  std::int64_t steps = 0;
  std::int64_t halved = 0;
  for (std::uint64_t seed = 1; seed <= kPiles; ++seed) {
    const SpatialScene scene = testing::random_ramp_pile(seed);
    const auto stepper = make_spatial_implicit({}, false);
    SceneRunSettings settings;
    settings.step_s = 0.01;
    settings.duration_s = 0.4;
    const SceneRun run =
        simulate_spatial(scene, *stepper, settings, [](const SpatialSnapshot&) { return true; });
    steps += run.totals.steps;
    halved += run.totals.halved;
    if (!run.failure) continue;
    ++stopped;
    WARN("pile " << seed << " stops at " << run.failure->time_s << " s, residual "
                 << run.failure->residual);
  }
  WARN(stopped << " of " << kPiles << " piles stop; " << steps << " steps, " << halved
               << " halved");
  CHECK(stopped <= kPiles / 20);
}

TEST_CASE("a step that cannot be solved is given up when it is stopped") {
  const SpatialScene scene = testing::random_ramp_pile(1);
  SpatialStepperSettings settings;
  settings.tolerance = 0.0;
  int asked = 0;
  settings.is_stopped = [&] { return ++asked > 20; };
  SceneRunSettings run_settings;
  run_settings.step_s = 0.01;
  run_settings.duration_s = 1.0;
  run_settings.is_stopped = settings.is_stopped;
  const auto stepper = make_spatial_implicit(settings, false);
  const SceneRun run =
      simulate_spatial(scene, *stepper, run_settings, [](const SpatialSnapshot&) { return true; });
  CHECK_FALSE(run.failure);
  CHECK(run.totals.steps == 0);
  CHECK(asked > 20);
  CHECK(asked < 40);
}
