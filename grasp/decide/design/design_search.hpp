#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/probability/proportions.hpp"
#include "grasp/decide/design/design_race.hpp"

namespace graspmap {

/// How a design did.
struct RatedDesign {
  Design design;
  std::string words;
  std::vector<std::string> overrides;
  std::vector<PlacementVector> aims;  ///< of each part; none where no objective has any
  std::vector<double> values;         ///< of each objective
  std::int64_t grasps = 0;            ///< of each part that estimate them
  bool tied = false;                  ///< the trials do not distinguish it from the best
  bool on_front = false;              ///< no design is better in both objectives
};

/// An answer's values in fresh trials, by which nothing was chosen.
struct VerifiedDesign {
  std::vector<Estimate> values;         ///< of each objective
  std::vector<SampleCounts> successes;  ///< of each part, at its placement under the robot's error
};

struct RefusedDesigns {
  std::int64_t count = 0;
  std::string first;  ///< what was wrong with the first of them
};

/// One variable of the best design, all others as they are.
struct VariableProfile {
  std::size_t variable = 0;
  std::string key;
  std::vector<std::string> levels;  ///< "110", or a text
  std::vector<double> numbers;      ///< the same; none of texts
  std::vector<double> values;  ///< of the first objective, placements chosen again; NaN: no design
  double worth = 0.0;          ///< the best value less the worst
  bool matters = false;
  /// How far the variable may be off, down and up, until the first objective loses `kDesignLoss`
  /// with the placement unchanged; nothing where it loses less at half of its range.
  std::optional<double> down, up;
  bool has_tolerance = false;  ///< a number
};

/// Moves each variable of the best design alone: through its range, with a placement of its own for
/// each level, and off its value, with the placement unchanged.
std::vector<VariableProfile> variable_profiles(DesignRace& race, const Candidate& best);

struct DesignAnswer {
  DesignQuestion question;
  DesignSpace space;
  std::vector<RatedDesign> best = {};  ///< the best first
  std::vector<RatedDesign> all = {};   ///< in the order in which they were tried
  RefusedDesigns refused = {};
  RatedDesign today = {};           ///< as the configuration has it
  VerifiedDesign best_values = {};  ///< of best.front()
  VerifiedDesign today_values = {};
  std::vector<Estimate> gains = {};  ///< of each objective, in pairs of trials; better is > 0
  std::vector<VariableProfile> profiles = {};
  std::int64_t simulated = 0;
  std::int64_t searched = 0;              ///< of these before the variables were moved alone
  std::vector<SweepConfig> configs = {};  ///< of the best design, a part each
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
/// 4. Generations of designs near the best ones race against them, each closer.
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

/// The best design, its gain, what each variable is worth and the ten best, in words.
std::string design_text(const DesignAnswer& answer);

/// design.json, designs.csv and variables.csv; docs/reference/formats.md says what is in them.
Object design_fields(const DesignAnswer& answer);
Table designs_table(const DesignAnswer& answer);
Table variables_table(const DesignAnswer& answer);
/// All three, design.toml, the best design, and drawings of its fingers.
std::vector<ResultFile> design_files(const DesignAnswer& answer);

/// The best fingers as drawings, by their files' names: finger.dxf and finger.svg, and those of the
/// left one where it is not the mirror image. What reaches on without an end is cut off.
std::vector<std::pair<std::string, std::string>> finger_drawings(const SweepConfig& config);

/// Part and fingers at the end of a grasp with the best design; each variable's profile; of two
/// objectives the front.
std::vector<Figure> design_figures(const DesignAnswer& answer);

/// Which finger, and where: what `graspmap design` is asked. fields() says what each means.
struct DesignRequest : DesignEffort {
  std::optional<std::array<double, 2>> position_sigma_mm;
  std::optional<double> angle_sigma_rad;
  std::vector<std::string> set;

  RequestFields fields();
};

/// A question and the designs among which it is answered.
struct AskedDesign {
  DesignQuestion question;
  DesignSpace space;
};

/// What a request asks of a configuration file with [design]. Reads the configurations of other
/// parts. Throws RequestError, ConfigError.
AskedDesign asked_design(const std::string& file, const DesignRequest& request);

}  // namespace graspmap
