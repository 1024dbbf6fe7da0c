#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
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
  std::optional<std::filesystem::path> pushes = {};  ///< the folder of measured pushes
  std::function<void(const std::string&)> say = [](const std::string&) {};  ///< progress, a line
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
  std::string title = {};
  std::string style = {};  ///< gnuplot's words for it, "lw 2" when empty
  std::vector<double> x = {};
  std::vector<double> y = {};
  bool line = false;  ///< also in a figure of points

  void add(double at_x, double at_y) {
    x.push_back(at_x);
    y.push_back(at_y);
  }
  /// y of the first sample from `at_x` on; not a number after the last one.
  [[nodiscard]] double at(double at_x) const;
};

/// A figure of curves on common axes.
struct CurvesFigure {
  std::string name;
  std::string title;
  std::string subtitle;
  std::string x_label;
  std::string y_label;
  std::vector<Curve> curves = {};
  bool log_y = false;
  bool points = false;      ///< points in place of lines where a curve is no `line`
  bool equal_axes = false;  ///< as long on the page along x as along y
};
Figure curves_figure(const CurvesFigure& figure);

/// A whole run in space in which one body moves against fixed ones.
struct SpatialRun {
  std::size_t body = 0;                ///< the first that is not fixed
  std::vector<SpatialSnapshot> shown;  ///< the start and every step
  std::vector<double> computing_s;     ///< of each snapshot's step; 0 for the start
  SceneRun run;

  [[nodiscard]] const Pose3& pose(const SpatialSnapshot& at) const { return at.poses[body]; }
  [[nodiscard]] const Twist& velocity(const SpatialSnapshot& at) const {
    return at.velocities[body];
  }
  [[nodiscard]] Vec3 position_m(const SpatialSnapshot& at) const {
    return kMetresPerMillimetre * pose(at).position_mm;
  }
  [[nodiscard]] Vec3 velocity_m_s(const SpatialSnapshot& at) const {
    return kMetresPerMillimetre * velocity(at).head<3>();
  }
  /// The snapshot at a time, to half a step.
  [[nodiscard]] const SpatialSnapshot& at_s(double time_s) const;
  [[nodiscard]] const SpatialSnapshot& end() const { return shown.back(); }
};

/// A velocity in m/s and rad/s.
inline Twist in_metres(Twist nu) {
  nu.head<3>() *= kMetresPerMillimetre;
  return nu;
}

/// Runs a scene to its end, or to the step that failed.
SpatialRun watch_spatial(const SpatialSceneFile& file);

/// The contact that carries the largest impulse on a body, seen from it; null: none does.
struct FeltContact {
  const SpatialContact* contact = nullptr;
  Vec3 arm_mm = Vec3::Zero();         ///< from the centre of mass to the (equivalent) contact point
  Vec3 friction_mn_s = Vec3::Zero();  ///< tangential impulse on the body
  int facets = 0;  ///< of the body's functions with multipliers that are not zero
};
FeltContact felt_contact(const SpatialSnapshot& at, std::size_t body);

/// A quantity of all snapshots over time, in a figure.
template <typename Value>
Curve curve_of(const SpatialRun& seen, const std::string& title, Value value,
               const std::string& style = {}) {
  Curve curve{title, style};
  for (const SpatialSnapshot& at : seen.shown) {
    curve.add(at.time_s, value(at));
  }
  return curve;
}

/// The largest of a quantity over all steps.
template <typename Value>
double largest_of(const SpatialRun& seen, Value value) {
  double largest = 0.0;
  for (std::size_t i = 1; i < seen.shown.size(); ++i) {
    largest = std::max(largest, value(seen.shown[i]));
  }
  return largest;
}

/// The height of the lowest point of a body above z = 0, mm.
double lowest_point_mm(const SpatialSceneFile& file, const SpatialSnapshot& at, std::size_t body);

/// Adds the rows of Xie and Chakraborty 2020, section V: given the velocities at a step's end, the
/// equations of motion and the plane of contact determine the contact's impulses and the equivalent
/// contact point (eq. (20)-(28)), where p_n > 0. They are solved for the steps of a run in which
/// the body has one contact with a fixed half-space that carries 1 per cent of its weight or more,
/// and compared with what the time-stepper found together with the motion. `run` says which.
void add_contact_uniqueness(const std::string& run, const SpatialSceneFile& file,
                            const SpatialRun& seen, ExampleReport& report);

}  // namespace graspmap
