#include "sim/support/static_loads.hpp"

#include <Eigen/Cholesky>
#include <catch2/catch.hpp>
#include <numeric>

#include "tests/support/random.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using Eigen::Vector2d;

TEST_CASE("three points carry what the centre of mass asks for") {
  const std::vector<Vector2d> points{{0.0, 0.0}, {10.0, 0.0}, {0.0, 10.0}};
  const auto loads = static_loads(points, {2.0, 3.0});
  REQUIRE(loads);
  CHECK((*loads)[0] == Approx(0.5));
  CHECK((*loads)[1] == Approx(0.2));
  CHECK((*loads)[2] == Approx(0.3));
  CHECK_FALSE(static_loads(points, {6.0, 6.0}));
  // By areas: exact, while the plane over more points is found to within 1e-9.
  Random random(36);
  for (int k = 0; k < 20; ++k) {
    const double u = random.uniform(0.0, 0.5);
    const double v = random.uniform(0.0, 0.5);
    const auto exact = static_loads(points, {10.0 * u, 10.0 * v});
    REQUIRE(exact);
    CHECK((*exact)[1] == Approx(u).epsilon(1e-14).margin(1e-15));
    CHECK((*exact)[2] == Approx(v).epsilon(1e-14).margin(1e-15));
  }
  const auto on_edge = static_loads(points, {5.0, 5.0});
  REQUIRE(on_edge);
  CHECK((*on_edge)[0] == Approx(0.0).margin(1e-12));
}

TEST_CASE("four points of a square: equal loads at its centre, two at the middle of a side") {
  const std::vector<Vector2d> square{{-5.0, -5.0}, {5.0, -5.0}, {5.0, 5.0}, {-5.0, 5.0}};
  const auto centred = static_loads(square, {0.0, 0.0});
  REQUIRE(centred);
  for (const double load : *centred) CHECK(load == Approx(0.25).epsilon(1e-12));
  const auto side = static_loads(square, {5.0, 0.0});
  REQUIRE(side);
  CHECK((*side)[0] == Approx(0.0).margin(1e-9));
  CHECK((*side)[1] == Approx(0.5).epsilon(1e-9));
}

TEST_CASE("loads of many points balance, are not negative, and no others are smaller") {
  Random random(35);
  int inside = 0;
  for (int k = 0; k < 200; ++k) {
    std::vector<Vector2d> points;
    for (int i = 4 + random.index(13); i > 0; --i) {
      points.emplace_back(random.uniform(-20.0, 20.0), random.uniform(-20.0, 20.0));
    }
    const Vector2d center(random.uniform(-20.0, 20.0), random.uniform(-20.0, 20.0));
    const auto loads = static_loads(points, center);
    if (!loads) continue;
    ++inside;
    Vector2d sum = Vector2d::Zero();
    for (std::size_t i = 0; i < points.size(); ++i) {
      CHECK((*loads)[i] >= 0.0);
      sum += (*loads)[i] * points[i];
    }
    CHECK((sum - center).norm() < 1e-8);
    CHECK(std::accumulate(loads->begin(), loads->end(), 0.0) == Approx(1.0).epsilon(1e-9));
    // Least squares: the loads that are not zero lie on a plane over the points.
    Eigen::Matrix<double, Eigen::Dynamic, 3> rows(points.size(), 3);
    Eigen::VectorXd values(points.size());
    Eigen::Index used = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if ((*loads)[i] <= 1e-9) continue;
      rows.row(used) << 1.0, points[i].x(), points[i].y();
      values[used++] = (*loads)[i];
    }
    if (used < 4) continue;
    const Eigen::Vector3d plane = (rows.topRows(used).transpose() * rows.topRows(used))
                                      .ldlt()
                                      .solve(rows.topRows(used).transpose() * values.head(used));
    CHECK((rows.topRows(used) * plane - values.head(used)).norm() < 1e-8);
  }
  CHECK(inside > 30);
  CHECK(inside < 200);
}
