#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "lab/validation/examples.hpp"
#include "lab/validation/validation_context.hpp"

namespace graspmap {
namespace {

constexpr const char* kSphereOnPlanePaper = "Mylapilli and Jain 2017, section 6.1, Fig. 9-12";
constexpr std::array kSphereSolvers{ContactSolver::kMlcpLemke, ContactSolver::kMlcpPfbRlm,
                                    ContactSolver::kMlcpPfbPlm, ContactSolver::kMncpRlm,
                                    ContactSolver::kMncpPlm};
constexpr double kSpeed_m_s = 2.0;
constexpr double kSphereMu = 0.2;
/// Case 2 beside the tie of two directions.
constexpr double kBesideTie_deg = 44.5;
constexpr double kSphereWeight_n = 9.81;
/// 2 v0 / (7 mu g): the paper's t_sr.
constexpr double kRolls_s = 2.0 * kSpeed_m_s / (7.0 * kSphereMu * 9.81);
constexpr double kRollingSpeed_m_s = 5.0 / 7.0 * kSpeed_m_s;

/// How the friction directions of the MLCP are turned.
struct ConeDirections {
  double offset_deg = 0.0;
  bool are_fixed = false;
};

struct SphereOnPlaneRun {
  std::string title;
  SpatialRun seen;
  double rolls_s = 0.0;  ///< end of the first step without slip
};

/// The sphere's velocities: m/s and rad/s.
Twist sphere_velocity(const SpatialSnapshot& at) { return in_metres(at.velocities[0]); }

/// The force of a step's impulse along one of the contact's axes, N.
double contact_force_n(const SpatialSnapshot& at, double SpatialContact::*impulse) {
  if (at.contacts.empty() || at.step_s == 0.0) return 0.0;
  return kNewtonsPerMillinewton * at.contacts[0].*impulse / at.step_s;
}

double friction_force_n(const SpatialSnapshot& at) {
  return std::hypot(contact_force_n(at, &SpatialContact::p_t),
                    contact_force_n(at, &SpatialContact::p_o));
}

SphereOnPlaneRun run_sphere_on_plane(const ValidationContext& context, ContactSolver solver,
                                     const ConeDirections& directions) {
  const SpatialSceneFile file =
      validation_spatial_scene(context, "sphere_on_plane",
                               {fmt::format("solver.contact_solver={}", name(solver)),
                                fmt::format("solver.direction_offset_rad={:.17g}",
                                            directions.offset_deg * std::numbers::pi / 180.0),
                                fmt::format("solver.fixed_directions={}", directions.are_fixed)});
  SphereOnPlaneRun run{name(solver), watch_spatial(file)};
  constexpr double kNoSlip_mm_s = 1e-6;
  for (const SpatialSnapshot& at : run.seen.shown) {
    if (at.contacts.size() != 1 || at.contacts[0].sigma_mm_s > kNoSlip_mm_s) continue;
    run.rolls_s = at.time_s;
    break;
  }
  return run;
}

void add_rolling(const SphereOnPlaneRun& run, const std::string& who, ExampleReport& report) {
  const Twist end = sphere_velocity(run.seen.end());
  report.equals(who + "v_x at 0.6 s, m/s", kRollingSpeed_m_s, "closed form, 5 v0 / 7", end[0],
                1e-9);
  report.equals(who + "w_y at 0.6 s, rad/s", kRollingSpeed_m_s, "closed form, 5 v0 / (7 R)", end[4],
                1e-9);
  report.checks.push_back(all_steps_solved(who.substr(0, who.size() - 2), run.seen.run));
}

/// Friction while it slides and after that, against the cone.
void add_sphere_friction(const SphereOnPlaneRun& run, const std::string& who,
                         ExampleReport& report) {
  double normal = 0.0;
  double sliding = 0.0;
  double rolling = 0.0;
  double across = 0.0;
  for (std::size_t i = 1; i < run.seen.shown.size(); ++i) {
    const SpatialSnapshot& at = run.seen.shown[i];
    const double p_n = contact_force_n(at, &SpatialContact::p_n);
    normal = std::max(normal, std::abs(p_n - kSphereWeight_n));
    across = std::max(across, std::abs(contact_force_n(at, &SpatialContact::p_o)));
    if (at.time_s < kRolls_s) {
      const double along = contact_force_n(at, &SpatialContact::p_t);
      sliding = std::max(sliding, std::abs(along + kSphereMu * kSphereWeight_n));
    } else if (at.time_s > run.rolls_s) {
      rolling = std::max(rolling, friction_force_n(at));
    }
  }
  const char* cone = "section 6.1, Fig. 11(b)";
  report.at_most(who + "normal force, largest difference from m g, N", 1e-6, "closed form", normal);
  report.at_most(who + "F_f while it slides, largest difference from -mu m g, N", 1e-6, cone,
                 sliding);
  report.at_most(who + "friction while it rolls, N", 1e-6, cone, rolling);
  report.at_most(who + "F_o at any time, N", 1e-6, cone, across);
}

void add_case_1(const SphereOnPlaneRun& run, ExampleReport& report) {
  const std::string who = "case 1, " + run.title + ": ";
  report.equals(who + "rolls from, s", kRolls_s, "closed form, to the next step's end", run.rolls_s,
                1e-3);
  add_rolling(run, who, report);
  const double others = largest_of(run.seen, [](const SpatialSnapshot& at) {
    const Twist nu = sphere_velocity(at);
    return std::max({std::abs(nu[1]), std::abs(nu[2]), std::abs(nu[3]), std::abs(nu[5])});
  });
  report.at_most(who + "v_y, v_z, w_x, w_z at any time", 1e-9, "section 6.1, Fig. 11(a)", others);
  add_sphere_friction(run, who, report);
  const double x = run.seen.position_m(run.seen.at_s(0.291)).x();
  const double exact = kSpeed_m_s * 0.291 - 0.5 * kSphereMu * 9.81 * 0.291 * 0.291;
  report.equals(who + "x at 0.291 s, m", exact, "closed form, to h mu g t / 2", x, 3.1e-4);
  const double end = run.seen.position_m(run.seen.end()).x();
  report.equals(who + "x at 0.6 s, m", 0.940357, "closed form, to h mu g t / 2", end, 3.1e-4);
  report.equals(who + "x at 0.6 s, m", 0.940071, "bench/independent/sliding_sphere.py", end, 1e-6);
}

void add_sphere_agreement(const std::vector<SphereOnPlaneRun>& runs, ExampleReport& report) {
  double apart = 0.0;
  for (const SphereOnPlaneRun& run : runs) {
    for (std::size_t i = 0; i < run.seen.shown.size(); ++i) {
      const Twist difference =
          sphere_velocity(run.seen.shown[i]) - sphere_velocity(runs.front().seen.shown.at(i));
      apart = std::max(apart, difference.cwiseAbs().maxCoeff());
    }
  }
  report.at_most("case 1: velocities of the five solvers apart, m/s and rad/s", 1e-9,
                 "section 6.1: both sets match", apart);
}

/// |v_y - 2/7 v_ty|, which holds while friction is all that acts across: v - 2/7 v_t does not
/// change.
double conserved_error(const SpatialSnapshot& at) {
  const Twist nu = sphere_velocity(at);
  const double v_ty = nu[1] + nu[3];
  return std::max(std::abs(nu[1] - 2.0 / 7.0 * v_ty), std::abs(nu[3] - 5.0 / 7.0 * v_ty));
}

double sideways_m_s(const SphereOnPlaneRun& run) {
  return largest_of(run.seen,
                    [](const SpatialSnapshot& at) { return std::abs(sphere_velocity(at)[1]); });
}

void add_case_2(const SphereOnPlaneRun& run, const std::string& who, ExampleReport& report) {
  const double allowed = 2e-3;
  report.equals(who + "rolls from, s", std::numbers::sqrt2 * kRolls_s, "sqrt(2) t_sr, to two steps",
                run.rolls_s, allowed);
  report.equals(who + "rolls from, s", 0.4, "section 6.1, Fig. 12, about", run.rolls_s, 0.02);
  add_rolling(run, who, report);
  report.at_most(who + "v_y - 2/7 v_ty and w_x - 5/7 v_ty at any time", 1e-9, "closed form",
                 largest_of(run.seen, conserved_error));
}

double turning_rad_s(const SphereOnPlaneRun& run) {
  return largest_of(run.seen,
                    [](const SpatialSnapshot& at) { return std::abs(sphere_velocity(at)[3]); });
}

/// Fig. 12 shows v_y and w_x that are not zero. At 45 degrees exactly ours stay zero; a hair beside
/// it they are what the figure shows, if the directions turn with the slip.
void add_sideways_claim(const ValidationContext& context,
                        const std::vector<SphereOnPlaneRun>& turned, ExampleReport& report) {
  double v_y = 0.0;
  double w_x = 0.0;
  for (const SphereOnPlaneRun& run : turned) {
    v_y = std::max(v_y, sideways_m_s(run));
    w_x = std::max(w_x, turning_rad_s(run));
  }
  const char* claim = "section 6.1, Fig. 12: not zero";
  const char* why =
      "at exactly 45 degrees two directions oppose the slip equally, every split of friction "
      "between them solves the MLCP, and all of our solvers split it evenly; the paper's favour a "
      "side";
  const auto not_zero = [&](const char* what, double obtained) {
    report.at_least(what, 1e-3, claim, obtained, why);
  };
  not_zero("case 2, the MLCP solvers: largest |v_y|, m/s", v_y);
  not_zero("case 2, the MLCP solvers: largest |w_x|, rad/s", w_x);
  report.at_most("case 2, the MLCP solvers: largest |v_y|, m/s", 1e-9,
                 "closed form for an even split", v_y);
  const double angle = kBesideTie_deg * std::numbers::pi / 180.0;
  // Friction at this angle to the slip makes the slip a logarithmic spiral: v_y = 2/7 |v_t| sin phi
  // with |v_t| = v0 exp(-phi / tan angle), which is largest at phi = angle.
  const double spiral = kSpeed_m_s * std::exp(-angle / std::tan(angle)) * std::sin(angle);
  const char* source = "logarithmic spiral, closed form, to O(h)";
  for (const ContactSolver solver : kSphereSolvers) {
    if (!is_polyhedral(solver)) continue;
    const SphereOnPlaneRun run = run_sphere_on_plane(context, solver, {kBesideTie_deg, false});
    const std::string who =
        fmt::format("directions {:g} degrees from the slip, {}: ", kBesideTie_deg, run.title);
    report.equals(who + "largest |v_y|, m/s", 2.0 / 7.0 * spiral, source, sideways_m_s(run), 1e-3);
    report.equals(who + "largest |w_x|, rad/s", 5.0 / 7.0 * spiral, source, turning_rad_s(run),
                  2.5e-3);
    report.equals(who + "rolls from, s", 0.4, "section 6.1, Fig. 12, about", run.rolls_s, 0.02);
    add_rolling(run, who, report);
  }
}

/// ConeDirections that favour one side.
void add_asymmetric(const ValidationContext& context, ExampleReport& report) {
  struct Expected {
    double degrees, rolls_s, fastest_m_s, fastest_digits, y_m;
  };
  const char* source = "bench/independent/sliding_sphere.py";
  for (const ContactSolver solver : kSphereSolvers) {
    if (!is_polyhedral(solver)) continue;
    for (const Expected& expected : {Expected{30.0, 0.398, 0.10444, 1e-5, -0.020803},
                                     Expected{44.0, 0.412, 0.0097776, 1e-6, 0.0}}) {
      const SphereOnPlaneRun run = run_sphere_on_plane(context, solver, {expected.degrees, true});
      const std::string who =
          fmt::format("directions fixed at {:g} degrees, {}: ", expected.degrees, run.title);
      report.equals(who + "rolls from, s", expected.rolls_s, source, run.rolls_s, 1e-9);
      report.equals(who + "largest |v_y|, m/s", expected.fastest_m_s, source, sideways_m_s(run),
                    expected.fastest_digits);
      add_rolling(run, who, report);
      if (expected.y_m == 0.0) continue;
      report.equals(who + "y at 0.6 s, m", expected.y_m, source,
                    run.seen.position_m(run.seen.end()).y(), 1e-6);
    }
  }
}

Figure sphere_velocities_figure(const std::string& id, const std::string& subtitle,
                                const std::vector<const SphereOnPlaneRun*>& runs) {
  CurvesFigure figure{id, "Sphere on a plane", subtitle, "time (s)", "velocity (m/s and rad/s)"};
  struct Shown {
    const char* title;
    int row;
  };
  for (const SphereOnPlaneRun* run : runs) {
    for (const Shown& shown :
         {Shown{"v_x", 0}, Shown{"w_y", 4}, Shown{"v_y", 1}, Shown{"w_x", 3}}) {
      figure.curves.push_back(curve_of(
          run->seen, fmt::format("{}, {}", shown.title, run->title),
          [&](const SpatialSnapshot& at) { return sphere_velocity(at)[shown.row]; },
          run == runs.front() ? "lw 4" : "dt 2 lw 2"));
    }
  }
  return curves_figure(figure);
}

Figure sphere_friction_figure(const SphereOnPlaneRun& run) {
  CurvesFigure figure{"b1_friction", "Sphere on a plane",
                      "case 1, " + run.title + ": friction against its cone", "time (s)",
                      "force (N)"};
  SpatialRun steps = run.seen;
  steps.shown.erase(steps.shown.begin());
  figure.curves = {
      curve_of(
          steps, "mu F_n",
          [](const SpatialSnapshot& at) {
            return kSphereMu * contact_force_n(at, &SpatialContact::p_n);
          },
          "lw 4"),
      curve_of(steps, "|(F_f, F_o)|", friction_force_n, "dt 2 lw 3"),
      curve_of(steps, "F_f",
               [](const SpatialSnapshot& at) { return contact_force_n(at, &SpatialContact::p_t); }),
      curve_of(steps, "F_o", [](const SpatialSnapshot& at) {
        return contact_force_n(at, &SpatialContact::p_o);
      })};
  return curves_figure(figure);
}

}  // namespace

ExampleReport validate_sphere_on_plane(const ValidationContext& context) {
  ExampleReport report{"B1", "sphere sliding and rolling on a plane", kSphereOnPlanePaper};
  std::vector<SphereOnPlaneRun> aligned;
  for (const ContactSolver solver : kSphereSolvers) {
    aligned.push_back(run_sphere_on_plane(context, solver, {}));
    add_case_1(aligned.back(), report);
  }
  add_sphere_agreement(aligned, report);
  std::vector<SphereOnPlaneRun> turned;
  for (const ContactSolver solver : kSphereSolvers) {
    if (!is_polyhedral(solver)) continue;
    for (const bool are_fixed : {false, true}) {
      turned.push_back(run_sphere_on_plane(context, solver, {45.0, are_fixed}));
      turned.back().title += are_fixed ? ", fixed" : ", turned with the slip";
      add_case_2(turned.back(), "case 2, " + turned.back().title + ": ", report);
    }
  }
  add_sideways_claim(context, turned, report);
  add_asymmetric(context, report);
  SphereOnPlaneRun beside =
      run_sphere_on_plane(context, ContactSolver::kMlcpLemke, {kBesideTie_deg, false});
  turned.front().title = "at 45 degrees";
  beside.title = "at 44.5 degrees";
  report.figures = {
      sphere_velocities_figure("b1_case1_velocities", "case 1: one direction against the slip",
                               {&aligned.front(), &aligned[3]}),
      sphere_friction_figure(aligned[3]),
      sphere_velocities_figure("b1_case2_velocities",
                               "case 2, mlcp-lemke: directions 45 degrees from the slip, and 44.5",
                               {&turned.front(), &beside})};
  report.remarks = {
      "The paper does not say which direction its case 2 turns after the first step, nor the "
      "lambda of the penalised function (0.95 here), limits of iterations or first guesses. At 45 "
      "degrees two directions tie, and any split of friction between them solves the MLCP. Lemke's "
      "method stands in for PATH.",
      "Moment of inertia 2/5 m R^2: the paper says uniform."};
  return report;
}

}  // namespace graspmap
