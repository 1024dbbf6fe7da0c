#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <string>

#include "grasp/sweep/config/sweep_config.hpp"

/// What the parts of the extension module graspmap._native share.

namespace graspmap::python {

/// A configuration that was read and checked. It never changes: a changed one is read anew.
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

}  // namespace graspmap::python
