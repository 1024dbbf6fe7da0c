#include <catch2/catch.hpp>
#include <cmath>

#include "grasp/decide/agreement/predicted_sites.hpp"
#include "tests/support/uncertain_grasps.hpp"

namespace graspmap {
namespace {

TEST_CASE("predictions at a place are of trials with uncertain numbers of their own") {
  const double depth_mm = 6.0;
  const double mu = 0.3;
  const SweepConfig config = testing::disc_of_uncertain_size(depth_mm, mu);
  const std::vector<Place> places = {{{0.0, 0.0, -depth_mm, -depth_mm}, 0.0, 0.0}};
  const Predictions predictions = predict(config, places, {200, 0}, false, 5);
  REQUIRE(predictions.places.size() == 1);
  // The nominal disc slides out at every trial.
  const double least_radius_mm = depth_mm / std::sin(std::atan(mu));
  const double expected = (20.75 + 0.6 - least_radius_mm) / 1.2;
  CHECK(predictions.places[0].counts.probability() == Approx(expected).margin(0.11));
  CHECK(expected > 0.3);
}

}  // namespace
}  // namespace graspmap
