#pragma once

#include "grasp/decide/calibrate/simulated_model.hpp"
#include "grasp/decide/statistics/tempered_sampler.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/progress.hpp"

namespace graspmap {

/// Simulates a calibration's trials of a configuration on several threads (0: as many as there
/// are), and shows the progress of each round. A trial with another size has the part's outline
/// scaled about its origin, with the configuration's mass. `config` must outlive the function,
/// which throws AnalysisStopped when the caller's flag is set.
TrialSimulator simulator_of(const SweepConfig& config, int threads, const ShowTrials& show);

/// Calls work on several threads. Throws AnalysisStopped when the caller's flag is set.
ForEachIndex on_all_threads(int threads);

/// The support's e_r, or the radius of its tripod, in mm; 0 for a model that has neither.
double support_radius_mm(const Scenario& scenario);

/// "e_r" or "radius".
const char* support_radius_name(const Scenario& scenario);

/// A scenario with another support radius and another size of the part.
Scenario scaled_scenario(const Scenario& scenario, double support_scale, double size);

}  // namespace graspmap
