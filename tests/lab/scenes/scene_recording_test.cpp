#include "lab/scenes/scene_recording.hpp"

#include <catch2/catch.hpp>

#include "grasp/base/io/csv.hpp"
#include "lab/scenes/scene_shapes.hpp"
#include "tests/support/parsed_scenes.hpp"
#include "tests/support/recorded_scene.hpp"
#include "tests/support/scene_text.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using Catch::Matchers::Contains;

namespace {

PlanarResult simulated(const SceneFile& file, BallisticStepper& stepper, std::int64_t every) {
  PlanarResult result = recorded_scene(file, stepper, every);
  result.wall_time_s = 0.5;
  return result;
}

/// The contact of disc (1) and floor (0) with these impulses.
PlanarContact contact(double p_n, double p_t) {
  PlanarContact contact;
  contact.key = {0, 0, 1, 0, {}};
  contact.at = {-0.25, {0, -1}, {-50, 0}, {-50, 0.25}, 0.0, 10.0};
  contact.mu = 0.1;
  contact.p_n = p_n;
  contact.p_t = p_t;
  contact.slip_mm_s = 7.0;
  return contact;
}

std::string last_field(const CsvTable& table, std::size_t row, const char* column) {
  return table.rows[row].fields[table.column(column)];
}

}  // namespace

TEST_CASE("sampling keeps long runs to about the number asked for", "[scenes]") {
  CHECK(sampling_for({0.01, 1.0, 8}, 2000) == 1);
  CHECK(sampling_for({0.01, 20.0, 8}, 2000) == 1);
  CHECK(sampling_for({0.01, 20.01, 8}, 2000) == 2);
  CHECK(sampling_for({1e-4, 1.4, 8}, 2000) == 7);
}

TEST_CASE("samples are at the start and after every n steps and at the end", "[scenes]") {
  const SceneFile file = parse_scene_file(kSceneText, "a.toml");
  BallisticStepper stepper;
  const PlanarResult result = simulated(file, stepper, 8);
  std::vector<double> times;
  for (const PlanarSample& sample : result.recording.samples) times.push_back(sample.shown.time_s);
  REQUIRE(times.size() == 8);  // 0, 8, ..., 48 and 50
  CHECK(times[1] == Approx(0.08));
  CHECK(times[6] == Approx(0.48));
  CHECK(times[7] == Approx(0.50));
  CHECK(result.recording.samples[0].since.steps == 0);
  CHECK(result.recording.samples[3].since.steps == 8);
  CHECK(result.recording.samples[3].since.iterations == 16);
  CHECK(result.recording.samples[7].since.steps == 2);
  CHECK(result.recording.samples[3].shown.step_s == Approx(0.01));
}

TEST_CASE("the trajectory has the columns of each body that moves", "[scenes]") {
  const SceneFile file = parse_scene_file(kSceneText, "a.toml");
  BallisticStepper stepper;
  const PlanarResult result = simulated(file, stepper, 1);
  const CsvTable table = parse_csv(trajectory_csv(tables_of(file), result.recording), "t.csv");
  CHECK(table.rows.size() == 51);
  CHECK_FALSE(table.find_column("floor.x_mm").has_value());
  CHECK(table.find_column("grain_5.omega_rad_s").has_value());
  const auto at = [&](std::size_t row, const char* column) {
    return table.number(table.rows[row], table.column(column));
  };
  // a = g + F/m = (10 + 500/2, -9810): v after n steps, and its sum over the steps.
  CHECK(at(10, "disc.v_x_mm_s") == Approx(1 + 0.1 * 260));
  CHECK(at(10, "disc.v_y_mm_s") == Approx(2 - 0.1 * 9810));
  CHECK(at(10, "disc.x_mm") == Approx(-50 + 0.1 * 1 + 260 * 1e-4 * 55));
  CHECK(at(10, "disc.theta_rad") == Approx(0.3));
  CHECK(at(10, "disc.omega_rad_s") == 3.0);
  CHECK(at(25, "table.y_mm") == Approx(-5 + 2));  // sin^2 at half of its 0.5 s
}

TEST_CASE("the energies are those of the bodies that move freely", "[scenes]") {
  const SceneFile file = parse_scene_file(kSceneText, "a.toml");
  BallisticStepper stepper;
  const PlanarResult result = simulated(file, stepper, 1);
  const CsvTable table = parse_csv(energy_csv(result.recording), "e.csv");
  const auto at = [&](std::size_t row, const char* column) {
    return table.number(table.rows[row], table.column(column));
  };
  double kinetic = 0.5e-6 * (2 * (1 + 4) + 100 * 9);
  CHECK(at(0, "kinetic_j") == Approx(kinetic));
  double potential = 0.0;
  for (const PlanarBody& body : file.scene.bodies) {
    if (body.moves_freely()) {
      potential += 1e-6 * body.mass_kg * (9810 * body.pose.y() - 10 * body.pose.x());
    }
  }
  CHECK(at(0, "potential_j") == Approx(potential));
  CHECK(at(0, "total_j") == Approx(kinetic + potential));
  CHECK(at(0, "elastic_j") == 0.0);
}

