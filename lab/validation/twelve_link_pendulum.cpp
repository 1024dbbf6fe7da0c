#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>

#include "lab/validation/examples.hpp"
#include "lab/validation/validation_context.hpp"

namespace graspmap {
namespace {

constexpr const char* kPendulumPaper = "Mylapilli and Jain 2017, section 6.2, Fig. 13-18, Table 1";
constexpr std::size_t kLinks = 12;
constexpr std::size_t kLastLink = kLinks - 1;
constexpr int kFloor = 12;  // bodies after the links
constexpr int kWall = 13;
constexpr double kPivotHeight_m = 10.0;
constexpr double kChainWeight_n = 12.0 * 9.81;
constexpr double kCompared_s = 1.15;   ///< through the first impacts on floor and wall
constexpr double kPaperFloor_m = 0.1;  ///< the paper measures heights from the floor's middle

/// A row of the paper's Table 1.
struct SolverTime {
  ContactSolver solver;
  const char* printed_name;
  double printed_s;
};
constexpr std::array<SolverTime, 5> kSolverTimes{
    SolverTime{ContactSolver::kMlcpLemke, "MLCP-PATH", 23.92},
    {ContactSolver::kMlcpPfbRlm, "MLCP-PFB-RLM", 22.78},
    {ContactSolver::kMlcpPfbPlm, "MLCP-PFB-PLM", 24.24},
    {ContactSolver::kMncpRlm, "MNCP-RLM", 22.85},
    {ContactSolver::kMncpPlm, "MNCP-PLM", 22.82}};
constexpr std::size_t kReferenceTime = 3;  // MNCP-RLM

struct PendulumRun {
  std::string title;
  SceneRun run;
  double seconds = 0.0;
  Curve height;                                    ///< of the last link, m
  Curve v_z;                                       ///< of the last link, m/s
  Curve energy;                                    ///< relative to the pivot, J
  std::vector<std::array<Vec3, kLinks>> places_m;  ///< by step, until `kCompared_s`
  std::vector<Vec3> last_link_m;                   ///< by step
  double floor_s = 0.0;         ///< end of the first step with an impulse of the floor
  double wall_s = 0.0;          ///< the same of the wall
  double floor_again_s = 0.0;   ///< of the floor, after that
  double work_gained_j = 0.0;   ///< by contact impulses, in steps where that is > 0
  double work_j = 0.0;          ///< of all contact impulses
  double drift_j = 0.0;         ///< of the energy in steps without impulses
  double largest_rise_j = 0.0;  ///< of the energy in a step with impulses
  int touches_itself = 0;       ///< steps in which links push each other
  int unknowns_a_contact = 0;
};

double energy_about_pivot_j(const SpatialSnapshot& at) {
  return at.energy.total_j() - kChainWeight_n * kPivotHeight_m;
}

bool is_pushed_by(const SpatialSnapshot& at, int body) {
  return std::any_of(at.contacts.begin(), at.contacts.end(), [&](const SpatialContact& contact) {
    return contact.p_n > 0.0 && contact.body_b == body;
  });
}

void watch_hits(const SpatialSnapshot& at, PendulumRun& seen) {
  const bool floor = is_pushed_by(at, kFloor);
  if (floor && seen.floor_s == 0.0) seen.floor_s = at.time_s;
  if (floor && seen.wall_s > 0.0 && seen.floor_again_s == 0.0) seen.floor_again_s = at.time_s;
  if (is_pushed_by(at, kWall) && seen.wall_s == 0.0) seen.wall_s = at.time_s;
  bool has_impulse = false;
  bool touches_itself = false;
  for (const SpatialContact& contact : at.contacts) {
    has_impulse = has_impulse || contact.p_n > 0.0;
    touches_itself = touches_itself || (contact.p_n > 0.0 && contact.body_b < kFloor);
  }
  seen.touches_itself += touches_itself ? 1 : 0;
  if (!at.contacts.empty()) {
    seen.unknowns_a_contact = at.unknowns / static_cast<int>(at.contacts.size());
  }
  seen.work_j += at.contact_work_j;
  seen.work_gained_j += std::max(0.0, at.contact_work_j);
  if (seen.energy.y.empty()) return;
  const double rise_j = energy_about_pivot_j(at) - seen.energy.y.back();
  if (has_impulse) {
    seen.largest_rise_j = std::max(seen.largest_rise_j, rise_j);
  } else {
    seen.drift_j += rise_j;
  }
}

void watch_last_link(const SpatialSnapshot& at, PendulumRun& seen) {
  const Vec3 last = kMetresPerMillimetre * at.poses[kLastLink].position_mm;
  const auto add = [&](Curve& curve, double y) { curve.add(at.time_s, y); };
  add(seen.height, last.z() + kPaperFloor_m);
  add(seen.v_z, kMetresPerMillimetre * at.velocities[kLastLink][2]);
  add(seen.energy, energy_about_pivot_j(at));
  seen.last_link_m.push_back(last);
  if (at.time_s > kCompared_s) return;
  std::array<Vec3, kLinks> places;
  for (std::size_t k = 0; k < kLinks; ++k)
    places.at(k) = kMetresPerMillimetre * at.poses[k].position_mm;
  seen.places_m.push_back(places);
}

PendulumRun run_pendulum(const ValidationContext& context, const SolverTime& row) {
  const SpatialSceneFile file = validation_spatial_scene(
      context, "twelve_link_pendulum", {fmt::format("solver.contact_solver={}", name(row.solver))});
  PendulumRun seen;
  seen.title = seen.height.title = seen.v_z.title = seen.energy.title = name(row.solver);
  const auto start = std::chrono::steady_clock::now();
  seen.run = simulate(file, [&](const SpatialSnapshot& at) {
    watch_hits(at, seen);
    watch_last_link(at, seen);
    return true;
  });
  seen.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return seen;
}

/// The chain until something touches it, or until the end.
struct ChainFall {
  SpatialSnapshot start;
  SpatialSnapshot before;  ///< a step before the end
  SpatialSnapshot end;

