#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "grasp/sweep/config/scenario_number.hpp"
#include "grasp/sweep/trials/sweep.hpp"
#include "python/native.hpp"
#include "python/watched_work.hpp"

namespace graspmap::python {
namespace py = pybind11;
namespace {

using Doubles = py::array_t<double, 0>;

/// One number for each trial, where numpy has them: any stride, 0 for one number for all.
struct NumberColumn {
  const std::byte* first = nullptr;
  py::ssize_t stride = 0;

  [[nodiscard]] double at(std::int64_t k) const {
    double value = 0.0;
    std::memcpy(&value, first + k * stride, sizeof value);
    return value;
  }
};

/// The five parameters of given trials, in the order of TrialParameters.
struct ParameterColumns {
  static constexpr std::array kNames = {"x_mm", "y_mm", "theta_rad", "mu_jaw", "mu_support"};
  std::array<NumberColumn, kNames.size()> columns;

  [[nodiscard]] TrialParameters trial(std::int64_t k) const {
    return {columns[0].at(k), columns[1].at(k), columns[2].at(k), columns[3].at(k),
            columns[4].at(k)};
  }
};

/// Numbers of the scenario that differ from trial to trial, by their keys.
struct NumberColumns {
  std::vector<UncertainNumber> numbers;
  std::vector<NumberColumn> columns;

  void values(std::int64_t k, std::vector<double>& values) const {
    values.clear();
    for (const NumberColumn& column : columns) values.push_back(column.at(k));
  }
};

/// Throws WrongCall unless each value of a column is one that trials may have, as a table's must be
/// (given_trials).
void check_column(const std::string& name, const NumberColumn& column, const NumberRange& range,
                  std::int64_t trials) {
  const std::int64_t different = column.stride == 0 ? std::min<std::int64_t>(trials, 1) : trials;
  for (std::int64_t k = 0; k < different; ++k) {
    const double value = column.at(k);
    if (std::isfinite(value) && range.contains(value)) continue;
    throw WrongCall(fmt::format("{}: value {} is {}; must be {}", name, k, value,
                                range.min > -1e300 ? range.text() : "a finite number"));
  }
}

void check_columns(const ParameterColumns& parameters, std::int64_t trials) {
  const std::array ranges = {kAnyNumber, kAnyNumber, limits::kPlacedAngles_rad, kNonNegative,
                             kNonNegative};
  for (std::size_t c = 0; c < ranges.size(); ++c) {
    check_column(ParameterColumns::kNames[c], parameters.columns[c], ranges[c], trials);
  }
}

NumberColumn column_of(const Doubles& array, py::ssize_t trials) {
  if (array.ndim() != 1 || array.size() != trials) {
    throw WrongCall("the parameters must be arrays of one dimension and one length");
  }
  return {reinterpret_cast<const std::byte*>(array.data()), trials > 0 ? array.strides(0) : 0};
}

NumberColumns number_columns(const DrawnScenario& scenario,
                             const std::map<std::string, Doubles>& given, py::ssize_t trials) {
  NumberColumns columns;
  for (const auto& [key, array] : given) {
    const auto number = ScenarioNumber::find(scenario, key);
    if (!number) {
      throw WrongCall(fmt::format("numbers: the configuration has no number {}; must be one of {}",
                                  key, fmt::join(scenario_number_keys(scenario), ", ")));
    }
    columns.numbers.push_back({key, {}, *number});
    columns.columns.push_back(column_of(array, trials));
  }
  return columns;
}

/// Simulates trials with given parameters into a new array; all numbers come as arrays of one
/// dimension and one length. Returns the trials, and what stopped them, KeyboardInterrupt or
/// nothing; when they were stopped the array has those that were done, the first ones.
py::tuple simulate_given(const CheckedConfig& config, const std::array<Doubles, 5>& parameters,
                         const std::map<std::string, Doubles>& numbers, int threads,
                         const py::object& watch_function) {
  ParameterColumns columns;
  const py::ssize_t trials = parameters[0].size();
  for (std::size_t c = 0; c < parameters.size(); ++c) {
    columns.columns[c] = column_of(parameters[c], trials);
  }
  const NumberColumns varied = number_columns(config.config->scenario, numbers, trials);
  SweepConfig given = *config.config;
  given.uncertain = varied.numbers;
  const UncertainColumns uncertain(given);
  py::array array = new_trial_array(TrialFields::kValues, uncertain, trials);
  auto* records = static_cast<std::byte*>(array.mutable_data());
  const std::size_t bytes = record_bytes(TrialFields::kValues, uncertain);
  SweepWatch watch;
  watch.asked = trials;
  std::int64_t done = 0;
  const TrialFunction trial = [&](std::int64_t k, Workspace& workspace, SimulationResult& result) {
    thread_local std::vector<double> values;
    varied.values(k, values);
    const TrialRow row = run_trial(given, columns.trial(k), values, workspace, result);
    write_record(row, TrialFields::kValues, uncertain,
                 records + static_cast<std::size_t>(k) * bytes);
    return row.outcome;
  };
  bool interrupted = false;
  try {
    run_watched(
        [&](const std::atomic<int>& stop) {
          check_columns(columns, trials);
          for (std::size_t c = 0; c < varied.columns.size(); ++c) {
            check_column(varied.numbers[c].key, varied.columns[c], varied.numbers[c].number.range(),
                         trials);
          }
          done = run_trials(trials, {threads, &stop, &watch.counters}, trial);
        },
        [&] { return watch.tell(watch_function); });
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_KeyboardInterrupt)) throw;
    interrupted = true;
  }
  if (!interrupted) static_cast<void>(watch.tell(watch_function));
  return py::make_tuple(done == trials ? array : py::array(array[py::slice(0, done, 1)]),
                        interrupted);
}

