#include "geometry/closest_points.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "tests/support/brute_force.hpp"
#include "tests/support/finite_differences.hpp"
#include "tests/support/jaw_contact.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/within.hpp"

namespace graspmap {
namespace {

using namespace testing;
using Vec4 = Eigen::Vector4d;

using std::numbers::pi;
constexpr std::array<JawSide, 2> kSides = {JawSide::kRight, JawSide::kLeft};

// A piece fixed to a body B, at the configuration q = (x, y, theta, fingertip_x) of B and the jaw.
struct Scene {
  Superellipse shape;
  Pose2 X_BA;
  JawSide side = JawSide::kRight;
  Vec4 q = Vec4::Zero();
};

ClosestPoints closest_at(const Scene& scene, const Vec4& q, const Vec2& guess = Vec2::Zero()) {
  const Pose2 X_GA = compose({{q[0], q[1]}, q[2]}, scene.X_BA);
  return closest_points(scene.shape, X_GA.position_mm, Rotation2(X_GA.angle_rad), scene.side, q[3],
                        guess);
}

ClosestPoints closest_at(const Scene& scene) { return closest_at(scene, scene.q); }

ContactMotion motion_at(const Scene& scene, const Vec4& q) {
  return contact_motion(closest_at(scene, q), Vec2(q[0], q[1]));
}

// The jaw's outward normal at angle phi of its normal cone: inside edge at 0, top edge at pi/2.
Vec2 jaw_normal(JawSide side, double phi) {
  return {-mirror_sign(side) * std::cos(phi), std::sin(phi)};
}

// A contact built backwards: from the contact's place on the jaw and its gap to the configuration.
struct Target {
  JawFeature feature = JawFeature::kVertex;
  double phi = 0.0;          // angle of the normal; 0 or pi/2 on an edge
  double along_edge = 0.0;   // distance from the vertex, mm
  double psi = 0.0;          // mm
  double orientation = 0.0;  // angle of the piece's axes in G
};

Vec2 point_on_jaw(JawSide side, double fingertip_x, const Target& target) {
  const Vec2 vertex(fingertip_x, 0.0);
  const Vec2 along_top(mirror_sign(side), 0.0);
  switch (target.feature) {
    case JawFeature::kInsideEdge:
      return vertex - target.along_edge * Vec2(0, 1);
    case JawFeature::kTopEdge:
      return vertex + target.along_edge * along_top;
    case JawFeature::kVertex:
      return vertex;
  }
  return vertex;
}

Scene scene_with_contact(const Superellipse& shape, JawSide side, const Target& target,
                         double angle_BA = 0.9) {
  const double fingertip_x = 4.0 * mirror_sign(side);
  const Vec2 n = jaw_normal(side, target.phi);
  const Rotation2 R_GA(target.orientation);
  const Vec2 on_piece = point_on_jaw(side, fingertip_x, target) + target.psi * n;
  const Vec2 p_GA = on_piece - R_GA * support_point(shape, R_GA.inverse_times(-n));

  Scene scene{shape, {{-2.0, 7.0}, angle_BA}, side, Vec4::Zero()};
  const double theta = target.orientation - scene.X_BA.angle_rad;
  const Vec2 p_GB = p_GA - Rotation2(theta) * scene.X_BA.position_mm;
  scene.q << p_GB, theta, fingertip_x;
  return scene;
}

// Gaps apart, touching, and overlapping by less than the smallest radius of curvature.
std::vector<double> sample_gaps(const Superellipse& shape) {
  return {5.0, 0.1, 1e-6, 0.0, -1e-6, -0.4 * smallest_radius_of_curvature_mm(shape)};
}

std::vector<Target> sample_targets(double psi) {
  std::vector<Target> targets;
  for (double orientation = -3.0; orientation < 3.0; orientation += 0.47) {
    targets.push_back({JawFeature::kInsideEdge, 0.0, 2.5, psi, orientation});
    targets.push_back({JawFeature::kTopEdge, pi / 2.0, 1.5, psi, orientation});
    for (double phi : {0.1, 0.8, 1.45}) {
      targets.push_back({JawFeature::kVertex, phi, 0.0, psi, orientation});
    }
  }
  return targets;
}

// Calls check(scene, target) for every shape, side, gap, feature and many orientations.
template <typename Check>
void for_each_contact(const Check& check) {
  for (const Superellipse& shape : sample_shapes()) {
    for (double psi : sample_gaps(shape)) {
      for (JawSide side : kSides) {
        for (const Target& target : sample_targets(psi)) {
          CAPTURE(shape.a_mm, shape.b_mm, shape.exponent, mirror_sign(side), psi);
          CAPTURE(static_cast<int>(target.feature), target.phi, target.orientation);
          check(scene_with_contact(shape, side, target), target);
        }
      }
    }
  }
}

double distance_to_jaw(JawSide side, double fingertip_x, const Vec2& x) {
  const double beyond_inside = std::max(0.0, mirror_sign(side) * (fingertip_x - x.x()));
  return std::hypot(beyond_inside, std::max(0.0, x.y()));
}

// The distance of the two boundaries, from the piece's boundary points.
double sampled_distance(const Scene& scene) {
  const Pose2 X_GA = compose({scene.q.head<2>(), scene.q[2]}, scene.X_BA);
  const auto nearness = [&](double t) {
    const Vec2 x = transform(X_GA, boundary_point(scene.shape, t).position_mm);
    return -distance_to_jaw(scene.side, scene.q[3], x);
  };
  return -periodic_max(nearness, 720).value;
}

// The largest separation n . (c - V) - h(-n) over the jaw's normal cone.
Extremum sampled_separation(const Scene& scene) {
  const Pose2 X_GA = compose({scene.q.head<2>(), scene.q[2]}, scene.X_BA);
  const Rotation2 R_GA(X_GA.angle_rad);
  const auto separation = [&](double phi) {
    const Vec2 n = jaw_normal(scene.side, phi);
    return n.dot(X_GA.position_mm - Vec2(scene.q[3], 0.0)) -
           support_function(scene.shape, R_GA.inverse_times(-n));
  };
  return interval_max(separation, 0.0, pi / 2.0, 400);
}

TEST_CASE("a jaw is a quadrant below its top edge and beyond its inside edge") {
  for (JawSide side : kSides) {
    const double s = mirror_sign(side);
    const ConvexRegion jaw = jaw_region(side, 3.0 * s);
    CHECK(value(jaw, Vec2(3.0 * s, 0.0)) == 0.0);
    CHECK(value(jaw, Vec2(5.0 * s, -1.0)) == -1.0);
    CHECK(value(jaw, Vec2(3.5 * s, -9.0)) == -0.5);
    CHECK(value(jaw, Vec2(2.0 * s, -9.0)) == 1.0);
    CHECK(value(jaw, Vec2(9.0 * s, 2.0)) == 2.0);
    CHECK(value(jaw, Vec2(-3.0 * s, -1.0)) == 6.0);
  }
}

TEST_CASE("the closest points recover the contact a configuration was built from") {
  for_each_contact([](const Scene& scene, const Target& target) {
    const ClosestPoints found = closest_at(scene);
    CHECK(found.psi_mm == within(target.psi, 1e-13));
    CHECK(found.feature == target.feature);
    const Vec2 n = jaw_normal(scene.side, target.phi);
    CHECK((found.normal - n).norm() <= 1e-12);
    const Vec2 on_jaw = point_on_jaw(scene.side, scene.q[3], target);
    CHECK((found.on_jaw_mm - on_jaw).norm() <= 1e-11);
    CHECK((found.on_piece_mm - (on_jaw + target.psi * n)).norm() <= 1e-11);
  });
}

TEST_CASE("the gap is the distance of the boundaries when apart") {
  int apart = 0;
  for_each_contact([&](const Scene& scene, const Target& target) {
    if (target.psi <= 0.0 || target.orientation < 0.0) return;
    ++apart;
    CHECK(closest_at(scene).psi_mm == within(sampled_distance(scene), 1e-13));
  });
  CHECK(apart > 1000);
}

TEST_CASE("the gap is the largest separation along a normal of the jaw") {
  for_each_contact([](const Scene& scene, const Target& target) {
    if (target.orientation > 0.0) return;
    CHECK(closest_at(scene).psi_mm == within(sampled_separation(scene).value, 1e-13));
  });
}

Scene random_scene(const Superellipse& shape, std::mt19937& random) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const double reach = shape.bounding_radius_mm() + 2.0;
  Scene scene{shape, {{unit(random), unit(random)}, 3.0 * unit(random)}, JawSide::kRight, {}};
  if (unit(random) < 0.0) scene.side = JawSide::kLeft;
  scene.q << reach * unit(random), reach * unit(random), 3.0 * unit(random), 3.0 * unit(random);
  return scene;
}

TEST_CASE("the gap at random configurations") {
  std::mt19937 random(4);
  std::array<int, 3> seen_apart{};
  std::array<int, 3> seen_overlapping{};
  for (const Superellipse& shape : sample_shapes()) {
    const double deepest = -0.9 * smallest_radius_of_curvature_mm(shape);
    for (int k = 0; k < 300; ++k) {
      const Scene scene = random_scene(shape, random);
      const Extremum separation = sampled_separation(scene);
      if (separation.value < deepest) continue;
      CAPTURE(shape.exponent, k, mirror_sign(scene.side), separation.value, separation.argument);
      const ClosestPoints found = closest_at(scene);
      CHECK(found.psi_mm == within(separation.value, 1e-13));
      if (found.psi_mm > 0.0) CHECK(found.psi_mm == within(sampled_distance(scene), 1e-13));
      const auto feature = static_cast<std::size_t>(found.feature);
      ++(found.psi_mm > 0.0 ? seen_apart : seen_overlapping)[feature];
    }
  }
  for (int seen : seen_apart) CHECK(seen > 50);
  for (int seen : seen_overlapping) CHECK(seen > 20);
}

TEST_CASE("a piece deep within a jaw leaves it by the nearer edge") {
  const Superellipse disc{1.0, 1.0, 2.0};
  for (JawSide side : kSides) {
    const double s = mirror_sign(side);
    const auto found_at = [&](const Vec2& p_GA) {
      return closest_points(disc, p_GA, Rotation2(), side, 2.0 * s);
    };
    CHECK(found_at(Vec2(7.0 * s, -3.0)).psi_mm == -4.0);
    CHECK(found_at(Vec2(7.0 * s, -3.0)).feature == JawFeature::kTopEdge);
    CHECK(found_at(Vec2(5.0 * s, -6.0)).psi_mm == -4.0);
    CHECK(found_at(Vec2(5.0 * s, -6.0)).feature == JawFeature::kInsideEdge);
  }
}

TEST_CASE("the gap passes through touching without a jump") {
  for (const Superellipse& shape : sample_shapes()) {
    CAPTURE(shape.a_mm, shape.b_mm, shape.exponent);
    for (const Target& target : sample_targets(0.0)) {
      const Scene scene = scene_with_contact(shape, JawSide::kLeft, target);
      const Vec2 n = jaw_normal(scene.side, target.phi);
      for (double step : {-1e-4, -1e-8, -1e-12, 1e-12, 1e-8, 1e-4}) {
        Vec4 q = scene.q;
        q.head<2>() += step * n;
        const ClosestPoints found = closest_at(scene, q);
        CHECK(found.psi_mm == within(step, 1e-13));
        CHECK((found.normal - n).norm() <= 1e-12);
      }
    }
  }
}

TEST_CASE("the gap is continuous where the feature changes") {
  for (const Superellipse& shape : sample_shapes()) {
    CAPTURE(shape.a_mm, shape.b_mm, shape.exponent);
    for (JawSide side : kSides) {
      for (double phi : {0.0, pi / 2.0}) {
        const JawFeature edge = phi == 0.0 ? JawFeature::kInsideEdge : JawFeature::kTopEdge;
        const Scene on_edge = scene_with_contact(shape, side, {edge, phi, 1e-7, 0.5, 0.4});
        const double into_cone = phi == 0.0 ? 1e-7 : -1e-7;
        const Scene at_vertex =
            scene_with_contact(shape, side, {JawFeature::kVertex, phi + into_cone, 0, 0.5, 0.4});
        CHECK(closest_at(on_edge).feature == edge);
        CHECK(closest_at(at_vertex).feature == JawFeature::kVertex);
        const Vec4 step = at_vertex.q - on_edge.q;
        const auto gap = [&](const Vec4& q) { return closest_at(on_edge, q).psi_mm; };
        const double predicted = motion_at(on_edge, on_edge.q).gap.dot(step);
        CHECK(gap(at_vertex.q) - gap(on_edge.q) == within(predicted, 1e-12));
      }
    }
  }
}

// Chakraborty et al. 2014, eq. (11)-(14), f the piece and g the jaw's half-planes, each with its
// own multiplier as in eq. (62)-(67).
TEST_CASE("the closest points satisfy the KKT conditions") {
  for_each_contact([](const Scene& scene, const Target& target) {
    if (target.psi < 0.0) return;
    const ClosestPoints found = closest_at(scene);
    const Pose2 X_GA = compose({scene.q.head<2>(), scene.q[2]}, scene.X_BA);
    const ConvexFunction f = PlacedSuperellipse{scene.shape, X_GA};
    const ConvexRegion g = jaw_region(scene.side, scene.q[3]);
    const Vec2 grad_f = gradient(f, found.on_piece_mm);

    const Vec2 a1_a2 = found.on_piece_mm - found.on_jaw_mm;
    const double l1 = found.psi_mm / grad_f.norm();
    CHECK((a1_a2 + l1 * grad_f).norm() <= 1e-11);              // (11)
    CHECK(value(f, found.on_piece_mm) == within(0.0, 1e-12));  // (13)
    CHECK(value(g, found.on_jaw_mm) == within(0.0, 1e-13));    // (14)
    Vec2 rest = a1_a2;
    for (const ConvexFunction& half_plane : g.functions) {
      const double l2 = a1_a2.dot(gradient(half_plane, found.on_jaw_mm));
      CHECK(l2 >= -1e-12);                                                   // (14)
      CHECK(l2 * value(half_plane, found.on_jaw_mm) == within(0.0, 1e-11));  // (14)
      rest -= l2 * gradient(half_plane, found.on_jaw_mm);
    }
    CHECK(rest.norm() <= 1e-12);  // (12)
  });
}

TEST_CASE("the first derivatives of the gap agree with finite differences") {
  for_each_contact([](const Scene& scene, const Target& target) {
    if (target.orientation > 1.0) return;
    const auto gap = [&](const Vec4& q) { return closest_at(scene, q).psi_mm; };
    const Vec4 expected = central_gradient(gap, scene.q, 2e-5);
    CHECK((motion_at(scene, scene.q).gap.transpose() - expected).norm() <= 1e-7);
  });
}

// Contacts on an edge, close to a flat spot of the piece, turn too fast for finite differences.
bool nearly_flat(const ClosestPoints& found) {
  return found.feature != JawFeature::kVertex && found.boundary.curvature_per_mm < 1e-2;
}

TEST_CASE("the second derivatives of the gap agree with finite differences") {
  int compared = 0;
  for_each_contact([&](const Scene& scene, const Target& target) {
    const ClosestPoints found = closest_at(scene);
    if (target.orientation > 1.0 || nearly_flat(found)) return;
    ++compared;
    const ContactMotion motion = motion_at(scene, scene.q);
    const Eigen::Matrix4d hessian = gap_hessian(found, motion);
    const auto gap_row = [&](const Vec4& q) { return Vec4(motion_at(scene, q).gap); };
    const auto normal = [&](const Vec4& q) { return closest_at(scene, q).normal; };
    const auto arm = [&](const Vec4& q) { return motion_at(scene, q).arm_mm; };
    const double tolerance = 1e-6 * (1.0 + hessian.norm());
    CHECK((hessian - hessian.transpose()).norm() <= 1e-11 * (1.0 + hessian.norm()));
    CHECK((hessian - central_jacobian<4>(gap_row, scene.q, 1e-5)).norm() <= tolerance);
    const Eigen::Matrix<double, 2, 4> normal_rate = perp(found.normal) * motion.turn;
    CHECK((normal_rate - central_jacobian<2>(normal, scene.q, 1e-5)).norm() <= tolerance);
    CHECK((arm_derivative(found, motion) - central_jacobian<2>(arm, scene.q, 1e-5)).norm() <=
          tolerance);
  });
  CHECK(compared > 2000);
}

TEST_CASE("a rigid contact keeps the piece's point") {
  const Scene scene = scene_with_contact({2.3, 1.1, 4.0}, JawSide::kLeft,
                                         {JawFeature::kVertex, 0.8, 0.0, 0.1, 1.3});
  const ClosestPoints closest = closest_at(scene);
  const ContactMotion rigid = rigid_contact_motion(closest, scene.q.head<2>());
  const Vec2 p_BC = Rotation2(scene.q[2]).inverse_times(closest.on_piece_mm - scene.q.head<2>());
  const auto arm = [&](const Vec4& q) { return Vec2(Rotation2(q[2]) * p_BC); };
  CHECK((rigid.arm_mm - arm(scene.q)).norm() <= 1e-14);
  CHECK((arm_derivative(closest, rigid) - central_jacobian<2>(arm, scene.q, 1e-4)).norm() <= 1e-9);
  CHECK(rigid.gap == motion_at(scene, scene.q).gap);
  CHECK(rigid.turn == Eigen::RowVector4d::Zero());
}

// The piece's flat spot at its local direction u faces the jaw along n, to the last bit.
struct FlatContact {
  Superellipse shape;
  Vec2 p_GA;
  Rotation2 R_GA;
  JawSide side;
};

ClosestPoints closest_on_flat(const FlatContact& contact) {
  return closest_points(contact.shape, contact.p_GA, contact.R_GA, contact.side, 1.0);
}

TEST_CASE("a flat spot on an edge of the jaw has an infinite second derivative") {
  Rotation2 quarter_turn;
  quarter_turn.c = 0.0;
  quarter_turn.s = 1.0;
  for (const Superellipse& shape : sample_shapes()) {
    if (shape.exponent == 2.0) continue;
    CAPTURE(shape.a_mm, shape.b_mm, shape.exponent);
    for (JawSide side : kSides) {
      for (const Rotation2& R : {Rotation2(), quarter_turn}) {
        const double s = mirror_sign(side);
        const double half_x = R.s == 0.0 ? shape.a_mm : shape.b_mm;
        const double half_y = R.s == 0.0 ? shape.b_mm : shape.a_mm;
        const FlatContact inside{shape, {1.0 - s * (half_x + 0.25), -4.0}, R, side};
        const FlatContact top{shape, {1.0 + 6.0 * s, half_y + 0.25}, R, side};
        for (const FlatContact& contact : {inside, top}) {
          const ClosestPoints found = closest_on_flat(contact);
          CHECK(found.psi_mm == within(0.25, 1e-15));
          CHECK(found.feature != JawFeature::kVertex);
          const ContactMotion motion = contact_motion(found, Vec2(0.3, -0.2));
          const Vec2 r = found.on_piece_mm - Vec2(0.3, -0.2);
          CHECK(motion.gap[2] == within(cross(r, found.normal), 1e-15));
          const Eigen::Matrix4d H = gap_hessian(found, motion);
          CHECK(H(2, 2) == -std::numeric_limits<double>::infinity());
          Eigen::Matrix4d others = H;
          others(2, 2) = 0.0;
          CHECK(others == Eigen::Matrix4d::Zero());
        }
      }
    }
  }
}

TEST_CASE("the slope of the gap is right at a flat spot on an edge") {
  for (const Superellipse& shape : sample_shapes()) {
    CAPTURE(shape.a_mm, shape.b_mm, shape.exponent);
    for (JawSide side : kSides) {
      for (double psi : {0.2, 0.0, -0.001}) {
        // Angles of exactly zero: on a flat spot the slope is like |theta|^(1 / (e - 1)).
        for (const Target& target : {Target{JawFeature::kInsideEdge, 0.0, 2.5, psi, 0.0},
                                     Target{JawFeature::kTopEdge, pi / 2.0, 2.5, psi, 0.0}}) {
          const Scene scene = scene_with_contact(shape, side, target, 0.0);
          const auto gap = [&](const Vec4& q) { return closest_at(scene, q).psi_mm; };
          CHECK(gap(scene.q) == within(psi, 1e-14));
          const Vec4 expected = central_gradient(gap, scene.q, 1e-5);
          CHECK((motion_at(scene, scene.q).gap.transpose() - expected).norm() <= 1e-9);
        }
      }
    }
  }
}

TEST_CASE("a fingertip on a flat spot is a regular contact") {
  for (const Superellipse& shape : sample_shapes()) {
    CAPTURE(shape.a_mm, shape.b_mm, shape.exponent);
    for (JawSide side : kSides) {
      for (double psi : {1.0, 0.0, -0.01}) {
        const double phi = 0.7;
        const Vec2 n = jaw_normal(side, phi);
        const double facing = std::atan2(-n.y(), -n.x());  // the piece's axis points along -n
        const Scene scene =
            scene_with_contact(shape, side, {JawFeature::kVertex, phi, 0.0, psi, facing});
        const ClosestPoints found = closest_at(scene);
        CHECK(found.psi_mm == within(psi, 1e-14));
        const ContactMotion motion = motion_at(scene, scene.q);
        const auto gap = [&](const Vec4& q) { return closest_at(scene, q).psi_mm; };
        CHECK((motion.gap.transpose() - central_gradient(gap, scene.q, 1e-5)).norm() <= 1e-8);
        const double h = 1e-5;
        // Beside a flat spot the curvature is like (distance)^(e-2), and so like
        // (angle)^((e-2)/(e-1)): the error of the quotient, and of an angle that is rounded.
        const double e = shape.exponent;
        const double kink = e == 2.0 ? 0.0 : 300.0 * std::pow(h, e - 2.0);
        if (e > 2.0) {
          CHECK(found.boundary.curvature_per_mm <= 30.0 * std::pow(1e-16, (e - 2.0) / (e - 1.0)));
        }
        const auto gap_row = [&](const Vec4& q) { return Vec4(motion_at(scene, q).gap); };
        const Eigen::Matrix4d hessian = gap_hessian(found, motion);
        CHECK((hessian - central_jacobian<4>(gap_row, scene.q, h)).norm() <=
              1e-6 * (1.0 + hessian.norm()) + kink);
      }
    }
  }
}

TEST_CASE("the two jaws are mirror images") {
  const Vec4 mirror(-1.0, 1.0, -1.0, -1.0);
  for_each_contact([&](const Scene& scene, const Target& target) {
    if (scene.side == JawSide::kLeft || target.orientation > 1.5) return;
    Scene mirrored = scene;
    mirrored.side = JawSide::kLeft;
    mirrored.q = scene.q.cwiseProduct(mirror);
    mirrored.X_BA.position_mm.x() *= -1.0;
    mirrored.X_BA.angle_rad *= -1.0;
    const ClosestPoints right = closest_at(scene);
    const ClosestPoints left = closest_at(mirrored);
    CHECK(left.psi_mm == within(right.psi_mm, 1e-13));
    CHECK(left.feature == right.feature);
    CHECK((left.normal - Vec2(-right.normal.x(), right.normal.y())).norm() <= 1e-13);
    const ContactMotion right_motion = motion_at(scene, scene.q);
    const ContactMotion left_motion = motion_at(mirrored, mirrored.q);
    CHECK(
        (left_motion.gap.transpose() - mirror.cwiseProduct(right_motion.gap.transpose())).norm() <=
        1e-12);
    const Eigen::Matrix4d right_hessian = gap_hessian(right, right_motion);
    const Eigen::Matrix4d expected = mirror.asDiagonal() * right_hessian * mirror.asDiagonal();
    CHECK((gap_hessian(left, left_motion) - expected).norm() <= 1e-10 * (1.0 + expected.norm()));
  });
}

TEST_CASE("the closest points do not depend on the guess") {
  for (const Superellipse& shape : sample_shapes()) {
    CAPTURE(shape.a_mm, shape.b_mm, shape.exponent);
    for (const Target& target : sample_targets(0.3)) {
      const Scene scene = scene_with_contact(shape, JawSide::kRight, target);
      const ClosestPoints expected = closest_at(scene);
      for (const Vec2& guess :
           {expected.boundary.direction, Vec2(1, 0), Vec2(0, -1), Vec2(-0.6, 0.8)}) {
        const ClosestPoints found = closest_at(scene, scene.q, guess);
        CHECK(found.psi_mm == within(expected.psi_mm, 1e-14));
        CHECK((found.on_piece_mm - expected.on_piece_mm).norm() <= 1e-12);
      }
    }
  }
}

TEST_CASE("a piece that lies deep in a jaw is measured to the nearer edge") {
  const Superellipse ellipse{5.0, 3.0, 2.0};
  for (const JawSide side : {JawSide::kRight, JawSide::kLeft}) {
    const double sign = mirror_sign(side);
    const double tip_mm = sign * 20.0;
    const ClosestPoints under_top =
        closest_points(ellipse, {tip_mm + sign * 10.0, -2.0}, Rotation2(), side, tip_mm);
    CHECK(under_top.feature == JawFeature::kTopEdge);
    CHECK(under_top.psi_mm == Approx(-2.0 - 3.0));
    const ClosestPoints behind_inside =
        closest_points(ellipse, {tip_mm + sign * 2.0, -10.0}, Rotation2(), side, tip_mm);
    CHECK(behind_inside.feature == JawFeature::kInsideEdge);
    CHECK(behind_inside.psi_mm == Approx(-2.0 - 5.0));
  }
}

TEST_CASE("a fingertip deep in a thin piece overlaps it") {
  // The vertex is nearest to the piece's far side, whose normal the jaw does not have there.
  const Superellipse sliver{10.0, 0.1, 4.0};
  for (const JawSide side : kSides) {
    const double sign = mirror_sign(side);
    for (const double angle : {0.3, 0.7, 1.1, 1.4}) {
      for (const double depth : {0.02, 0.08, 0.12, 0.17}) {
        CAPTURE(static_cast<int>(side), angle, depth);
        // The piece rises away from the jaw; the vertex is `depth` below its upper side.
        const Rotation2 R_GA(-sign * angle);
        const Vec2 vertex(sign * 5.0, 0.0);
        const Vec2 up = R_GA * Vec2(0.0, 1.0);
        const Vec2 center = vertex - up * (0.1 - depth);
        const auto gap_along = [&](double phi) {
          const Vec2 n = jaw_normal(side, phi);
          return n.dot(center - vertex) +
                 n.dot(R_GA * support_point(sliver, R_GA.inverse_times(-n)));
        };
        const double expected = interval_max(gap_along, 0.0, pi / 2, 2000).value;
        const double found = true_gap_mm(sliver, center, R_GA, side, vertex.x());
        CHECK(found == within(expected, 1e-9));
        CHECK(found < 0.0);
      }
    }
  }
}

}  // namespace
}  // namespace graspmap
