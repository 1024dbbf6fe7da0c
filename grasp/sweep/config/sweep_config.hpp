#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "grasp/base/io/errors.hpp"
#include "grasp/base/probability/axis.hpp"
#include "grasp/base/probability/distribution.hpp"
#include "grasp/sweep/config/design_rule.hpp"
#include "grasp/sweep/config/hold_rule.hpp"
#include "grasp/sweep/config/robot_error.hpp"
#include "grasp/sweep/config/scenario_number.hpp"
#include "grasp/sweep/config/success_rule.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

class StartCheck;

/// A cell of the map, counted from 0 along each axis.
struct CellIndex {
  int x = 0;
  int y = 0;
  int theta = 0;
  friend bool operator==(const CellIndex&, const CellIndex&) = default;
};

/// The cells of a map. They are numbered from 0: x fastest, then y, then theta.
struct CellGrid {
  Axis x_mm;
  Axis y_mm;
  Axis theta_rad = fixed_angle(0.0);  ///< the part's angle in the gripper's frame at the start

  [[nodiscard]] int cell_count() const { return x_mm.cells * y_mm.cells * theta_rad.cells; }
  [[nodiscard]] std::array<Axis, 3> axes() const { return {x_mm, y_mm, theta_rad}; }
  /// The number of cell (i, j) of slice k.
  [[nodiscard]] std::size_t index(int i, int j, int k = 0) const {
    const int number = (k * y_mm.cells + j) * x_mm.cells + i;
    return static_cast<std::size_t>(number);
  }
  /// The cell of this number.
  [[nodiscard]] CellIndex cell(std::size_t number) const {
    const auto n = static_cast<int>(number);
    const int row = n / x_mm.cells;
    return {n % x_mm.cells, row % y_mm.cells, row / y_mm.cells};
  }
};

/// The placements of a sweep: uniform in each cell, plus noise of the robot.
struct PlacementSweep : CellGrid {
  Distribution noise_x_mm;
  Distribution noise_y_mm;
  Distribution noise_theta_rad;
};

/// The cell of the trial with this index: indices go round the cells, x fastest, then y, then
/// theta.
inline CellIndex cell_of_trial(const CellGrid& placement, std::int64_t index) {
  return placement.cell(static_cast<std::size_t>(index % placement.cell_count()));
}

/// What an adaptive run is to find out before it stops.
enum class AdaptiveGoal {
  kSweetSpot,      ///< where the sweet spot is
  kIntervalWidth,  ///< where the plateau ends
  kEither,
  kBoth,
  kMap,  ///< the success probability everywhere
  kPlan  ///< the best placement under the robot's error, and its success
};

/// Whether all that the budget has left after the first round goes to the cells at once.
inline bool is_allocated(AdaptiveGoal goal) {
  return goal == AdaptiveGoal::kMap || goal == AdaptiveGoal::kPlan;
}

inline bool wants_sweet_spot(AdaptiveGoal goal) {
  return goal != AdaptiveGoal::kIntervalWidth && !is_allocated(goal);
}
inline bool wants_edge(AdaptiveGoal goal) {
  return goal != AdaptiveGoal::kSweetSpot && !is_allocated(goal);
}

/// The words of a configuration for the goals, in the order of the enumeration.
inline constexpr std::array<const char*, 6> kAdaptiveGoalWords = {
    "sweet_spot", "interval_width", "either", "both", "map", "plan"};

/// How an adaptive run spends its trials (grasp/sweep/adaptive/rounds.hpp).
struct AdaptiveSampling {
  int first_trials = 0;           ///< in each cell in the first round
  std::int64_t round_trials = 0;  ///< in each later round, about
  std::int64_t most_trials = 0;   ///< in all: the budget
  AdaptiveGoal goal = AdaptiveGoal::kBoth;
  double sweet_spot_within_mm = 0.5;
  double confidence = 0.95;      ///< with which the sweet spot, and on which side of the plateau's
                                 ///< edge a cell lies, are to be known
  double interval_width = 0.15;  ///< of cells of which that is not known
  std::optional<double>
      standard_error;  ///< of a map, mean_standard_error; nothing: the budget says when
};

/// The points at which the inputs of a cell's trials lie.
enum class SweepPoints {
  kSobol,       ///< nets: they fill the space of the inputs evenly
  kIndependent  ///< random
};

/// The words of a configuration for the points, in the order of the enumeration.
inline constexpr std::array<const char*, 2> kSweepPointsWords = {"sobol", "independent"};

