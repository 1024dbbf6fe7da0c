#include <catch2/catch.hpp>

#include "lab/spatial/stewart_trinkle.hpp"
#include "tests/lab/solids/random_solids.hpp"
#include "tests/lab/spatial/linear_scenes.hpp"

using namespace graspmap;
using namespace graspmap::testing;

TEST_CASE("the velocity along a contact's normal is the rate of its gap") {
  Random random(3);
  int apart = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const Solid ball = Sphere{random.uniform(5.0, 15.0)};
    auto scene = scene_of({uniform("body", ball, 1.0, random_vector(random, 40.0)),
                           uniform("body", random_solid(random, trial % 5), 2.0, Vec3::Zero())},
                          0.0);
    for (SpatialBody& body : scene.bodies) {
      body.pose.orientation = random_pose(random, 1.0).orientation;
    }
    scene.gravity_mm_s2.setZero();
    const SpatialState start = start_state(scene);
    FreeBodies free = free_bodies(scene, start, 0.01);
    for (Twist& v : free.velocities) {
      v << random_vector(random, 100.0), random_vector(random, 5.0);
    }
    const std::vector<Twist> still(2, Twist::Zero());
    const auto contacts =
        linear_contacts(scene, start.poses, {PointPair{0, 1, 0}}, {Vec3(0.6, 0.0, 0.8)});
    if (contacts[0].at.gap_mm < 1.0) continue;
    ++apart;
    const LinearContactStep linear(free, contacts, still, start.poses, 1.0,
                                   SpatialGapTerm::kVelocity);
    const auto solution = linear.solve({});
    // Where the bodies part no impulse acts; else n^T v is zero after it.
    const auto gap_after = [&](const std::vector<Twist>& velocities, double h) {
      return closest_points(scene.bodies[0].solid, moved(start.poses[0], velocities[0], h),
                            scene.bodies[1].solid, moved(start.poses[1], velocities[1], h))
          .gap_mm;
    };
    constexpr double kDelta = 1e-6;
    const std::vector<Twist> after = linear.velocities(solution.p);
    const double rate = (gap_after(after, kDelta) - gap_after(after, -kDelta)) / (2.0 * kDelta);
    INFO(trial);
    CHECK(rate == Approx(std::max(0.0, solution.u[0])).margin(0.05));
    CHECK(std::min(solution.p[0], solution.u[0]) == Approx(0.0).margin(1e-9));
  }
  CHECK(apart >= 10);
}

TEST_CASE("patches are told by how many points touch") {
  std::vector<SpatialContact> contacts(5);
  for (SpatialContact& contact : contacts) {
    contact.body_b = 1;
    contact.gap_mm = 1.0;
  }
  contacts[4].body_b = 2;
  contacts[4].gap_mm = 0.0;
  set_patches(1e-6, contacts);
  CHECK(contacts[4].patch == PatchKind::kOpen);  // no impulse
  contacts[0].gap_mm = 0.0;
  contacts[0].p_n = 2.0;
  set_patches(1e-6, contacts);
  CHECK(contacts[0].patch == PatchKind::kPoint);
  CHECK(contacts[1].patch == PatchKind::kOpen);
  contacts[1].gap_mm = 1e-9;
  set_patches(1e-6, contacts);
  CHECK(contacts[0].patch == PatchKind::kLine);
  CHECK(contacts[1].patch == PatchKind::kLine);
  contacts[2].gap_mm = 0.0;
  set_patches(1e-6, contacts);
  CHECK(contacts[0].patch == PatchKind::kSurface);
  CHECK(contacts[3].patch == PatchKind::kOpen);
}
