#include "sim/closing/jam.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "geometry/assert.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {
namespace {

/// Both edges of the friction cone of each contact.
constexpr std::size_t kMostPushes = 2 * kMaxContacts;

bool gives_way(const TrialData& trial, JawSide side) {
  return trial.drive != JawDrive::kHold && trial.jaws.sign[side_index(side)] != 0.0;
}

}  // namespace

/// Hildreth's method for the smallest velocity that gives way to all. Where no velocity does, the
/// weights grow, each time by the more its push is in the way, and become such a proof.
bool excludes_all_motions(std::span<const ContactPush> pushes, double fastest_mm_s) {
  GRASPMAP_CHECK(pushes.size() <= kMostPushes);
  std::array<double, kMostPushes> weight{};
  ContactPush sum;  // of the weighed pushes: the velocity
  for (int round = 0; round < tolerances::kMostRounds; ++round) {
    bool all_give_way = true;
    for (std::size_t i = 0; i < pushes.size(); ++i) {
      const auto& [push, least_mm_s] = pushes[i];
      const double lacks = (least_mm_s - push.dot(sum.push)) / push.squaredNorm();
      const double change = std::max(lacks, -weight[i]);
      weight[i] += change;
      sum.push += change * push;
      sum.least_mm_s += change * least_mm_s;
      all_give_way = all_give_way && lacks <= 0.0;
    }
    if (all_give_way) return false;
    if (sum.push.norm() * fastest_mm_s < sum.least_mm_s) return true;
  }
  return false;
}

int jamming_obstacle(const TrialData& trial, BroadPhase& part, const State& state) {
  if (trial.scenario->obstacles.empty() || !trial.twist.moves()) return -1;
  const std::optional<Mount>& mount = trial.scenario->gripper.mount;
  const bool slides = mount && std::isfinite(mount->sideways_n_per_mm);
  const bool turns = mount && std::isfinite(mount->turning_n_mm);
  std::array<ContactPush, kMostPushes> pushes;
  std::size_t count = 0;
  int obstacle = -1;
  const auto add = [&](const Pair& pair, const ClosestPoints& closest) {
    if (gives_way(trial, pair.side) || count == pushes.size()) return;
    const Vec2 arm = closest.on_piece_mm - state.part_pose.head<2>();
    const bool on_table = pair.side == JawSide::kObstacle;
    if (on_table) obstacle = obstacle_of(part.bodies().fingers, pair);
    const Vec2 table = -arm_twist(trial.twist, state).at(closest.on_piece_mm).head<2>();
    for (const double mu : {trial.friction(pair), -trial.friction(pair)}) {
      const Vec2 force = closest.normal + mu * perp(closest.normal);
      ContactPush& push = pushes[count++];
      push = {};
      push.push.head<3>() << force.x(), force.y(), cross(arm, force) / part.reach_mm();
      if (!on_table) continue;
      push.least_mm_s = force.dot(table);
      if (slides) push.push.segment<2>(3) = force;
      if (turns) push.push[5] = cross(closest.on_piece_mm, force) / part.reach_mm();
    }
  };
  part.visit_near_contacts(Configuration(state), part.least_gap_mm(0.0), 0.5 * tolerances::kNearMm,
                           tolerances::kMostTurnRad, add);
  const double fastest_mm_s = tolerances::kJam * trial.speed_mm_s;
  const bool jams =
      obstacle >= 0 && excludes_all_motions(std::span(pushes).first(count), fastest_mm_s);
  return jams ? obstacle : -1;
}

}  // namespace graspmap
