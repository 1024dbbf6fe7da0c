#include "grasp/sweep/config/scenario_number.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <concepts>
#include <string_view>

#include "geometry/assert.hpp"
#include "geometry/part.hpp"
#include "grasp/base/io/errors.hpp"
#include "grasp/sweep/config/config_keys.hpp"

namespace graspmap {

/// A number that a walk through a scenario shows.
struct ShownNumber {
  ScenarioNumber::Place place;
  std::string_view piece;  ///< its name; empty in other tables
  const KeyRow& row;

  [[nodiscard]] std::string key() const {
    std::string key(place.table);
    if (!piece.empty()) key += fmt::format(".{}", piece);
    key += fmt::format(".{}", row.name);
    return place.element < 0 ? key : fmt::format("{}.{}", key, place.element);
  }

  [[nodiscard]] bool is_uncertain() const { return (row.use & kUncertain) != 0; }

  [[nodiscard]] ScenarioNumber number() const {
    const auto& [type, range, limits] = row.quantity;
    return {place, std::isinf(limits.max) ? range : limits, shapes()};
  }

  [[nodiscard]] ShapesOf shapes() const {
    if (place.table == "part.piece" || (place.table == "part" && row.name == "offset_mm")) {
      return ShapesOf::kPart;
    }
    return place.table.ends_with("finger") ? ShapesOf::kFingers : ShapesOf::kNothing;
  }
};

namespace {

template <typename F>
class NumberWalk {
 public:
  explicit NumberWalk(const F& f) : f_(f) {}

  void table(std::string_view table, std::string_view piece = {}) {
    if (!piece.empty()) ++pieces_;
    table_ = table;
    piece_ = piece;
  }
  template <typename T>
  void operator()(const KeyRow& row, T& value) {
    if constexpr (std::same_as<std::remove_const_t<T>, double>) {
      show(row, -1, value);
    } else if constexpr (std::same_as<std::remove_const_t<T>, Vec2>) {
      (*this)(row, value.x(), value.y());
    }
  }
  template <typename T>
  void operator()(const KeyRow& row, T& a, T& b) {
    show(row, 0, a);
    show(row, 1, b);
  }
  template <typename Words, typename T>
  static void choice(const KeyRow& /*row*/, const Words& /*words*/, T& /*choice*/) {}
  static void listed(const KeyRow& /*row*/, KeyKind /*kind*/) {}
  static bool has(bool truth) { return truth; }
  static bool writes(bool /*truth*/) { return true; }

 private:
  template <typename T>
  void show(const KeyRow& row, int element, T& value) {
    const std::size_t piece = piece_.empty() ? 0 : pieces_;
    f_(ShownNumber{{table_, piece, row.name, element}, piece_, row}, value);
  }

