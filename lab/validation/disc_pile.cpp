#include <algorithm>
#include <cmath>

#include "lab/validation/examples.hpp"

namespace graspmap {
namespace {

constexpr const char* kDiscPilePaper = "Hart and Anitescu 2003, section 3, Fig. 3-6, 8";

struct Pile {
  Curve infeasibility;
  double mean_m = 0.0;            ///< over the steps
  double end_m = 0.0;             ///< infeasibility at the end
  int on_table = 0;               ///< discs whose lowest point is at the table at the end
  double least_apart_m = 0.0;     ///< of any two discs at the end
  std::size_t most_contacts = 0;  ///< that take part in a step
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
  ExampleReport report{"E2", "21 discs on a table", kDiscPilePaper, {}};
  const Pile stabilised = watch_pile(context, StepperKind::kAnitescuHart);
  const Pile drifting = watch_pile(context, StepperKind::kAnitescuHartUnstabilised);
  const Pile implicit = watch_pile(context, StepperKind::kImplicit);
  auto& checks = report.checks;
  checks.push_back({"stabilised: discs on the table at 20 s", 21.0, "Fig. 6",
                    static_cast<double>(stabilised.on_table), 0.0});
  checks.push_back({"stabilised: least distance of two discs at 20 s, m", -1e-9,
                    "section 3: all separated", stabilised.least_apart_m, 0.0,
                    CheckRelation::kAtLeast});
  checks.push_back({"stabilised: infeasibility at 20 s, m", 1e-9, "section 3: essentially zero",
                    stabilised.end_m, 0.0, CheckRelation::kAtMost});
  checks.push_back({"mean infeasibility over 20 s, stabilised over unstabilised", 0.5,
                    "Fig. 8: smaller, peaks corrected", stabilised.mean_m / drifting.mean_m, 0.0,
                    CheckRelation::kAtMost});
  const char* why =
      "discs cross the margin of 0.3 m within a step and come to rest inside of the table, or rest "
      "above it within the margin; without stabilisation nothing moves them to it";
  checks.push_back({"unstabilised: least distance of two discs at 20 s, m", -1e-9,
                    "section 3: all separated", drifting.least_apart_m, 0.0,
                    CheckRelation::kAtLeast});
  checks.push_back(
      contradicted({"unstabilised: infeasibility at 20 s, m", 1e-9, "section 3: essentially zero",
                    drifting.end_m, 0.0, CheckRelation::kAtMost},
                   why));
  checks.push_back(
      contradicted({"unstabilised: discs on the table at 20 s", 21.0, "section 3: all touch it",
                    static_cast<double>(drifting.on_table), 0.0},
                   why));
  for (const Pile* pile : {&stabilised, &drifting}) {
    checks.push_back({pile->infeasibility.title + ": most contacts in a step", 51.0,
                      "the pyramid: 6 on the table, 15 in rows, 30 between rows",
                      static_cast<double>(pile->most_contacts), 0.0});
  }
  checks.push_back(
      {"implicit: largest infeasibility, m", 1e-10, "no penetration at step ends",
       *std::max_element(implicit.infeasibility.y.begin(), implicit.infeasibility.y.end()), 0.0,
       CheckRelation::kAtMost});
  for (const Pile* pile : {&stabilised, &drifting, &implicit}) {
    checks.push_back(all_steps_solved(pile->infeasibility.title, pile->run));
  }
  checks.push_back(implicit_steppers_agree(validation_scene(context, "disc_pile"), 10));
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
      "45 "
      "degrees, and shifts of up to 1 mm per disc, as a perfect pyramid stays balanced."};
  return report;
}

}  // namespace graspmap
