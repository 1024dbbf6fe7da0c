#include "grasp/decide/design/aim_choice.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "grasp/base/probability/random.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

const std::array<Axis, 3> kMap = {Axis{-10, 10, 20}, Axis{-5, 5, 10}, fixed_angle(0.3)};

/// Samples all over the map, which succeed in a box.
std::vector<AimSample> samples_of(double x_low, double x_high, double y_low, double y_high) {
  std::vector<AimSample> samples;
  for (std::uint64_t k = 0; k < 400; ++k) {
    AimSample sample;
    sample.at = {-10 + 20 * uniform_open(7, k, 0), -5 + 10 * uniform_open(7, k, 1), 0.3};
    sample.success = sample.at[0] > x_low && sample.at[0] < x_high && sample.at[1] > y_low &&
                     sample.at[1] < y_high;
    samples.push_back(sample);
  }
  return samples;
}

}  // namespace

TEST_CASE("an aim lies in the middle of where grasps succeed") {
  const PlacementVector aim = best_aim(samples_of(2, 8, -4, 0), {1.0, 1.0, 0.0}, kMap);
  CHECK(aim[0] == within(5.0, 0.7));
  CHECK(aim[1] == within(-2.0, 0.7));
  CHECK(aim[2] == 0.3);
  // Of a region far wider than the error no place is better: the middle again.
  const PlacementVector wide = best_aim(samples_of(-9, 9, -5, 5), {0.8, 0.8, 0.0}, kMap);
  CHECK(std::abs(wide[0]) < 1.5);
  CHECK(std::abs(wide[1]) < 1.0);
}

TEST_CASE("samples that crowd count by their density") {
  // Twice as many of the left half, half as heavy: the same aim.
  std::vector<AimSample> samples = samples_of(-6, 6, -3, 3);
  const PlacementVector before = best_aim(samples, {1.5, 1.5, 0.0}, kMap);
  const std::size_t count = samples.size();
  for (std::size_t k = 0; k < count; ++k) {
    if (samples[k].at[0] > 0) continue;
    samples[k].density = 2.0;
    samples.push_back(samples[k]);
  }
  const PlacementVector after = best_aim(samples, {1.5, 1.5, 0.0}, kMap);
  CHECK(after[0] == within(before[0], 1.0));
  CHECK(after[1] == within(before[1], 1.0));
}

TEST_CASE("an aim stays where no other is clearly better") {
  const std::vector<AimSample> samples = samples_of(2, 8, -4, 0);
  const PlacementVector good = {4.2, -2.3, 0.3};
  CHECK(best_aim(samples, {1.0, 1.0, 0.0}, kMap, good) == good);
  CHECK(best_aim(samples, {1.0, 1.0, 0.0}, kMap, PlacementVector{1.0, -2.0, 0.3})[0] > 3.5);
}

TEST_CASE("without any success the aim is the map's middle") {
  CHECK(best_aim(samples_of(11, 12, 0, 1), {1.0, 1.0, 0.0}, kMap) ==
        PlacementVector{0.0, 0.0, 0.3});
}

TEST_CASE("an aim stays in the map, though grasps succeed beyond it") {
  const PlacementVector aim =
      best_aim(samples_of(2, 8, -4, 0), {1.0, 1.0, 0.0}, {Axis{-10, 4, 20}, kMap[1], kMap[2]});
  CHECK(aim[0] <= 4.0);
  CHECK(aim[0] > 2.0);
}
