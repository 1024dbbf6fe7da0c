#include "geometry/types.hpp"

#include <numbers>

#include "tests/support/within.hpp"

namespace graspmap {
namespace {

using namespace testing;

TEST_CASE("a pose carries points to the outer frame and back") {
  const Pose2 X{{3.0, -2.0}, std::numbers::pi / 2.0};
  CHECK((transform(X, Vec2(1.0, 0.0)) - Vec2(3.0, -1.0)).norm() <= 1e-15);
  CHECK((transform(X, Vec2(0.0, 1.0)) - Vec2(2.0, -2.0)).norm() <= 1e-15);
  const Pose2 Y{{0.7, 11.0}, 2.4};
  const Vec2 p(-4.0, 5.5);
  CHECK((inverse_transform(Y, transform(Y, p)) - p).norm() <= 1e-14);
}

TEST_CASE("composed poses act one after the other") {
  const Pose2 X_AB{{0.7, 11.0}, 2.4};
  const Pose2 X_BC{{-3.0, 0.2}, -0.9};
  const Vec2 p_C(1.0, 2.0);
  const Vec2 p_A = transform(X_AB, transform(X_BC, p_C));
  CHECK((transform(compose(X_AB, X_BC), p_C) - p_A).norm() <= 1e-14);
}

TEST_CASE("rotations multiply and invert") {
  const Rotation2 R = Rotation2(0.3) * Rotation2(1.1);
  CHECK(R.c == within(std::cos(1.4), 1e-15));
  CHECK(R.s == within(std::sin(1.4), 1e-15));
  const Vec2 v(2.0, -3.0);
  CHECK((R.inverse_times(R * v) - v).norm() <= 1e-15 * v.norm() * 2.0);
}

}  // namespace
}  // namespace graspmap
