#include "grasp/decide/sequence/squeeze_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geometry/assert.hpp"
#include "grasp/base/io/number.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/sweep/config/scenario_reader.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"

namespace graspmap {
namespace {

constexpr double kAngleStep_rad = kWholeTurn_rad / SqueezeMap::kAngles;

double middle_y_mm(const Outline& finger) { return box_of(finger.outer).center().y(); }

bool differs_from_trial_to_trial(const SweepConfig& config) {
  return !config.uncertain.empty() || !config.mu_jaw.is_fixed() || !config.mu_support.is_fixed();
}

/// The trial in which the part begins in a pose, with friction of its own.
TrialParameters trial_from(const Scenario& scenario, const Vec2& squeeze_point_mm,
                           const LyingPose& pose, const TrialParameters& friction) {
  const Vec2 center = squeeze_point_mm + pose.center_mm;
  const Vec2 origin = center - Rotation2(pose.angle_rad) * scenario.mass.center_of_mass_P_mm;
  TrialParameters trial = friction;
  trial.placement_x_mm = -origin.x();
  trial.placement_y_mm = -origin.y();
  trial.theta_rad = pose.angle_rad;
  return trial;
}

/// As it lies before the gripper when that has come to rest on its mount, where the arm has it.
LyingPose lying_before_arm(const Gripper& gripper, const State& state) {
  const Vec2 center = state.part_pose.head<2>();
  if (!gripper.mount) return {center, state.part_pose[2]};
  return {transform(pose_on_mount(state), center), state.part_pose[2] + state.mount[2]};
}

}  // namespace

Vec2 squeeze_point_mm(const Scenario& scenario) {
  const Gripper& gripper = scenario.gripper;
  if (gripper.right_finger && gripper.left_finger) {
    return {0.0, 0.5 * (middle_y_mm(*gripper.right_finger) + middle_y_mm(*gripper.left_finger))};
  }
  return {0.0, -2.0 * bounding_radius_mm(scenario.part, scenario.mass.center_of_mass_P_mm)};
}

LyingPose before_jaws(const LyingPose& pose, const Squeeze& squeeze) {
  return {Rotation2(squeeze.turn_rad).inverse_times(pose.center_mm) - Vec2(squeeze.offset_mm, 0.0),
          pose.angle_rad - squeeze.turn_rad};
}

std::vector<DrawnPhase> squeeze_phases(const Scenario& scenario, const Squeeze& squeeze,
                                       const SqueezeMotion& motion,
                                       std::optional<double> opening_mm) {
  std::vector<DrawnPhase> phases;
  if (squeeze.turn_rad != 0.0) {
    DrawnPhase turn;
    turn.action = PhaseAction::kTurn;
    turn.by_rad = squeeze.turn_rad;
    turn.speed_rad_s = motion.turn_speed_rad_s;
    turn.center_mm = squeeze_point_mm(scenario);
    phases.push_back(turn);
  }
  const auto move = [&](double x_mm) {
    DrawnPhase phase;
    phase.action = PhaseAction::kMove;
    phase.by_mm = {x_mm, 0.0};
    phases.push_back(phase);
  };
  if (squeeze.is_push()) {
    const double reach_mm = bounding_radius_mm(scenario.part, scenario.mass.center_of_mass_P_mm);
    const double open_mm = opening_mm.value_or(scenario.gripper.opening_mm);
    const double back_mm = 0.5 * (open_mm - reach_mm);
    move(squeeze.push_mm + std::copysign(0.5 * open_mm, squeeze.push_mm));
    if (back_mm > 0.0) move(-std::copysign(back_mm, squeeze.push_mm));
    return phases;
  }
  if (squeeze.offset_mm != 0.0) move(squeeze.offset_mm);
  DrawnPhase close;
  close.timeout_s = scenario.stop.timeout_s;
  phases.push_back(close);
  DrawnPhase open = close;
  open.action = PhaseAction::kOpen;
  open.opening_mm = motion.opening_mm.value_or(scenario.gripper.opening_mm);
  phases.push_back(open);
  return phases;
}

TrialDraw drawn_trial(const SweepConfig& config, std::uint64_t seed, std::uint64_t index) {
  TrialDraw draw;
  const TrialParameters drawn = sample_at(config, {}, seed, index);
  draw.friction.mu_jaw = drawn.mu_jaw;
  draw.friction.mu_support = drawn.mu_support;
  draw.uncertain = sample_uncertain(config, seed, index);
  return draw;
}

ProgramTrial simulated_program(const SweepConfig& config, const TrialDraw& draw,
                               const Vec2& squeeze_point_mm, const LyingPose& start,
                               Workspace& workspace, SimulationResult& result) {
  DrawnScenario memory;
  const Scenario& scenario = scenario_of(config, draw.uncertain, memory);
  simulate(scenario, trial_from(scenario, squeeze_point_mm, start, draw.friction), workspace,
           result);
  ProgramTrial trial{{start}, {0.0}, result.end};
  for (const PhaseEnd& end : result.phase_ends) {
    const LyingPose pose = lying_before_arm(scenario.gripper, end.state);
    trial.poses.push_back({pose.center_mm - squeeze_point_mm, pose.angle_rad});
    trial.times_s.push_back(end.time_s);
  }
  return trial;
}

SqueezeMap::SqueezeMap(const SweepConfig& config, const SqueezeMotion& motion,
                       std::vector<double> pushes_mm, int draws, std::uint64_t seed, int threads,
                       const KeptTrials& kept)
    : point_mm_(squeeze_point_mm(config.scenario)),
      offset_mm_(kOffsetOfReach * bounding_radius_mm(config.scenario.part,
                                                     config.scenario.mass.center_of_mass_P_mm)),
      threads_(threads),
      kept_(kept) {
  constexpr std::uint64_t kFirstDraw = std::uint64_t{3} << 60U;  // other indices than trials have
  if (!differs_from_trial_to_trial(config)) draws = 1;
  for (int k = 0; k < draws; ++k) {
    draws_.push_back(drawn_trial(config, seed, kFirstDraw + static_cast<std::uint64_t>(k)));
  }
  pushes_mm.insert(pushes_mm.begin(), 0.0);
  for (const double push_mm : pushes_mm) {
    Kind kind{push_mm, push_mm == 0.0 ? "squeeze" : fmt::format("push {}", push_mm), config};
    kind.config.scenario.program =
        program_of(squeeze_phases(config.scenario, {.push_mm = push_mm}, motion));
    kind.entries.resize(draws_.size() * index(kAngles * (2 * kOffsets + 1)));
    kinds_.push_back(std::move(kind));
  }
}

std::size_t SqueezeMap::kind_of(const Squeeze& squeeze) const {
  const auto found = std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& kind) {
    return kind.push_mm == squeeze.push_mm;
  });
  GRASPMAP_CHECK(found != kinds_.end());
  return static_cast<std::size_t>(found - kinds_.begin());
}

