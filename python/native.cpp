#include "python/native.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <array>
#include <cstring>
#include <string>
#include <system_error>
#include <type_traits>
#include <vector>

#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/io/toml_document.hpp"
#include "grasp/sweep/config/config_document.hpp"
#include "grasp/sweep/config/key_list.hpp"
#include "grasp/sweep/trials/trial.hpp"
#include "python/values.hpp"

namespace graspmap::python {

namespace py = pybind11;
namespace {

/// Bytes that are no UTF-8 are replaced.
py::object python_text(const std::string& bytes) { return text_object(printable(bytes)); }

/// Sets an error of a class of graspmap.errors.
void set_error(const char* name, const char* what) {
  const py::object type = py::module_::import("graspmap.errors").attr(name);
  PyErr_SetObject(type.ptr(), python_text(what).ptr());
}

/// Sets a ConfigError of Python, which makes its sentences of the faults.
void set_config_error(const ConfigError& error) {
  py::list faults;
  for (const ConfigFault& fault : error.faults()) {
    faults.append(py::make_tuple(python_text(fault.sentence()), python_text(fault.place.source),
                                 fault.place.line, python_text(fault.key), python_text(fault.what),
                                 python_text(fault.allowed)));
  }
  const py::module_ errors = py::module_::import("graspmap.errors");
  constexpr std::array kClasses = {"ConfigError", "MissingFileError", "MissingTrialError"};
  const py::object type = errors.attr(kClasses[static_cast<std::size_t>(error.faults()[0].kind)]);
  PyErr_SetObject(type.ptr(), py::object(type.attr("_of")(faults)).ptr());
}

// By value, as pybind11 calls it.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const ConfigError& error) {
    set_config_error(error);
  } catch (const RunInUse& error) {
    set_error("RunInUseError", error.what());
  } catch (const WrongCall& error) {
    set_error("UsageError", error.what());
  } catch (const ClosedRun& error) {
    set_error("ClosedRunError", error.what());
  } catch (const IoError& error) {
    set_error("IoError", error.what());
  } catch (const std::system_error& error) {
    set_error("IoError", error.what());
  }
}

}  // namespace

void translate_errors() { py::register_local_exception_translator(translate); }

namespace {

constexpr std::size_t kFieldBytes = 8;

template <typename Visit>
void visit_fields(const TrialRow& row, TrialFields fields, Visit&& visit) {
  if (fields == TrialFields::kAll) {
    visit("index", row.index);
    visit_trial_columns(row, visit);
  } else {
    visit_trial_values(row, visit);
  }
}

std::size_t drawn_fields(TrialFields fields, const UncertainColumns& uncertain) {
  return fields == TrialFields::kAll ? uncertain.size() : 0;
}

/// The numpy dtype of a record, aligned, without gaps.
py::dtype record_type(TrialFields fields, const UncertainColumns& uncertain) {
  py::list list;
  visit_fields(TrialRow{}, fields, [&](const char* name, const auto& value) {
    using Value = std::decay_t<decltype(value)>;
    list.append(py::make_tuple(name, std::is_same_v<Value, double> ? "f8" : "i8"));
  });
  for (std::size_t k = 0; k < drawn_fields(fields, uncertain); ++k) {
    list.append(py::make_tuple(uncertain.key(k), "f8"));
  }
  return py::dtype::from_args(list);
}

}  // namespace

std::size_t record_bytes(TrialFields fields, const UncertainColumns& uncertain) {
  std::size_t bytes = kFieldBytes * drawn_fields(fields, uncertain);
  visit_fields(TrialRow{}, fields, [&](const char*, const auto&) { bytes += kFieldBytes; });
  return bytes;
}

