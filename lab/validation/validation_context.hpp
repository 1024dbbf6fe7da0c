#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "grasp/base/io/number.hpp"
#include "lab/scenes/scene_reader.hpp"
#include "lab/spatial_scenes/spatial_scene_file.hpp"
#include "lab/validation/validation_check.hpp"

namespace graspmap {

inline constexpr std::size_t kMovingBody = 1;  ///< in the scene files, after the plane

/// What an example of the validation is run with.
struct ValidationContext {
  std::filesystem::path scenes = "configs/scenes";  ///< the folder of the scene files
  std::filesystem::path lock_piece = "configs/lock_piece.toml";
};

/// The scene file NAME.toml of the context's folder with overrides "a.b=value".
SceneFile validation_scene(const ValidationContext& context, const std::string& name,
                           const std::vector<std::string>& overrides = {});

/// The same for a scene in space.
SpatialSceneFile validation_spatial_scene(const ValidationContext& context, const std::string& name,
                                          const std::vector<std::string>& overrides = {});

/// The override that names a stepper, or a step size.
std::string with_stepper(StepperKind kind);
std::string with_step(double step_s);

/// Runs a scene to its end; `observer` sees the start (without a step) and every solved step.
SceneRun run_validation_scene(
    const SceneFile& file,
    const std::function<void(const PlanarState&, const PlanarStep*)>& observer);

/// The check that every step of a run was solved: expected failures 0.
ValidationCheck all_steps_solved(const std::string& what, const SceneRun& run);

/// How far two steppers are apart: both step from each state of the first one's run (every
/// `every`-th step of it), and the largest difference of their velocities is taken, relative to the
/// step's velocity scale. Infinity when a step of either was not solved.
double stepper_disagreement(const SceneFile& file, StepperKind first, StepperKind second,
                            int every = 1);

/// The check that implicit and implicit-full agree on a scene to 1e-8, step by step.
ValidationCheck implicit_steppers_agree(const SceneFile& file, int every = 1);

/// The motion of a scene in one picture, as `graspmap simulate` draws it: runs the scene.
Figure motion_figure(const SceneFile& file, const std::string& name);
Figure motion_figure(const SpatialSceneFile& file, const std::string& name);

/// The median; of an even number of values the upper one of both in the middle; 0 of none.
double median(std::vector<double> values);

/// Measures the computing time of a run's steps, without what an observer does: the observer calls
/// `step_s` first and `go_on` last.
class StepClock {
 public:
  /// The time since `go_on`, kept as that of a step.
  double step_s();
  void go_on();
  /// The median of all steps; 0 without any.
  [[nodiscard]] double median_s() const { return median(steps_s_); }

 private:
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::vector<double> steps_s_;
};

/// Samples for a line of a figure: at most about `most` of them are kept.
struct Curve {
  std::string title;
  std::vector<double> x;
  std::vector<double> y;
  std::string style = {};  ///< gnuplot's words for it, "lw 2" when empty

  void add(double at_x, double at_y) {
    x.push_back(at_x);
    y.push_back(at_y);
  }
};

/// A figure of curves on common axes.
struct CurvesFigure {
  std::string name;
  std::string title;
  std::string subtitle;
  std::string x_label;
  std::string y_label;
  std::vector<Curve> curves;
  bool log_y = false;
  bool points = false;      ///< points in place of lines
  bool equal_axes = false;  ///< as long on the page along x as along y
};
Figure curves_figure(const CurvesFigure& figure);

}  // namespace graspmap
