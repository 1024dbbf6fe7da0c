#include "lab/spatial_scenes/spatial_recording.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "grasp/base/io/csv.hpp"
#include "lab/spatial_scenes/spatial_figures.hpp"
#include "lab/spatial_scenes/spatial_scene_file.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/parsed_scenes.hpp"
#include "tests/support/spatial_scene_text.hpp"
#include "tests/support/spatial_snapshots.hpp"

using namespace graspmap;
using namespace graspmap::testing;

using Catch::Matchers::Contains;

namespace {

SpatialSceneFile rigid_file() { return parse_spatial_scene_file(kRigidSceneText, "a.toml"); }

bool has_pair(const OverlapFinder& finder, int a, int b) {
  const auto& pairs = finder.pairs();
  return std::find(pairs.begin(), pairs.end(), std::pair{a, b}) != pairs.end();
}

double number_at(const CsvTable& table, std::size_t row, const std::string& column) {
  return table.number(table.rows[row], table.column(column));
}

}  // namespace

TEST_CASE("a recording in space has the start and every n-th step and the end",
          "[spatial_scenes]") {
  const SpatialSceneFile file = rigid_file();
  const auto snapshots = drifting(file, 50);
  const SpatialResult result = recorded(file, snapshots, 8);
  REQUIRE(result.recording.samples.size() == 8);
  CHECK(result.recording.samples[0].shown.time_s == 0.0);
  CHECK(result.recording.samples[1].shown.time_s == Approx(0.08));
  CHECK(result.recording.samples[7].shown.time_s == Approx(0.5));
  CHECK(result.recording.samples[0].since.steps == 0);
  CHECK(result.recording.samples[1].since.steps == 8);
  CHECK(result.recording.samples[1].since.iterations == 24);
  CHECK(result.recording.samples[7].since.steps == 2);
}

TEST_CASE("trajectories in space have the poses and velocities of what moves", "[spatial_scenes]") {
  const SpatialSceneFile file = rigid_file();
  const SpatialResult result = recorded(file, drifting(file, 10));
  const CsvTable table = parse_csv(trajectory_csv(tables_of(file), result.recording), "t.csv");
  CHECK(table.rows.size() == 11);
  CHECK(table.header.fields.size() == 1 + 4 * 13);
  CHECK_FALSE(table.find_column("floor.x_mm"));
  CHECK(number_at(table, 10, "time_s") == Approx(0.1));
  CHECK(number_at(table, 10, "ball.x_mm") == Approx(-50 + 0.1 * 1));
  CHECK(number_at(table, 10, "ball.z_mm") == Approx(10 + 0.1 * 3));
  CHECK(number_at(table, 0, "ball.qw") == Approx(0.8));
  CHECK(number_at(table, 0, "ball.qx") == Approx(0.6));
  CHECK(number_at(table, 5, "ball.v_y_mm_s") == 2.0);
  CHECK(number_at(table, 5, "ball.omega_z_rad_s") == 6.0);
}

TEST_CASE("contacts in space are written with all that is known of them", "[spatial_scenes]") {
  const SpatialSceneFile file = rigid_file();
  SpatialContact sticking = ball_on_floor();
  sticking.sigma_mm_s = 0.0;
  SpatialContact open = ball_on_floor();
  open.p_n = 0.0;
  open.patch = PatchKind::kOpen;
  const SpatialResult result = recorded(file, drifting(file, 4, {ball_on_floor(), sticking, open}));
  const CsvTable table = parse_csv(contacts_csv(tables_of(file), result.recording), "c.csv");
  REQUIRE(table.rows.size() == 4 * 3);  // none at the start
  const auto field = [&](std::size_t row, const std::string& column) {
    return table.rows[row].fields[table.column(column)];
  };
  CHECK(field(0, "body_a") == "floor");
  CHECK(field(0, "body_b") == "ball");
  CHECK(field(0, "patch") == "point");
  CHECK(number_at(table, 0, "facets_b") == 1);
  CHECK(number_at(table, 0, "on_a_x_mm") == -50);
  CHECK(number_at(table, 0, "on_b_z_mm") == -0.25);
  CHECK(number_at(table, 0, "normal_z") == -1);
  CHECK(number_at(table, 0, "t_x") == 1);
  CHECK(number_at(table, 0, "o_y") == -1);
  CHECK(number_at(table, 0, "gap_mm") == -0.25);
  CHECK(number_at(table, 0, "p_n_mn_s") == 20);
  CHECK(number_at(table, 0, "p_t_mn_s") == 6);
  CHECK(number_at(table, 0, "p_o_mn_s") == 8);
  CHECK(number_at(table, 0, "p_r_mn_s_mm") == 9);
  CHECK(number_at(table, 0, "force_n") == Approx(2.0));  // 20 mN s in 10 ms
  CHECK(number_at(table, 0, "friction") == 0.5);
  CHECK(number_at(table, 0, "v_t_mm_s") == 30);
  CHECK(number_at(table, 0, "v_o_mm_s") == 40);
  CHECK(number_at(table, 0, "omega_r_rad_s") == 2);
  CHECK(number_at(table, 0, "sigma_mm_s") == 50);
  CHECK(field(0, "state") == "sliding");
  CHECK(field(1, "state") == "sticking");
  CHECK(field(2, "state") == "open");
}

