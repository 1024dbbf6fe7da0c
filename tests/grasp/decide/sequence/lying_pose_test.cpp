#include "grasp/decide/sequence/lying_pose.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/random.hpp"
#include "tests/support/squeezed_parts.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

const SamePose kJaws{kHalfTurn_rad, true, 0.05, 1.0};

WeightedPose at(double x, double y, double angle, double weight = 1.0) {
  return {{{x, y}, angle}, weight, false, 0};
}

}  // namespace

TEST_CASE("half a turn of the jaws is one about the squeeze point") {
  const LyingPose reference{{1.0, 2.0}, 0.1};
  const LyingPose half = nearest_same({{-1.0, -2.0}, 0.1 + kHalfTurn_rad}, reference, kJaws);
  CHECK((half.center_mm - reference.center_mm).norm() < 1e-15);
  CHECK(half.angle_rad == within(0.1, 1e-15));
  CHECK(is_same({{-1.0, -2.0}, 0.1 - 3.0 * kHalfTurn_rad}, reference, kJaws));
  CHECK_FALSE(is_same({{1.0, 2.0}, 0.1 + kHalfTurn_rad}, reference, kJaws));
  CHECK(is_same({{1.0, 2.0}, 0.1 + 2.0 * kHalfTurn_rad}, reference, kJaws));
  // A part that looks the same lies where it lies.
  const SamePose part{kHalfTurn_rad / 3.0, false, 0.05, 1.0};
  CHECK(is_same({{1.0, 2.0}, 0.1 + kHalfTurn_rad / 3.0}, reference, part));
  CHECK(is_same({{-1.0, -2.0}, 0.1 + kHalfTurn_rad}, reference, part));
  CHECK_FALSE(is_same({{1.0, -2.0}, 0.1}, reference, part));
}

TEST_CASE("the largest cluster is that of all pairs, round the period too") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Random random(seed);
    PoseCloud cloud;
    const int n = 5 + random.index(60);
    for (int k = 0; k < n; ++k) {
      cloud.push_back(at(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0),
                         random.uniform(-4.0, 4.0), random.uniform(0.5, 2.0)));
      cloud.back().lost = random.index(8) == 0;
    }
    const SamePose same{seed % 2 == 0 ? kHalfTurn_rad : kHalfTurn_rad / 2.0, seed % 2 == 0, 0.3,
                        0.9};
    double whole = 0.0;
    double most = 0.0;
    for (const WeightedPose& a : cloud) {
      whole += a.weight;
      if (a.lost) continue;
      double near = 0.0;
      for (const WeightedPose& b : cloud)
        near += !b.lost && is_same(b.pose, a.pose, same) ? b.weight : 0.0;
      most = std::max(most, near);
    }
    const PoseCluster largest = largest_cluster(cloud, same);
    CHECK(largest.share >= most / whole * (1.0 - 1e-12));  // the mean may gather more
    double counted = 0.0;
    for (const WeightedPose& a : cloud)
      counted += !a.lost && is_same(a.pose, largest.pose, same) ? a.weight : 0.0;
    CHECK(largest.share == within(counted / whole, 1e-12));
  }
}

TEST_CASE("lost poses belong to no cluster and have no spread") {
  PoseCloud cloud{at(0, 0, 0.01), at(0, 0, kHalfTurn_rad - 0.01), at(3, 4, 1.0), at(0, 0, 0.0)};
  cloud[3].lost = true;
  const PoseCluster largest = largest_cluster(cloud, kJaws);
  CHECK(largest.share == within(0.5, 1e-15));
  CHECK(std::remainder(largest.pose.angle_rad, kHalfTurn_rad) == within(0.0, 1e-12));
  cloud.pop_back();
  cloud.erase(cloud.begin());
  const PoseSpread spread = spread_about(cloud, {{0, 0}, 1.0}, kJaws);
  CHECK(spread.position_mm == within(5.0 / std::sqrt(2.0), 1e-12));
  CHECK(largest_cluster({}, kJaws).share == 0.0);
}
