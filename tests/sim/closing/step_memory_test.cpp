#include "sim/closing/step_memory.hpp"

#include <catch2/catch.hpp>

#include "sim/closing/condensed_stepper.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

/// What a stepper remembers of a disc that the jaws have pushed for some steps.
struct PushedDisc {
  Scenario scenario = disc_scenario(20.0);
  TrialParameters trial = pushed_disc_trial();
  CondensedStepper stepper;
  Pair pair;  ///< that carries the force

  PushedDisc() {
    SimulationResult result;
    State touching;
    const StepObserver observer = [&](const StepRecord& record) {
      if (record.step_s == 0.0) touching = *record.state;
    };
    result = run(scenario, trial, &observer);
    stepper.begin(scenario, trial);
    for (int k = 0; k < 5; ++k) {
      REQUIRE(stepper.try_step(touching, 0.002, true).converged);
      touching = stepper.accept();
    }
    for (const JawSide side : {JawSide::kRight, JawSide::kLeft}) {
      if (stepper.memory()->of({0, side}).f_n > 0.0) pair = {0, side};
    }
  }
};

}  // namespace

TEST_CASE("the memory has the force, the gap and the contact point of the last step") {
  PushedDisc disc;
  const StepMemory::PairMemory& m = disc.stepper.memory()->of(disc.pair);
  std::vector<ContactRecord> contacts;
  disc.stepper.contacts(contacts);
  bool found = false;
  for (const ContactRecord& contact : contacts) {
    if (contact.side != disc.pair.side) continue;
    found = true;
    CHECK(m.f_n == within(contact.normal_impulse_mn_s / 0.002, 1e-9 * m.f_n));
    CHECK(m.f_t == within(contact.tangential_impulse_mn_s / 0.002, 1e-9 * m.f_n));
    CHECK((m.on_piece_mm - contact.point_G_mm).norm() < 1e-12);
    CHECK((m.normal - contact.normal_G).norm() < 1e-12);
  }
  CHECK(found);
  CHECK(m.near);
  CHECK_FALSE(disc.stepper.memory()->after_impact());
}

TEST_CASE("what is forgotten has no force and was not near") {
  PushedDisc disc;
  disc.stepper.begin(disc.scenario, disc.trial);
  const StepMemory::PairMemory& m = disc.stepper.memory()->of(disc.pair);
  CHECK(m.f_n == 0.0);
  CHECK_FALSE(m.near);
  CHECK_FALSE(m.known);
}
