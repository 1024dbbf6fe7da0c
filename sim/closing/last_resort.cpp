#include <cmath>

#include "sim/closing/condensed_stepper.hpp"
#include "sim/closing/tolerances.hpp"

// The last resort where no rung of retry_ladder.cpp solves a step of any size: other starts, and
// easier problems that lead to the solution. The solution is one of the step's own problem.

namespace graspmap {

bool CondensedStepper::long_newton(const StepUnknowns& start, int& iterations) {
  now_->x = start;
  return newton({.max_iterations = tolerances::kLastResortIterations}, iterations) &&
         path_is_clear();
}

bool CondensedStepper::resort_to_easier_problems(Report& report) {
  report.rung = Rung::kHalved;
  StepUnknowns warm;
  memory_.first_guess(problem_, warm);
  memory_.add_last_forces(problem_, warm);
  return newton_with_heavier_contacts(warm, report.iterations) ||
         newton_from_heavier_parts(warm, report.iterations) ||
         newton_from_rest(warm, report.iterations);
}

/// The natural map's projections weigh gaps and slips with the part's mass. The impulses that stop
/// the jaws at a light part are larger than what gaps and slips count then.
bool CondensedStepper::newton_with_heavier_contacts(const StepUnknowns& warm, int& iterations) {
  StepUnknowns cold;
  memory_.first_guess(problem_, cold);
  const double jaw = problem_.data.inertia[3] / problem_.data.inertia[0];
  const double most = tolerances::kHeavierContacts * jaw;
  bool solved = false;
  double heavier = 1.0;
  do {
    problem_.heavier_contacts = heavier;
    problem_.set_scales();
    solved = long_newton(warm, iterations) || long_newton(cold, iterations);
    heavier *= tolerances::kHeavierContacts;
  } while (!solved && heavier < most);
  problem_.heavier_contacts = 1.0;
  problem_.set_scales();
  return solved;
}

/// Jaws push a heavy part where they throw a light one about. So the solution is followed from a
/// part of many times its mass to that of its own.
bool CondensedStepper::newton_from_heavier_parts(const StepUnknowns& warm, int& iterations) {
  StepUnknowns cold;
  memory_.first_guess(problem_, cold);
  for (double heaviest = tolerances::kLeastHeavierPart; heaviest < tolerances::kMostHeavierPart;
       heaviest *= tolerances::kHeavierParts) {
    if (follow_to_own_mass(warm, heaviest, iterations) ||
        follow_to_own_mass(cold, heaviest, iterations)) {
      return true;
    }
  }
  return false;
}

void CondensedStepper::multiply_mass(double factor) {
  problem_.data.inertia.head<3>() *= factor;
  problem_.data.free_impulse.head<3>() *= factor;
  problem_.set_scales();
}

bool CondensedStepper::follow_to_own_mass(const StepUnknowns& start, double heaviest,
                                          int& iterations) {
  const VelocityVector inertia = problem_.data.inertia;
  const VelocityVector free_impulse = problem_.data.free_impulse;
  now_->x = start;
  for (double factor = heaviest; factor > 1.0; factor *= tolerances::kToOwnMass) {
    multiply_mass(factor);
    newton({.max_iterations = tolerances::kLastResortIterations}, iterations);
    problem_.data.inertia = inertia;
    problem_.data.free_impulse = free_impulse;
    if (!now_->x.nu.allFinite()) break;
  }
  problem_.set_scales();
  const StepUnknowns followed = now_->x;
  return followed.nu.allFinite() && long_newton(followed, iterations);
}

/// A part that jams as it slides stops the jaws within a step of any size, at the edge of the
/// friction cones. That solution is near rest, under the impulses that stop the jaws.
bool CondensedStepper::newton_from_rest(const StepUnknowns& warm, int& iterations) {
  const bool symmetric = problem_.data.jaws.velocities < kMaxVelocities;
  const double stopping = std::abs(problem_.data.free_impulse[3]) / (symmetric ? 2.0 : 1.0);
  StepUnknowns rest = warm;
  rest.nu.setZero();
  for (std::size_t i = 0; i < index(problem_.contacts); ++i) {
    rest.p_n[i] = problem_.start_gap_mm[i] <= expected_approach_mm_ ? stopping : 0.0;
    rest.p_t[i] = 0.0;
  }
  return long_newton(rest, iterations) || try_patterns(rest, iterations);
}

}  // namespace graspmap
