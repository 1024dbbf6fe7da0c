#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "grasp/distribution.hpp"
#include "sim/model.hpp"

namespace graspmap {

/// Wrong input by a person. `what()` is the one line that the user sees:
/// "FILE:LINE: KEY: what is wrong; what is allowed". Thrown only where text is read, caught in
/// main.
struct ConfigError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One axis of the map: `cells` equal cells on [min, max].
struct GridAxis {
  double min_mm = 0.0;
  double max_mm = 0.0;
  int cells = 0;

  [[nodiscard]] double cell_size_mm() const { return (max_mm - min_mm) / cells; }
  [[nodiscard]] double cell_min_mm(int i) const { return min_mm + i * cell_size_mm(); }
  [[nodiscard]] double cell_max_mm(int i) const {
    return i + 1 == cells ? max_mm : cell_min_mm(i + 1);
  }
  [[nodiscard]] double cell_center_mm(int i) const { return min_mm + (i + 0.5) * cell_size_mm(); }
};

/// The angle's axis of the map: `cells` equal cells on [min, max]. With one cell and min == max it
/// is one fixed angle.
struct AngleAxis {
  double min_rad = 0.0;
  double max_rad = 0.0;
  int cells = 1;

  [[nodiscard]] double cell_size_rad() const { return (max_rad - min_rad) / cells; }
  [[nodiscard]] double cell_min_rad(int k) const { return min_rad + k * cell_size_rad(); }
  [[nodiscard]] double cell_max_rad(int k) const {
    return k + 1 == cells ? max_rad : cell_min_rad(k + 1);
  }
  [[nodiscard]] double cell_center_rad(int k) const {
    return is_fixed() ? min_rad : min_rad + (k + 0.5) * cell_size_rad();
  }
  /// Whether it is one angle, not a range of them.
  [[nodiscard]] bool is_fixed() const { return cells == 1 && min_rad == max_rad; }
};

/// The axis of one angle.
inline AngleAxis fixed_angle(double theta_rad) { return {theta_rad, theta_rad, 1}; }

/// A cell of the map, counted from 0 along each axis.
struct CellIndex {
  int x = 0;
  int y = 0;
  int theta = 0;
  friend bool operator==(const CellIndex&, const CellIndex&) = default;
};

/// One way to succeed: every listed piece is touched by its jaw (other pieces may touch too).
/// Indices into Part::pieces, ascending, without repetition.
struct SuccessAlternative {
  std::vector<int> left;
  std::vector<int> right;
};

/// The placements of a sweep: uniform in each cell, plus noise of the robot.
struct PlacementSweep {
  GridAxis x;
  GridAxis y;
  AngleAxis theta;  ///< the part's angle in the gripper's frame at the start
  Distribution noise_x_mm;
  Distribution noise_y_mm;
  Distribution noise_theta_rad;

  [[nodiscard]] int cells() const { return x.cells * y.cells * theta.cells; }
};

/// What an adaptive run is to find out before it stops.
enum class AdaptiveGoal {
  kSweetSpot,      ///< where the sweet spot is
  kIntervalWidth,  ///< where the plateau ends
  kEither,
  kBoth
};

/// The words of a configuration for the goals, in the order of the enumeration.
inline constexpr std::array<const char*, 4> kAdaptiveGoalWords = {"sweet_spot", "interval_width",
                                                                  "either", "both"};

/// How an adaptive run spends its trials (grasp/adaptive/rule.hpp).
struct AdaptiveSampling {
  int first_trials = 0;           ///< in each cell in the first round
  std::int64_t round_trials = 0;  ///< in each later round, about
  std::int64_t most_trials = 0;   ///< in all: the budget
  AdaptiveGoal goal = AdaptiveGoal::kBoth;
  double sweet_spot_within_mm = 0.5;
  double confidence = 0.95;      ///< with which the sweet spot, and on which side of the plateau's
                                 ///< edge a cell lies, are to be known
  double interval_width = 0.15;  ///< of cells of which that is not known
};

/// A sweep as a person describes it, checked.
struct SweepConfig {
  std::string name;
  Scenario scenario;
  std::vector<SuccessAlternative> success;  ///< any of them suffices; not empty
  Distribution mu_jaw;
  Distribution mu_support;
  PlacementSweep placement;
  int trials_per_cell = 0;                   ///< with adaptive sampling the most in one cell
  std::optional<AdaptiveSampling> adaptive;  ///< nothing: the same number in all cells
  std::uint64_t seed = 0;
  double sweet_spot_half_width_mm = 3.0;
  double plateau_probability = 0.95;

  [[nodiscard]] std::int64_t trials() const {
    return static_cast<std::int64_t>(placement.cells()) * trials_per_cell;
  }
  /// The most trials that a run of the sweep has.
  [[nodiscard]] std::int64_t most_trials() const {
    return adaptive ? adaptive->most_trials : trials();
  }
};

/// Reads and checks a sweep configuration (TOML). `overrides` are "a.b=value" with a TOML value (a
/// bare word is taken as a string); they replace or add keys before anything is checked, and errors
/// in them name "--set a.b=value" in place of file and line. Array elements are addressed by index:
/// "part.piece.0.exponent=6". Throws ConfigError.
SweepConfig read_sweep_config(const std::filesystem::path& file,
                              const std::vector<std::string>& overrides);

/// Reads and checks a configuration from its text. `source` stands for the file in errors. Throws
/// ConfigError.
SweepConfig parse_sweep_config(std::string_view text, const std::string& source,
                               const std::vector<std::string>& overrides = {});

/// The configuration as TOML text with every key present (defaults and derived values included).
/// Reading it back gives the same SweepConfig to the last bit.
std::string to_toml(const SweepConfig& config);

}  // namespace graspmap