TEST_CASE("soft contacts in space have layers, cores and lawful overlaps", "[spatial_scenes]") {
  const std::string text = replaced(
      replaced(kRigidSceneText, "stewart-trinkle", "implicit"), "friction = 0.1",
      "friction = 0.1\nsoft = [{ stiffness_n_per_mm = 2, damping_n_s_per_mm = 0.5, "
      "max_deflection_mm = 3 }, { stiffness_matrix_n_per_mm = [[4, 1, 0], [1, 5, 0], [0, 0, 6]], "
      "max_deflection_mm = 1 }]");
  const SpatialSceneFile file = parse_spatial_scene_file(text, "a.toml");
  const SoftLayers layers = contact_law(file.rigid().scene, 0, 1).layers;
  REQUIRE((layers[0] && layers[1]));
  CHECK(layers[1]->stiffness_mn_per_mm == 2000.0);  // of the ball, named first
  CHECK(layers[1]->damping_mn_s_per_mm == 500.0);
  REQUIRE(layers[0]->matrices);
  CHECK(layers[0]->matrices->stiffness_mn_per_mm.row(1) == Eigen::RowVector3d(1000, 5000, 0));
  CHECK(layers[0]->matrices->damping_mn_s_per_mm.isZero(0.0));

  SpatialContact contact = ball_on_floor();
  contact.p_core = {1.5, 2.5};
  auto snapshots = drifting(file, 1, {contact});
  snapshots[1].poses[1].position_mm.z() = 10.0 - 4.5;
  const SpatialResult result = recorded(file, snapshots);
  const CsvTable table = parse_csv(contacts_csv(tables_of(file), result.recording), "c.csv");
  CHECK(number_at(table, 0, "p_core_a_mn_s") == 1.5);
  CHECK(number_at(table, 0, "p_core_b_mn_s") == 2.5);
  REQUIRE(scene_report(file, result).deepest);
  CHECK(scene_report(file, result).deepest->overlap.depth_mm == Approx(0.5));  // beyond 3 + 1 mm
}

TEST_CASE("steps and energies in space are written for each sample", "[spatial_scenes]") {
  const SpatialSceneFile file = rigid_file();
  const SpatialResult result = recorded(file, drifting(file, 10, {ball_on_floor()}), 5);
  const CsvTable steps = parse_csv(steps_csv(tables_of(file), result.recording), "s.csv");
  REQUIRE(steps.rows.size() == 3);
  CHECK(number_at(steps, 1, "steps") == 5);
  CHECK(number_at(steps, 1, "iterations") == 15);
  CHECK(number_at(steps, 1, "unknowns") == 12);
  CHECK(number_at(steps, 1, "contacts") == 1);
  CHECK(number_at(steps, 1, "worst_overlap_mm") == 0.25);
  const CsvTable energies = parse_csv(energy_csv(result.recording), "e.csv");
  const Vec3 w = Eigen::Quaterniond(0.8, 0.6, 0, 0).conjugate() * Vec3(4, 5, 6);
  const double kinetic = 0.5e-6 * (2 * 14 + Vec3(80, 90, 100).dot(w.cwiseProduct(w)));
  CHECK(number_at(energies, 0, "kinetic_j") == Approx(kinetic));
  CHECK(number_at(energies, 0, "total_j") ==
        Approx(kinetic + number_at(energies, 0, "potential_j")));
}

