#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <catch2/catch.hpp>
#include <concepts>
#include <optional>
#include <string>
#include <vector>

#include "grasp/sweep/config/config_keys.hpp"
#include "grasp/sweep/config/config_write.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "sim/closing/grasp_stepper.hpp"

/// Checks that two configurations are the same to the last bit, field by field.

namespace graspmap::testing {

inline void check_equal(const OutlineLoop& a, const OutlineLoop& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    CHECK(a[k].begin_mm == b[k].begin_mm);
    CHECK(a[k].bulge == b[k].bulge);
    CHECK(a[k].name == b[k].name);
  }
}

inline void check_equal(const Outline& a, const Outline& b) {
  check_equal(a.outer, b.outer);
  REQUIRE(a.holes.size() == b.holes.size());
  for (std::size_t i = 0; i < a.holes.size(); ++i) check_equal(a.holes[i], b.holes[i]);
}

inline void check_equal(const std::optional<Outline>& a, const std::optional<Outline>& b) {
  REQUIRE(a.has_value() == b.has_value());
  if (a) check_equal(*a, *b);
}

inline void check_equal(const Part& a, const Part& b) {
  REQUIRE(a.pieces.size() == b.pieces.size());
  for (std::size_t i = 0; i < a.pieces.size(); ++i) {
    CHECK(a.pieces[i].name == b.pieces[i].name);
    CHECK(a.pieces[i].pose.position_mm == b.pieces[i].pose.position_mm);
    CHECK(a.pieces[i].pose.angle_rad == b.pieces[i].pose.angle_rad);
    CHECK(a.pieces[i].shape.a_mm == b.pieces[i].shape.a_mm);
    CHECK(a.pieces[i].shape.b_mm == b.pieces[i].shape.b_mm);
    CHECK(a.pieces[i].shape.exponent == b.pieces[i].shape.exponent);
    CHECK(a.pieces[i].friction_factor == b.pieces[i].friction_factor);
  }
  REQUIRE(a.outlines.size() == b.outlines.size());
  for (std::size_t i = 0; i < a.outlines.size(); ++i) {
    CHECK(a.outlines[i].name == b.outlines[i].name);
    CHECK(a.outlines[i].pose.position_mm == b.outlines[i].pose.position_mm);
    CHECK(a.outlines[i].pose.angle_rad == b.outlines[i].pose.angle_rad);
    check_equal(a.outlines[i].outline, b.outlines[i].outline);
    CHECK(a.outlines[i].friction_factor == b.outlines[i].friction_factor);
  }
}

/// The values of the keys of tables, each with all its bits: what the reader and the writer go
/// through (config_keys.hpp), and so all that a configuration has, except for what is only listed
/// there.
class KeyValues {
 public:
  void operator()(const KeyRow& row, const double& value) { add(row, fmt::format("{}", value)); }
  void operator()(const KeyRow& row, const double& a, const double& b) {
    add(row, fmt::format("{}, {}", a, b));
  }
  void operator()(const KeyRow& row, const Vec2& v) { (*this)(row, v.x(), v.y()); }
  template <std::integral Number>
  void operator()(const KeyRow& row, const Number& value) {
    add(row, fmt::format("{}", value));
  }
  void operator()(const KeyRow& row, const std::string& text) { add(row, text); }
  void operator()(const KeyRow& row, const std::vector<TouchTarget>& targets) {
    for (const TouchTarget& target : targets) {
      add(row, fmt::format("{}: {}", target.name, fmt::join(target.features, ", ")));
    }
  }
  void operator()(const KeyRow& row, const std::optional<double>& number) {
    if (number) (*this)(row, *number);
  }
  void operator()(const KeyRow& row, const std::optional<Window>& window) {
    if (window) add(row, fmt::format("{}, {}", window->min, window->max));
  }
  void operator()(const KeyRow& row, const Distribution& distribution) {
    std::string text = distribution.word();
    distribution.each_number([&](const char* key, double number, NumberRole /*role*/) {
      text += fmt::format(" {} = {}", key, number);
    });
    distribution.each_list(
        [&](const char* key, const std::vector<double>& list, NumberRole /*role*/) {
          text += fmt::format(" {} = {}", key, fmt::join(list, ", "));
        });
    add(row, text);
  }
  template <std::size_t N>
  void operator()(const KeyRow& row, const std::array<double, N>& numbers) {
    add(row, fmt::format("{}", fmt::join(numbers, ", ")));
  }
  template <typename Words, typename Choice>
  void choice(const KeyRow& row, const Words& words, const Choice& choice) {
    add(row, words[static_cast<std::size_t>(choice)]);
  }
  static void listed(const KeyRow& /*row*/, KeyKind /*kind*/) {}
  static bool has(bool /*truth*/) { return true; }
  static bool writes(bool /*truth*/) { return true; }
  void table(std::string_view path, std::string_view piece = {}) {
    lines.push_back(fmt::format("[{} {}]", path, piece));
  }

