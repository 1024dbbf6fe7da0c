#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

#include "lab/validation/examples.hpp"

namespace graspmap {
namespace {

constexpr const char* kPolygonLossesPaper = "Chakraborty et al. 2014, section 1, Fig. 1";
constexpr const char* kOtherProgram = "bench/independent/rolling_polygon.py";
constexpr double kStartEnergy = 6.75;  // J: 4.5 of the translation, 2.25 of the rotation

/// Kinetic energy over time of a polygon with so many vertices.
Curve polygon_energy(const ValidationContext& context, int vertices, double step_s) {
  Curve curve{fmt::format("N = {}, h = {:g} s", vertices, step_s)};
  const SceneFile file = validation_scene(
      context, "rolling_polygon", {fmt::format("body.1.vertices={}", vertices), with_step(step_s)});
  const SceneRun run = run_validation_scene(file, [&](const PlanarState& state, const PlanarStep*) {
    curve.add(state.time_s, energy(file.scene, state).kinetic_j);
  });
  if (run.failure) curve.title += " (not solved to the end)";
  return curve;
}

/// The rimless wheel of inertia m/2: each vertex that hits multiplies omega by (1 + 2 cos(2
/// pi/N))/3; for large N the energy follows this law.
double rimless_wheel_energy(int vertices, double time_s) {
  constexpr double kSpin = 3.0;  // rad/s
  const double slowed = 1.0 + 2.0 * std::numbers::pi * kSpin * time_s / (3.0 * vertices);
  return kStartEnergy / (slowed * slowed);
}

/// Kinetic energy of the disc itself, by implicit steps of 0.01 s.
Curve disc_energy(const ValidationContext& context) {
  Curve curve{"implicit, the disc itself", "lw 4"};
  const SceneFile file = validation_scene(context, "rolling_disc");
  run_validation_scene(file, [&](const PlanarState& state, const PlanarStep*) {
    curve.add(state.time_s, energy(file.scene, state).kinetic_j);
  });
  return curve;
}

/// The paper's horizontal line is above all polygons.
void add_disc(const char* which, const Curve& disc, const std::vector<Curve>& polygons,
              ExampleReport& report) {
  double least_above = kStartEnergy;
  for (const Curve& polygon : polygons) {
    least_above = std::min(least_above, disc.y.back() - polygon.at(1.0));
  }
  report.at_least(std::string(which) + ": energy of the disc itself above that of any polygon (J)",
                  0.01, "Fig. 1: a horizontal line above all", least_above);
}

Figure energy_figure(const char* name, const char* title, const Curve& disc,
                     std::vector<Curve> curves) {
  curves.insert(curves.begin(), disc);
  return curves_figure({name, title, "Stewart and Trinkle's LCP on inscribed polygons", "time (s)",
                        "kinetic energy (J)", std::move(curves)});
}

/// The energies at 1 s are those of another program. Returns the least gain of one of the first
/// four over the one before.
double least_gain(const std::vector<Curve>& curves, std::span<const double> known,
                  ExampleReport& report) {
  for (std::size_t k = 0; k < known.size(); ++k) {
    report.equals(curves[k].title + ": energy at 1 s (J)", known[k], kOtherProgram,
                  curves[k].at(1.0), 2e-6);
  }
  double least = kStartEnergy;
  for (std::size_t k = 1; k < 4; ++k) {
    least = std::min(least, curves[k].at(1.0) - curves[k - 1].at(1.0));
  }
  return least;
}

/// Fig. 1a: the loss falls with the number of vertices, to a floor.
void more_vertices(const ValidationContext& context, const Curve& disc, ExampleReport& report) {
  std::vector<Curve> curves;
  for (const int vertices : {10, 50, 100, 500, 1000, 10000}) {
    curves.push_back(polygon_energy(context, vertices, 0.01));
  }
  const std::array<double, 5> known{2.072958, 5.238689, 5.878094, 5.920114, 5.919784};
  report.at_least("h = 0.01 s: least gain of energy at 1 s from N = 10 to 50, 100, 500 (J)", 0.0,
                  "Fig. 1a: the loss falls with N", least_gain(curves, known, report));
  report.equals("h = 0.01 s: N = 10000 against N = 1000 at 1 s (J)", 0.0,
                "Fig. 1a: indistinguishable (0.4 % of the axis)",
                curves[5].at(1.0) - curves[4].at(1.0), 0.027);
  report.at_least("h = 0.01 s: energy lost with N = 10000 at 1 s (J)", 0.1,
                  "Fig. 1a: the limit that the step size sets", kStartEnergy - curves[5].at(1.0));
  add_disc("h = 0.01 s", disc, curves, report);
  report.figures.push_back(
      energy_figure("a0_vertices", "More vertices lose less, to a limit", disc, std::move(curves)));
}

/// Fig. 1b: the loss falls with the step, to a floor.
void smaller_steps(const ValidationContext& context, const Curve& disc, ExampleReport& report) {
  std::vector<Curve> curves;
  for (const double step_s : {0.02, 0.01, 0.005, 0.001, 0.0005, 0.0001}) {
    curves.push_back(polygon_energy(context, 1000, step_s));
  }
  const std::array<double, 6> known{5.192406, 5.919784, 6.323423, 6.658306, 6.662184, 6.665176};
  report.at_least("N = 1000: least gain at 1 s from h = 0.02 s to 0.01, 0.005, 0.001 (J)", 0.0,
                  "Fig. 1b: the loss falls with h", least_gain(curves, known, report));
  report.equals("N = 1000: h = 0.001 s against h = 0.0001 s at 1 s (J)", 0.0,
                "Fig. 1b: indistinguishable (0.4 % of the axis)",
                curves[5].at(1.0) - curves[3].at(1.0), 0.027);
  for (const double time_s : {1.0, 3.0}) {
    report.equals(fmt::format("N = 1000, h = 0.0001 s: energy at {:g} s (J)", time_s),
                  rimless_wheel_energy(1000, time_s), "rimless wheel, closed form",
                  curves[5].at(time_s), 0.01);
  }
  add_disc("N = 1000", disc, curves, report);
  report.figures.push_back(
      energy_figure("a0_steps", "Smaller steps lose less, to a limit", disc, std::move(curves)));
}

}  // namespace

ExampleReport validate_polygon_losses(const ValidationContext& context) {
  ExampleReport report{"A0", "energy lost by a rolling polygon", kPolygonLossesPaper};
  const Curve disc = disc_energy(context);
  more_vertices(context, disc, report);
  smaller_steps(context, disc, report);
  report.remarks = {
      "The paper gives neither disc nor duration nor where the polygon's vertices are: we take the "
      "disc of A1, 3 s, and vertices on the circle, one straight down.",
      "The gap is linearised at the start of the step, as the program of Fig. 1 did. Linearised at "
      "q + h v (section 3.1 of Stewart and Trinkle 2000) the polygon of 1000 vertices loses next "
      "to nothing at h = 0.01 s."};
  return report;
}

namespace {

constexpr const char* kRollingDiscPaper = "Chakraborty et al. 2014, section 6.1, eq. (41)-(47)";
constexpr double kNewtonSeconds = 1e-3;  // from mN s

/// What a rolling disc shows over a run.
struct Rolling {
  double worst_energy_change_j = 0.0;
  double end_energy_j = 0.0;
  double slips_until_s = 0.0;  ///< end of the last step that slips
  PlanarState end;
  double p_n = 0.0;  ///< of the last step, N s
  double p_t = 0.0;
  double step_s = 0.0;  ///< median computing time of a step
  SceneRun run;
};

Rolling roll(const SceneFile& file) {
  Rolling seen;
  double start_energy = 0.0;
  StepClock clock;
  seen.run = run_validation_scene(file, [&](const PlanarState& state, const PlanarStep* step) {
    if (step != nullptr) clock.step_s();
    seen.end_energy_j = energy(file.scene, state).kinetic_j;
    if (step == nullptr) start_energy = seen.end_energy_j;
    seen.worst_energy_change_j =
        std::max(seen.worst_energy_change_j, std::abs(seen.end_energy_j - start_energy));
    seen.end = state;
    if (step != nullptr && !step->contacts.empty()) {
      const PlanarContact& contact = step->contacts.front();
      seen.p_n = kNewtonSeconds * contact.p_n;
      seen.p_t = kNewtonSeconds * contact.p_t;
      if (std::abs(contact.slip_mm_s) > 1e-3) seen.slips_until_s = state.time_s;
    }
    clock.go_on();
  });
  seen.step_s = clock.median_s();
  return seen;
}

void rolls_for_ever(const ValidationContext& context, StepperKind kind, ExampleReport& report) {
  const SceneFile file = validation_scene(context, "rolling_disc", {with_stepper(kind)});
  const Rolling seen = roll(file);
  const std::string who = std::string(" (") + name(kind) + ")";
  const double duration = file.run.duration_s;
  report.at_most("largest change of kinetic energy, J" + who, 1e-6, "section 6.1",
                 seen.worst_energy_change_j);
  report.equals("kinetic energy at the end, J" + who, 6.75, "closed form", seen.end_energy_j, 1e-6);
  report.equals("x at the end, m" + who, -3.0 * duration, "closed form: x = -3 t",
                kMetresPerMillimetre * seen.end.poses[kMovingBody].x(), 1e-8);
  report.equals("normal impulse of a step, N s" + who, 9.81 * file.run.step_s, "closed form: m g h",
                seen.p_n, 1e-10);
  report.equals("friction impulse of a step, N s" + who, 0.0, "closed form", seen.p_t, 1e-10);
  report.checks.push_back(all_steps_solved(name(kind), seen.run));
  report.times.push_back(
      {std::string("a step, ") + name(kind), seen.step_s, 0.02, "section 6.1, PATH at 2 GHz"});
}

/// Thrown without spin, the disc slides for |v|/(3 mu g) and then rolls with two thirds of its
/// speed.
void slides_then_rolls(const ValidationContext& context, ExampleReport& report) {
  const SceneFile file =
      validation_scene(context, "rolling_disc", {"body.1.angular_velocity_rad_s=0"});
  const Rolling seen = roll(file);
  report.equals("without spin: slides until, s", 3.0 / (3.0 * 0.4 * 9.81), "closed form",
                seen.slips_until_s, file.run.step_s);
  report.equals("without spin: speed when it rolls, m/s", -2.0, "closed form",
                kMetresPerMillimetre * seen.end.nu[0], 1e-8);
  report.equals("without spin: kinetic energy when it rolls, J", 3.0, "closed form",
                seen.end_energy_j, 1e-7);
}

}  // namespace

ExampleReport validate_rolling_disc(const ValidationContext& context) {
  ExampleReport report{"A1", "disc rolling on a plane", kRollingDiscPaper};
  rolls_for_ever(context, StepperKind::kImplicit, report);
  rolls_for_ever(context, StepperKind::kImplicitFull, report);
  slides_then_rolls(context, report);
  report.checks.push_back(implicit_steppers_agree(validation_scene(context, "rolling_disc")));
  report.checks.push_back(implicit_steppers_agree(
      validation_scene(context, "rolling_disc", {"body.1.angular_velocity_rad_s=0"})));
  return report;
}

}  // namespace graspmap