/// The trials of a cell with Sobol points belong in turn to nets that are scrambled independently:
/// how far these differ shows how exact their mean is.
inline constexpr int kNetsPerCell = 2;

/// A sweep as a person describes it, checked.
struct SweepConfig {
  std::string name;
  DrawnScenario scenario;                         ///< with the nominal values of uncertain numbers
  std::vector<UncertainNumber> uncertain = {};    ///< by key; none of them fixed
  std::vector<CorrelatedInputs> correlated = {};  ///< no key twice
  std::vector<SuccessAlternative> success;        ///< any of them suffices; not empty
  Distribution mu_jaw;
  Distribution mu_support;
  PlacementSweep placement;
  std::optional<RobotError> robot;           ///< changes no trial
  int trials_per_cell = 0;                   ///< with adaptive sampling the most in one cell
  std::optional<AdaptiveSampling> adaptive;  ///< nothing: the same number in all cells
  std::uint64_t seed = 0;
  SweepPoints points = SweepPoints::kSobol;
  double sweet_spot_half_width_mm = 3.0;
  double plateau_probability = 0.95;
  std::optional<HoldRule> hold = {};      ///< there where a success rule needs it
  std::optional<DesignRule> design = {};  ///< changes no trial

  [[nodiscard]] std::int64_t trials() const {
    return static_cast<std::int64_t>(placement.cell_count()) * trials_per_cell;
  }
  /// The most trials that a run of the sweep has.
  [[nodiscard]] std::int64_t most_trials() const {
    return adaptive ? adaptive->most_trials : trials();
  }
};

/// The distributions of all random inputs by key, fixed ones too: friction, the robot's noise, then
/// the uncertain numbers.
template <typename Config>
auto random_inputs(Config& config) {
  using D = std::conditional_t<std::is_const_v<Config>, const Distribution, Distribution>;
  std::vector<std::pair<std::string, D*>> inputs = {
      {"friction.jaw", &config.mu_jaw},
      {"friction.support", &config.mu_support},
      {"placement.noise.x_mm", &config.placement.noise_x_mm},
      {"placement.noise.y_mm", &config.placement.noise_y_mm},
      {"placement.noise.theta_rad", &config.placement.noise_theta_rad}};
  for (auto& number : config.uncertain) inputs.emplace_back(number.key, &number.distribution);
  return inputs;
}

/// The program that simulates a scenario: "graspmap", or "graspmap-lab" with another time-stepper.
inline const char* program_of(const Scenario& scenario) {
  return scenario.other_stepper ? "graspmap-lab" : "graspmap";
}

/// Reads and checks a sweep configuration (TOML). `overrides` are "a.b=value" with a TOML value (a
/// bare word is taken as a string); they replace or add keys before anything is checked, and errors
/// in them name "--set a.b=value" in place of file and line. Array elements are addressed by index:
/// "part.piece.0.exponent=6". Drawings are looked for in the file's folder. Throws ConfigError.
SweepConfig read_sweep_config(const std::filesystem::path& file,
                              const std::vector<std::string>& overrides);

/// Reads and checks a configuration from its text. `source` stands for the file in errors, for the
/// folder of drawings, and for the name of a sweep that has none of its own. Throws ConfigError.
SweepConfig parse_sweep_config(std::string_view text, const std::string& source,
                               const std::vector<std::string>& overrides = {});

/// How fingers are written that have a shape by its numbers.
enum class FingersAs : std::uint8_t { kShapes, kOutlines };

/// The configuration as TOML text with every key present (defaults and derived values included).
/// Outlines are written point by point, those read from drawings too. Reading it back gives the
/// same SweepConfig to the last bit; with kOutlines only where no number of a finger is uncertain.
std::string to_toml(const SweepConfig& config, FingersAs fingers = FingersAs::kShapes);

/// True when fingers and palm are clear of the part where a trial at the centre of cell `number`
/// begins.
bool starts_free_at_center(StartCheck& starts, const PlacementSweep& placement, int number);

/// An angle with three digits, without the noise of rounding ("0", not "-1e-17").
std::string short_angle(double angle);

/// An angle in both units, for text: "0.1 rad (5.73 degrees)".
std::string angle_text(double angle_rad);

/// The same for pictures: "0.1 rad (5.73°)".
std::string angle_label(double angle_rad);

}  // namespace graspmap