std::size_t SqueezeMap::entry(int draw, int angle, int offset) const {
  const int wrapped = ((angle % kAngles) + kAngles) % kAngles;
  return index((draw * kAngles + wrapped) * (2 * kOffsets + 1) + offset + kOffsets);
}

int SqueezeMap::offset_of(const LyingPose& pose) const {
  const double offset = std::round(pose.center_mm.x() / offset_mm_);
  return static_cast<int>(std::clamp<double>(offset, -kOffsets, kOffsets));
}

void SqueezeMap::ask(Kind& kind, std::size_t number) {
  if (kind.entries[number].known != Entry::Known::kNo) return;
  kind.entries[number].known = Entry::Known::kAsked;
  kind.asked.push_back(static_cast<std::int64_t>(number));
}

void SqueezeMap::ask(const WeightedPose& one, const Squeeze& squeeze) {
  if (one.lost) return;
  Kind& kind = kinds_[kind_of(squeeze)];
  const int below = static_cast<int>(std::floor(one.pose.angle_rad / kAngleStep_rad));
  for (const int angle : {below, below + 1}) {
    ask(kind, entry(one.draw, angle, offset_of(one.pose)));
  }
}

ProgramTrial SqueezeMap::simulated(const SweepConfig& config, std::int64_t number,
                                   Workspace& workspace, SimulationResult& result) const {
  constexpr std::int64_t kOfAngle = 2 * kOffsets + 1;
  const auto offset = static_cast<double>(number % kOfAngle - kOffsets);
  const auto angle = static_cast<double>(number / kOfAngle % kAngles);
  const TrialDraw& draw = draws_[static_cast<std::size_t>(number / kOfAngle / kAngles)];
  const LyingPose start{{offset * offset_mm_, 0.0}, angle * kAngleStep_rad};
  return simulated_program(config, draw, point_mm_, start, workspace, result);
}

