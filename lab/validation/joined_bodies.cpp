#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/validation/examples.hpp"
#include "lab/validation/validation_context.hpp"

namespace graspmap {
namespace {

constexpr const char* kJointsPaper = "Hart and Anitescu 2003, eq. (2.1), (2.8); no example";
constexpr double kString_m = 0.5;
constexpr double kConeAngle_rad = 0.6;

/// What the joints of a run are off by, and how that compares with the bound h^2 |w|^2 l.
struct JointRun {
  SpatialRun seen;
  Curve curve;           ///< the infeasibility over time, m
  double worst_m = 0.0;  ///< the largest
  double bound = 0.0;    ///< the largest of |Theta| over (h |w|)^2 and the string's length
};

double joint_gap_m(const SpatialSceneFile& file, const SpatialSnapshot& at) {
  double worst = 0.0;
  for (const SpatialJoint& joint : file.rigid().scene.joints) {
    const auto pose = [&](int body) { return at.poses[static_cast<std::size_t>(body)]; };
    const JointGap gap = joint_gap(joint, pose(joint.body_a), pose(joint.body_b));
    worst = std::max({worst, kMetresPerMillimetre * gap.mm, kString_m * gap.rad});
  }
  return worst;
}

JointRun run_joints(const ValidationContext& context, const std::string& scene,
                    SpatialStepperKind kind, double step_s) {
  const SpatialSceneFile file = validation_spatial_scene(
      context, scene, {fmt::format("solver.stepper={}", name(kind)), with_step(step_s)});
  JointRun run{watch_spatial(file), {fmt::format("{}, h = {} s", name(kind), step_s)}};
  for (std::size_t i = 1; i < run.seen.shown.size(); ++i) {
    const SpatialSnapshot& at = run.seen.shown[i];
    const double gap_m = joint_gap_m(file, at);
    const double turn = at.step_s * at.velocities[run.seen.body].tail<3>().norm();
    run.curve.add(at.time_s, std::max(gap_m, 1e-17));
    run.worst_m = std::max(run.worst_m, gap_m);
    run.bound = std::max(run.bound, gap_m / (turn * turn * kString_m));
  }
  return run;
}

/// How often the ball went round.
double rounds(const SpatialRun& seen) {
  double angle = 0.0;
  for (std::size_t i = 1; i < seen.shown.size(); ++i) {
    const Vec3 a = seen.position_m(seen.shown[i - 1]);
    const Vec3 b = seen.position_m(seen.shown[i]);
    angle += std::atan2(a.x() * b.y() - a.y() * b.x(), a.x() * b.x() + a.y() * b.y());
  }
  return angle / (2.0 * M_PI);
}

void add_pendulum(const ValidationContext& context, ExampleReport& report) {
  constexpr double kStep_s = 0.005;
  constexpr std::array kSteps_s{0.02, 0.01, 0.005, 0.0025};
  const auto run = [&](SpatialStepperKind kind, double step_s) {
    return run_joints(context, "conical_pendulum", kind, step_s);
  };
  std::vector<JointRun> stabilised;
  for (const double h : kSteps_s) stabilised.push_back(run(SpatialStepperKind::kAnitescuHart, h));
  const JointRun drifting = run(SpatialStepperKind::kAnitescuHartUnstabilised, kStep_s);
  const JointRun implicit = run(SpatialStepperKind::kImplicit, kStep_s);
  const JointRun& hart = stabilised[2];
  const double rate = std::sqrt(9.81 / (kString_m * std::cos(kConeAngle_rad)));
  report.equals("conical pendulum, stabilised: rounds in 12.88 s", rate * 12.88 / (2.0 * M_PI),
                "closed form: Omega^2 = g / (l cos)", rounds(hart.seen), 0.001);
  report.equals("string's force at the end, N", 2.0 * 9.81 / std::cos(kConeAngle_rad),
                "closed form: m g / cos, to O(h)",
                kNewtonsPerMillinewton / hart.seen.end().step_s *
                    hart.seen.end().joint_impulses[0].head<3>().norm(),
                0.1);
  ;
  for (std::size_t i = 0; i < stabilised.size(); ++i) {
    report.at_most(fmt::format("h = {} s: infeasibility over h^2 |w|^2 l, at most", kSteps_s[i]),
                   0.5, "the remainder of (2.8); section 2: O(h^2 |v|^2)", stabilised[i].bound);
  }
  report.equals("order in h of the largest infeasibility, h = 0.02 to 0.0025 s", 2.0,
                "section 2: O(h^2 |v|^2)",
                std::log2(stabilised[0].worst_m / stabilised[3].worst_m) / 3.0, 0.05);
  report.at_least("largest infeasibility, unstabilised over stabilised", 50.0,
                  "ours: what the first steps are off by stays", drifting.worst_m / hart.worst_m);
  report.at_most("implicit: largest infeasibility, m", 1e-10, "it holds at the ends of steps",
                 implicit.worst_m);
  for (const JointRun* seen : {&hart, &drifting, &implicit}) {
    report.checks.push_back(all_steps_solved(seen->curve.title, seen->seen.run));
  }
  CurvesFigure figure{"e4_infeasibility", "A ball on a string goes round: what the joint is off by",
                      "stabilised: half of the step leaves a quarter", "time (s)",
                      "infeasibility (m)"};
  figure.log_y = true;
  for (std::size_t i = 0; i < stabilised.size(); ++i) {
    figure.curves.push_back(stabilised[i].curve);
    figure.curves.back().title = fmt::format("h = {} s", kSteps_s[i]);
  }
  figure.curves.push_back(drifting.curve);
  figure.curves.back().title = "0.005 s, unstabilised";
  report.figures.push_back(curves_figure(figure));
}

void add_machine(const ValidationContext& context, ExampleReport& report) {
  constexpr double kStep_s = 0.005;
  for (const SpatialStepperKind kind :
       {SpatialStepperKind::kImplicit, SpatialStepperKind::kAnitescuHart}) {
    const JointRun run = run_joints(context, "joined_bodies", kind, kStep_s);
    const std::string who = fmt::format("three joints and contacts, {}: ", name(kind));
    const bool is_implicit = kind == SpatialStepperKind::kImplicit;
    const char* reason = is_implicit ? "held at the ends of steps" : "h^2 |v|^2 / l, with 2.5 m/s";
    report.at_most(who + "joints off by, m or 0.5 m rad", is_implicit ? 1e-10 : 2e-3, reason,
                   run.worst_m);
    report.at_most(who + "deepest overlap, m", is_implicit ? 1e-10 : 2e-3, reason,
                   kMetresPerMillimetre * run.seen.run.totals.worst_overlap_mm);
    report.equals(who + "height of the block's centre at the end, m", 0.02, "it lies on its side",
                  kMetresPerMillimetre * run.seen.end().poses.back().position_mm.z(), 1e-3);
    report.checks.push_back(
        all_steps_solved(fmt::format("three joints and contacts, {}", name(kind)), run.seen.run));
  }
  report.figures.push_back(
      motion_figure(validation_spatial_scene(context, "joined_bodies"), "e4_motion"));
}

}  // namespace

ExampleReport validate_joined_bodies(const ValidationContext& context) {
  ExampleReport report{"E4", "joints and their stabilisation", kJointsPaper};
  add_pendulum(context, report);
  add_machine(context, report);
  report.remarks = {
      "The paper formulates joints and prints no example of one: both scenes are our choice."};
  return report;
}

}  // namespace graspmap
