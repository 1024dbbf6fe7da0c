#include "grasp/sweep/config/sweep_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "grasp/base/io/toml_document.hpp"
#include "grasp/base/io/toml_reader.hpp"
#include "grasp/sweep/config/config_document.hpp"
#include "grasp/sweep/config/laws.hpp"
#include "grasp/sweep/config/scenario_number.hpp"
#include "grasp/sweep/config/scenario_reader.hpp"
#include "grasp/sweep/config/success_rule.hpp"
#include "sim/closing/overlap.hpp"

namespace graspmap {
namespace {

/// What a cell may still bring is kept as a table of its trials to come.
constexpr int kMostTrialsPerCell = 10'000;
/// The confidence is a share of a thousand forecasts: 1 would be claimed too easily.
constexpr NumberRange kConfidences{.min = 0.5, .max = 0.999};
constexpr NumberRange kWidths{.min = 0.0, .max = 1.0, .above_min = true};

std::int64_t integer_or(const TomlTable& table, std::int64_t fallback, std::string_view key,
                        std::int64_t min, std::int64_t max) {
  return table.has(key) ? table.integer(key, min, max) : fallback;
}

AdaptiveSampling read_adaptive(const TomlTable& table, const SweepConfig& config) {
  constexpr int kFirst = 6;
  constexpr std::int64_t kLeastRound = 100;
  const std::int64_t cells = config.placement.cell_count();
  AdaptiveSampling adaptive;
  adaptive.first_trials = static_cast<int>(integer_or(
      table, std::min(kFirst, config.trials_per_cell), "first_trials", 1, config.trials_per_cell));
  const std::int64_t first_round = adaptive.first_trials * cells;
  adaptive.round_trials = integer_or(table, std::max(cells, kLeastRound), "round_trials", 1,
                                     std::max(config.trials(), kLeastRound));
  // A tenth of all by default, or two first rounds where that is more.
  const std::int64_t tenth =
      std::min(std::max(config.trials() / 10, 2 * first_round), config.trials());
  adaptive.most_trials = integer_or(table, tenth, "most_trials", 1, config.trials());
  if (table.has("goal")) {
    adaptive.goal = static_cast<AdaptiveGoal>(
        table.choice("goal", {kAdaptiveGoalWords.begin(), kAdaptiveGoalWords.end()}));
  }
  adaptive.sweet_spot_within_mm =
      table.number_or(adaptive.sweet_spot_within_mm, "sweet_spot_within_mm", kNonNegative);
  adaptive.confidence = table.number_or(adaptive.confidence, "confidence", kConfidences);
  adaptive.interval_width = table.number_or(adaptive.interval_width, "interval_width", kWidths);
  table.check_keys();
  if (adaptive.most_trials < first_round) {
    table.fail("most_trials",
               fmt::format("is {}; must be at least {}, for first_trials = {} in "
                           "each of {} cells",
                           adaptive.most_trials, first_round, adaptive.first_trials, cells));
  }
  const double half_width_mm = config.sweet_spot_half_width_mm;
  const auto fits = [&](const Axis& axis) {
    return std::round(2 * half_width_mm / axis.cell_size()) <= axis.cells;
  };
  if (adaptive.goal != AdaptiveGoal::kIntervalWidth &&
      !(fits(config.placement.x_mm) && fits(config.placement.y_mm))) {
    table.fail("goal", fmt::format("asks for the sweet spot, but no square of +-{} mm fits the "
                                   "map; must be \"interval_width\", or "
                                   "summary.sweet_spot_half_width_mm smaller",
                                   half_width_mm));
  }
  return adaptive;
}

/// Reads `sampling` and the table `adaptive` of the table `sweep` into a configuration. Everything
/// else must have been read. Checks the keys of `sweep`. Throws ConfigError.
void read_sampling(const TomlTable& sweep, SweepConfig& config) {
  const bool is_adaptive =
      sweep.has("sampling") && sweep.choice("sampling", {"uniform", "adaptive"}) == 1;
  const bool has_table = sweep.has("adaptive");
  sweep.check_keys();
  if (!is_adaptive) {
    if (has_table) {
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

constexpr std::int64_t kMostCells = 1'000'000;
constexpr std::int64_t kMostTrials = 1'000'000'000'000;
constexpr NumberRange kProbabilities{.min = 0.0, .max = 1.0};

/// The name of a sweep that has none of its own: its file's.
std::string file_name(const TomlTable& document, const std::filesystem::path& file) {
  const std::string stem = file.stem().string();
  if (is_name(stem)) return stem;
  document.fail("name", fmt::format("missing, and the file's name \"{}\" is no name; must be {}",
                                    stem, kNameText));
}

Axis read_axis(const TomlTable& table, const std::string& axis, std::int64_t most_cells) {
  return {table.number(axis + "_min_mm", kAnyNumber), table.number(axis + "_max_mm", kAnyNumber),
          static_cast<int>(table.integer(axis + "_cells", 1, most_cells))};
}

void check_axis(const TomlTable& table, const std::string& axis, const Axis& grid) {
  check_limits(table, axis + "_min_mm", grid.min, limits::kPositions_mm);
  check_limits(table, axis + "_max_mm", grid.max, limits::kPositions_mm);
  if (grid.min < grid.max) return;
  table.fail(axis + "_max_mm",
             fmt::format("is {}; must be above {}_min_mm = {}", grid.max, axis, grid.min));
}

/// The part's angles: one, theta_rad, or the cells of a range of them. Checks the keys of `table`,
/// all of whose others have been read.
Axis read_angles(const TomlTable& table, std::int64_t most_cells) {
  const bool is_one = table.has("theta_rad");
  const auto range = table.first_present({"theta_min_rad", "theta_max_rad", "theta_cells"});
  table.check_keys();
  if (range.empty()) {
    const double angle_rad = table.number_or(0.0, "theta_rad", kAnyNumber);
    check_limits(table, "theta_rad", angle_rad, limits::kPlacedAngles_rad);
    return fixed_angle(angle_rad);
  }
  if (is_one) {
    table.fail("theta_rad",
               fmt::format("does not go with {}; give one angle, theta_rad, or a range "
                           "of angles, theta_min_rad, theta_max_rad, theta_cells",
                           range));
  }
  Axis axis;
  axis.min = table.number("theta_min_rad", kAnyNumber);
  axis.max = table.number("theta_max_rad", kAnyNumber);
  check_limits(table, "theta_min_rad", axis.min, limits::kPlacedAngles_rad);
  check_limits(table, "theta_max_rad", axis.max, limits::kPlacedAngles_rad);
  if (axis.min >= axis.max) {
    table.fail("theta_max_rad",
               fmt::format("is {}; must be above theta_min_rad = {} (theta_rad is for one angle)",
                           axis.max, axis.min));
  }
  axis.cells = static_cast<int>(table.integer("theta_cells", 1, most_cells));
  return axis;
}

/// The distribution of a noise; none when it is left out.
Distribution read_noise(const TomlTable& table, std::string_view key,
                        const std::filesystem::path& folder) {
  return table.has(key) ? read_distribution(table, key, kAnyNumber, folder) : Distribution{};
}

PlacementSweep read_placement(const TomlTable& table, const std::filesystem::path& folder) {
  PlacementSweep placement;
  placement.x_mm = read_axis(table, "x", kMostCells);
  placement.y_mm = read_axis(table, "y", kMostCells / placement.x_mm.cells);
  const TomlTable noise = table.table_or_empty("noise");
  placement.theta_rad =
      read_angles(table, kMostCells / (placement.x_mm.cells * placement.y_mm.cells));
  check_axis(table, "x", placement.x_mm);
  check_axis(table, "y", placement.y_mm);
  placement.noise_x_mm = read_noise(noise, "x_mm", folder);
  placement.noise_y_mm = read_noise(noise, "y_mm", folder);
  placement.noise_theta_rad = read_noise(noise, "theta_rad", folder);
  noise.check_keys();
  return placement;
}

/// The coefficient of one jaw.
double read_jaw_friction(const TomlTable& table, std::string_view key) {
  if (!table.has(key)) return kFrictionOfTrial;
  const double value = table.number(key, kNonNegative);
  check_limits(table, key, value, {.min = 0.0, .max = limits::kMostFriction});
  return value;
}

void read_friction(const TomlTable& table, const std::filesystem::path& folder,
                   SweepConfig& config) {
  config.mu_jaw = read_distribution(table, "jaw", kNonNegative, folder, limits::kMostFriction);
  config.mu_support =
      read_distribution(table, "support", kNonNegative, folder, limits::kMostFriction);
  Gripper& gripper = config.scenario.gripper;
  gripper.mu_right = read_jaw_friction(table, "right_jaw");
  gripper.mu_left = read_jaw_friction(table, "left_jaw");
  table.check_keys();
}

/// A part whose offset is uncertain is made from its drawn shapes in each trial.
void keep_drawn_part(SweepConfig& config) {
  if (config.scenario.part_as_drawn) return;
  for (const UncertainNumber& number : config.uncertain) {
    if (number.key == "part.offset_mm") config.scenario.part_as_drawn = config.scenario.part;
  }
}

void read_sweep(const TomlTable& table, SweepConfig& config) {
  const std::int64_t most_trials = std::min<std::int64_t>(
      kMostTrials / config.placement.cell_count(), std::numeric_limits<int>::max());
  config.trials_per_cell = static_cast<int>(table.integer("trials_per_cell", 1, most_trials));
  config.seed = static_cast<std::uint64_t>(
      table.integer("seed", 0, std::numeric_limits<std::int64_t>::max()));
  read_sampling(table, config);
}

void read_summary(const TomlTable& table, SweepConfig& config) {
  config.sweet_spot_half_width_mm = positive_within_or(
      table, config.sweet_spot_half_width_mm, "sweet_spot_half_width_mm", limits::kLengths_mm);
  config.plateau_probability =
      table.number_or(config.plateau_probability, "plateau_probability", kProbabilities);
  table.check_keys();
}

/// Throws when no trial at the centre of a cell can begin: the jaws must be clear of the part.
void check_start(const TomlTable& gripper_table, const SweepConfig& config) {
  const PlacementSweep& placement = config.placement;
  for (int number = 0; number < placement.cell_count(); ++number) {
    const CellIndex cell = placement.cell(static_cast<std::size_t>(number));
    TrialParameters trial;
    trial.placement_x_mm = placement.x_mm.cell_center(cell.x);
    trial.placement_y_mm = placement.y_mm.cell_center(cell.y);
    trial.theta_rad = placement.theta_rad.cell_center(cell.theta);
    if (starts_free(config.scenario, initial_state(config.scenario, trial))) return;
  }
  const Gripper& gripper = config.scenario.gripper;
  gripper_table.fail(
      "opening_mm",
      fmt::format("is {}: the {} inside the part at the centre of every cell; must be wider than "
                  "the part there{}",
                  gripper.opening_mm, gripper.palm ? "jaws or the palm start" : "jaws start",
                  gripper.palm ? ", and gripper.palm clear of it" : ""));
}

/// A document whose laws in place were taken out, and its tables.
struct SweepDocument {
  const toml::table& nodes;
  const TomlTable& tables;
  const std::vector<WrittenLaw>& laws_in_place;
  const std::filesystem::path& file;  ///< names the sweep that has no name; drawings and measured
                                      ///< values are looked for in its folder
};

/// Reads a document and checks all of it but the ends of its laws and where trials begin. `laws`
/// become the laws of numbers of the scenario.
SweepConfig read_tables(const SweepDocument& sweep_document, std::vector<WrittenLaw>& laws) {
  const TomlTable& document = sweep_document.tables;
  const std::filesystem::path folder = sweep_document.file.parent_path();
  SweepConfig config;
  if (document.has("name")) config.name = document.name("name");
  const ScenarioTables scenario(document);
  const TomlTable friction = document.table("friction");
  const TomlTable placement = document.table("placement");
  const std::vector<TomlTable> success = document.tables("success");
  const TomlTable uncertain = document.table_or_empty("uncertain");
  const std::vector<TomlTable> correlated = document.tables_or_none("correlated");
  const TomlTable sweep = document.table("sweep");
  const TomlTable summary = document.table_or_empty("summary");
  document.check_keys();

  if (config.name.empty()) config.name = file_name(document, sweep_document.file);
  config.scenario = read_scenario(scenario, folder);
  read_friction(friction, folder, config);
  laws =
      read_uncertain(sweep_document.nodes, uncertain, sweep_document.laws_in_place, folder, config);
  keep_drawn_part(config);
  config.success = read_success(success, config.scenario);
  config.placement = read_placement(placement, folder);
  read_correlated(correlated, config);
  read_summary(summary, config);
  read_sweep(sweep, config);
  return config;
}

/// Throws unless a configuration reads as a document.
void must_read(const SweepConfig& config) {
  const toml::table nodes = parse_toml(to_toml(config), "ends");
  read_toml(nodes, [&](const TomlTable& tables) {
    std::vector<WrittenLaw> laws;
    return read_tables({nodes, tables, {}, "ends"}, laws);
  });
}

SweepConfig read_document(const SweepDocument& document) {
  std::vector<WrittenLaw> laws;
  const SweepConfig config = read_tables(document, laws);
  check_ends(config, laws, must_read);
  check_start(document.tables.table("gripper"), config);
  return config;
}

}  // namespace

std::vector<AskedKey> keys_asked_by_sweep(const toml::table& document,
                                          const std::filesystem::path& folder) {
  toml::table nodes = document;
  const std::filesystem::path file = folder / "sweep";
  const std::vector<WrittenLaw> laws = take_laws(nodes, folder);
  std::vector<AskedKey> keys = keys_asked_for(nodes, [&](const TomlTable& tables) {
    return read_document({nodes, tables, laws, file});
  });
  for (const WrittenLaw& law : laws) keys.insert(keys.end(), law.keys.begin(), law.keys.end());
  return keys;
}

SweepConfig read_sweep_config(const std::filesystem::path& file,
                              const std::vector<std::string>& overrides) {
  return parse_sweep_config(read_toml_text(file), file.string(), overrides);
}

SweepConfig parse_sweep_config(std::string_view text, const std::string& source,
                               const std::vector<std::string>& overrides) {
  toml::table document = parse_toml(text, source);
  for (const std::string& assignment : overrides) apply_override(document, assignment);
  check_toml_kind(document, TomlKind::kSweep);
  const std::filesystem::path file = source;
  const std::vector<WrittenLaw> laws = take_laws(document, file.parent_path());
  return read_toml(document, [&](const TomlTable& tables) {
    return read_document({document, tables, laws, file});
  });
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

}  // namespace graspmap
