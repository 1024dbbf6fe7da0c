#pragma once

#include "sim/closing/trial_result.hpp"

namespace graspmap::testing {

/// What part, jaws, pads and mount have, without what the drive has given, mN mm.
inline double trial_energy(const Scenario& scenario, const StepRecord& record) {
  const State& state = *record.state;
  const Gripper& gripper = scenario.gripper;
  const Vec3 v = velocity_in_mount(state);
  const double part = scenario.mass.mass_kg * v.head<2>().squaredNorm() +
                      scenario.mass.inertia_kg_mm2 * v[2] * v[2];
  const double jaws = gripper.jaw_mass_kg * (state.jaw_right_mm_s * state.jaw_right_mm_s +
                                             state.jaw_left_mm_s * state.jaw_left_mm_s);
  const double closed_mm = gripper.opening_mm - (state.jaw_right_mm - state.jaw_left_mm);
  return 0.5 * (part + jaws) + record.pad_energy_mn_mm -
         1000.0 * gripper.closing_force_n * closed_mm;
}

}  // namespace graspmap::testing
