#include "geometry/convex_region.hpp"
#include "tests/support/finite_differences.hpp"
#include "tests/support/within.hpp"

namespace graspmap {
namespace {

using namespace testing;

const HalfPlane kSlanted{Vec2(0.6, -0.8), 2.0};

TEST_CASE("the value of a half-plane is the signed distance to its edge") {
  const Vec2 on_edge = kSlanted.offset_mm * kSlanted.normal + 7.0 * perp(kSlanted.normal);
  for (double distance : {-3.0, 0.0, 0.25, 40.0}) {
    CHECK(value(kSlanted, on_edge + distance * kSlanted.normal) == within(distance, 1e-14));
  }
  CHECK(value(HalfPlane{}, Vec2(5.0, -1.0)) == -1.0);
}

TEST_CASE("the derivatives of a half-plane agree with finite differences") {
  const auto f = [](const Vec2& x) { return value(kSlanted, x); };
  const auto grad_f = [](const Vec2& x) { return gradient(kSlanted, x); };
  for (const Vec2& x : {Vec2(0, 0), Vec2(3, -8), Vec2(-2, 0.5)}) {
    CHECK((gradient(kSlanted, x) - central_gradient(f, x, 1e-2)).norm() <= 1e-12);
    CHECK(hessian(kSlanted, x) == central_jacobian<2>(grad_f, x, 1e-2));
  }
}

}  // namespace
}  // namespace graspmap
