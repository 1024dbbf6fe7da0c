#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "grasp/base/io/number.hpp"
#include "lab/validation/examples.hpp"
#include "lab/validation/validation_context.hpp"

namespace graspmap {
namespace {

constexpr const char* kSoftHalfPlanePaper =
    "Chakraborty et al. 2014, section 6.3, eq. (48)-(55), Fig. 7-8";
constexpr const char* kClosed = "closed form";
constexpr const char* kScheme = "bench/independent/soft_disc.py";

/// The energy of a case at a time, with the potential energy zero at y = 1 m.
struct EnergyAt {
  double time_s = 0.0;
  double energy_j = 0.0;
};

/// A run with what is checked of it.
struct SoftRun {
  Curve energy{"total energy"};
  Curve height{"height"};
  Curve velocity{"velocity"};
  Curve spring{"spring force"};
  Curve core{"impulse of the rigid core"};  ///< of each step; zeros on end are left out
  double touch_s = 0.0;                     ///< end of the first step with a spring force
  double first_core_s = 0.0;                ///< end of the first step with a core impulse
  std::vector<double> core_ns;              ///< core impulses, N s
  double deepest_m = 0.0;
  double largest_force_n = 0.0;      ///< of the spring
  double largest_step_loss_j = 0.0;  ///< since the last core impulse, of all steps without any
  double apex_m = 0.0;               ///< highest point after the first contact
  double worst_sideways = 0.0;       ///< of x (mm), theta, v_x and omega
  double step_s = 0.0;               ///< median computing time of a step
  SceneRun run;
};

class SoftWatch {
 public:
  explicit SoftWatch(const SceneFile& file) : file_(file) {}

  void operator()(const PlanarState& state, const PlanarStep* step) {
    const double total = energy(file_.scene, state).total_j() - kAtOneMetre;
    const std::size_t impacts = seen.core_ns.size();
    if (step != nullptr) contact(state, *step);
    const bool hits = seen.core_ns.size() > impacts;
    if (step != nullptr) {
      const double change_j = std::abs(total - seen.energy.y.back());
      seen.largest_step_loss_j = hits ? 0.0 : std::max(seen.largest_step_loss_j, change_j);
    }
    add_core(state.time_s, hits ? seen.core_ns.back() : 0.0);
    seen.energy.add(state.time_s, total);
    seen.velocity.add(state.time_s, kMetresPerMillimetre * state.nu[1]);
    seen.spring.add(state.time_s, spring_force_n_);
    const double y = kMetresPerMillimetre * state.poses[kMovingBody].y();
    seen.height.add(state.time_s, y);
    if (seen.touch_s > 0.0) {
      seen.deepest_m = std::max(seen.deepest_m, 1.0 - y);
      if (state.nu[1] > 0.0 || seen.apex_m > 0.0) seen.apex_m = std::max(seen.apex_m, y);
    }
    for (const double sideways :
         {state.poses[kMovingBody].x(), state.poses[kMovingBody][2], state.nu[0], state.nu[2]}) {
      seen.worst_sideways = std::max(seen.worst_sideways, std::abs(sideways));
    }
  }

  SoftRun seen;

 private:
  static constexpr double kAtOneMetre = 9.81;  // J, m g (1 m)

  /// Two steps of thousands have an impulse: a figure shows all samples that are not needless.
  void add_core(double time_s, double impulse_ns) {
    Curve& core = seen.core;
    const std::size_t n = core.y.size();
    const bool is_flat = n >= 2 && core.y[n - 1] == 0.0 && core.y[n - 2] == 0.0;
    if (is_flat && impulse_ns == 0.0) {
      core.x.back() = time_s;
    } else {
      core.add(time_s, impulse_ns);
    }
  }

  void contact(const PlanarState& state, const PlanarStep& step) {
    const double h = state.time_s - seen.energy.x.back();
    spring_force_n_ = 0.0;
    for (const PlanarContact& c : step.contacts) {
      if (c.p_n <= 0.0) continue;
      if (seen.touch_s == 0.0) seen.touch_s = state.time_s;
      spring_force_n_ = kNewtonsPerMillinewton * (c.p_n - c.p_core) / h;
      seen.largest_force_n = std::max(seen.largest_force_n, spring_force_n_);
      if (c.p_core <= 0.0) continue;
      if (seen.core_ns.empty()) seen.first_core_s = state.time_s;
      seen.core_ns.push_back(kNewtonsPerMillinewton * c.p_core);
    }
  }

