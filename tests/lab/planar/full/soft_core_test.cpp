/// The core behind a curved soft layer, Chakraborty et al. 2014, eq. (35), where the layer is deep.

#include <catch2/catch.hpp>

#include "lab/planar/full/full_mncp_contact.hpp"
#include "tests/support/finite_differences.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

TEST_CASE("the core behind a deep curved layer has the derivatives of finite differences") {
  const auto plane = piece_functions({half_plane_shape(), {}});
  const auto tooth = piece_functions({Superellipse{12.0, 7.0, 4.0}, {}});
  FullContact contact;
  contact.F.functions = &plane;
  contact.F.chosen = {0};
  contact.G.functions = &tooth;
  contact.G.chosen = {0};
  contact.soft = SoftLayer{50.0, 3.0, 5.0};
  const int size = lay_out(contact, 0);
  const BodyMotion F;
  BodyMotion G;
  G.frame = {{1.0, -2.0}, Rotation2(0.3)};
  const auto evaluated = [&](const Vec2& a2, double delta_mm) {
    Eigen::VectorXd x = Eigen::VectorXd::Zero(size);
    x.segment<2>(contact.at.a2) = a2;
    x[contact.at.delta_n] = delta_mm;
    ContactEvaluation at;
    evaluate_contact(contact, F, G, x, at);
    return at;
  };
  for (const Vec2& a2 : {Vec2(10.0, -6.0), Vec2(-8.0, 3.0), Vec2(4.0, 6.0)}) {
    const double delta_mm = 3.0;
    const ContactEvaluation at = evaluated(a2, delta_mm);
    const Vec2 gradient = central_gradient(
        [&](const Vec2& moved) { return evaluated(moved, delta_mm).core_value_mm; }, a2, 1e-3);
    const double slope = central_derivative(
        [&](double depth) { return evaluated(a2, depth).core_value_mm; }, delta_mm, 1e-3);
    CHECK((at.core_gradient - gradient).norm() <= 1e-8 * gradient.norm());
    CHECK(at.core_slope == within(slope, 1e-8 * slope));
  }
}
