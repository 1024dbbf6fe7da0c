#include "sim/closing/starts_free.hpp"

#include "sim/closing/broad_phase.hpp"
#include "sim/closing/simulate.hpp"
#include "sim/closing/start_overlap.hpp"

namespace graspmap {

bool starts_free(const Scenario& scenario, const State& state) {
  BroadPhase part;
  part.set_part(scenario.part, scenario.mass.center_of_mass_P_mm);
  part.set_fingers(scenario.gripper);
  if (part.bodies().plain) return smallest_gap_mm(scenario, state) >= 0;
  return !overlaps_fingers(scenario, part.bodies(), state);
}

}  // namespace graspmap
