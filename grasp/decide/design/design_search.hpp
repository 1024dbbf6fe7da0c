#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/probability/proportions.hpp"
#include "grasp/base/probability/stratified.hpp"
#include "grasp/decide/design/design_profiles.hpp"
#include "grasp/decide/design/design_race.hpp"

namespace graspmap {

/// How a design did.
struct RatedDesign {
  Design design;
  std::string words;
  std::vector<std::string> overrides;
  std::vector<PlacementVector> aims;  ///< of each part; none where no objective has any
  std::vector<double> values;         ///< of each objective
  std::int64_t grasps = 0;            ///< of each part that tell them
  bool tied = false;                  ///< the trials do not tell it from the best
  bool on_front = false;              ///< no design is better in both objectives
};

/// A value with its interval.
struct ValueEstimate {
  double value = 0.0;
  Interval interval;
};

/// An answer's values in fresh trials, by which nothing was chosen.
struct VerifiedDesign {
  std::vector<ValueEstimate> values;    ///< of each objective
  std::vector<SampleCounts> successes;  ///< of each part, at its placement under the robot's error
};

struct RefusedDesigns {
  std::int64_t count = 0;
  std::string first;  ///< what was wrong with the first of them
};

struct DesignAnswer {
  DesignQuestion question;
  DesignSpace space;
  std::vector<RatedDesign> best;  ///< the best first
  std::vector<RatedDesign> all;   ///< in the order in which they were tried
  RefusedDesigns refused;
  RatedDesign today;           ///< as the configuration has it
  VerifiedDesign best_values;  ///< of best.front()
  VerifiedDesign today_values;
  std::vector<ValueEstimate> gains;  ///< of each objective, in pairs of trials; better is > 0
  std::vector<VariableProfile> profiles;
  std::int64_t simulated = 0;
  std::int64_t searched = 0;         ///< of these before the variables were moved alone
  std::vector<SweepConfig> configs;  ///< of the best design, a part each
};

/// The text of all that the trials of a search depend on: for KeptGrasps.
std::string design_search_text(const DesignQuestion& question);

/// Looks for the best design.
/// 1. Designs at the points of a net, one after the other, until so many can be built.
/// 2. Each gets a placement for each part: by grasps all over the map, then near the best. The best
///    designs of the first generation, and at the end, try each other's.
/// 3. They race: all are tried in the same grasps, 64, 128, ... `most_trials`; after each round
///    those that are clearly worse than the best leave, and of the others the worse half
///    (successive halving, Jamieson and Talwalkar 2016; races, Maron and Moore 1994).
/// 4. Generations of designs near the best ones race against them, ever nearer.
/// 5. The best ten get better placements, and four times the grasps. The best of them is tried in
///    fresh grasps, beside today's design.
/// 6. Each variable is moved alone through its range: what it is worth, how exact it must be.
/// Throws ConfigError when the configuration itself is refused or no design can be built,
/// RequestError, AnalysisStopped.
DesignAnswer search_design(const DesignQuestion& question, const DesignSpace& space,
                           KeptGrasps& kept,
                           const std::function<void(const std::string&)>& line = {});

/// "93.1 %", "2.1 times the robot's error", "0.012 rad".
std::string objective_text(const DesignRule& rule, DesignObjective objective, double value);

}  // namespace graspmap
