#include "lab/planar/contact.hpp"

#include <catch2/catch.hpp>

#include "tests/support/finite_differences.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

using Poses = Eigen::Matrix<double, 6, 1>;
using Contact = Eigen::Matrix<double, 6, 1>;  // psi, angle of n, arm of a, arm of b

struct Pair {
  PlacedShape a;
  PlacedShape b;
  ContactFeature feature;

  [[nodiscard]] ShapeContact at(const Poses& q) const {
    return shape_contact(a.shape, compose({q.head<2>(), q[2]}, a.pose), b.shape,
                         compose({q.segment<2>(3), q[5]}, b.pose), feature);
  }
};

void check_against_finite_differences(const Pair& pair, const Poses& q) {
  const auto contact = [&](const Poses& at) {
    const ShapeContact c = pair.at(at);
    Contact all;
    all << c.gap_mm, std::atan2(c.normal.y(), c.normal.x()), c.on_a_mm - at.head<2>(),
        c.on_b_mm - at.segment<2>(3);
    return all;
  };
  CAPTURE(q.transpose(), pair.at(q).gap_mm, pair.at(q).radius_a_mm, pair.at(q).radius_b_mm,
          pair.feature.vertex);
  const Eigen::Matrix<double, 6, 6> numeric = central_jacobian<6>(contact, q, 1e-4);
  const ContactKinematics exact = contact_kinematics(pair.at(q), q.head<2>(), q.segment<2>(3), 1e6);
  CHECK((exact.gap - numeric.row(0)).norm() < 1e-6);
  CHECK((exact.turn - numeric.row(1)).norm() < 1e-6);
  CHECK((exact.arm_a - numeric.middleRows<2>(2)).norm() < 1e-5);
  CHECK((exact.arm_b - numeric.middleRows<2>(4)).norm() < 1e-5);
}

}  // namespace

TEST_CASE("the kinematics of smooth contacts match finite differences") {
  const Pair pair{{Superellipse{2.3, 1.1, 4.0}, {{0.5, -0.2}, 0.3}},
                  {Superellipse{3.0, 2.0, 2.0}, {{-0.1, 0.4}, -0.2}},
                  {}};
  Poses q;
  q << 4.0, 3.0, 0.4, 0.2, -0.3, 1.0;
  check_against_finite_differences(pair, q);
  q << -1.0, 4.5, -2.0, 0.2, -0.3, 0.1;
  check_against_finite_differences(pair, q);
}

TEST_CASE("the kinematics of a smooth shape on an edge and at a corner match finite differences") {
  const Pair pair{{Superellipse{2.0, 1.0, 2.0}, {{0.3, 0.1}, 0.2}},
                  {polygon({{-5, -1}, {2, -1}, {2, 0}, {-5, 0}}), {{0.1, 0.0}, 0.05}},
                  {}};
  Poses q;
  q << -1.0, 1.6, 0.4, 0.2, 0.1, 0.02;  // over the edge
  check_against_finite_differences(pair, q);
  q << 3.5, 1.2, 0.4, 0.2, 0.1, 0.02;  // past the corner
  check_against_finite_differences(pair, q);
  const Pair swapped{pair.b, pair.a, {}};
  Poses p;
  p << q.tail<3>(), q.head<3>();
  check_against_finite_differences(swapped, p);
}

TEST_CASE("the kinematics of vertices and rounded ends match finite differences") {
  const PlacedShape box{polygon({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}), {{0.2, 0.1}, 0.1}};
  const PlacedShape rounded{rod(3.0, 0.4), {{-0.3, 0.0}, 0.3}};
  using Kind = ContactFeature::Kind;
  Poses q;
  q << 0.3, 2.6, 0.5, 0.0, 0.0, 0.05;
  check_against_finite_differences({box, box, {Kind::kVertexOfA, 0}}, q);
  check_against_finite_differences({box, box, {Kind::kVertexOfB, 2}}, q);
  q << 0.7, 2.6, 0.5, 0.0, 0.0, 0.05;
  check_against_finite_differences({rounded, box, {Kind::kVertexOfA, 1}}, q);
  check_against_finite_differences({rounded, rounded, {Kind::kVertexOfB, 0}}, q);
  q << 3.0, 3.5, 0.8, 0.0, 0.0, 0.05;  // corner to corner
  check_against_finite_differences({box, box, {Kind::kVertexOfA, 0}}, q);
}
