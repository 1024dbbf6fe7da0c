
#include <algorithm>
#include <cmath>

#include "lab/validation/examples.hpp"

namespace graspmap {
namespace {

constexpr const char* kBrazilNutPaper = "Hart and Anitescu 2003, section 3, Fig. 7, 9";

/// The moving body with the largest radius.
std::size_t largest_body(const PlanarScene& scene) {
  std::size_t largest = 0;
  double radius = 0.0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (!scene.bodies[i].moves_freely()) continue;
    const double its = bounding_radius_mm(scene.bodies[i].shapes.front().shape);
    if (its > radius) {
      radius = its;
      largest = i;
    }
  }
  return largest;
}

/// The share of the moving bodies whose centre is lower than body `of`'s.
double height_rank(const PlanarScene& scene, const PlanarState& state, std::size_t of) {
  int moving = 0;
  int lower = 0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (!scene.bodies[i].moves_freely() || i == of) continue;
    ++moving;
    lower += state.poses[i].y() < state.poses[of].y();
  }
  return static_cast<double>(lower) / moving;
}

/// Fig. 7 of the paper: computing time and contacts over the run.
Figure performance_figure(const NutRun& seen) {
  CurvesFigure figure{"e3_computing", "Brazil nut",
                      "computing time of each step on this machine, and its contacts", "time (s)",
                      "time (ms); contacts"};
  figure.curves = {seen.contacts, seen.computing};
  figure.log_y = true;
  figure.points = true;
  return curves_figure(figure);
}

}  // namespace

double NutRun::on_top_from_s(double share) const {
  double from_s = rank.x.back();
  for (std::size_t i = rank.y.size(); i-- > 0 && rank.y[i] >= share;) from_s = rank.x[i];
  return from_s;
}

NutRun run_brazil_nut(const SceneFile& file) {
  const std::size_t nut = largest_body(file.scene);
  NutRun seen;
  double start_energy_j = 0.0;
  double largest_energy_j = 0.0;
  StepClock clock;
  seen.run = run_validation_scene(file, [&](const PlanarState& state, const PlanarStep* step) {
    if (step != nullptr) {
      seen.computing.add(state.time_s, 1e3 * clock.step_s());
      seen.contacts.add(state.time_s, static_cast<double>(step->contacts.size()));
    }
    seen.rank.add(state.time_s, height_rank(file.scene, state, nut));
    seen.best_rank = std::max(seen.best_rank, seen.rank.y.back());
    seen.worst_overlap_m =
        std::max(seen.worst_overlap_m, kMetresPerMillimetre * worst_overlap_mm(file.scene, state));
    const double total = energy(file.scene, state).total_j();
    if (step == nullptr) start_energy_j = total;
    largest_energy_j = std::max(largest_energy_j, total);
    clock.go_on();
  });
  seen.energy_ratio = largest_energy_j / start_energy_j;
  seen.step_s = clock.median_s();
  return seen;
}

ExampleReport validate_brazil_nut(const ValidationContext& context) {
  ExampleReport report{"E3", "Brazil nut, 201 bodies", kBrazilNutPaper};
  const SceneFile file = validation_scene(context, "brazil_nut");
  const NutRun seen = run_brazil_nut(file);
  int bodies = 0;
  for (const PlanarBody& body : file.scene.bodies) bodies += body.moves_freely();
  report.equals("bodies", 201.0, "section 3", bodies);
  report.equals("steps of 0.1 s", 750.0, "section 3", seen.run.totals.steps);
  const PlanarBody& disc = file.scene.bodies[largest_body(file.scene)];
  const double lowest_mm = disc.pose.y() - bounding_radius_mm(disc.shapes.front().shape);
  report.at_most("large disc at the start: lowest point over the floor, m", 1e-3, "at the bottom",
                 kMetresPerMillimetre * lowest_mm);
  const char* on_top = "section 3: ends on top; depends on our shaking";
  report.at_least("large disc: highest share of discs below", 0.8, on_top, seen.best_rank);
  report.at_least("large disc at the end: share of discs below", 0.8, on_top, seen.end_rank());
  report.at_most("largest overlap, m", 1e-9, "gaps of contacts within the margin are kept",
                 seen.worst_overlap_m);
  report.at_most("largest energy over that at the start", 1.5,
                 "the box is lifted by 3 m, a third of the pile's height", seen.energy_ratio);
  report.checks.push_back(all_steps_solved("optimisation variant", seen.run));
  report.times.push_back({"a step", seen.step_s, 0.0, "Fig. 7"});
  report.times.push_back(
      {"the slowest step",
       1e-3 * *std::max_element(seen.computing.y.begin(), seen.computing.y.end()), 0.0, "Fig. 7"});
  CurvesFigure figure{"e3_rank", "Brazil nut", "share of the small discs below the large one",
                      "time (s)", "share"};
  figure.curves = {seen.rank};
  report.figures.push_back(curves_figure(figure));
  report.figures.push_back(performance_figure(seen));
  report.figures.push_back(motion_figure(file, "e3_motion"));
  report.remarks = {
      "The paper gives neither radii nor box nor shaking: 200 discs of radius 1 m (5 % spread), "
      "one of 4 m, a box 40 m wide, shaken by 3 m sin^2(pi t) in the first second of every 2.5 s, "
      "and contacts that are closer than 2 m count (about v_max h). Whether the large disc ends on "
      "top depends on these choices."};
  return report;
}