  /// From 1; 0: none touches anything.
  [[nodiscard]] int link() const { return end.contacts.empty() ? 0 : end.contacts[0].body_a + 1; }
};

ChainFall watch_fall(const ValidationContext& context, const std::vector<std::string>& overrides) {
  ChainFall fall;
  simulate(validation_spatial_scene(context, "twelve_link_pendulum", overrides),
           [&](const SpatialSnapshot& at) {
             if (at.step_s == 0.0) fall.start = at;
             fall.before = fall.end;
             fall.end = at;
             return at.contacts.empty();
           });
  return fall;
}

/// What holds before any contact, whatever the model of contacts.
void add_free_fall(const ValidationContext& context, ExampleReport& report) {
  const ChainFall fall = watch_fall(context, {});
  const Vec3 x = kMetresPerMillimetre * fall.before.poses[kLastLink].position_mm;
  const Vec3 v = kMetresPerMillimetre * fall.before.velocities[kLastLink].head<3>();
  const char* source = "bench/independent/pendulum.py, to a step before the hit";
  report.equals("energy at the start, relative to the pivot, J", -215.914,
                "closed form, 3 decimals", energy_about_pivot_j(fall.start), 5e-4);
  report.equals("first hit of the floor, s", 0.157, "bench/independent/pendulum.py, the same steps",
                fall.end.time_s, 1e-9);
  report.equals("first hit of the floor, s", 0.1565, "bench/independent/pendulum.py, fine steps",
                fall.end.time_s, 1e-3);
  report.equals("link that hits", 12.0, "bench/independent/pendulum.py", fall.link());
  report.equals("its place beside the pivot, m", -6.993, source, x.y(), 0.0106);
  report.equals("its v_y, m/s", 10.583, source, v.y(), 0.03);
  report.equals("its v_z, m/s", -7.555, source, v.z(), 0.03);

  const ChainFall deeper =
      watch_fall(context, {"obstacle.0.point_mm=[0,0,-1000]", "time.duration_s=0.157"});
  report.equals("drift of the energy until 0.157 s, J", 0.0167, "bench/independent/pendulum.py",
                std::abs(energy_about_pivot_j(deeper.end) - energy_about_pivot_j(deeper.start)),
                1e-4);
  const ChainFall away = watch_fall(context, {"link.0.speed_rad_s=-1", "time.duration_s=4"});
  report.equals("started away from the floor: first hit, s", 2.301,
                "bench/independent/pendulum.py, to a step", away.end.time_s, 1.01e-3);
  report.equals("started away from the floor: link that hits", 11.0,
                "bench/independent/pendulum.py", away.link());
}

void add_pendulum_run(const PendulumRun& seen, const SolverTime& row, ExampleReport& report) {
  const std::string who = seen.title + ": ";
  report.checks.push_back(all_steps_solved(seen.title, seen.run));
  report.equals(who + "floor, s", 0.157, "bench/independent/pendulum.py, the same steps",
                seen.floor_s, 1e-9);
  report.at_least(who + "then the wall, after s", seen.floor_s, "section 6.2: ground, wall, ground",
                  seen.wall_s);
  report.at_least(who + "then the floor again, after s", seen.wall_s,
                  "section 6.2: ground, wall, ground", seen.floor_again_s);
  report.at_least(who + "steps in which links push each other", 1.0, "section 6.2: with each other",
                  seen.touches_itself);
  report.at_most(who + "energy gained in contacts, J", 1e-9, "restitution <= 1",
                 seen.work_gained_j);
  report.equals(who + "unknowns a contact", is_polyhedral(row.solver) ? 6.0 : 3.0,
                "section 6.2: 6 n_u and 3 n_u", seen.unknowns_a_contact);
}

/// The largest distance of a link of two runs at the same time, through the first contacts.
double links_apart_m(const PendulumRun& a, const PendulumRun& b) {
  double apart = 0.0;
  const std::size_t steps = std::min(a.places_m.size(), b.places_m.size());
  for (std::size_t i = 0; i < steps; ++i) {
    for (std::size_t k = 0; k < kLinks; ++k) {
      apart = std::max(apart, (a.places_m[i].at(k) - b.places_m[i].at(k)).norm());
    }
  }
  return apart;
}

void add_solvers_agree(const std::vector<PendulumRun>& runs, ExampleReport& report) {
  const PendulumRun& first = runs.front();
  for (const PendulumRun& seen : runs) {
    if (&seen == &first) continue;
    const std::string who = first.title + " and " + seen.title + ": ";
    report.at_most(who + "links apart until 1.15 s, m", 1e-6,
                   "section 6.2: close match of the five", links_apart_m(first, seen));
    report.shown(who + "last links apart at 20 s, m", 0.0,
                 "section 6.2, Fig. 17: minor differences",
                 (first.last_link_m.back() - seen.last_link_m.back()).norm(),
                 "the motion is chaotic before the chain comes to rest");
  }
}

/// Table 1 is of the whole run; here its mean over the steps.
void add_solver_times(const std::vector<PendulumRun>& runs, ExampleReport& report) {
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const SolverTime& row = kSolverTimes.at(i);
    const auto steps = static_cast<double>(runs[i].run.totals.steps);
    report.times.push_back({"a step, " + runs[i].title, runs[i].seconds / steps,
                            row.printed_s / steps, fmt::format("Table 1, {}", row.printed_name)});
  }
}

/// What the run does beside the paper's story.
void add_pendulum_notes(const PendulumRun& seen, ExampleReport& report) {
  report.shown(seen.title + ": overlap at any step's end, m", 0.0,
               "section 2.7: velocities alone are corrected",
               kMetresPerMillimetre * seen.run.totals.worst_overlap_mm,
               "positions are not corrected; it creeps in while the chain drags on the floor");
  report.shown(seen.title + ": energy's drift in steps without impulses, J", 0.0,
               "no force does work", seen.drift_j, "of semi-implicit Euler, over 20 s");
  report.shown(seen.title + ": largest rise of the energy in a step with impulses, J", 0.0,
               "restitution <= 1", seen.largest_rise_j,
               "the impulses do no work; the scheme's own error while links turn at 20 rad/s, "
               "none with steps of 0.1 ms");
}

/// Newton's restitution as it stands, at the first hit.
void add_newton(const ValidationContext& context, ExampleReport& report) {
  SpatialSceneFile file = validation_spatial_scene(context, "twelve_link_pendulum");
  ArticulatedScene scene = file.articulated();
  scene.settings.limit_restitution = false;
  double work_j = 0.0;
  simulate_articulated(scene.system, scene.settings, file.run, [&](const SpatialSnapshot& at) {
    work_j = at.contact_work_j;
    return at.contacts.empty();
  });
  report.shown("energy gained at the first hit with e = 0.7 as it is, J", 0.0, "restitution <= 1",
               work_j,
               "Newton's law with friction in a chain (Kane's paradox): so the "
               "restitution of such steps is lowered until none is gained");
}

/// How far the energy rises above any earlier one until 2.5 s (floor, wall, floor), J.
double energy_rise_j(const ValidationContext& context, double step_s) {
  const SpatialSceneFile file = validation_spatial_scene(
      context, "twelve_link_pendulum", {with_step(step_s), "time.duration_s=2.5"});
  double least_j = std::numeric_limits<double>::infinity();
  double rise_j = 0.0;
  const SceneRun run = simulate(file, [&](const SpatialSnapshot& at) {
    least_j = std::min(least_j, at.energy.total_j());
    rise_j = std::max(rise_j, at.energy.total_j() - least_j);
    return true;
  });
  return run.failure ? std::numeric_limits<double>::infinity() : rise_j;
}

/// Energy rises only by the error of the scheme, which falls with the step.
void add_energy_rise(const ValidationContext& context, ExampleReport& report) {
  const double coarse_j = energy_rise_j(context, 1e-3);
  const double fine_j = energy_rise_j(context, 1e-4);
  const char* what = "energy above any earlier one until 2.5 s, J: h = ";
  report.at_most(std::string(what) + "1 ms", 0.005 * (kChainWeight_n * kPivotHeight_m - 215.914),
                 "half a per cent of the energy at the start: the scheme's error", coarse_j);
  report.at_most(std::string(what) + "0.1 ms", 0.1 * coarse_j,
                 "a tenth of that at 1 ms: it falls with h", fine_j);
}

Figure pendulum_figure(const char* id, const char* y_label, const std::vector<PendulumRun>& runs,
                       Curve PendulumRun::*curve) {
  CurvesFigure figure{id, "Pendulum of twelve links", "the last link, by five solvers", "time (s)",
                      y_label};
  constexpr std::array<const char*, 5> kStyles{"lw 8", "lw 6", "lw 4", "lw 2.5", "lw 1"};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    figure.curves.push_back(runs[i].*curve);
    figure.curves.back().style = kStyles.at(i);
  }
  return curves_figure(figure);
}

}  // namespace

