#include "lab/validation/brazil_nut.hpp"

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
  return curves_figure({"e3_computing",
                        "Brazil nut",
                        "computing time of each step on this machine, and its contacts",
                        "time (s)",
                        "time (ms); contacts",
                        {seen.contacts, seen.computing},
                        true,
                        true});
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
  ExampleReport report{"E3", "Brazil nut, 201 bodies", kBrazilNutPaper, {}};
  const SceneFile file = validation_scene(context, "brazil_nut");
  const NutRun seen = run_brazil_nut(file);
  int bodies = 0;
  for (const PlanarBody& body : file.scene.bodies) bodies += body.moves_freely();
  auto& checks = report.checks;
  checks.push_back({"bodies", 201.0, "section 3", static_cast<double>(bodies), 0.0});
  checks.push_back(
      {"steps of 0.1 s", 750.0, "section 3", static_cast<double>(seen.run.totals.steps), 0.0});
  const PlanarBody& disc = file.scene.bodies[largest_body(file.scene)];
  const double lowest_mm = disc.pose.y() - bounding_radius_mm(disc.shapes.front().shape);
  checks.push_back({"large disc at the start: lowest point over the floor, m", 1e-3,
                    "at the bottom", kMetresPerMillimetre * lowest_mm, 0.0,
                    CheckRelation::kAtMost});
  const char* on_top = "section 3: ends on top; hangs on our shaking";
  checks.push_back({"large disc: highest share of discs below", 0.8, on_top, seen.best_rank, 0.0,
                    CheckRelation::kAtLeast});
  checks.push_back({"large disc at the end: share of discs below", 0.8, on_top, seen.end_rank(),
                    0.0, CheckRelation::kAtLeast});
  checks.push_back({"largest overlap, m", 1e-9, "gaps of contacts that take part are kept",
                    seen.worst_overlap_m, 0.0, CheckRelation::kAtMost});
  checks.push_back({"largest energy over that at the start", 1.5,
                    "the box is lifted by 3 m, a third of the pile's height", seen.energy_ratio,
                    0.0, CheckRelation::kAtMost});
  checks.push_back(all_steps_solved("optimisation variant", seen.run));
  report.times.push_back({"a step", seen.step_s, 0.0, "Fig. 7"});
  report.times.push_back(
      {"the slowest step",
       1e-3 * *std::max_element(seen.computing.y.begin(), seen.computing.y.end()), 0.0, "Fig. 7"});
  report.figures.push_back(curves_figure({"e3_rank",
                                          "Brazil nut",
                                          "share of the small discs below "
                                          "the large one",
                                          "time (s)",
                                          "share",
                                          {seen.rank}}));
  report.figures.push_back(performance_figure(seen));
  report.figures.push_back(motion_figure(file, "e3_motion"));
  report.remarks = {
      "The paper gives neither radii nor box nor shaking: 200 discs of radius 1 m (5 % spread), "
      "one "
      "of 4 m, a box 40 m wide, shaken by 3 m sin^2(pi t) in the first second of every 2.5 s, and "
      "contacts that are closer than 2 m take part (about v_max h). Whether the large disc ends "
      "on "
      "top hangs on these choices."};
  return report;
}

}  // namespace graspmap
