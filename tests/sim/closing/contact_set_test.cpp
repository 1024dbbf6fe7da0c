#include "sim/closing/contact_set.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "tests/support/random_parts.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

constexpr JawSide kSides[] = {JawSide::kRight, JawSide::kLeft};

/// A part anywhere about jaws of any opening, overlapping them or not.
Configuration random_configuration(Random& random) {
  const Vec3 pose(random.uniform(-40.0, 40.0), random.uniform(-40.0, 40.0),
                  random.uniform(-4.0, 4.0));
  return {pose, random.uniform(1.0, 40.0), random.uniform(-40.0, -1.0)};
}

State state_of(const Configuration& q) {
  State state;
  state.part_pose = q.part_pose;
  state.jaw_right_mm = q.jaw_right_mm;
  state.jaw_left_mm = q.jaw_left_mm;
  return state;
}

/// Calls visit(piece, q, side) for each piece and side of random scenarios.
void visit_random_pairs(unsigned seed, int scenarios, const auto& visit) {
  Random random(seed);
  for (int k = 0; k < scenarios; ++k) {
    const Scenario scenario = random_scenario(random);
    std::vector<BodyPiece> pieces;
    make_body_pieces(scenario.part, scenario.mass.center_of_mass_P_mm, pieces);
    const Configuration q = random_configuration(random);
    for (const BodyPiece& piece : pieces) {
      for (const JawSide side : kSides) visit(piece, q, side);
    }
  }
}

}  // namespace

TEST_CASE("pieces about the centre of mass are where the part's pieces are") {
  const Scenario scenario = lopsided_scenario();
  std::vector<BodyPiece> pieces;
  make_body_pieces(scenario.part, scenario.mass.center_of_mass_P_mm, pieces);
  REQUIRE(pieces.size() == scenario.part.pieces.size());
  Random random(2);
  for (int k = 0; k < 50; ++k) {
    const Configuration q = random_configuration(random);
    const Pose2 X_GP = part_pose_in_gripper(scenario, state_of(q));
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const Pose2 X_GA = compose(X_GP, scenario.part.pieces[i].pose);
      for (const JawSide side : kSides) {
        const ClosestPoints expected =
            closest_points(scenario.part.pieces[i].shape, X_GA.position_mm,
                           Rotation2(X_GA.angle_rad), side, q.jaw_mm(side));
        const ClosestPoints closest = closest_points(pieces[i], q, side);
        CHECK(closest.psi_mm == within(expected.psi_mm, 1e-12));
        CHECK(closest.feature == expected.feature);
      }
    }
  }
}

TEST_CASE("the bounding circle never promises more than the gap, and is tight for a disc") {
  visit_random_pairs(3, 200, [](const BodyPiece& piece, const Configuration& q, JawSide side) {
    const double bound = gap_lower_bound_mm(piece, q, side);
    const double gap = closest_points(piece, q, side).psi_mm;
    CHECK(bound <= std::max(gap, 0.0) + 1e-12);  // deep overlaps are not exact
    if (piece.shape.is_disc() && gap > 0.0) CHECK(bound == within(gap, 1e-12));
  });
}

TEST_CASE("no edge promises more than the gap, and the one that a piece lies beside all of it") {
  int beside = 0;
  visit_random_pairs(9, 300, [&](const BodyPiece& piece, const Configuration& q, JawSide side) {
    const double gap = true_gap_mm(piece, q, side);
    const JawFeature feature = closest_points(piece, q, side).feature;
    if (gap < -0.01) return;  // deep overlaps are not exact
    for (const JawFeature edge : {JawFeature::kInsideEdge, JawFeature::kTopEdge}) {
      const double along_edge = edge_gap_mm(piece, q, side, edge);
      CHECK(along_edge <= gap + 1e-9);
      if (feature != edge) continue;
      CHECK(along_edge == within(gap, 1e-12));
      ++beside;
    }
  });
  CHECK(beside > 500);
}

TEST_CASE("a fingertip that has gone through a thin piece is behind it") {
  // At half a right angle across the corner of the right jaw, away from it by some distance.
  const BodyPiece sliver = make_body_piece({"sliver", {5.0, 0.01, 2.0}, {}}, Vec2::Zero());
  const double tip_mm = 3.0;
  const auto at_distance = [&](double mm) {
    const Vec2 at = Vec2(tip_mm, 0.0) + mm * Vec2(-1.0, 1.0).normalized();
    return Configuration(Vec3(at.x(), at.y(), 0.25 * std::numbers::pi), tip_mm, -20.0);
  };
  const ClosestPoints before = closest_points(sliver, at_distance(0.5), JawSide::kRight);
  CHECK(before.psi_mm == within(0.49, 1e-9));
  CHECK_FALSE(is_behind(before, JawSide::kRight));
  const ClosestPoints beyond = closest_points(sliver, at_distance(-0.5), JawSide::kRight);
  CHECK(beyond.psi_mm == within(0.49, 1e-9));  // to the sliver's other side
  CHECK(is_behind(beyond, JawSide::kRight));
  CHECK(true_gap_mm(sliver, at_distance(-0.5), JawSide::kRight) < -0.4);
}

