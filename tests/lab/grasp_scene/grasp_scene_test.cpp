#include "lab/grasp_scene/grasp_scene.hpp"

#include <catch2/catch.hpp>

#include "lab/planar/contact.hpp"
#include "sim/closing/simulate.hpp"
#include "tests/support/scenes.hpp"

using namespace graspmap;
using namespace graspmap::testing;

TEST_CASE("the scene of a grasp has the grasp's gaps and energies") {
  const Scenario scenario = lock_piece_scenario();
  const TrialParameters trial{1.5, -11.0, 0.1, 0.2, 0.3};
  const PlanarScene scene = grasp_scene(scenario, trial);
  State state = initial_state(scenario, trial);
  state.jaw_right_mm = 20.0;
  state.jaw_left_mm = -20.0;
  state.part_velocity = {10.0, -5.0, 0.3};
  state.jaw_right_mm_s = -40.0;
  state.jaw_left_mm_s = 40.0;
  const PlanarState planar = planar_state(scene, state);
  std::vector<ContactKey> contacts;
  near_contacts(scene, planar, 100.0, contacts);
  CHECK(contacts.size() == 14);  // seven pieces, two jaws
  double least = 1e9;
  for (const ContactKey& key : contacts) {
    least = std::min(least, contact_at(scene, planar, key).gap_mm);
  }
  CHECK(least == Approx(smallest_gap_mm(scenario, state)).epsilon(1e-10));
  const double expected =
      0.5 * 1e-6 * (0.05 * 125.0 + scenario.mass.inertia_kg_mm2 * 0.09 + 2 * 0.2 * 1600.0);
  CHECK(energy(scene, planar).kinetic_j == Approx(expected));
  const State back = grasp_state(scene, planar);
  CHECK(back.part_pose == state.part_pose);
  CHECK(back.jaw_left_mm_s == state.jaw_left_mm_s);
  CHECK(back.jaw_right_mm_s == state.jaw_right_mm_s);
}

TEST_CASE("jaws close as mirror images or each on its own") {
  Scenario scenario = lock_piece_scenario();
  const TrialParameters trial{0.0, -11.0, 0.0, 0.2, 0.3};
  const PlanarScene coupled = grasp_scene(scenario, trial);
  CHECK(coupled.velocities == 4);
  CHECK(mass_diagonal(coupled)[3] == Approx(0.4));
  CHECK(applied_force(coupled)[3] == Approx(-20000.0));
  CHECK(damping_diagonal(coupled)[3] == Approx(400.0));
  scenario.gripper.coupling = Coupling::kIndependent;
  const PlanarScene free = grasp_scene(scenario, trial);
  CHECK(free.velocities == 5);
  CHECK(applied_force(free)[3] == Approx(-10000.0));
  CHECK(applied_force(free)[4] == Approx(10000.0));
}
