#include <algorithm>
#include <cmath>

#include "lab/validation/examples.hpp"

namespace graspmap {
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
  auto& checks = report.checks;
  checks.push_back({"largest change of kinetic energy, J" + who, 1e-6, "section 6.1",
                    seen.worst_energy_change_j, 0.0, CheckRelation::kAtMost});
  checks.push_back(
      {"kinetic energy at the end, J" + who, 6.75, "closed form", seen.end_energy_j, 1e-6});
  checks.push_back({"x at the end, m" + who, -3.0 * duration, "closed form: x = -3 t",
                    kMetresPerMillimetre * seen.end.poses[kMovingBody].x(), 1e-8});
  checks.push_back({"normal impulse of a step, N s" + who, 9.81 * file.run.step_s,
                    "closed form: m g h", seen.p_n, 1e-10});
  checks.push_back({"friction impulse of a step, N s" + who, 0.0, "closed form", seen.p_t, 1e-10});
  checks.push_back(all_steps_solved(name(kind), seen.run));
  report.times.push_back(
      {std::string("a step, ") + name(kind), seen.step_s, 0.02, "section 6.1, PATH at 2 GHz"});
}

/// Thrown without spin, the disc slides for |v|/(3 mu g) and then rolls with two thirds of its
/// speed.
void slides_then_rolls(const ValidationContext& context, ExampleReport& report) {
  const SceneFile file =
      validation_scene(context, "rolling_disc", {"body.1.angular_velocity_rad_s=0"});
  const Rolling seen = roll(file);
  auto& checks = report.checks;
  checks.push_back({"without spin: slides until, s", 3.0 / (3.0 * 0.4 * 9.81), "closed form",
                    seen.slips_until_s, file.run.step_s});
  checks.push_back({"without spin: speed when it rolls, m/s", -2.0, "closed form",
                    kMetresPerMillimetre * seen.end.nu[0], 1e-8});
  checks.push_back({"without spin: kinetic energy when it rolls, J", 3.0, "closed form",
                    seen.end_energy_j, 1e-7});
}

}  // namespace

ExampleReport validate_rolling_disc(const ValidationContext& context) {
  ExampleReport report{"A1", "disc rolling on a plane", kRollingDiscPaper, {}};
  rolls_for_ever(context, StepperKind::kImplicit, report);
  rolls_for_ever(context, StepperKind::kImplicitFull, report);
  slides_then_rolls(context, report);
  report.checks.push_back(implicit_steppers_agree(validation_scene(context, "rolling_disc")));
  report.checks.push_back(implicit_steppers_agree(
      validation_scene(context, "rolling_disc", {"body.1.angular_velocity_rad_s=0"})));
  return report;
}

}  // namespace graspmap
