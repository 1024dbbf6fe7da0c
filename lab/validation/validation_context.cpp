#include "lab/validation/validation_context.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
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

double Curve::at(double at_x) const {
  const auto found = std::lower_bound(x.begin(), x.end(), at_x - 1e-9);
  return found == x.end() ? std::nan("") : y[static_cast<std::size_t>(found - x.begin())];
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
        k == 0 ? "" : ", \\\n       ", k,
        figure.points && !figure.curves[k].line ? "points pt 7" : "lines",
        kColours[k % kColours.size()],
        figure.curves[k].style.empty() ? (figure.points ? "ps 0.5" : "lw 2")
                                       : figure.curves[k].style,
        gnuplot_string(figure.curves[k].title));
  }
  return {figure.name, script + for_each_picture(plot + "\n"), csv(figure)};
}

const SpatialSnapshot& SpatialRun::at_s(double time_s) const {
  return *std::min_element(shown.begin(), shown.end(),
                           [&](const SpatialSnapshot& a, const SpatialSnapshot& b) {
                             return std::abs(a.time_s - time_s) < std::abs(b.time_s - time_s);
                           });
}

SpatialRun watch_spatial(const SpatialSceneFile& file) {
  SpatialRun seen;
  while (seen.body + 1 < file.bodies.size() && file.bodies[seen.body].is_fixed) ++seen.body;
  StepClock clock;
  seen.run = simulate(file, [&](const SpatialSnapshot& at) {
    seen.computing_s.push_back(seen.shown.empty() ? 0.0 : clock.step_s());
    seen.shown.push_back(at);
    clock.go_on();
    return true;
  });
  return seen;
}

FeltContact felt_contact(const SpatialSnapshot& at, std::size_t body) {
  FeltContact felt;
  for (const SpatialContact& contact : at.contacts) {
    const bool is_a = static_cast<std::size_t>(contact.body_a) == body;
    if (!is_a && static_cast<std::size_t>(contact.body_b) != body) continue;
    if (contact.patch == PatchKind::kOpen) continue;
    if (felt.contact != nullptr && contact.p_n <= felt.contact->p_n) continue;
    felt.contact = &contact;
    felt.arm_mm = (is_a ? contact.on_a_mm : contact.on_b_mm) - at.poses[body].position_mm;
    felt.friction_mn_s = (contact.p_t * contact.t + contact.p_o * contact.o) * (is_a ? 1.0 : -1.0);
    felt.facets = is_a ? contact.facets_a : contact.facets_b;
  }
  return felt;
}

double lowest_point_mm(const SpatialSceneFile& file, const SpatialSnapshot& at, std::size_t body) {
  const Pose3& pose = at.poses[body];
  const Vec3 down = pose.orientation.conjugate() * Vec3(-Vec3::UnitZ());
  return pose.to_world(support_point(file.bodies[body].solid, down)).z();
}