  std::vector<std::string> lines;

 private:
  void add(const KeyRow& row, const std::string& value) {
    lines.push_back(fmt::format("{} = {}", row.name, value));
  }
};

template <typename Show>
std::vector<std::string> key_values(const Show& show) {
  KeyValues values;
  show(values);
  return values.lines;
}

inline void check_equal(const Axis& a, const Axis& b) {
  CHECK(a.min == b.min);
  CHECK(a.max == b.max);
  CHECK(a.cells == b.cells);
}

inline void check_equal(const MassProperties& a, const MassProperties& b) {
  CHECK(a.mass_kg == b.mass_kg);
  CHECK(a.center_of_mass_P_mm == b.center_of_mass_P_mm);
  CHECK(a.inertia_kg_mm2 == b.inertia_kg_mm2);
}

inline void check_equal(const Gripper& a, const Gripper& b) {
  const auto values = [](const Gripper& gripper) {
    return key_values([&](KeyValues& keys) {
      gripper_keys(keys, gripper);
      jaw_friction_keys(keys, gripper);
    });
  };
  CHECK(values(a) == values(b));
  check_equal(a.right_finger, b.right_finger);
  check_equal(a.left_finger, b.left_finger);
  check_equal(a.palm, b.palm);
}

inline void check_equal(const SupportModel& a, const SupportModel& b) {
  CHECK(support_table(a) == support_table(b));
}

inline void check_equal(const StopRule& a, const StopRule& b) {
  const auto values = [](const StopRule& stop) {
    return key_values([&](KeyValues& keys) { stop_keys(keys, stop); });
  };
  CHECK(values(a) == values(b));
}

inline std::vector<std::string> config_values(const SweepConfig& config) {
  return key_values([&](KeyValues& keys) {
    const std::size_t sampling = config.adaptive ? 1 : 0;
    config_keys(keys, config);
    DrawnScenario scenario = config.scenario;
    scenario.right_shape.reset();  // written as outlines
    scenario.left_shape.reset();
    scenario_keys(keys, scenario);
    friction_keys(keys, config);
    placement_keys(keys, config.placement);
    noise_keys(keys, config.placement);
    for (const SuccessAlternative& rule : config.success) success_keys(keys, rule);
    stop_keys(keys, config.scenario.stop);
    trials_keys(keys, config, sampling);
    if (config.adaptive) adaptive_keys(keys, *config.adaptive);
    summary_keys(keys, config);
    for (const UncertainNumber& number : config.uncertain) {
      keys({number.key, {}}, number.distribution);
    }
  });
}

inline void check_equal(const SweepConfig& a, const SweepConfig& b) {
  CHECK(a.robot == b.robot);
  CHECK(a.hold == b.hold);
  CHECK(a.design == b.design);
  CHECK(config_values(a) == config_values(b));
  check_equal(a.scenario.part, b.scenario.part);
  check_equal(a.scenario.drawn_part(), b.scenario.drawn_part());
  check_equal(a.scenario.gripper, b.scenario.gripper);
  check_equal(a.scenario.support, b.scenario.support);
  REQUIRE((a.scenario.other_stepper == nullptr) == (b.scenario.other_stepper == nullptr));
  if (a.scenario.other_stepper) {
    CHECK(a.scenario.other_stepper->settings() == b.scenario.other_stepper->settings());
  }
  REQUIRE(a.correlated.size() == b.correlated.size());
  for (std::size_t i = 0; i < a.correlated.size(); ++i) {
    CHECK(a.correlated[i].keys == b.correlated[i].keys);
    CHECK(a.correlated[i].correlation == b.correlated[i].correlation);
  }
}

}  // namespace graspmap::testing