void write_record(const TrialRow& row, TrialFields fields, const UncertainColumns& uncertain,
                  std::byte* record) {
  const auto write = [&](const char*, const auto& value) {
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>) {
      static_assert(sizeof value == kFieldBytes);
      std::memcpy(record, &value, kFieldBytes);
    } else {
      const auto number = static_cast<std::int64_t>(value);
      std::memcpy(record, &number, kFieldBytes);
    }
    record += kFieldBytes;
  };
  visit_fields(row, fields, write);
  if (drawn_fields(fields, uncertain) == 0) return;
  for (const double value : uncertain.of(row.index)) write(nullptr, value);
}

py::array new_trial_array(TrialFields fields, const UncertainColumns& uncertain,
                          std::int64_t trials) {
  const std::vector<py::ssize_t> shape{trials};
  if (fields == TrialFields::kAll) return {record_type(fields, uncertain), shape};
  // Making the type takes as long as a trial. It lives as long as the process.
  static const auto* const values = new py::dtype(record_type(fields, uncertain));
  return {*values, shape};
}

py::array trial_array(TrialFields fields, const UncertainColumns& uncertain,
                      const std::vector<TrialRow>& rows) {
  py::array array = new_trial_array(fields, uncertain, static_cast<std::int64_t>(rows.size()));
  auto* record = static_cast<std::byte*>(array.mutable_data());
  for (const TrialRow& row : rows) {
    write_record(row, fields, uncertain, record);
    record += record_bytes(fields, uncertain);
  }
  return array;
}

void bind_trial_arrays(py::module_& module) {
  py::dict meanings;
  for (const Outcome outcome : kOutcomes) meanings[name(outcome)] = meaning(outcome);
  module.attr("OUTCOME_MEANINGS") = meanings;
  module.attr("OUTCOMES") = py::tuple(meanings);
}

namespace {

CheckedConfig read_config(const std::string& text, const std::string& source,
                          const std::vector<std::string>& overrides) {
  const py::gil_scoped_release without_python;
  auto config = std::make_shared<const SweepConfig>(parse_sweep_config(text, source, overrides));
  std::string toml = to_toml(*config);
  return {std::move(config), std::move(toml)};
}

}  // namespace

void bind_config(py::module_& module) {
  py::class_<CheckedConfig>(module, "Config", "A configuration that was read and checked.")
      .def(py::init(&read_config), py::arg("text"), py::arg("source"), py::arg("overrides"))
      .def_readonly("toml", &CheckedConfig::toml)
      .def_property_readonly("name", [](const CheckedConfig& self) { return self.config->name; })
      .def_property_readonly("trials",
                             [](const CheckedConfig& self) { return self.config->most_trials(); })
      .def_property_readonly("trials_per_cell",
                             [](const CheckedConfig& self) { return self.config->trials_per_cell; })
      .def_property_readonly(
          "is_adaptive",
          [](const CheckedConfig& self) { return self.config->adaptive.has_value(); })
      .def_property_readonly("cells",
                             [](const CheckedConfig& self) {
                               const CellGrid& grid = self.config->placement;
                               return py::make_tuple(grid.x_mm.cells, grid.y_mm.cells,
                                                     grid.theta_rad.cells);
                             })
      .def_property_readonly("angle_rad",
                             [](const CheckedConfig& self) -> std::optional<double> {
                               const Axis& angles = self.config->placement.theta_rad;
                               return angles.is_fixed() ? std::optional(angles.min) : std::nullopt;
                             })
      .def(
          "drawn_grasp",
          [](const CheckedConfig& self, const std::array<double, 4>& box_mm, double theta_rad,
             const std::optional<std::array<double, 2>>& fingers_mm) {
            return drawn_grasp(*self.config, box_mm, theta_rad, fingers_mm, std::nullopt);
          },
          py::arg("box_mm"), py::arg("theta_rad"), py::arg("fingers_mm"));
  module.def("read_toml_text", &read_toml_text, py::arg("file"));
  module.def("config_schema", &config_schema);
  module.def("written_toml", &written_toml, py::arg("text"), py::arg("source"),
             py::arg("overrides"));
}

}  // namespace graspmap::python
