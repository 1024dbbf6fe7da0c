#include <fmt/format.h>

#include "grasp/show/story/trial_animation.hpp"
#include "grasp/show/story/trial_report.hpp"
#include "grasp/show/story/trial_strip.hpp"
#include "python/native.hpp"
#include "python/told_trial.hpp"
#include "python/trial_arrays.hpp"
#include "python/watched_work.hpp"

namespace graspmap::python {
namespace py = pybind11;
namespace {

py::array row_array(const ToldTrial& trial) {
  return trial_array(trial.is_stored ? TrialFields::kAll : TrialFields::kValues,
                     UncertainColumns(*trial.config), {trial.story.row});
}

/// The GIF's bytes: drawn by gnuplot, which takes a second or two.
py::bytes animation(const ToldTrial& trial) {
  std::string gif;
  run_watched([&](const std::atomic<int>&) {
    gif = trial_animation(trial.story, trial.story.scenario, trial.title);
  });
  return py::bytes(gif);
}

ToldTrial tell(const CheckedConfig& config, double x_mm, double y_mm, double theta_rad,
               double mu_jaw, double mu_support) {
  const py::gil_scoped_release without_python;
  ToldTrial trial;
  trial.config = config.config;
  trial.story =
      tell_trial(*config.config, TrialParameters{x_mm, y_mm, theta_rad, mu_jaw, mu_support});
  trial.title = fmt::format("{}, one trial", config.config->name);
  return trial;
}

}  // namespace

void bind_story(py::module_& module) {
  py::class_<ToldTrial>(module, "ToldTrial", "A trial with all that was seen of it.")
      .def_readonly("title", &ToldTrial::title)
      .def_readonly("differences", &ToldTrial::differences)
      .def_property_readonly("outcome",
                             [](const ToldTrial& self) { return name(self.story.row.outcome); })
      .def("row", &row_array)
      .def("text",
           [](const ToldTrial& self) { return trial_text(self.story, self.story.scenario); })
      .def("json",
           [](const ToldTrial& self) { return trial_json(self.story, self.story.scenario); })
      .def("trajectory_csv",
           [](const ToldTrial& self) { return trajectory_csv(self.story.trajectory); })
      .def("strip_svg",
           [](const ToldTrial& self) {
             const py::gil_scoped_release without_python;
             return trial_strip(self.story, self.story.scenario, self.title);
           })
      .def("animation_gif", &animation);
  module.def("tell_trial", &tell, py::arg("config"), py::arg("x_mm"), py::arg("y_mm"),
             py::arg("theta_rad"), py::arg("mu_jaw"), py::arg("mu_support"));
}

}  // namespace graspmap::python