ExampleReport validate_twelve_link_pendulum(const ValidationContext& context) {
  ExampleReport report{"B2", "pendulum of twelve links against floor and wall", kPendulumPaper};
  add_free_fall(context, report);
  std::vector<PendulumRun> runs;
  for (const SolverTime& row : kSolverTimes) {
    runs.push_back(run_pendulum(context, row));
    add_pendulum_run(runs.back(), row, report);
  }
  add_solvers_agree(runs, report);
  add_pendulum_notes(runs[kReferenceTime], report);
  add_energy_rise(context, report);
  add_newton(context, report);
  add_solver_times(runs, report);
  report.figures = {
      pendulum_figure("b2_height", "height of the last link (m)", runs, &PendulumRun::height),
      pendulum_figure("b2_v_z", "v_z of the last link (m/s)", runs, &PendulumRun::v_z),
      pendulum_figure("b2_energy", "energy relative to the pivot (J)", runs, &PendulumRun::energy)};
  report.remarks = {
      "The paper gives neither the links' masses and inertias, the hinges' axes, the angles and "
      "speeds of the other hinges, nor what the wall's 4 m are measured from. Used: weightless "
      "links of 1 m with a uniform sphere at the end of each, all hinges along x, a straight chain "
      "of which the first hinge alone turns, a floor 10 m below the pivot and a wall 4 m from the "
      "vertical through it, no contact between neighbours, no correction of positions.",
      "Nor does it say which law the restitution of 0.7 belongs to: Newton's is used in the normal "
      "rows of contacts that close, lowered in steps in which the contacts would gain energy. "
      "Heights are from the middle of a floor 0.2 m thick, as in Fig. 15.",
      "Motion after the first contacts is chaotic, and the paper prints no numbers of it: nothing "
      "is held to its curves."};
  return report;
}

}  // namespace graspmap