namespace {

constexpr const char* kUniquenessSource = "Xie and Chakraborty 2020, eq. (20)-(28)";
constexpr double kLeastLoad = 0.01;  // of the weight's impulse in the step

/// What the motion of a step says of its contact.
struct DeterminedContact {
  Vec3 impulse;              ///< on the body, mN s
  Vec3 arm_mm;               ///< from the centre of mass to the ECP
  double torsion = 0.0;      ///< about the normal, mN s mm
  double determinant = 0.0;  ///< of the equations of the ECP and the torsion
};

/// Eq. (24): the impulse is M (nu' - nu) less the applied one. Eq. (20) and (23), in the unknowns
/// r and p_r: r x p + p_r n = the change of angular momentum less the applied moment, n . r = the
/// height of the plane over the centre of mass. The determinant is -(n . p)^2.
DeterminedContact determine(const SpatialBody& body, const Pose3& pose, const Pose3& pose_at_end,
                            const Twist& nu, const Twist& nu_at_end, const Twist& applied,
                            const Vec3& normal, double height_mm) {
  DeterminedContact found;
  found.impulse = body.mass_kg * (nu_at_end - nu).head<3>() - applied.head<3>();
  const Vec3 moment = inertia_in_world(body, pose_at_end) * nu_at_end.tail<3>() -
                      inertia_in_world(body, pose) * nu.tail<3>() - applied.tail<3>();
  Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
  A.topLeftCorner<3, 3>() = -cross_matrix(found.impulse);
  A.topRightCorner<3, 1>() = normal;
  A.bottomLeftCorner<1, 3>() = normal.transpose();
  const Eigen::FullPivLU<Eigen::Matrix4d> factors(A);
  const Eigen::Vector4d solution =
      factors.solve(Eigen::Vector4d(moment.x(), moment.y(), moment.z(), height_mm));
  found.arm_mm = solution.head<3>();
  found.torsion = solution[3];
  found.determinant = factors.determinant();
  return found;
}

/// The largest differences over a run.
struct Differences {
  int steps = 0;
  double impulse = 0.0;  ///< of the weight's impulse
  double torsion = 0.0;  ///< of the weight's impulse over 1 mm
  double point_m = 0.0;
  double determinant = 0.0;  ///< of -p_n^2, relative
};

void compare(const DeterminedContact& determined, const FeltContact& felt, const Vec3& normal,
             double sign, double weight, Differences& most) {
  const SpatialContact& contact = *felt.contact;
  const Vec3 impulse = contact.p_n * normal + felt.friction_mn_s;
  const auto keep = [](double& largest, double value) { largest = std::max(largest, value); };
  ++most.steps;
  keep(most.impulse, (determined.impulse - impulse).norm() / weight);
  keep(most.torsion,
       std::abs(determined.torsion - sign * contact.p_r * normal.dot(contact.normal)) / weight);
  keep(most.point_m, kMetresPerMillimetre * (determined.arm_mm - felt.arm_mm).norm());
  keep(most.determinant, std::abs(determined.determinant / (-contact.p_n * contact.p_n) - 1.0));
}

/// The half-space that a body touches.
const SpatialBody& plane_of(const SpatialScene& scene, const SpatialContact& contact,
                            std::size_t body) {
  const int other =
      static_cast<std::size_t>(contact.body_a) == body ? contact.body_b : contact.body_a;
  return scene.bodies[static_cast<std::size_t>(other)];
}

Differences differences(const SpatialSceneFile& file, const SpatialRun& seen) {
  const SpatialScene& scene = file.rigid().scene;
  const SpatialBody& body = scene.bodies[seen.body];
  Differences most;
  SpatialState start = start_state(scene);
  SpatialState end;
  for (std::size_t i = 1; i < seen.shown.size(); ++i) {
    const SpatialSnapshot& at = seen.shown[i];
    const Twist applied = applied_impulses(scene, start, at.step_s)[seen.body];
    const double weight = body.mass_kg * scene.gravity_mm_s2.norm() * at.step_s;
    const FeltContact felt = felt_contact(at, seen.body);
    if (felt.contact != nullptr && felt.contact->p_n >= kLeastLoad * weight) {
      const SpatialBody& plane = plane_of(scene, *felt.contact, seen.body);
      const Vec3 normal = plane.pose.orientation * Vec3::UnitZ();
      const double height_mm = normal.dot(plane.pose.position_mm - at.poses[seen.body].position_mm);
      const double sign = static_cast<std::size_t>(felt.contact->body_a) == seen.body ? 1.0 : -1.0;
      // On the body about its own normal: that of the contact points into A.
      compare(
          determine(body, start.poses[seen.body], at.poses[seen.body], start.velocities[seen.body],
                    at.velocities[seen.body], applied, normal, height_mm),
          felt, normal, sign, weight, most);
    }
    advance(scene, start, at.velocities, at.step_s, end);  // counts the kicks
    end.poses = at.poses;
    end.contacts = at.contacts;
    end.time_s = at.time_s;
    start = end;
  }
  return most;
}

}  // namespace

void add_contact_uniqueness(const std::string& run, const SpatialSceneFile& file,
                            const SpatialRun& seen, ExampleReport& report) {
  const Differences most = differences(file, seen);
  report.at_least(run + ", uniqueness: steps with the weight on the contact", 10.0,
                  "so many at least are compared", most.steps);
  report.at_most(run + ", uniqueness: impulse by the velocities off the step's, of the weight's",
                 1e-7, kUniquenessSource, most.impulse);
  report.at_most(run + ", uniqueness: torsion off, of the weight's at 1 mm", 1e-5,
                 kUniquenessSource, most.torsion);
  report.at_most(run + ", uniqueness: ECP off the step's, m", 1e-7, kUniquenessSource,
                 most.point_m);
  report.at_most(run + ", uniqueness: determinant off -p_n^2, relative", 1e-7, kUniquenessSource,
                 most.determinant);
}

}  // namespace graspmap
