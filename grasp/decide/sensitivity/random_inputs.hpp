#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/store/stored_trials.hpp"

namespace graspmap {

/// Kinds of uncertainty, which are reduced by different means.
enum class InputGroup {
  kPosition,  ///< where the gripper is, seen from the part: robot, camera, feeder
  kFriction,  ///< the surfaces
  kPart,      ///< the part's tolerances
  kGripper,
  kSupport  ///< the table below the part, gravity included
};

inline constexpr std::size_t kInputGroups = 5;

/// Its word in files: "position", "friction", "part", "gripper", "support".
const char* name(InputGroup group);

/// A random input of a trial.
struct RandomInput {
  std::string name;  ///< for people: "placement x", "part.mass_kg"
  std::string key;   ///< in files: "x_mm", "part.mass_kg"
  InputGroup group = InputGroup::kPosition;
  Distribution distribution;

  [[nodiscard]] bool varies() const { return !distribution.is_fixed(); }
};

/// Placements to be analysed: around an aim with the robot's errors.
struct AimedPlacement {
  double x_mm = 0.0;
  double y_mm = 0.0;
  std::array<Distribution, 3> error = {};  ///< normal or uniform about 0; fixed: exact
  std::optional<double> theta_rad = {};    ///< without it, all angles of the map, uniform

  [[nodiscard]] double sigma(std::size_t k) const { return std::sqrt(error[k].variance()); }
};

/// What a trial is run with.
struct TrialInputs {
  TrialParameters parameters;
  std::vector<double> uncertain;  ///< the values of config.uncertain
};

/// All random inputs of a trial, independent of each other: the intended placement, its noise, the
/// friction coefficients, and the uncertain numbers of the scenario.
class RandomInputs {
 public:
  /// Placements and angles uniform on the whole map.
  static RandomInputs of_map(const SweepConfig& config);
  /// The same in a cell, by its place in SuccessMap::cells.
  static RandomInputs of_cell(const SweepConfig& config, std::size_t cell);
  /// Placements with errors around an aim, those outside of the map left out (a truncated
  /// distribution).
  static RandomInputs of_aim(const SweepConfig& config, const AimedPlacement& aim);

  /// Those that vary, and those that do not.
  [[nodiscard]] const std::vector<RandomInput>& varying() const { return varying_; }
  [[nodiscard]] const std::vector<RandomInput>& fixed() const { return fixed_; }
  /// The groups that vary, in the order of InputGroup.
  [[nodiscard]] std::vector<InputGroup> groups() const;

  /// The value of varying input k at u in (0, 1).
  [[nodiscard]] double value(std::size_t k, double u) const {
    return varying_[k].distribution.quantile(u);
  }
  /// The values of the varying inputs in a trial of a run.
  [[nodiscard]] std::vector<double> values_of(const TrialSample& trial) const;
  /// What a trial is run with whose varying inputs have these values; into `inputs`, which is
  /// memory.
  void set_inputs(std::span<const double> values, TrialInputs& inputs) const;

 private:
  /// The inputs that every configuration has.
  static constexpr std::size_t kAlways = 8;

  RandomInputs(const SweepConfig& config, const Distribution& x, const Distribution& y,
               const Distribution& theta);

  std::vector<RandomInput> varying_;
  std::vector<RandomInput> fixed_;
  std::vector<std::size_t> place_;  ///< of each varying input among all
  std::array<double, kAlways> fixed_values_{};
  std::size_t uncertain_ = 0;  ///< how many uncertain numbers there are: the last inputs
};

}  // namespace graspmap