/// One trial, in the calling thread: others are too short for threads, and for a look at signals.
py::array simulate_one(const CheckedConfig& config, const std::array<double, 5>& numbers) {
  ParameterColumns columns;
  for (std::size_t c = 0; c < numbers.size(); ++c) {
    columns.columns[c] = {reinterpret_cast<const std::byte*>(&numbers[c]), 0};
  }
  check_columns(columns, 1);
  TrialRow row;
  {
    const py::gil_scoped_release without_python;
    thread_local Workspace workspace;
    thread_local SimulationResult result;
    row = run_trial(*config.config, columns.trial(0), workspace, result);
  }
  return trial_array(TrialFields::kValues, UncertainColumns(*config.config), {row});
}

}  // namespace

void bind_simulate(py::module_& module) {
  module.def(
      "simulate",
      [](const CheckedConfig& config, const Doubles& x_mm, const Doubles& y_mm,
         const Doubles& theta_rad, const Doubles& mu_jaw, const Doubles& mu_support,
         const std::map<std::string, Doubles>& numbers, int threads, const py::object& watch) {
        return simulate_given(config, {x_mm, y_mm, theta_rad, mu_jaw, mu_support}, numbers, threads,
                              watch);
      },
      py::arg("config"), py::arg("x_mm"), py::arg("y_mm"), py::arg("theta_rad"), py::arg("mu_jaw"),
      py::arg("mu_support"), py::arg("numbers"), py::arg("threads"), py::arg("watch"));
  module.def(
      "simulate_one",
      [](const CheckedConfig& config, double x_mm, double y_mm, double theta_rad, double mu_jaw,
         double mu_support) {
        return simulate_one(config, {x_mm, y_mm, theta_rad, mu_jaw, mu_support});
      },
      py::arg("config"), py::arg("x_mm"), py::arg("y_mm"), py::arg("theta_rad"), py::arg("mu_jaw"),
      py::arg("mu_support"));
}

}  // namespace graspmap::python
