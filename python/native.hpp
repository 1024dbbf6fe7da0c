#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "grasp/base/io/errors.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/trial.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"

namespace graspmap::python {

/// What the parts of the extension module graspmap._native share.

/// A configuration that was read and checked. It never changes: a changed one is read again.
struct CheckedConfig {
  std::shared_ptr<const SweepConfig> config;
  std::string toml;  ///< to_toml(*config)
};

/// C++ exceptions as those of graspmap.errors.
void translate_errors();

// Each adds its classes and functions to the module.
void bind_config(pybind11::module_& module);
void bind_trial_arrays(pybind11::module_& module);
void bind_stored_run(pybind11::module_& module);
void bind_story(pybind11::module_& module);
void bind_sweep(pybind11::module_& module);
void bind_merge(pybind11::module_& module);
void bind_simulate(pybind11::module_& module);
void bind_decisions(pybind11::module_& module);

/// A function of the module was called with what it cannot take: graspmap.UsageError.
struct WrongCall : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// A run was used after its close: graspmap.ClosedRunError.
struct ClosedRun : std::logic_error {
  using std::logic_error::logic_error;
};

/// Somebody else writes a run's folder: graspmap.RunInUseError.
struct RunInUse : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Which fields of a trial an array has.
enum class TrialFields {
  kAll,  ///< index and cells, then the values: 26 fields; then the uncertain numbers by their keys
  kValues  ///< of a trial that belongs to no sweep: 23 fields
};

/// The bytes of one record: 8 for each field, without gaps. Here and below, `uncertain` is for
/// kAll only.
std::size_t record_bytes(TrialFields fields, const UncertainColumns& uncertain);

/// Writes a trial into a record: counts, cells and the outcome's number as 64-bit integers, all
/// others as doubles, in the order of visit_trial_fields, in this machine's order of bytes.
void write_record(const TrialRow& row, TrialFields fields, const UncertainColumns& uncertain,
                  std::byte* record);

/// A new structured numpy array for so many trials; its records are not set.
pybind11::array new_trial_array(TrialFields fields, const UncertainColumns& uncertain,
                                std::int64_t trials);

/// Part and fingers as lines, and the rectangle that shows them: a list of arrays of points (n, 2),
/// and (x, y, x, y), mm, in the frame of the part that is turned by `theta_rad`. `box_mm` is shown
/// in any case; the fingers are at `fingers_mm`, if they are drawn, open or by `opening_mm`.
pybind11::tuple drawn_grasp(const SweepConfig& config, const std::array<double, 4>& box_mm,
                            double theta_rad,
                            const std::optional<std::array<double, 2>>& fingers_mm,
                            std::optional<double> opening_mm);

/// The rows as a structured numpy array.
pybind11::array trial_array(TrialFields fields, const UncertainColumns& uncertain,
                            const std::vector<TrialRow>& rows);

}  // namespace graspmap::python
