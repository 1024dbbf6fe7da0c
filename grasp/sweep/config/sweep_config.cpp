#include "grasp/sweep/config/sweep_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "grasp/base/io/toml_document.hpp"
#include "grasp/base/io/toml_reader.hpp"
#include "grasp/sweep/config/config_document.hpp"
#include "grasp/sweep/config/config_keys.hpp"
#include "grasp/sweep/config/distributions.hpp"
#include "grasp/sweep/config/gripper_models.hpp"
#include "grasp/sweep/config/key_list.hpp"
#include "grasp/sweep/config/key_reader.hpp"
#include "grasp/sweep/config/scenario_number.hpp"
#include "grasp/sweep/config/scenario_reader.hpp"
#include "grasp/sweep/config/success_rule.hpp"
#include "sim/closing/simulate.hpp"

namespace graspmap {
namespace {

/// What a cell may still bring is kept as a table of its trials to come.
constexpr int kMostTrialsPerCell = 10'000;

/// Throws unless an integer is at most `most`, which depends on other keys.
void check_most(const TomlTable& table, std::string_view key, std::int64_t value,
                std::int64_t most) {
  if (value <= most) return;
  table.fail(key, fmt::format("is {}; must be an integer from 1 to {}", value, most));
}

AdaptiveSampling read_adaptive(const TomlTable& table, const SweepConfig& config) {
  constexpr int kFirst = 6;
  constexpr int kPilot = 8;
  constexpr std::int64_t kLeastRound = 100;
  const std::int64_t cells = config.placement.cell_count();
  AdaptiveSampling adaptive;
  adaptive.first_trials = std::min(kFirst, config.trials_per_cell);
  adaptive.round_trials = std::max(cells, kLeastRound);
  KeyReader keys(table);
  adaptive_keys(keys, adaptive);
  if (is_allocated(adaptive.goal) && !table.has("first_trials")) {
    adaptive.first_trials = std::min(kPilot, config.trials_per_cell);
  }
  check_most(table, "first_trials", adaptive.first_trials, config.trials_per_cell);
  check_most(table, "round_trials", adaptive.round_trials, std::max(config.trials(), kLeastRound));
  check_most(table, "most_trials", adaptive.most_trials, config.trials());
  const std::int64_t first_round = adaptive.first_trials * cells;
  if (!table.has("most_trials")) {
    // A tenth of all, or two first rounds where that is more.
    adaptive.most_trials =
        std::min(std::max(config.trials() / 10, 2 * first_round), config.trials());
  }
  if (adaptive.most_trials < first_round) {
    table.fail("most_trials",
               fmt::format("is {}; must be at least {}, for first_trials = {} in "
                           "each of {} cells",
                           adaptive.most_trials, first_round, adaptive.first_trials, cells));
  }
  if (adaptive.standard_error && adaptive.goal != AdaptiveGoal::kMap) {
    table.fail("standard_error", "is of the whole map; must not be there without goal = \"map\"");
  }
  if (adaptive.goal == AdaptiveGoal::kPlan && !config.robot) {
    table.fail("goal",
               "is \"plan\", for the best placement under the robot's error; must not be so "
               "without [robot], which says the error");
  }
  const double half_width_mm = config.sweet_spot_half_width_mm;
  const auto fits = [&](const Axis& axis) {
    return std::round(2 * half_width_mm / axis.cell_size()) <= axis.cells;
  };
  if (wants_sweet_spot(adaptive.goal) &&
      !(fits(config.placement.x_mm) && fits(config.placement.y_mm))) {
    table.fail("goal", fmt::format("asks for the sweet spot, but no square of +-{} mm fits the "
                                   "map; must be \"interval_width\", \"map\" or "
                                   "\"plan\", or summary.sweet_spot_half_width_mm smaller",
                                   half_width_mm));
  }
  return adaptive;
}

/// Reads the table `adaptive` of the table `sweep` into a configuration. Everything else must have
/// been read. Throws ConfigError.
void read_sampling(const TomlTable& sweep, bool is_adaptive, SweepConfig& config) {
  if (!is_adaptive) {
    if (sweep.has("adaptive")) {
      sweep.fail("adaptive",
                 "is only for sampling = \"adaptive\"; must be left out, or sampling "
                 "set so");
    }
    return;
  }
  if (config.trials_per_cell > kMostTrialsPerCell) {
    sweep.fail("trials_per_cell",
               fmt::format("is {}; must be at most {} with sampling = \"adaptive\"",
                           config.trials_per_cell, kMostTrialsPerCell));
  }
  config.adaptive = read_adaptive(sweep.table_or_empty("adaptive"), config);
}

/// The name of a sweep that has none of its own: its file's.
std::string file_name(const TomlTable& document, const std::filesystem::path& file) {
  const std::string stem = file.stem().string();
  if (is_name(stem)) return stem;
  document.fail("name", fmt::format("missing, and the file's name \"{}\" is no name; must be {}",
                                    stem, kNameText));
}

void check_axis(const TomlTable& table, const std::string& axis, const std::string& unit,
                const Axis& grid) {
  if (grid.min < grid.max) return;
  table.fail(axis + "_max_" + unit,
             fmt::format("is {}; must be above {}_min_{} = {}{}", grid.max, axis, unit, grid.min,
                         axis == "theta" ? " (theta_rad is for one angle)" : ""));
}

/// The part's angles are one, theta_rad, or the cells of a range of them.
void check_angles(const TomlTable& table, Axis& angles) {
  const std::string one = table.given("theta_rad");
  std::string range;
  for (const char* key : {"theta_min_rad", "theta_max_rad", "theta_cells"}) {
    if (range.empty()) range = table.given(key);
  }
  if (range.empty()) {
    angles = fixed_angle(angles.min);
    return;
  }
  if (!one.empty()) {
    table.fail(one, fmt::format("does not go with {}; give one angle, theta_rad, or a range of "
                                "angles, theta_min_rad, theta_max_rad, theta_cells",
                                range));
  }
  check_axis(table, "theta", "rad", angles);
}

PlacementSweep read_placement(const TomlTable& table, const std::filesystem::path& folder) {
  PlacementSweep placement;
  KeyReader keys(table);
  placement_keys(keys, placement);
  check_axis(table, "x", "mm", placement.x_mm);
  check_axis(table, "y", "mm", placement.y_mm);
  check_angles(table, placement.theta_rad);
  placement.theta_rad = angle_axis(placement.theta_rad);
  const std::int64_t left = kMostCells / placement.x_mm.cells;
  check_most(table, "y_cells", placement.y_mm.cells, left);
  check_most(table, "theta_cells", placement.theta_rad.cells, left / placement.y_mm.cells);
  KeyReader noise(table.table_or_empty("noise"), folder);
  noise_keys(noise, placement);
  return placement;
}

/// A part whose offset is uncertain is made from its drawn shapes in each trial.
void keep_drawn_part(SweepConfig& config) {
  if (config.scenario.part_as_drawn) return;
  for (const UncertainNumber& number : config.uncertain) {
    if (number.key == "part.offset_mm") config.scenario.part_as_drawn = config.scenario.part;
  }
}

void read_sweep(const TomlTable& table, SweepConfig& config) {
  std::size_t sampling = 0;
  KeyReader keys(table);
  trials_keys(keys, config, sampling);
  check_most(table, "trials_per_cell", config.trials_per_cell,
             kMostTrials / config.placement.cell_count());
  read_sampling(table, sampling == 1, config);
}

void read_hold(const TomlTable& document, SweepConfig& config) {
  if (document.has("hold")) {
    config.hold = read_hold(document.table("hold"), config.scenario.thickness_mm);
  }
  if (config.hold) return;
  for (std::size_t k = 0; k < config.success.size(); ++k) {
    if (!config.success[k].hold_factor) continue;
    document.tables("success")[k].fail(
        "hold_factor",
        "there is no [hold], whose manoeuvre it is of; must be left out, or [hold] "
        "given");
  }
}

/// Throws when no trial at the centre of a cell can begin: fingers, palm and obstacles must be
/// clear of the part, and of each other.
void check_start(const TomlTable& document, const SweepConfig& config) {
  const auto can_begin = [&](const Scenario& scenario) {
    StartCheck starts(scenario);
    for (int number = 0; number < config.placement.cell_count(); ++number) {
      if (starts_free_at_center(starts, config.placement, number)) return true;
    }
    return false;
  };
  Scenario scenario = config.scenario;
  if (can_begin(scenario)) return;
  const TomlTable gripper_table = document.table("gripper");
  if (!scenario.obstacles.empty()) {
    scenario.obstacles.clear();
    if (can_begin(scenario)) {
      document.tables_or_none("obstacle")[0].fail(
          "name",
          "obstacles lie where the part or the gripper starts at the centre of every cell; must be "
          "clear of them there");
    }
  }
  if (scenario.gripper.palm) {
    scenario.gripper.palm.reset();
    if (can_begin(scenario)) {
      gripper_table.fail("palm",
                         "starts inside the part at the centre of every cell; must be "
                         "clear of it there");
    }
  }
  gripper_table.fail("opening_mm",
                     fmt::format("is {}: the jaws start inside the part at the centre of every "
                                 "cell; must be wider than the part there",
                                 scenario.gripper.opening_mm));
}

/// Reads a document, whose keys were checked. `file` names a sweep that has no name; drawings and
/// measured values are looked for in its folder.
SweepConfig read_document(const TomlTable& document, const std::filesystem::path& file) {
  const std::filesystem::path folder = file.parent_path();
  ask_for_all(document);
  SweepConfig config;
  std::vector<WrittenInput> inputs;
  KeyReader root(document);
  config_keys(root, config);
  if (config.name.empty()) config.name = file_name(document, file);
  config.scenario = read_scenario(document, folder, inputs);
  KeyReader friction(document.table("friction"), folder, &inputs);
  friction_keys(friction, config);
  inputs = read_uncertain(document.table_or_empty("uncertain"), std::move(inputs), folder, config);
  keep_drawn_part(config);
  config.success = read_success(document.tables("success"), config.scenario);
  read_hold(document, config);
  config.placement = read_placement(document.table("placement"), folder);
  read_correlated(document.tables_or_none("correlated"), config);
  if (document.has("robot")) {
    config.robot = read_robot(document.table("robot"), folder, config.placement);
  }
  if (document.has("design")) config.design = read_design(document.table("design"));
  KeyReader summary(document.table_or_empty("summary"));
  summary_keys(summary, config);
  read_sweep(document.table("sweep"), config);
  check_ends(config, inputs);
  check_start(document, config);
  return config;
}

}  // namespace

SweepConfig read_sweep_config(const std::filesystem::path& file,
                              const std::vector<std::string>& overrides) {
  return parse_sweep_config(read_toml_text(file), file.string(), overrides);
}

SweepConfig parse_sweep_config(std::string_view text, const std::string& source,
                               const std::vector<std::string>& overrides) {
  toml::table document = parse_toml(text, source, overrides);
  check_toml_kind(document, TomlKind::kSweep);
  flatten_uncertain(document);
  expand_gripper_model(document);
  check_keys(document);
  return read_toml(document,
                   [&](const TomlTable& tables) { return read_document(tables, source); });
}

namespace {

std::string degrees(double angle_rad) { return short_angle(angle_rad * 180.0 / std::numbers::pi); }

}  // namespace

std::string short_angle(double angle) {
  constexpr double kDigits = 1e9;
  return fmt::format("{:.3g}", std::round(angle * kDigits) / kDigits + 0.0);
}

std::string angle_text(double angle_rad) {
  return fmt::format("{} rad ({} degrees)", short_angle(angle_rad), degrees(angle_rad));
}

std::string angle_label(double angle_rad) {
  return fmt::format("{} rad ({}°)", short_angle(angle_rad), degrees(angle_rad));
}

bool starts_free_at_center(StartCheck& starts, const PlacementSweep& placement, int number) {
  const CellIndex cell = placement.cell(static_cast<std::size_t>(number));
  TrialParameters trial;
  trial.placement_x_mm = placement.x_mm.cell_center(cell.x);
  trial.placement_y_mm = placement.y_mm.cell_center(cell.y);
  trial.theta_rad = placement.theta_rad.cell_center(cell.theta);
  return starts.is_free(initial_state(starts.scenario(), trial));
}

}  // namespace graspmap