  const SceneFile& file_;
  double spring_force_n_ = 0.0;  ///< in the last step
};

/// The parts of Fig. 7 and 8 of the paper.
void add_figures(const std::string& number, const std::string& subtitle, const SoftRun& run,
                 ExampleReport& report) {
  const std::string title = "Disc on a quasi-rigid half-plane, case " + number;
  const auto add = [&](const std::string& name, const std::string& label, const Curve& curve) {
    report.figures.push_back(curves_figure(
        {"a3_case" + number + "_" + name, title, subtitle, "time (s)", label, {curve}}));
  };
  add("energy", "energy (J), zero at y = 1 m", run.energy);
  add("height", "height of the centre (m)", run.height);
  add("velocity", "velocity (m/s)", run.velocity);
  add("spring", "spring force (N)", run.spring);
  if (!run.core_ns.empty()) add("core", "impulse of the rigid core in a step (N s)", run.core);
}

SoftRun watch(const SceneFile& file) {
  SoftWatch watcher(file);
  StepClock clock;
  const SceneRun run =
      run_validation_scene(file, [&](const PlanarState& state, const PlanarStep* step) {
        if (step != nullptr) clock.step_s();
        watcher(state, step);
        clock.go_on();
      });
  watcher.seen.run = run;
  watcher.seen.step_s = clock.median_s();
  return watcher.seen;
}

void add_energies(const char* which, const SoftRun& run, const std::vector<EnergyAt>& expected,
                  double allowed_j, ExampleReport& report) {
  for (const EnergyAt& at : expected) {
    report.equals(fmt::format("{}: energy at {:g} s, J", which, at.time_s), at.energy_j, kScheme,
                  run.energy.at(at.time_s), allowed_j);
  }
}

/// The printed claim, "preserved within 1e-5 J", against what backward Euler does to a spring.
void printed_claim(const char* which, double change, ExampleReport& report) {
  report.at_most(
      fmt::format("{}: change of energy over the run, J", which), 1e-5, "section 6.3: preserved",
      change,
      "backward Euler damps a spring; 1e-5 J holds for single steps of case 1, not for the run");
}

void stops_on_core(const ValidationContext& context, ExampleReport& report) {
  const SceneFile file = validation_scene(context, "soft_disc_stop");
  const SoftRun run = watch(file);
  const double h = file.run.step_s;
  report.equals("case 1: touches, s", 0.319275, kClosed, run.touch_s, 2.0 * h);
  report.equals("case 1: reaches the core, s", 0.335542, kClosed, run.first_core_s, 2.0 * h);
  report.equals("case 1: reaches the core, s", 0.34, "section 6.3", run.first_core_s, 0.01);
  const double total =
      run.core_ns.empty() ? 0.0 : run.core_ns[0] + (run.core_ns.size() > 1 ? run.core_ns[1] : 0.0);
  report.equals("case 1: core impulse of the impact, N s", 2.87941, kClosed, total, 0.02);
  if (run.core_ns.size() >= 2) {
    report.equals("case 1: core impulse of the first step, N s", 2.70316, kScheme, run.core_ns[0],
                  2e-4);
    report.equals("case 1: and of the second one, N s", 0.16511, kScheme, run.core_ns[1], 2e-4);
  }
  report.equals("case 1: deepest, m", 0.05, kClosed, run.deepest_m, 1e-8);
  report.equals("case 1: first apex after the impact, m", 1.077421, kClosed, run.apex_m, 2e-3);
  report.at_most("case 1, after the impact: largest change of energy in a step, J", 1e-5,
                 "section 6.3", run.largest_step_loss_j);
  add_energies("case 1", run,
               {{0.34, 0.75915}, {0.4, 0.75484}, {0.7, 0.74916}, {1.0, 0.74333}, {1.4, 0.73066}},
               2e-5, report);
  report.at_most("case 1: largest sideways motion, mm, mm/s, rad, rad/s", 1e-9, "section 6.3",
                 run.worst_sideways);
  printed_claim("case 1, after the impact", run.energy.at(0.34) - run.energy.y.back(), report);
  report.checks.push_back(all_steps_solved("case 1", run.run));
  report.times.push_back({"case 1: a step", run.step_s, 0.03, "section 6.3, PATH at 2 GHz"});
  add_figures("1", "largest deflection 0.05 m: the core is hit once", run, report);
}

void never_reaches_core(const ValidationContext& context, ExampleReport& report) {
  const SceneFile file = validation_scene(context, "soft_disc_free");
  const SoftRun run = watch(file);
  const double h = file.run.step_s;
  report.equals("case 2: touches, s", 0.319275, kClosed, run.touch_s, 2.0 * h);
  report.equals("case 2: core impulses", 0.0, "section 6.3: none", run.core_ns.size());
  report.equals("case 2: deepest, m", 0.109340, kClosed, run.deepest_m, 5e-4);
  report.equals("case 2: largest spring force, N", 109.34, kClosed, run.largest_force_n, 0.5);
  report.at_most("case 2: largest change of energy in a step, J", 1e-5, "section 6.3",
                 run.largest_step_loss_j,
                 "backward Euler takes the part (h omega)^2 = 1e-5 of the spring's energy, 4.95 "
                 "J, in each step; below 1e-5 J from h = 4.4e-5 s down");
  add_energies("case 2", run, {{0.3, 4.9036}, {0.4, 4.8636}, {1.0, 4.8487}, {1.4, 4.7958}}, 6e-5,
               report);
  printed_claim("case 2", run.energy.y.front() - run.energy.y.back(), report);
  report.checks.push_back(all_steps_solved("case 2", run.run));
  add_figures("2", "largest deflection 1 m: the core is never hit", run, report);
}

}  // namespace

ExampleReport validate_soft_half_plane(const ValidationContext& context) {
  ExampleReport report{"A3", "disc on a quasi-rigid half-plane", kSoftHalfPlanePaper};
  stops_on_core(context, report);
  never_reaches_core(context, report);
  for (const char* scene : {"soft_disc_stop", "soft_disc_free"}) {
    report.checks.push_back(implicit_steppers_agree(validation_scene(context, scene)));
  }
  add_soft_layers(context, report);
  report.remarks = {"The paper does not give the duration: we take 1.4 s."};
  return report;
}

namespace {

constexpr const char* kLayersForm = "closed form";

constexpr double kBlockMass_kg = 0.5;
constexpr double kBlockGravity_m_s2 = 9.81;
constexpr double kWeight_n = kBlockMass_kg * kBlockGravity_m_s2;
constexpr double kBlockFriction = 0.4;

/// A block on its layer: x (mm) and v_x (mm/s) over time.
struct BlockRun {
  Curve x{"block"};
  Curve v{"v_x"};
  double height_mm = 0.0;  ///< at the end
  double slip_mm_s = 0.0;  ///< of the surfaces at the end
  double at_limit = 0.0;   ///< |p_t| / (mu p_n) at the end
  SceneRun run;
};

BlockRun watch_block(const ValidationContext& context, const std::vector<std::string>& changes) {
  const SceneFile file = validation_scene(context, "soft_block", changes);
  BlockRun out;
  out.run = run_validation_scene(file, [&](const PlanarState& state, const PlanarStep* step) {
    out.x.add(state.time_s, state.poses[kMovingBody].x());
    out.v.add(state.time_s, state.nu[0]);
    out.height_mm = state.poses[kMovingBody].y();
    if (step == nullptr || step->contacts.empty()) return;
    const PlanarContact& c = step->contacts.front();
    out.slip_mm_s = c.slip_mm_s;
    out.at_limit = std::abs(c.p_t) / (c.mu * c.p_n);
  });
  return out;
}

/// The extremes of a swing about `rest`: their times, and how far they are from it.
Curve swings(const BlockRun& seen, double rest_mm) {
  Curve found;
  for (std::size_t i = 2; i < seen.v.y.size(); ++i) {
    if (seen.v.y[i - 1] * seen.v.y[i] > 0.0) continue;
    found.add(seen.v.x[i], std::abs(seen.x.y[i] - rest_mm));
  }
  return found;
}

void block_swings(const ValidationContext& context, ExampleReport& report) {
  constexpr double kStiffness = 2000.0;  // N/m
  constexpr double kDamping = 10.0;      // N s/m
  constexpr double kRest_mm = 0.5;
  const BlockRun seen = watch_block(context, {});
  const double omega = std::sqrt(kStiffness / kBlockMass_kg);
  const double ratio = kDamping / (2.0 * std::sqrt(kStiffness * kBlockMass_kg));
  const double damped = omega * std::sqrt(1.0 - ratio * ratio);
  const Curve extremes = swings(seen, kRest_mm);
  const bool has_swung = extremes.x.size() > 4;
  report.equals("block on a tangential spring: half a period, s", std::numbers::pi / damped,
                kLayersForm, has_swung ? (extremes.x[4] - extremes.x[0]) / 4.0 : 0.0, 5e-4);
  report.equals("block: one swing over the one before",
                std::exp(-std::numbers::pi * ratio * omega / damped), kLayersForm,
                has_swung ? extremes.y[1] / extremes.y[0] : 0.0, 0.01);
  report.checks.push_back(all_steps_solved("block", seen.run));
  Curve exact{"closed form", "dt 2 lw 3"};
  for (const double t : seen.x.x) {
    exact.add(
        t, kRest_mm - kRest_mm * std::exp(-ratio * omega * t) *
                          (std::cos(damped * t) + ratio * omega / damped * std::sin(damped * t)));
  }
  CurvesFigure figure{"a3_block_swing", "Block on a soft layer, pulled aside",
                      "the tangential spring and damper of the layer", "time (s)",
                      "displacement (mm)"};
  figure.curves = {seen.x, exact};
  report.figures.push_back(curves_figure(figure));
}

/// With a slow layer the spring's force rises to that of the drive without passing it by more than
/// 0.3 %.
void block_slides(const ValidationContext& context, ExampleReport& report) {
  const auto pulled = [&](double part) {
    return watch_block(context,
                       {fmt::format("body.1.force_n=[{},0]", part * kBlockFriction * kWeight_n),
                        "contact.0.soft.damping_matrix_n_s_per_mm=[[0,0],[0,0.6]]", with_step(0.01),
                        "time.duration_s=5"});
  };
  const BlockRun held = pulled(0.98);
  const BlockRun slid = pulled(1.02);
  report.equals("block pulled by 0.98 mu m g: displacement, mm",
                0.98 * kBlockFriction * kWeight_n / 2.0, kLayersForm, held.x.y.back(), 1e-6);
  report.equals("and slip, mm/s", 0.0, kLayersForm, held.slip_mm_s, 1e-9);
  const std::size_t before = slid.v.y.size() - 101;
  report.equals("block pulled by 1.02 mu m g: acceleration, mm/s^2",
                20.0 * kBlockFriction * kBlockGravity_m_s2, kLayersForm,
                (slid.v.y.back() - slid.v.y[before]) / (slid.v.x.back() - slid.v.x[before]), 1e-4);
  report.equals("and friction over mu p_n", 1.0, "eq. (7)", slid.at_limit, 1e-9);
}

void block_is_coupled(const ValidationContext& context, ExampleReport& report) {
  const BlockRun seen = watch_block(
      context, {"body.1.force_n=[0,0]", "contact.0.soft.stiffness_matrix_n_per_mm=[[5,2],[2,4]]",
                "contact.0.soft.damping_matrix_n_s_per_mm=[[0.25,0.1],[0.1,0.2]]",
                "world.friction=9", with_step(4e-3), "time.duration_s=2"});
  // K delta = (m g, 0), det K = 16
  report.equals("coupled layer under a weight: sideways, mm", -2.0 * kWeight_n / 16.0, kLayersForm,
                seen.x.y.back(), 1e-6);
  report.equals("and down, mm", 4.0 * kWeight_n / 16.0, kLayersForm, 10.0 - seen.height_mm, 1e-6);
}

void ball_lands(const ValidationContext& context, ExampleReport& report) {
  const SpatialSceneFile file = validation_spatial_scene(context, "soft_ball");
  const SpatialRun seen = watch_spatial(file);
  Curve height{"height, mm"};
  Curve ground{"ground's core, 0.01 N s"};
  Curve ball{"ball's core, 0.01 N s"};
  double largest_gain_j = -1.0;
  double deepest_mm = 0.0;
  bool hits_both = false;
  for (std::size_t i = 1; i < seen.shown.size(); ++i) {
    const SpatialSnapshot& at = seen.shown[i];
    largest_gain_j =
        std::max(largest_gain_j, at.energy.total_j() - seen.shown[i - 1].energy.total_j());
    std::array<double, 2> core{};
    if (!at.contacts.empty()) core = at.contacts.front().p_core;
    hits_both = hits_both || (core[0] > 0.0 && core[1] > 0.0);
    const double z = seen.pose(at).position_mm.z();
    deepest_mm = std::max(deepest_mm, 20.0 - z);
    if (at.time_s > 1.0) continue;
    height.add(at.time_s, z);
    ground.add(at.time_s, 100.0 * kNewtonsPerMillinewton * core[0]);
    ball.add(at.time_s, 100.0 * kNewtonsPerMillinewton * core[1]);
  }
  report.equals("soft ball on soft ground: deepest, mm", 9.0, "both stops, 3 + 6 mm", deepest_mm,
                1e-8);
  report.equals("ball: both cores push in one step", 1.0, kLayersForm, hits_both ? 1.0 : 0.0);
  report.equals("ball at rest: depth, mm", kWeight_n / 3.0 + kWeight_n / 2.0,
                "closed form: springs in series", 20.0 - seen.pose(seen.end()).position_mm.z(),
                1e-6);
  report.at_most("ball: largest gain of energy in a step, J", 1e-12, "springs and dampers",
                 largest_gain_j);
  report.checks.push_back(all_steps_solved("ball", seen.run));
  CurvesFigure figure{"a3_ball", "Soft ball on soft ground",
                      "two layers in series, each with its own core", "time (s)",
                      "height (mm), impulse in a step (0.01 N s)"};
  figure.curves = {height, ground, ball};
  report.figures.push_back(curves_figure(figure));
}

}  // namespace

void add_soft_layers(const ValidationContext& context, ExampleReport& report) {
  block_swings(context, report);
  block_slides(context, report);
  block_is_coupled(context, report);
  ball_lands(context, report);
}

}  // namespace graspmap
