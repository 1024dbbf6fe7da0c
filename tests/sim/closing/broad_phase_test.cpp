#include "sim/closing/broad_phase.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "sim/closing/step_data.hpp"
#include "tests/support/scenes.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

using Pairs = std::vector<std::pair<std::size_t, JawSide>>;

/// `pieces` pieces of all sizes, anywhere.
Part scattered_part(Random& random, int pieces) {
  Part part;
  for (int k = 0; k < pieces; ++k) {
    const double size = std::pow(10.0, random.uniform(-1.0, 1.2));
    const Superellipse shape{size, size * random.uniform(0.2, 1.0), random.uniform(2.0, 9.0)};
    const Vec2 center(random.uniform(-60.0, 60.0), random.uniform(-30.0, 30.0));
    part.pieces.push_back({"", shape, {center, random.uniform(-3.0, 3.0)}});
  }
  return part;
}

/// The lock piece with small discs hidden in its disc, out of the jaws' reach, until it has
/// `pieces` of them.
Scenario lock_piece_with_hidden_pieces(int pieces) {
  Scenario scenario = lock_piece_scenario();
  Part& part = scenario.part;
  for (int k = static_cast<int>(part.pieces.size()); k < pieces; ++k) {
    const double radius = 14.0 * std::sqrt(static_cast<double>(k) / pieces);
    part.pieces.push_back({"", {1.2, 1.2, 2.0}, {Rotation2(2.4 * k) * Vec2(radius, 0.0), 0.0}});
  }
  return scenario;
}

Configuration random_placing(Random& random) {
  const double opening = random.uniform(1.0, 90.0);
  return {{random.uniform(-20.0, 20.0), random.uniform(-40.0, 40.0),
           random.uniform(-std::numbers::pi, std::numbers::pi)},
          opening,
          random.uniform(-90.0, opening)};
}

/// As in a step: some of them small, some of them none.
Configuration moved_a_little(const Configuration& q, Random& random) {
  const double size = random.uniform(0.0, 1.0) * random.index(2);
  const Vec3 step(size * random.uniform(-1.0, 1.0), size * random.uniform(-1.0, 1.0),
                  0.03 * size * random.uniform(-1.0, 1.0));
  return {q.part_pose + step, q.jaw_right_mm - size * random.uniform(0.0, 1.0),
          q.jaw_left_mm + size * random.uniform(0.0, 1.0)};
}

Pairs all_pairs_within(const std::vector<BodyPiece>& pieces, const Configuration& q,
                       double reach_mm) {
  Pairs pairs;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    for (const JawSide side : {JawSide::kRight, JawSide::kLeft}) {
      if (gap_lower_bound_mm(pieces[i], q, side) <= reach_mm) pairs.emplace_back(i, side);
    }
  }
  return pairs;
}

Pairs visited_pairs(BroadPhase& part, const Configuration& q, double reach_mm) {
  Pairs pairs;
  part.visit_near_pairs(q, reach_mm,
                        [&](std::size_t i, JawSide side) { pairs.emplace_back(i, side); });
  return pairs;
}

void check_same_trial(const SimulationResult& a, const SimulationResult& b) {
  CHECK(a.end == b.end);
  CHECK(a.end_time_s == b.end_time_s);
  CHECK(a.final_state.part_pose == b.final_state.part_pose);
  CHECK(a.final_state.jaw_right_mm == b.final_state.jaw_right_mm);
  CHECK(a.statistics.newton_iterations == b.statistics.newton_iterations);
  CHECK(a.right_touches == b.right_touches);
  CHECK(a.left_touches == b.left_touches);
}

}  // namespace

TEST_CASE("the broad phase visits the near pairs of any part in order while it moves") {
  Random random(71);
  BroadPhase part;
  std::size_t near = 0;
  std::size_t all = 0;
  for (const int pieces : {1, 2, 8, 9, 17, 60, 400}) {
    part.set_part(scattered_part(random, pieces), {random.uniform(-5.0, 5.0), 1.0});
    for (int start = 0; start < 20; ++start) {
      Configuration q = random_placing(random);
      for (int k = 0; k < 20; ++k) {
        const double reach = random.uniform(-0.5, 0.5) * std::pow(10.0, random.uniform(-2.0, 1.0));
        const Pairs expected = all_pairs_within(part.pieces(), q, reach);
        REQUIRE(visited_pairs(part, q, reach) == expected);
        near += expected.size();
        all += 2 * part.pieces().size();
        q = moved_a_little(q, random);
      }
    }
  }
  CHECK(near > all / 10);
  CHECK(near < all - all / 10);
}

TEST_CASE("a large part is searched without looking at most of its pieces") {
  const Scenario scenario = lock_piece_with_hidden_pieces(700);
  BroadPhase part;
  part.set_part(scenario.part, scenario.mass.center_of_mass_P_mm);
  const Configuration q({0.0, 11.0, 0.0}, 18.0, -18.0);
  int looks = 0;
  int visits = 0;
  part.tree().visit(
      [&](const Vec2& center, double radius) {
        ++looks;
        return std::min(circle_gap_mm(center, radius, q, JawSide::kRight),
                        circle_gap_mm(center, radius, q, JawSide::kLeft)) <= 1.0;
      },
      [&](std::size_t) { ++visits; });
  CHECK(visits > 0);
  CHECK(looks + visits < 100);
}

