#include "sim/closing/step_memory.hpp"

#include <Eigen/Core>
#include <catch2/catch.hpp>

#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

double parabola(double t) { return 2.0 - 3.0 * t + 5.0 * t * t; }

/// Steps along the parabola from t = 0: the clock and the trend after them.
struct Followed {
  TrendClock clock;
  Trend<double> trend{0.0};
  double t = 0.0;

  void step(double h) {
    clock.tick(h);
    if (clock.order() > 0) trend.add(parabola(t + h) - parabola(t), clock);
    t += h;
  }
};

}  // namespace

TEST_CASE("three steps of any size tell a parabola") {
  Followed followed;
  for (const double h : {0.3, 0.1, 0.25}) followed.step(h);
  REQUIRE(followed.clock.order() == 2);
  for (const double h : {0.05, 0.2, 0.3}) {
    const double change = parabola(followed.t + h) - parabola(followed.t);
    CHECK(followed.trend.predict(h, followed.clock) == within(change, 1e-14));
  }
}

TEST_CASE("two steps tell a line and one step tells nothing") {
  Followed followed;
  CHECK(followed.clock.order() == -1);
  followed.step(0.2);
  CHECK(followed.clock.order() == 0);
  CHECK(followed.trend.predict(0.1, followed.clock) == 0.0);
  followed.step(0.2);
  CHECK(followed.clock.order() == 1);
  const double slope = (parabola(0.4) - parabola(0.2)) / 0.2;
  CHECK(followed.trend.predict(0.1, followed.clock) == within(0.1 * slope, 1e-14));
}

TEST_CASE("after a restart the steps before it do not count") {
  Followed followed;
  for (int k = 0; k < 5; ++k) followed.step(0.1);
  followed.clock.restart();
  CHECK(followed.trend.predict(0.1, followed.clock) == 0.0);
  followed.step(0.1);
  const double slope = (parabola(followed.t) - parabola(followed.t - 0.1)) / 0.1;
  CHECK(followed.trend.predict(0.1, followed.clock) == within(0.1 * slope, 1e-14));
}

TEST_CASE("the longer the step the lower the order of its prediction") {
  Followed followed;
  for (int k = 0; k < 4; ++k) followed.step(0.1);
  CHECK(followed.clock.order_for(0.12) == 2);
  CHECK(followed.clock.order_for(0.13) == 1);
  CHECK(followed.clock.order_for(0.19) == 1);
  CHECK(followed.clock.order_for(0.21) == 0);
  CHECK(followed.trend.predict(0.21, followed.clock) == 0.0);
}

TEST_CASE("a trend of vectors is that of their components") {
  TrendClock clock;
  Trend<Eigen::Vector2d> trend(Eigen::Vector2d::Zero());
  for (int k = 0; k < 3; ++k) {
    clock.tick(0.1);
    if (clock.order() > 0) trend.add(Eigen::Vector2d(1.0, 2.0 * k), clock);
  }
  const Eigen::Vector2d change = trend.predict(0.1, clock);
  CHECK(change.x() == within(1.0, 1e-14));
  CHECK(change.y() == within(6.0, 1e-14));
}
