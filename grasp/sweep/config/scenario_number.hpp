#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grasp/base/io/csv.hpp"
#include "grasp/base/io/toml_reader.hpp"
#include "grasp/base/probability/distribution.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

/// What a gripper does in a phase of a program.
enum class PhaseAction : std::uint8_t { kClose, kOpen, kMove, kTurn, kWait };

/// What a move waits for.
enum class MoveEnd : std::uint8_t { kDistance, kContact, kContactLost };

/// A phase as a configuration has it; program_reader.cpp makes a Phase of it.
struct DrawnPhase {
  PhaseAction action = PhaseAction::kClose;
  Vec2 by_mm{0, 0};          ///< of a move, in G's axes
  double speed_mm_s = 50.0;  ///< > 0, of a move
  MoveEnd until = MoveEnd::kDistance;
  double by_rad = 0.0;               ///< of a turn, counter-clockwise
  double speed_rad_s = 1.0;          ///< > 0, of a turn
  Vec2 center_mm{0, 0};              ///< of a turn, in G
  JawDrive jaws = JawDrive::kHold;   ///< while G moves or waits
  double time_s = 0.0;               ///< >= 0, of a wait
  std::optional<double> opening_mm;  ///< to which jaws open; nothing: that of the start
  std::optional<double> timeout_s;   ///< of jaws that close or open; nothing: the stop rule's
};

/// An obstacle as a configuration has it, besides its name and outline.
struct DrawnObstacle {
  bool is_half_plane = false;
  Vec2 point_mm{0, 0};       ///< of a half-plane's face
  double facing_rad = 0.0;   ///< out of it, from the table's x axis
  std::optional<double> mu;  ///< nothing: that of the jaws
  TableFrame frame = TableFrame::kGripper;
};

/// A scenario and what its shapes are made from, which simulations do not read.
struct DrawnScenario : Scenario {
  std::optional<double> thickness_mm;  ///< of a part that is a plate, where it is given
  /// By how much the shapes of `part` are larger than they are drawn, and how those are: nothing
  /// when they are the same.
  double part_offset_mm = 0.0;
  std::optional<Part> part_as_drawn;
  /// The shapes of fingers that have one; left_shape is that of its mirror image.
  std::optional<FingerShape> right_shape, left_shape;
  bool same_fingers = false;  ///< the left finger is the right one's mirror image for good
  bool same_pads = false;     ///< the left finger's pad is that of the right one for good
  std::vector<DrawnPhase> program_as_drawn;       ///< of `program`
  std::vector<DrawnObstacle> obstacles_as_drawn;  ///< of `obstacles`

  /// The part before any offset.
  [[nodiscard]] const Part& drawn_part() const { return part_as_drawn ? *part_as_drawn : part; }
};

/// Shapes of a scenario that are made from numbers.
enum class ShapesOf : std::uint8_t { kNothing, kPart, kFingers };

/// A physical number of a scenario that may differ from trial to trial, by its key. A key is dotted
/// as in a configuration, but a piece stands there by its name, and an element of a list by its
/// index: "part.mass_kg", "part.piece.tooth_1.semi_axes_mm.0".
class ScenarioNumber {
 public:
  /// The number with this key; nothing when the scenario has none.
  static std::optional<ScenarioNumber> find(const DrawnScenario& scenario, std::string_view key);

  /// As it is drawn or given; kFrictionOfTrial of a jaw without friction of its own.
  [[nodiscard]] double value(const DrawnScenario& scenario) const;

  /// The values that it may have by itself, as in a configuration.
  [[nodiscard]] const NumberRange& range() const { return range_; }

  /// Sets the number and makes the shapes that are made from it. Throws ConfigError when they
  /// cannot be made.
  void set(DrawnScenario& scenario, double value) const;

  /// Sets the number only: `make_shapes` has to follow.
  void put(DrawnScenario& scenario, double value) const;

  /// The shapes that are made from the number.
  [[nodiscard]] ShapesOf shapes() const { return shapes_; }