TEST_CASE("the free travel to a part of many pieces is the least of any one's") {
  Random random(73);
  int reached = 0;
  for (int k = 0; k < 60; ++k) {
    const Part part = scattered_part(random, 1 + random.index(80));
    State state;
    state.part_pose = {random.uniform(-10.0, 10.0), random.uniform(-40.0, 40.0),
                       random.uniform(-3.0, 3.0)};
    state.jaw_right_mm = 100.0;
    state.jaw_left_mm = -100.0;
    const double limit = random.uniform(20.0, 99.0);
    double least = limit;
    BroadPhase alone;
    for (const Piece& piece : part.pieces) {
      alone.set_part(Part{{piece}}, {0.0, 0.0});
      least = std::min(least, travel_to_contact_mm(alone, state, limit, 1e-6));
    }
    BroadPhase together;
    together.set_part(part, {0.0, 0.0});
    CHECK(travel_to_contact_mm(together, state, limit, 1e-6) == least);
    if (least < limit) ++reached;
  }
  CHECK(reached > 10);
  CHECK(reached < 60);
}

TEST_CASE("a part is computed again when a number of it differs") {
  Random random(74);
  const Part first = scattered_part(random, 30);
  Part part = first;
  BroadPhase broad_phase;
  CHECK(broad_phase.set_part(part, {0.0, 0.0}));
  CHECK_FALSE(broad_phase.set_part(Part(part), {0.0, 0.0}));
  const auto differs = [&](double& number) {
    const double before = number;
    number = std::nextafter(number, 100.0);
    CHECK(broad_phase.set_part(part, {0.0, 0.0}));
    CHECK_FALSE(broad_phase.set_part(part, {0.0, 0.0}));
    number = before;
    CHECK(broad_phase.set_part(part, {0.0, 0.0}));
  };
  Piece& piece = part.pieces[17];
  for (double* number :
       {&piece.shape.a_mm, &piece.shape.b_mm, &piece.shape.exponent, &piece.pose.position_mm.x(),
        &piece.pose.position_mm.y(), &piece.pose.angle_rad}) {
    differs(*number);
  }
  CHECK(broad_phase.set_part(part, {0.0, 1e-12}));
  part.pieces.pop_back();
  CHECK(broad_phase.set_part(part, {0.0, 1e-12}));
  CHECK(broad_phase.pieces().size() == 29);
  CHECK(broad_phase.set_part(first, {0.0, 1e-12}));
}

TEST_CASE("a workspace can change its part at the same address") {
  Random random(75);
  Scenario scenario = lock_piece_scenario();
  Workspace workspace;
  SimulationResult result;
  for (int k = 0; k < 10; ++k) {
    scenario.part.pieces[1].shape.a_mm = 2.3 + 0.1 * k;
    if (k == 5) scenario.part.pieces.pop_back();
    const TrialParameters trial = lock_piece_trial(random);
    simulate(scenario, trial, workspace, result);
    check_same_trial(result, run(scenario, trial));
  }
}

TEST_CASE("pieces that no jaw comes near change nothing") {
  Random random(76);
  const Scenario few = lock_piece_scenario();
  const Scenario many = lock_piece_with_hidden_pieces(300);
  Workspace workspace;
  SimulationResult result;
  for (int k = 0; k < 30; ++k) {
    const TrialParameters trial = lock_piece_trial(random);
    simulate(many, trial, workspace, result);
    check_same_trial(result, run(few, trial));
  }
}

TEST_CASE("touches are the pieces whose gap is below the contact gap") {
  Random random(77);
  Scenario scenario = lock_piece_with_hidden_pieces(60);
  scenario.stop.contact_gap_mm = 0.5;
  for (int k = 0; k < 20; ++k) {
    const SimulationResult result = run(scenario, lock_piece_trial(random));
    const Configuration q(result.final_state);
    for (const JawSide side : {JawSide::kRight, JawSide::kLeft}) {
      std::vector<int> expected;
      for (std::size_t i = 0; i < scenario.part.pieces.size(); ++i) {
        const BodyPiece piece = make_body_piece(scenario.part.pieces[i], {0.0, 0.0});
        if (closest_points(piece, q, side).psi_mm < 0.5) expected.push_back(static_cast<int>(i));
      }
      CHECK((side == JawSide::kRight ? result.right_touches : result.left_touches) == expected);
    }
  }
}

TEST_CASE("of more near pairs than a step can hold the nearest are taken") {
  constexpr int kDiscs = 41;  // on a flat arc before the right jaw, the middle one foremost
  Scenario scenario = disc_scenario(15.0);
  scenario.part.pieces.clear();
  for (int i = 0; i < kDiscs; ++i) {
    const double y = 0.6 * (i - kDiscs / 2);
    scenario.part.pieces.push_back({"", {0.5, 0.5, 2.0}, {{15.0 - y * y / 4000.0, y}, 0.0}});
  }
  TrialParameters trial;
  trial.placement_y_mm = 30.0;
  trial.mu_jaw = trial.mu_support = 0.3;
  std::vector<int> first_step;
  const StepObserver observer = [&](const StepRecord& record) {
    if (record.step_s == 0.0 || !first_step.empty()) return;
    for (const ContactRecord& contact : *record.contacts) first_step.push_back(contact.piece);
  };
  CHECK(run(scenario, trial, &observer).end != EndReason::kFailed);
  REQUIRE(first_step.size() == static_cast<std::size_t>(kMaxContacts));
  CHECK(std::is_sorted(first_step.begin(), first_step.end()));
  CHECK(first_step.front() >= kDiscs / 2 - kMaxContacts / 2);
  CHECK(first_step.back() <= kDiscs / 2 + kMaxContacts / 2);
}