TEST_CASE("the summary in space tells solver and counts and energies", "[spatial_scenes]") {
  const SpatialSceneFile file = rigid_file();
  const SpatialResult result = recorded(file, drifting(file, 50), 8);
  CHECK_THAT(
      summary_text(scene_report(file, result)),
      Contains("A test scene in space\nfinished: 0.5 of 0.5 s simulated by stewart-trinkle") &&
          Contains("6, 4 of them move") && Contains("one step in 8 is kept") &&
          Contains("100 steps per second"));
  const std::string json = summary_json(scene_report(file, result));
  CHECK_THAT(json, Contains("\"complete\": true") && Contains("\"stepper\": \"stewart-trinkle\"") &&
                       Contains("\"moving_bodies\": 4") && Contains("\"steps\": 50") &&
                       !Contains("elastic") && !Contains("failure"));
}

TEST_CASE("a step in space that is not solved is told with the bodies", "[spatial_scenes]") {
  const SpatialSceneFile file = rigid_file();
  SpatialResult result = recorded(file, drifting(file, 20));
  result.run.failure = {0.2, 0.01 / 256, mcp::Status::kIterationLimit, 0.5, std::array{0, 1}};
  CHECK_THAT(failure_text(scene_report(file, result)),
             Contains("the step at 0.2 s is not solved") && Contains("contact of floor and ball"));
  CHECK_THAT(summary_json(scene_report(file, result)),
             Contains("\"end\": \"failed\"") && Contains("\"contact\": \"floor and ball\""));
  CHECK_THAT(summary_text(scene_report(file, result)), Contains("failed: 0.2 of 0.5 s simulated"));
}

TEST_CASE("bodies in space that overlap are found", "[spatial_scenes]") {
  const SpatialSceneFile file = rigid_file();
  auto snapshots = drifting(file, 2);
  snapshots[2].poses[4].position_mm = {300, 0, 25};  // 60 high: 5 mm in the floor
  const SpatialResult result = recorded(file, snapshots);
  CHECK_FALSE(result.recording.samples[1].overlap);
  REQUIRE(scene_report(file, result).deepest);
  CHECK(scene_report(file, result).deepest->overlap.body_a == 0);
  CHECK(scene_report(file, result).deepest->overlap.body_b == 4);
  CHECK(scene_report(file, result).deepest->overlap.depth_mm == Approx(5.0));
  CHECK_THAT(overlap_warning(scene_report(file, result)).value_or(""),
             Contains("bodies overlap: 5 mm of floor and crate at 0.02 s; try a smaller "
                      "step, or another stepper"));
}

TEST_CASE("bodies that do not touch may overlap", "[spatial_scenes]") {
  const SpatialSceneFile file = rigid_file();
  const OverlapFinder finder(file);
  CHECK(has_pair(finder, 1, 3));
  CHECK_FALSE(has_pair(finder, 1, 2));  // [[contact]] touch = false
  CHECK_FALSE(has_pair(finder, 0, 5));  // both fixed
  auto poses = start_state(file.rigid().scene).poses;
  poses[2].position_mm = poses[1].position_mm + Vec3(0, 0, 20);
  CHECK_FALSE(finder.deepest(poses));
  poses[3].position_mm = poses[1].position_mm + Vec3(15, 0, 20);
  REQUIRE(finder.deepest(poses));
  CHECK(finder.deepest(poses)->body_b == 3);
}

TEST_CASE("balls of links that are joined do not touch", "[spatial_scenes]") {
  const OverlapFinder finder(
      parse_spatial_scene_file(kArticulatedSceneText, "a.toml", {"world.self_contact=true"}));
  CHECK_FALSE(has_pair(finder, 0, 1));  // no ball
  CHECK_FALSE(has_pair(finder, 3, 4));  // chain_1 and chain_2
  CHECK(has_pair(finder, 3, 5));        // chain_1 and chain_3
  CHECK(has_pair(finder, 1, 3));        // slide and chain_1, the wrist between them
  CHECK(has_pair(finder, 5, 7));        // chain_3 and floor
  CHECK_FALSE(has_pair(finder, 0, 7));
  CHECK_FALSE(
      has_pair(OverlapFinder(parse_spatial_scene_file(kArticulatedSceneText, "a.toml")), 3, 5));
}

