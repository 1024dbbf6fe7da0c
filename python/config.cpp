#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <string>
#include <vector>

#include "grasp/sweep/config/written_config.hpp"
#include "python/native.hpp"

namespace graspmap::python {
namespace py = pybind11;
namespace {

CheckedConfig read_config(const std::string& text, const std::string& source,
                          const std::vector<std::string>& overrides, bool simulate) {
  const py::gil_scoped_release without_python;
  const ConfigUse use = simulate ? ConfigUse::kSimulate : ConfigUse::kRead;
  auto config =
      std::make_shared<const SweepConfig>(parse_sweep_config(text, source, overrides, use));
  std::string toml = to_toml(*config);
  return {std::move(config), std::move(toml)};
}

}  // namespace

void bind_config(py::module_& module) {
  py::class_<CheckedConfig>(module, "Config", "A configuration that was read and checked.")
      .def(py::init(&read_config), py::arg("text"), py::arg("source"), py::arg("overrides"),
           py::arg("simulate"))
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
      .def_property_readonly("angle_rad", [](const CheckedConfig& self) -> std::optional<double> {
        const Axis& angles = self.config->placement.theta_rad;
        return angles.is_fixed() ? std::optional(angles.min) : std::nullopt;
      });
  module.def("read_toml_text", &read_config_text, py::arg("file"));
  module.def("written_toml", &written_toml, py::arg("text"), py::arg("source"),
             py::arg("overrides"));
}

}  // namespace graspmap::python