namespace {

constexpr const char* kDiscPilePaper = "Hart and Anitescu 2003, section 3, Fig. 3-6, 8";

struct Pile {
  Curve infeasibility;
  double mean_m = 0.0;            ///< over the steps
  double end_m = 0.0;             ///< infeasibility at the end
  int on_table = 0;               ///< discs whose lowest point is at the table at the end
  double least_apart_m = 0.0;     ///< of any two discs at the end
  std::size_t most_contacts = 0;  ///< within the margin, in a step
  SceneRun run;
};

/// Discs on the table, and how far apart the closest two are.
void look_at_end(const PlanarScene& scene, const PlanarState& state, Pile& pile) {
  pile.least_apart_m = 1e9;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (!scene.bodies[i].moves_freely()) continue;
    const double radius = bounding_radius_mm(scene.bodies[i].shapes.front().shape);
    pile.on_table += std::abs(state.poses[i].y() - radius) < 0.01 * radius;
    for (std::size_t j = i + 1; j < scene.bodies.size(); ++j) {
      if (!scene.bodies[j].moves_freely()) continue;
      const double apart = (state.poses[i] - state.poses[j]).head<2>().norm() - 2.0 * radius;
      pile.least_apart_m = std::min(pile.least_apart_m, kMetresPerMillimetre * apart);
    }
  }
}

Pile watch_pile(const ValidationContext& context, StepperKind kind) {
  const SceneFile file = validation_scene(context, "disc_pile", {with_stepper(kind)});
  Pile pile;
  pile.infeasibility.title = name(kind);
  PlanarState end;
  pile.run = run_validation_scene(file, [&](const PlanarState& state, const PlanarStep* step) {
    pile.end_m = kMetresPerMillimetre * worst_overlap_mm(file.scene, state);
    pile.mean_m += pile.end_m;
    pile.infeasibility.add(state.time_s, std::max(pile.end_m, 1e-16));
    if (step != nullptr) pile.most_contacts = std::max(pile.most_contacts, step->contacts.size());
    end = state;
  });
  pile.mean_m /= static_cast<double>(pile.infeasibility.y.size());
  look_at_end(file.scene, end, pile);
  return pile;
}

}  // namespace

ExampleReport validate_disc_pile(const ValidationContext& context) {
  ExampleReport report{"E2", "21 discs on a table", kDiscPilePaper};
  const Pile stabilised = watch_pile(context, StepperKind::kAnitescuHart);
  const Pile drifting = watch_pile(context, StepperKind::kAnitescuHartUnstabilised);
  const Pile implicit = watch_pile(context, StepperKind::kImplicit);
  report.equals("stabilised: discs on the table at 20 s", 21.0, "Fig. 6", stabilised.on_table);
  report.at_least("stabilised: least distance of two discs at 20 s, m", -1e-9,
                  "section 3: all separated", stabilised.least_apart_m);
  report.at_most("stabilised: infeasibility at 20 s, m", 1e-9, "section 3: essentially zero",
                 stabilised.end_m);
  report.at_most("mean infeasibility over 20 s, stabilised over unstabilised", 0.5,
                 "Fig. 8: smaller, peaks corrected", stabilised.mean_m / drifting.mean_m);
  const char* why =
      "discs cross the margin of 0.3 m within a step and come to rest inside of the table, or rest "
      "above it within the margin; without stabilisation nothing moves them to it";
  report.at_least("unstabilised: least distance of two discs at 20 s, m", -1e-9,
                  "section 3: all separated", drifting.least_apart_m);
  report.at_most("unstabilised: infeasibility at 20 s, m", 1e-9, "section 3: essentially zero",
                 drifting.end_m, why);
  report.equals("unstabilised: discs on the table at 20 s", 21.0, "section 3: all touch it",
                drifting.on_table, 0.0, why);
  for (const Pile* pile : {&stabilised, &drifting}) {
    report.equals(pile->infeasibility.title + ": most contacts in a step", 51.0,
                  "the pyramid: 6 on the table, 15 in rows, 30 between rows", pile->most_contacts);
  }
  report.at_most(
      "implicit: largest infeasibility, m", 1e-10, "no penetration at step ends",
      *std::max_element(implicit.infeasibility.y.begin(), implicit.infeasibility.y.end()));
  for (const Pile* pile : {&stabilised, &drifting, &implicit}) {
    report.checks.push_back(all_steps_solved(pile->infeasibility.title, pile->run));
  }
  report.checks.push_back(implicit_steppers_agree(validation_scene(context, "disc_pile"), 10));
  report.figures.push_back(
      curves_figure({"e2_infeasibility",
                     "21 discs on a table",
                     "constraint infeasibility, h = 0.05 s",
                     "time (s)",
                     "largest overlap (m)",
                     {stabilised.infeasibility, drifting.infeasibility, implicit.infeasibility},
                     true}));
  report.figures.push_back(motion_figure(validation_scene(context, "disc_pile"), "e2_motion"));
  report.remarks = {
      "The paper gives neither the table's width nor the walls: half-width 75 m, walls rising at "
      "45 degrees, and shifts of up to 1 mm per disc, as a perfect pyramid stays balanced."};
  return report;
}

}  // namespace graspmap
