#include "grasp/show/story/given_trials.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "grasp/base/process/environment.hpp"
#include "grasp/sweep/config/scenario_number.hpp"
#include "grasp/sweep/trials/computed_columns.hpp"
#include "grasp/sweep/trials/success_conditions.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {
namespace {

/// The columns that a result has besides those of the input.
std::vector<std::string> result_columns(const SweepConfig& config) {
  const Scenario& scenario = config.scenario;
  std::vector<std::string> names;
  visit_trial_end(TrialRow{}, [&](const char* column, const auto&) { names.emplace_back(column); });
  names.insert(names.end(), {"left_touches", "right_touches"});
  if (scenario.gripper.palm) names.emplace_back("palm_touches");
  for (const Obstacle& obstacle : scenario.obstacles) {
    names.push_back(obstacle.name + "_touches");
  }
  const ComputedColumns columns(config);
  for (std::size_t k = 0; k < columns.size(); ++k) names.push_back(columns.key(k));
  return names;
}

void check_no_result_column(const CsvTable& table, const SweepConfig& config) {
  for (const std::string& result : result_columns(config)) {
    const auto column = table.find_column(result);
    if (column) {
      table.fail(table.header, *column,
                 "already a column of the input; the result would have it twice, rename it");
    }
  }
}

double friction(const CsvTable& table, const CsvRow& row, std::size_t column) {
  const double value = table.number(row, column);
  if (value < 0) table.fail(row, column, fmt::format("{}; a friction must be >= 0", value));
  return value;
}

void append_fields(std::string& text, const std::vector<std::string>& fields) {
  for (const std::string& field : fields) {
    append_csv_field(text, field);
    text += ',';
  }
}

std::string result_fields(const GivenTrialResult& result, const Scenario& scenario) {
  std::string text;
  visit_trial_end(result.row, [&](const char*, const auto& value) {
    append_csv_value(text, value);
    text += ',';
  });
  const auto append_names = [&](const std::vector<int>& touches) {
    append_csv_field(text, feature_names(scenario.part, touches, ";"));
  };
  append_names(result.left_touches);
  text += ',';
  append_names(result.right_touches);
  if (scenario.gripper.palm) {
    text += ',';
    append_names(result.palm_touches);
  }
  for (const std::vector<int>& touches : result.obstacle_touches) {
    text += ',';
    append_names(touches);
  }
  for (const double value : result.computed) {
    text += ',';
    append_csv_value(text, value);
  }
  return text;
}

}  // namespace

std::vector<TrialParameters> given_trials(const CsvTable& table, const SweepConfig& config) {
  const std::size_t x = table.column("x_mm");
  const std::size_t y = table.column("y_mm");
  const std::size_t theta = table.column("theta_rad");
  const std::size_t mu_jaw = table.column("mu_jaw");
  const std::size_t mu_support = table.column("mu_support");
  check_no_result_column(table, config);
  std::vector<TrialParameters> trials;
  trials.reserve(table.rows.size());
  for (const CsvRow& row : table.rows) {
    trials.push_back({table.number(row, x), table.number(row, y),
                      read_placed_angle_rad(table, row, theta), friction(table, row, mu_jaw),
                      friction(table, row, mu_support)});
  }
  return trials;
}

std::vector<std::vector<double>> given_uncertain(const CsvTable& table, const SweepConfig& config) {
  std::vector<std::optional<std::size_t>> columns;
  for (const UncertainNumber& number : config.uncertain) {
    columns.push_back(table.find_column(number.key));
  }
  if (std::none_of(columns.begin(), columns.end(), [](const auto& column) { return !!column; })) {
    return {};
  }
  std::vector<std::vector<double>> values;
  values.reserve(table.rows.size());
  for (const CsvRow& row : table.rows) {
    std::vector<double>& of_trial = values.emplace_back();
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const ScenarioNumber& number = config.uncertain[k].number;
      of_trial.push_back(columns[k] ? table.number(row, *columns[k])
                                    : number.value(config.scenario));
      if (!columns[k] || number.range().contains(of_trial.back())) continue;
      table.fail(row, *columns[k],
                 fmt::format("{}; must be {}", of_trial.back(), number.range().text()));
    }
  }
  return values;
}

std::vector<GivenTrialResult> run_given_trials(const SweepConfig& config,
                                               const std::vector<TrialParameters>& trials,
                                               const SweepControl& control,
                                               const std::vector<std::vector<double>>& uncertain) {
  std::vector<GivenTrialResult> results(trials.size());
  const TrialFunction trial = [&](std::int64_t index, Workspace& workspace,
                                  SimulationResult& simulation) {
    const auto i = static_cast<std::size_t>(index);
    DrawnScenario memory;
    const auto values = uncertain.empty() ? std::vector<double>() : uncertain[i];
    const TrialRow row = run_trial(config, trials[i], values, workspace, simulation);
    results[i] = {row,
                  simulation.left_touches,
                  simulation.right_touches,
                  simulation.palm_touches,
                  simulation.obstacle_touches,
                  ComputedColumns(config).of(scenario_of(config, values, memory), row,
                                             simulation.phase_ends)};
    return row.outcome;
  };
  const auto done = run_trials(static_cast<std::int64_t>(trials.size()), control, trial);
  results.resize(static_cast<std::size_t>(done));
  return results;
}

std::string given_trials_csv(const CsvTable& table, const std::vector<GivenTrialResult>& results,
                             const SweepConfig& config) {
  std::string text;
  append_fields(text, table.header.fields);
  text += fmt::format("{}\n", fmt::join(result_columns(config), ","));
  for (std::size_t i = 0; i < results.size(); ++i) {
    append_fields(text, table.rows[i].fields);
    text += result_fields(results[i], config.scenario) + "\n";
  }
  return text;
}

namespace {

std::string fields_text(const std::vector<FieldDifference>& differences) {
  std::string text = fmt::format("  {:<24} {:<24} {}\n", "field", "stored", "now");
  for (const FieldDifference& difference : differences) {
    text +=
        fmt::format("  {:<24} {:<24} {}\n", difference.field, difference.first, difference.second);
  }
  return text;
}

std::string process_text(const StoreProcess& process) {
  return fmt::format("graspmap {} ({}) on {}, {}", process.version, process.git_commit,
                     process.host, process.started_utc);
}

/// Who stored a trial, or who may have.
std::string stored_by_text(const RunStore& store, std::int64_t index) {
  if (const auto process = store.process_of(index)) {
    return fmt::format("  stored by {}\n", process_text(*process));
  }
  std::string text = "  taken over from another store; computed by one of\n";
  for (const StoreProcess& process : store.processes()) {
    text += fmt::format("    {}\n", process_text(process));
  }
  return text;
}

/// Why a run of another engine comes out differently.
std::string engine_text(const RunStore& store) {
  if (store.engine() == kEngine) return "";
  return fmt::format("  {} graspmap, whose numbers differ in their last bits\n",
                     store.engine() < kEngine ? "an earlier" : "a later");
}

}  // namespace

Reproduction reproduce(const SweepConfig& config, const TrialRow& stored) {
  Reproduction reproduction;
  reproduction.story = tell_trial(config, stored.index);
  reproduction.differences = different_fields(stored, reproduction.story.row);
  return reproduction;
}

std::string difference_text(const Reproduction& reproduction, const RunStore& store) {
  return fields_text(reproduction.differences) +
         stored_by_text(store, reproduction.story.row.index) + engine_text(store) +
         fmt::format("  run again by graspmap {} ({})\n", version(), git_commit());
}

}  // namespace graspmap