 private:
  /// A place among the rows of config_keys.hpp, whose texts last as long as the program.
  struct Place {
    std::string_view table;
    std::size_t piece = 0;  ///< from 1, superellipses first; 0 of other tables
    std::string_view name;
    int element = -1;  ///< of a pair
    friend bool operator==(const Place&, const Place&) = default;
  };
  friend struct ShownNumber;

  ScenarioNumber(const Place& place, const NumberRange& range, ShapesOf shapes)
      : place_(place), range_(range), shapes_(shapes) {}

  Place place_;
  NumberRange range_;
  ShapesOf shapes_;
};

/// Makes the part from its drawn shapes and its offset, or the fingers from theirs. Throws
/// ConfigError when they cannot be made.
void make_shapes(ShapesOf what, DrawnScenario& scenario);

/// The keys of all numbers of a scenario that may differ, in the order of a configuration.
std::vector<std::string> scenario_number_keys(const DrawnScenario& scenario);

/// Fails with the dotted key and what is wrong with its value: "is -1; must be > 0".
using FailAtKey = std::function<void(const std::string& key, const std::string& text)>;

/// Calls `fail`, which throws, when a number of the scenario is not what its key admits.
void check_numbers(const DrawnScenario& scenario, const FailAtKey& fail);

/// The limits of a configuration's physical values, docs/reference/configuration.md "Limits":
/// beyond them a trial could not be solved in double precision.
namespace limits {
inline constexpr NumberRange kLengths_mm{.min = 1e-6, .max = 1e9};
inline constexpr NumberRange kPositions_mm{.min = -1e9, .max = 1e9};
inline constexpr NumberRange kAngles_rad{.min = -1e6, .max = 1e6};
/// How a part may be turned at the start: beyond it too few digits are left for a simulation.
inline constexpr NumberRange kPlacedAngles_rad{.min = -1e4, .max = 1e4};
inline constexpr NumberRange kMasses_kg{.min = 1e-12, .max = 1e9};
inline constexpr NumberRange kForces_n{.min = 1e-9, .max = 1e12};
inline constexpr NumberRange kSpeeds_mm_s{.min = 1e-9, .max = 1e9};
inline constexpr NumberRange kTimes_s{.min = 1e-9, .max = 1e9};
inline constexpr NumberRange kGravities_mm_s2{.min = 0.0, .max = 1e9};
inline constexpr NumberRange kRatios{.min = 1e-6, .max = 1e6};
inline constexpr double kMostFriction = 1e3;
inline constexpr double kMostSpread = 1e9;       ///< of a quantity that is drawn
inline constexpr double kMostLengthRatio = 1e6;  ///< the part's largest length to its smallest
inline constexpr double kMostSpeedUp = 1e6;  ///< the time to reach the closing speed to timeout_s
}  // namespace limits

/// Throws ConfigError unless the value of a key is within limits: "is 5e-324; must be a number from
/// 1e-09 to 1e+12".
void check_limits(const TomlTable& table, std::string_view key, double value,
                  const NumberRange& within);

/// The column theta_rad of a table of placements; nothing without one. Throws ConfigError for
/// theta_deg in place of it.
std::optional<std::size_t> find_angle_column(const CsvTable& table);

/// An angle of a part at the start, of a table, rad, within limits. Throws ConfigError.
double read_placed_angle_rad(const CsvTable& table, const CsvRow& row, std::size_t column);

/// A number of the scenario that is drawn anew for each trial.
struct UncertainNumber {
  std::string key;  ///< as ScenarioNumber has it
  Distribution distribution;
  ScenarioNumber number;  ///< in the configuration's scenario
};

/// Random inputs that are not independent: a Gaussian copula.
struct CorrelatedInputs {
  std::vector<std::string> keys;  ///< of uncertain numbers, "friction.jaw", "friction.support",
                                  ///< "placement.noise.x_mm", ...; two or more, each once
  Eigen::MatrixXd correlation;    ///< of the normal scores; symmetric, positive definite, ones on
                                  ///< the diagonal
};

/// The scenario of a trial in which the uncertain numbers have these values, in their order.
/// `trial` is memory.
void set_uncertain_numbers(const DrawnScenario& nominal,
                           const std::vector<UncertainNumber>& numbers,
                           std::span<const double> values, DrawnScenario& trial);

}  // namespace graspmap
