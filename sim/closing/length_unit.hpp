#pragma once

#include "sim/closing/trial_result.hpp"

/// A trial of a part of any size, in a unit of length in which its size is an ordinary one: then
/// tolerances in mm mean the same for a part of 0.02 mm and for one of 20 m. Units are powers of
/// two, so that a length in another unit has the same digits. Time and mass keep their units;
/// forces in mN = kg mm/s^2 become forces in kg unit/s^2.

namespace graspmap {

/// Multiplies all lengths by a factor.
void scale_lengths(double factor, Part& part);
void scale_lengths(double factor, SupportModel& support);
/// Also what goes with them while times and masses stay, and with them the motion.
void scale_lengths(double factor, Scenario& scenario);

/// The unit of length for the scenario's part, mm: 1 while the part reaches between
/// tolerances::kLeastReachMm and tolerances::kMostReachMm from its centre of mass; else such that
/// it reaches about tolerances::kUnitReach units.
double length_unit_mm(const Scenario& scenario);

TrialParameters in_units(TrialParameters trial, double unit_mm);

/// What a simulation in units of `unit_mm` has found, in mm, N and so on.
State in_mm(State state, double unit_mm);
void in_mm(double unit_mm, SimulationResult& result);
ContactRecord in_mm(ContactRecord contact, double unit_mm);

/// The observer of a simulation in units of `unit_mm` that shows `observer` its steps in mm.
StepObserver in_mm(double unit_mm, const StepObserver& observer);

}  // namespace graspmap
