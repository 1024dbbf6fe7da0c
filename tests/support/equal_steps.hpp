#pragma once

#include <catch2/catch.hpp>
#include <vector>

#include "sim/closing/condensed_stepper.hpp"

namespace graspmap::testing {

/// The state after `steps` equal steps of an order, the first of which has the first order, and the
/// contacts of the last one.
inline State after_equal_steps(const Scenario& scenario, const TrialParameters& trial, State state,
                               double time_s, int steps, int order,
                               std::vector<ContactRecord>* contacts = nullptr) {
  CondensedStepper stepper;
  stepper.begin(scenario, trial);
  StepHistory history;
  State before;
  const double h = time_s / steps;
  for (int k = 0; k < steps; ++k) {
    REQUIRE(stepper.try_step(state, h, true, history).converged);
    before = state;
    state = stepper.accept();
    history = {.order = order, .before = &before, .before_s = h};
  }
  if (contacts != nullptr) stepper.contacts(*contacts);
  return state;
}

}  // namespace graspmap::testing