TEST_CASE("contacts are written with the names of their bodies and how they hold", "[scenes]") {
  const SceneFile file = parse_scene_file(kSceneText, "a.toml");
  BallisticStepper stepper;
  stepper.contacts = {contact(20.0, 1.0), contact(20.0, -2.0), contact(0.0, 0.0)};
  const PlanarResult result = simulated(file, stepper, 10);
  const CsvTable table = parse_csv(contacts_csv(tables_of(file), result.recording), "c.csv");
  REQUIRE(table.rows.size() == 5 * 3);  // none at the start
  CHECK(last_field(table, 0, "body_a") == "floor");
  CHECK(last_field(table, 0, "body_b") == "disc");
  CHECK(last_field(table, 0, "feature") == "whole");
  CHECK(table.number(table.rows[0], table.column("y_mm")) == 0.125);
  CHECK(table.number(table.rows[0], table.column("gap_mm")) == -0.25);
  CHECK(table.number(table.rows[0], table.column("normal_y")) == -1.0);
  CHECK(table.number(table.rows[0], table.column("force_n")) == Approx(2.0));
  CHECK(last_field(table, 0, "state") == "sticking");
  CHECK(last_field(table, 1, "state") == "sliding");
  CHECK(last_field(table, 2, "state") == "open");
  const CsvTable steps = parse_csv(steps_csv(tables_of(file), result.recording), "s.csv");
  CHECK(steps.number(steps.rows[1], steps.column("worst_overlap_mm")) == 0.25);
  CHECK(steps.number(steps.rows[1], steps.column("contacts")) == 3);
  CHECK(steps.number(steps.rows[1], steps.column("iterations")) == 20);
}

TEST_CASE("a step that is not solved is told with time and contact", "[scenes]") {
  const SceneFile file = parse_scene_file(kSceneText, "a.toml");
  BallisticStepper stepper;
  stepper.contacts = {contact(20.0, 1.0)};
  stepper.fails_at_s = 0.195;
  const PlanarResult result = simulated(file, stepper, 8);
  REQUIRE(result.run.failure.has_value());
  CHECK(result.end() == SceneEnd::kFailed);
  CHECK(result.recording.samples.back().shown.time_s == Approx(result.run.failure->time_s));
  const std::string text = failure_text(scene_report(file, result));
  CHECK_THAT(text, Contains("the step at 0.2 s is not solved") && Contains("floor and disc"));
  const std::string json = summary_json(scene_report(file, result));
  CHECK_THAT(json, Contains("\"complete\": false") && Contains("\"end\": \"failed\"") &&
                       Contains("\"contact\": \"floor and disc\""));
  CHECK_THAT(summary_text(scene_report(file, result)), Contains("failed: 0.2 of 0.5 s simulated"));
}

TEST_CASE("the summary tells steps and sampling and energies", "[scenes]") {
  const SceneFile file = parse_scene_file(kSceneText, "a.toml");
  BallisticStepper stepper;
  const PlanarResult result = simulated(file, stepper, 8);
  const std::string json = summary_json(scene_report(file, result));
  CHECK_THAT(json, Contains("\"complete\": true") && Contains("\"steps\": 50") &&
                       Contains("\"iterations\": 100") && Contains("\"steps_per_sample\": 8") &&
                       Contains("\"stepper\": \"anitescu-hart\"") && !Contains("failure"));
  const std::string text = summary_text(scene_report(file, result));
  CHECK_THAT(text, Contains("finished: 0.5 of 0.5 s") && Contains("one step in 8 is kept") &&
                       Contains("100 steps per second") && Contains("9, 7 of them move"));
}

TEST_CASE("bodies that overlap are found although no contact reports it", "[scenes]") {
  const SceneFile file = parse_scene_file(kSceneText, "a.toml");
  BallisticStepper stepper;
  const PlanarResult result = simulated(file, stepper, 1);
  const std::optional<SampledOverlap> deepest = scene_report(file, result).deepest;
  // All fall through the floor. The disc is deepest, also beyond the 4 mm of its soft layer: its
  // lowest point comes from y = 0 with 2 mm/s upwards, 50 steps of backward Euler.
  REQUIRE(deepest.has_value());
  CHECK(deepest->time_s == Approx(0.5));
  CHECK(deepest->overlap.body_a == 0);
  CHECK(deepest->overlap.body_b == 1);
  CHECK(deepest->overlap.depth_mm == Approx(9810 * 1e-4 * 50 * 51 / 2 - 2 * 0.5 - 4));
  CHECK_THAT(overlap_warning(scene_report(file, result)).value_or(""),
             Contains("bodies overlap: ") && Contains("of floor and disc at 0.5 s"));
  CHECK_THAT(summary_text(scene_report(file, result)), Contains("overlap found"));
  const CsvTable steps = parse_csv(steps_csv(tables_of(file), result.recording), "s.csv");
  const std::size_t column = steps.column("overlap_found_mm");
  CHECK(steps.number(steps.rows[50], column) == deepest->overlap.depth_mm);
  CHECK(steps.number(steps.rows[0], column) == 0.0);
}

TEST_CASE("no overlap is found between bodies that are apart", "[scenes]") {
  const SceneFile file = parse_scene_file(kSceneText, "a.toml");
  CHECK_FALSE(deepest_overlap(file.scene, start_state(file.scene).poses).has_value());
  BallisticStepper stepper;
  PlanarResult result = simulated(file, stepper, 1);
  result.recording.samples.resize(1);
  CHECK_FALSE(scene_report(file, result).deepest.has_value());
  CHECK_FALSE(overlap_warning(scene_report(file, result)).has_value());
  CHECK_THAT(summary_text(scene_report(file, result)),
             Contains("none, of all pairs in all samples"));
}
