#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grasp/base/io/errors.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "sim/closing/trial_result.hpp"

namespace graspmap {

/// A number of a problem's end that is known otherwise than by simulation.
struct CertifiedValue {
  std::string name;    ///< of end_value
  double value = 0.0;  ///< mm or rad, as the name says
  int digits = 0;      ///< of it that are certain
  double scale = 0.0;  ///< > 0 where the value is 0: errors are relative to it
};

/// A trial whose end is known, as a file of configs/certified/ has it.
struct CertifiedProblem {
  std::string name;   ///< the file's, without .toml
  std::string level;  ///< "lower", "average" or "higher", as NIST's StRD have it
  Scenario scenario;
  TrialParameters trial;
  int least_digits = 0;  ///< that steps of second order reach with their default accuracy
  std::vector<CertifiedValue> values;
  InputPlace place;  ///< of least_digits
};

/// Reads a problem; `overrides` as for read_sweep_config. Throws ConfigError.
CertifiedProblem read_certified_problem(const std::filesystem::path& file,
                                        const std::vector<std::string>& overrides);

/// A number of a trial's end by its name in [certified]: the pose of the part's frame in the
/// gripper's, "x_mm", "y_mm", "theta_rad", or the distance of the finger frames, "opening_mm".
double end_value(const Scenario& scenario, const State& end, const std::string& name);

/// How many of a certified value's digits a computed one has: -log10 of its relative error
/// (McCullough 1998, LRE), at least 0 and at most CertifiedValue::digits; 0 of what is not finite.
double digits_reached(const CertifiedValue& certified, double computed);

/// What a simulation reaches of a problem.
struct CertifiedScore {
  double digits = 0.0;      ///< of the worst value; 0 when the trial did not end as required
  std::string worst;        ///< its name, or how the trial ended
  std::vector<double> end;  ///< as CertifiedProblem::values, or empty
};

/// Simulates a problem.
CertifiedScore score(const CertifiedProblem& problem);

}  // namespace graspmap
