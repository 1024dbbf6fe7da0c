#include "lab/validation/validation_context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "lab/planar/steppers/make_stepper.hpp"
#include "lab/scenes/scene_pictures.hpp"
#include "lab/spatial_scenes/spatial_figures.hpp"

namespace graspmap {
namespace {

template <typename Recorder, typename File>
auto whole_run(const File& file) {
  constexpr std::int64_t kMostSnapshots = 500;
  return record_scene<Recorder>(file, sampling_for(file.run, kMostSnapshots),
                                [](const SceneSnapshot& /*shown*/) { return true; });
}

}  // namespace

SceneFile validation_scene(const ValidationContext& context, const std::string& name,
                           const std::vector<std::string>& overrides) {
  return read_scene_file(context.scenes / (name + ".toml"), overrides);
}

SpatialSceneFile validation_spatial_scene(const ValidationContext& context, const std::string& name,
                                          const std::vector<std::string>& overrides) {
  return read_spatial_scene_file(context.scenes / (name + ".toml"), overrides);
}

std::string with_stepper(StepperKind kind) { return fmt::format("solver.stepper={}", name(kind)); }

std::string with_step(double step_s) { return fmt::format("time.step_s={}", step_s); }

SceneRun run_validation_scene(
    const SceneFile& file,
    const std::function<void(const PlanarState&, const PlanarStep*)>& observer) {
  const auto stepper = make_stepper(file.stepper, file.stepper_settings);
  return simulate_scene(file.scene, *stepper, file.run,
                        [&](const PlanarState& state, const PlanarStep* step) {
                          observer(state, step);
                          return true;
                        });
}

ValidationCheck all_steps_solved(const std::string& what, const SceneRun& run) {
  return {what + ": steps not solved", 0.0, "no step may fail", run.failure ? 1.0 : 0.0, 0.0};
}

double stepper_disagreement(const SceneFile& file, StepperKind first, StepperKind second,
                            int every) {
  const auto one = make_stepper(first, file.stepper_settings);
  const auto other = make_stepper(second, file.stepper_settings);
  PlanarState start;
  PlanarStep step;
  double worst = 0.0;
  std::int64_t count = 0;
  const SceneRun run = simulate_scene(
      file.scene, *one, file.run, [&](const PlanarState& state, const PlanarStep* taken) {
        if (taken != nullptr && count++ % every == 0) {
          const double h = state.time_s - start.time_s;
          other->step(file.scene, start, h, step);
          const double scale = step_scales(file.scene, start, h).velocity_mm_s;
          const double difference = (step.end.nu - state.nu).lpNorm<Eigen::Infinity>() / scale;
          const bool solved = step.status == mcp::Status::kSolved;
          worst = solved ? std::max(worst, difference) : std::numeric_limits<double>::infinity();
        }
        start = state;
        return worst < std::numeric_limits<double>::infinity();
      });
  return run.failure ? std::numeric_limits<double>::infinity() : worst;
}

ValidationCheck implicit_steppers_agree(const SceneFile& file, int every) {
  const std::string steps = every == 1 ? "step by step" : fmt::format("every {}th step", every);
  return {fmt::format("implicit and implicit-full, {} ({})", file.name, steps),
          1e-8,
          "velocities, relative; both solve the same equations",
          stepper_disagreement(file, StepperKind::kImplicit, StepperKind::kImplicitFull, every),
          0.0,
          CheckRelation::kAtMost};
}

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double StepClock::step_s() {
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun_;
  steps_s_.push_back(taken.count());
  return taken.count();
}

void StepClock::go_on() { begun_ = std::chrono::steady_clock::now(); }

Figure motion_figure(const SceneFile& file, const std::string& name) {
  return scene_motion_figure(file, whole_run<PlanarRecorder>(file), name);
}

Figure motion_figure(const SpatialSceneFile& file, const std::string& name) {
  return spatial_motion_figure(file, whole_run<SpatialRecorder>(file), name);
}

namespace {

/// Okabe and Ito's colours for colour-blind eyes.
constexpr std::array<const char*, 8> kColours = {"#000000", "#0072b2", "#d55e00", "#009e73",
                                                 "#cc79a7", "#e69f00", "#56b4e9", "#999999"};
constexpr std::size_t kMostSamples = 3000;

std::string csv(const CurvesFigure& figure) {
  std::string text = "curve,x,y\n";
  for (std::size_t k = 0; k < figure.curves.size(); ++k) {
    const Curve& curve = figure.curves[k];
    const std::size_t every = curve.x.size() / kMostSamples + 1;
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (i % every != 0 && i + 1 != curve.x.size()) continue;
      text += fmt::format("{},{:.9g},{:.9g}\n", k, curve.x[i], curve.y[i]);
    }
  }
  return text;
}

}  // namespace

Figure curves_figure(const CurvesFigure& figure) {
  const Canvas canvas{1400, 850};
  std::string script =
      script_start(figure.name, figure.title, gnuplot_string(figure.title),
                   gnuplot_string(figure.subtitle), canvas) +
      kPictures + "\ndata = figure.'.csv'\nset grid lc rgb '#d0d0d0' lt 1\n" +
      "set title name.\"\\n\".subtitle noenhanced\nset key outside right top noenhanced\n" +
      fmt::format("set xlabel {} noenhanced\nset ylabel {} noenhanced\n",
                  gnuplot_string(figure.x_label), gnuplot_string(figure.y_label)) +
      (figure.equal_axes ? "set size ratio -1\n" : "") +
      (figure.log_y ? "set logscale y\nset format y '%g'\n" : "");
  std::string plot = "  plot ";
  for (std::size_t k = 0; k < figure.curves.size(); ++k) {
    plot += fmt::format(
        "{}data using (column('curve') == {} ? column('x') : NaN):'y' with {} lc rgb '{}' {} "
        "title {}",
        k == 0 ? "" : ", \\\n       ", k, figure.points ? "points pt 7 ps 0.5" : "lines",
        kColours[k % kColours.size()],
        figure.curves[k].style.empty() ? "lw 2" : figure.curves[k].style,
        gnuplot_string(figure.curves[k].title));
  }
  return {figure.name, script + for_each_picture(plot + "\n"), csv(figure)};
}

}  // namespace graspmap