  const F& f_;
  std::string_view table_;
  std::string_view piece_;
  std::size_t pieces_ = 0;  ///< until now
};

/// Calls f(ShownNumber, number) for each number in the tables of a scenario.
template <typename S, typename F>
void for_each_number(S& scenario, const F& f) {
  NumberWalk walk(f);
  scenario_keys(walk, scenario);
}

Outline shaped_outline(const FingerShape& shape, std::string_view table) {
  if (fits(shape)) return finger_outline(shape);
  std::vector<std::string> numbers;
  const auto add = [&](const ShownNumber& shown, const double& number) {
    numbers.push_back(fmt::format("{} = {}", shown.row.name, number));
  };
  NumberWalk walk(add);
  finger_keys(walk, shape);
  throw ConfigError(
      fmt::format("[{}]: with the numbers of a trial its features do not fit into the finger: {}; "
                  "its uncertain numbers must be narrower",
                  table, fmt::join(numbers, ", ")));
}

void make_fingers(DrawnScenario& scenario) {
  Gripper& gripper = scenario.gripper;
  if (scenario.right_shape) {
    gripper.right_finger = shaped_outline(*scenario.right_shape, "gripper.finger");
  }
  if (scenario.left_shape) {
    gripper.left_finger = mirrored(shaped_outline(*scenario.left_shape, "gripper.left_finger"));
  }
  if (scenario.same_fingers && gripper.right_finger) {
    gripper.left_finger = mirrored(*gripper.right_finger);
  }
}

}  // namespace

void make_shapes(ShapesOf what, DrawnScenario& scenario) {
  if (what == ShapesOf::kFingers) make_fingers(scenario);
  if (what != ShapesOf::kPart || !scenario.part_as_drawn) return;
  const double offset_mm = scenario.part_offset_mm;
  const std::string vanishes = oversize(*scenario.part_as_drawn, offset_mm, scenario.part);
  if (vanishes.empty()) return;
  throw ConfigError(
      fmt::format("part.offset_mm: is {} in a trial, by which {} vanishes; its distribution "
                  "must be narrower",
                  offset_mm, vanishes));
}

std::optional<ScenarioNumber> ScenarioNumber::find(const DrawnScenario& scenario,
                                                   std::string_view key) {
  std::optional<ScenarioNumber> found;
  for_each_number(scenario, [&](const ShownNumber& shown, const double&) {
    if (shown.is_uncertain() && shown.key() == key) found = shown.number();
  });
  return found;
}

double ScenarioNumber::value(const DrawnScenario& scenario) const {
  double value = 0.0;
  for_each_number(scenario, [&](const ShownNumber& shown, const double& number) {
    if (shown.place == place_) value = number;
  });
  return value;
}

void ScenarioNumber::put(DrawnScenario& scenario, double value) const {
  for_each_number(scenario, [&](const ShownNumber& shown, double& number) {
    if (shown.place != place_) return;
    if (&number == &scenario.part_offset_mm && !scenario.part_as_drawn) {
      scenario.part_as_drawn = scenario.part;
    }
    number = value;
  });
  if (scenario.same_pads) scenario.gripper.left_pad = scenario.gripper.right_pad;
}

void ScenarioNumber::set(DrawnScenario& scenario, double value) const {
  put(scenario, value);
  make_shapes(shapes_, scenario);
}

std::vector<std::string> scenario_number_keys(const DrawnScenario& scenario) {
  std::vector<std::string> keys;
  for_each_number(scenario, [&](const ShownNumber& shown, const double&) {
    if (shown.is_uncertain()) keys.push_back(shown.key());
  });
  return keys;
}

void check_numbers(const DrawnScenario& scenario, const FailAtKey& fail) {
  for_each_number(scenario, [&](const ShownNumber& shown, const double& number) {
    if (shown.row.extras.hidden == number) return;
    const auto& [type, range, limits] = shown.row.quantity;
    for (const NumberRange& within : {range, limits}) {
      if (within.contains(number)) continue;
      fail(shown.key(), fmt::format("is {}; must be {}", number, within.text()));
    }
  });
}

void check_limits(const TomlTable& table, std::string_view key, double value,
                  const NumberRange& within) {
  if (within.contains(value)) return;
  table.fail(key, fmt::format("is {}; must be {}", value, within.text()));
}

std::optional<std::size_t> find_angle_column(const CsvTable& table) {
  const auto column = table.find_column("theta_rad");
  if (!column && table.find_column("theta_deg")) {
    throw config_error(table.place(table.header), "theta_deg",
                       "unknown column; must be theta_rad, in radians");
  }
  return column;
}

double read_placed_angle_rad(const CsvTable& table, const CsvRow& row, std::size_t column) {
  const double angle = table.number(row, column);
  if (limits::kPlacedAngles_rad.contains(angle)) return angle;
  table.fail(row, column, fmt::format("{}; must be from -10000 to 10000", angle));
}

void set_uncertain_numbers(const DrawnScenario& nominal,
                           const std::vector<UncertainNumber>& numbers,
                           std::span<const double> values, DrawnScenario& trial) {
  GRASPMAP_CHECK(numbers.size() == values.size());
  trial = nominal;
  bool of_part = false;
  bool of_fingers = false;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const ScenarioNumber& number = numbers[k].number;
    number.put(trial, values[k]);
    of_part = of_part || number.shapes() == ShapesOf::kPart;
    of_fingers = of_fingers || number.shapes() == ShapesOf::kFingers;
  }
  if (of_part) make_shapes(ShapesOf::kPart, trial);
  if (of_fingers) make_shapes(ShapesOf::kFingers, trial);
}

}  // namespace graspmap