TEST_CASE("a guess does not change the closest points of pieces that are apart") {
  Random random(4);
  int compared = 0;
  for (int k = 0; k < 300; ++k) {
    const Scenario scenario = random_scenario(random);
    std::vector<BodyPiece> pieces;
    make_body_pieces(scenario.part, scenario.mass.center_of_mass_P_mm, pieces);
    const Configuration q = random_configuration(random);
    const Vec3 moved(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0),
                     random.uniform(-0.1, 0.1));
    const Configuration before(q.part_pose + moved, q.jaw_right_mm, q.jaw_left_mm);
    for (const BodyPiece& piece : pieces) {
      for (const JawSide side : kSides) {
        const ClosestPoints exact = closest_points(piece, q, side);
        if (exact.psi_mm < 0.0) continue;
        ++compared;
        const ClosestPoints near = closest_points(piece, before, side);
        const ContactPoint guess{near.feature, near.boundary.direction};
        const ClosestPoints guessed = closest_points(piece, q, side, guess);
        CHECK(guessed.psi_mm == within(exact.psi_mm, 1e-12));
        CHECK((guessed.normal - exact.normal).norm() <= 1e-7);
      }
    }
  }
  CHECK(compared > 300);
}

TEST_CASE("a contact on a curved piece or at a vertex follows the exact closest points") {
  const BodyPiece piece{{3.0, 2.0, 2.0}, {1.0, -0.5}, Rotation2(0.3), 3.0};
  ContactPoint point;
  Random random(4);
  for (int k = 0; k < 200; ++k) {
    const Vec3 pose(random.uniform(3.0, 5.0), random.uniform(-6.0, 6.0), random.uniform(-1.0, 1.0));
    const Configuration q(pose, 9.0, -9.0);
    const ClosestPoints followed = follow_contact(piece, q, JawSide::kRight, point);
    const ClosestPoints exact = closest_points(piece, q, JawSide::kRight);
    CHECK_FALSE(is_tracked(piece, point));
    CHECK(followed.psi_mm == within(exact.psi_mm, 1e-12));
    CHECK(misalignment(piece, q, followed) == within(0.0, 1e-12));
  }
}

TEST_CASE("a tracked contact keeps its point, and its misalignment is the angle it is off by") {
  const BodyPiece piece{{5.0, 8.0, 6.0}, {0.0, 0.0}, Rotation2(0.0), 10.0};
  ContactPoint point;
  const Configuration flat({0.0, -20.0, 0.0}, 5.1, -5.1);
  const ClosestPoints start = follow_contact(piece, flat, JawSide::kRight, point);
  REQUIRE(is_tracked(piece, point));
  CHECK(start.psi_mm == within(0.1, 1e-14));
  CHECK(misalignment(piece, flat, start) == within(0.0, 1e-15));

  const Vec2 kept = point.direction;
  const Configuration turned({0.0, -20.0, 0.01}, 5.1, -5.1);
  const ClosestPoints closest = follow_contact(piece, turned, JawSide::kRight, point);
  CHECK(point.direction == kept);
  CHECK(std::abs(misalignment(piece, turned, closest)) == within(std::sin(0.01), 1e-14));
  CHECK(closest.psi_mm == within(5.1 - 5.0 * std::cos(0.01), 1e-13));
}

TEST_CASE("a tracked contact on a jaw's top edge keeps its point beside the vertex only") {
  const BodyPiece piece{{5.0, 8.0, 6.0}, {0.0, 0.0}, Rotation2(0.0), 10.0};
  for (const JawSide side : kSides) {
    const double x = side == JawSide::kRight ? 12.0 : -12.0;
    ContactPoint point;
    follow_contact(piece, Configuration({x, 8.1, 0.0}, 5.1, -5.1), side, point);
    REQUIRE(point.feature == JawFeature::kTopEdge);
    const Vec2 kept = point.direction;
    const Configuration turned({x, 8.1, 0.01}, 5.1, -5.1);
    const ClosestPoints closest = follow_contact(piece, turned, side, point);
    CHECK(point.direction == kept);
    CHECK(closest.psi_mm == within(8.1 - 8.0 * std::cos(0.01), 1e-13));

    const Configuration beyond({0.2 * x, 8.1, 0.01}, 5.1,
                               -5.1);  // its lowest point is not above the jaw
    follow_contact(piece, beyond, side, point);
    CHECK(point.direction != kept);
  }
}

TEST_CASE("a tracked contact that leaves its edge is looked up again") {
  const BodyPiece piece{{5.0, 8.0, 6.0}, {0.0, 0.0}, Rotation2(0.0), 10.0};
  const Configuration below({0.0, -20.0, 0.02}, 5.1, -5.1);
  const Configuration above({0.0, 7.0, 0.02}, 5.1, -5.1);
  ContactPoint point;
  follow_contact(piece, below, JawSide::kRight, point);
  REQUIRE(point.feature == JawFeature::kInsideEdge);
  const ClosestPoints closest = follow_contact(piece, above, JawSide::kRight, point);
  CHECK(point.feature == JawFeature::kVertex);
  CHECK(closest.psi_mm == within(closest_points(piece, above, JawSide::kRight).psi_mm, 1e-12));
}
