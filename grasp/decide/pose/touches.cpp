#include "grasp/decide/pose/touches.hpp"

#include "sim/closing/simulate.hpp"

namespace graspmap {
namespace {

/// The state at the end of a trial, without velocities.
State end_state(const Scenario& scenario, const TrialRow& row) {
  const Rotation2 rotation(row.final_pose.angle_rad);
  const Vec2 center_mm = row.final_pose.position_mm + rotation * scenario.mass.center_of_mass_P_mm;
  State state;
  state.part_pose = {center_mm.x(), center_mm.y(), row.final_pose.angle_rad};
  state.jaw_right_mm = row.jaw_right_mm;
  state.jaw_left_mm = row.jaw_left_mm;
  return state;
}

}  // namespace

std::vector<Touches> read_touches(const RunStore& store, std::size_t trials, Outcome outcome) {
  const SweepConfig& config = store.config();
  Scenario memory;
  std::vector<Touches> touches;
  touches.reserve(trials);
  store.for_each([&](const TrialRow& row) {
    if (touches.size() == trials) return;  // added meanwhile
    Touches found;
    if (row.outcome == outcome) {
      const std::vector<double> uncertain =
          sample_uncertain(config, config.seed, static_cast<std::uint64_t>(row.index));
      const Scenario& scenario = scenario_of(config, uncertain, memory);
      const State state = end_state(scenario, row);
      touching_pieces(scenario, state, JawSide::kLeft, found.left);
      touching_pieces(scenario, state, JawSide::kRight, found.right);
      if (scenario.gripper.palm) touching_pieces(scenario, state, JawSide::kPalm, found.palm);
    }
    touches.push_back(std::move(found));
  });
  return touches;
}

std::vector<std::string> feature_names(const SweepConfig& config) {
  const Part& part = config.scenario.part;
  std::vector<std::string> names;
  for (int k = 0; k < feature_count(part); ++k) names.push_back(feature_name(part, k));
  return names;
}

}  // namespace graspmap