void SqueezeMap::simulate_asked() {
  for (Kind& kind : kinds_) {
    const std::vector<ProgramTrial> trials =
        kept_.run(kind.name, kind.asked, threads_,
                  [&](std::int64_t number, Workspace& workspace, SimulationResult& result) {
                    return simulated(kind.config, number, workspace, result);
                  });
    for (std::size_t k = 0; k < trials.size(); ++k) {
      const LyingPose& start = trials[k].poses.front();
      const LyingPose& end = trials[k].poses.back();
      kind.entries[static_cast<std::size_t>(kind.asked[k])] = {
          Entry::Known::kYes, trials[k].is_lost(), end.angle_rad - start.angle_rad, end.center_mm};
    }
    size_ += static_cast<std::int64_t>(kind.asked.size());
    kind.asked.clear();
  }
}

WeightedPose SqueezeMap::squeezed(const WeightedPose& one, const Squeeze& squeeze) const {
  constexpr double kMostJump_rad = 3.0 * kAngleStep_rad;
  if (one.lost) return one;
  const double place = one.pose.angle_rad / kAngleStep_rad;
  const double below = std::floor(place);
  const double share = place - below;
  const int offset = offset_of(one.pose);
  const std::vector<Entry>& entries = kinds_[kind_of(squeeze)].entries;
  const Entry& low = entries[entry(one.draw, static_cast<int>(below), offset)];
  const Entry& high = entries[entry(one.draw, static_cast<int>(below) + 1, offset)];
  GRASPMAP_CHECK(low.known == Entry::Known::kYes && high.known == Entry::Known::kYes);
  const auto end_of = [&](const Entry& from, double at) {
    return LyingPose{from.center_mm, at * kAngleStep_rad + from.turn_rad};
  };
  const LyingPose a = end_of(low, below);
  const LyingPose b = end_of(high, below + 1.0);
  WeightedPose after = one;
  const bool joined =
      !low.lost && !high.lost && std::abs(b.angle_rad - a.angle_rad) <= kMostJump_rad;
  const double along = joined ? share : std::round(share);
  after.lost = along < 0.5 ? low.lost : high.lost;
  after.pose.angle_rad = (1.0 - along) * a.angle_rad + along * b.angle_rad;
  after.pose.center_mm = (1.0 - along) * a.center_mm + along * b.center_mm;
  after.pose.center_mm.y() += one.pose.center_mm.y();
  return after;
}

const SqueezeMap::Kind& SqueezeMap::simulate_centred(const Squeeze& squeeze) {
  Kind& kind = kinds_[kind_of(squeeze)];
  for (int angle = 0; angle < kAngles; ++angle) ask(kind, entry(0, angle, 0));
  simulate_asked();
  return kind;
}

std::vector<double> SqueezeMap::breakpoints(const Squeeze& squeeze) {
  const std::vector<Entry>& entries = simulate_centred(squeeze).entries;
  std::vector<double> points;
  for (int angle = 0; angle < kAngles; ++angle) {
    const Entry& low = entries[entry(0, angle, 0)];
    const Entry& high = entries[entry(0, angle + 1, 0)];
    const double apart = high.turn_rad + kAngleStep_rad - low.turn_rad;
    if (low.lost == high.lost && std::abs(apart) <= 3.0 * kAngleStep_rad) continue;
    points.push_back((angle + 0.5) * kAngleStep_rad);
  }
  return points;
}

double SqueezeMap::symmetry_rad() {
  constexpr double kEqual_rad = 1e-3;
  const std::vector<Entry>& entries = simulate_centred({}).entries;
  const auto is_same_after = [&](int shift) {
    for (int angle = 0; angle < kAngles; ++angle) {
      const Entry& here = entries[entry(0, angle, 0)];
      const Entry& there = entries[entry(0, angle + shift, 0)];
      if (here.lost != there.lost) return false;
      if (!here.lost && std::abs(here.turn_rad - there.turn_rad) > kEqual_rad) return false;
    }
    return true;
  };
  int shift = 1;
  while (kAngles / 2 % shift != 0 || (shift < kAngles / 2 && !is_same_after(shift))) ++shift;
  return shift * kAngleStep_rad;
}

}  // namespace graspmap