TEST_CASE("the work of an articulated system's contacts is summed between samples",
          "[spatial_scenes]") {
  const SpatialSceneFile file = parse_spatial_scene_file(kArticulatedSceneText, "a.toml");
  SpatialRecorder recorder(file, 2);
  for (int k = 0; k <= 4; ++k) {
    SpatialSnapshot shown;
    shown.time_s = 0.01 * k;
    shown.step_s = k > 0 ? 0.01 : 0.0;
    for (int body = 0; body < 8; ++body) {
      shown.poses.push_back({Vec3(1000.0 * body, 0, 0), Eigen::Quaterniond::Identity()});
    }
    shown.velocities.assign(8, Twist::Zero());
    shown.contact_work_j = k > 0 ? -0.25 * k : 0.0;
    recorder.observe(shown);
  }
  const SpatialRecording recording = recorder.finish();
  const CsvTable steps = parse_csv(steps_csv(tables_of(file), recording), "s.csv");
  REQUIRE(steps.rows.size() == 3);
  CHECK(number_at(steps, 0, "contact_work_j") == 0.0);
  CHECK(number_at(steps, 1, "contact_work_j") == -0.75);
  CHECK(number_at(steps, 2, "contact_work_j") == -1.75);
}

TEST_CASE("forces of a pair of bodies are summed over its contacts", "[spatial_scenes]") {
  const SpatialSceneFile file = rigid_file();
  SpatialContact line = ball_on_floor();
  line.patch = PatchKind::kLine;
  SpatialContact other = ball_on_floor();
  other.body_b = 4;
  other.p_n = 100.0;
  const SpatialResult result = recorded(file, drifting(file, 3, {ball_on_floor(), line, other}));
  const auto pairs = pair_forces(result.recording);
  REQUIRE(pairs.size() == 2);
  CHECK(pairs[0].body_b == 4);  // the larger forces
  CHECK(pairs[1].body_b == 1);
  CHECK(pairs[1].normal_n == std::vector<double>{0, 4, 4, 4});
  CHECK(pairs[1].friction_n[1] == Approx(2.0));  // twice |(6, 8)| mN s in 10 ms
  CHECK(pairs[1].patch[1] == PatchKind::kLine);
  CHECK(pairs[1].patch[0] == PatchKind::kOpen);
}

namespace {

/// A ball that flies at a wall of 20 mm, in steps of 5 ms.
SpatialSceneFile ball_and_wall(double speed_mm_s) {
  return parse_spatial_scene_file(
      "kind = \"spatial\"\n"
      "[time]\nduration_s = 0.2\nstep_s = 0.005\n"
      "[world]\ngravity_mm_s2 = [0, 0, 0]\n"
      "[[body]]\nname = \"wall\"\nkind = \"box\"\nsize_mm = [20, 1000, 1000]\nfixed = true\n"
      "[[body]]\nname = \"ball\"\nkind = \"sphere\"\nradius_mm = 10\nmass_kg = 1\n"
      "position_mm = [-300, 0, 0]\nvelocity_mm_s = [" +
          std::to_string(speed_mm_s) + ", 0, 0]\n",
      "wall.toml");
}

SpatialResult run_of(const SpatialSceneFile& file) {
  return record_scene<SpatialRecorder>(file, 1, [](const SceneSnapshot&) { return true; });
}

}  // namespace

TEST_CASE("a ball too fast for a thin wall is warned of", "[spatial_scenes]") {
  const SpatialSceneFile fast = ball_and_wall(8000.0);
  const SpatialResult result = run_of(fast);
  REQUIRE(result.recording.passing);
  CHECK(result.recording.passing->moved_mm == Approx(40.0));
  CHECK(result.recording.passing->thickness_mm == Approx(20.0));
  const auto warning = overlap_warning(scene_report(fast, result));
  REQUIRE(warning);
  CHECK(warning->find("wall and ball moved past each other by 40 mm") != std::string::npos);
}

TEST_CASE("a ball that stops at a thin wall is not warned of", "[spatial_scenes]") {
  const SpatialSceneFile slow = ball_and_wall(2000.0);
  const SpatialResult result = run_of(slow);
  CHECK_FALSE(result.recording.passing);
  CHECK_FALSE(overlap_warning(scene_report(slow, result)));
  const SpatialSnapshot& end = result.recording.samples.back().shown;
  CHECK(end.poses[1].position_mm.x() == Approx(-20.0));
}
