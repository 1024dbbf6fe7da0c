#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>

#include "lab/spatial_scenes/spatial_scene_file.hpp"
#include "tests/support/source_dir.hpp"

using namespace graspmap;

namespace {

SpatialSceneFile papers_scene(const std::string& name,
                              const std::vector<std::string>& overrides = {}) {
  return read_spatial_scene_file(
      std::filesystem::path(testing::source_dir()) / "configs/scenes" / (name + ".toml"),
      overrides);
}

/// The last snapshot of a simulation that solves all its steps.
SpatialSnapshot end_of(const SpatialSceneFile& file) {
  SpatialSnapshot last;
  const SceneRun run = simulate(file, [&](const SpatialSnapshot& snapshot) {
    last = snapshot;
    return true;
  });
  REQUIRE_FALSE(run.failure);
  CHECK(last.time_s == Approx(file.run.duration_s));
  return last;
}

}  // namespace

TEST_CASE("the cube's scene ends where each step's closed form does", "[spatial_scenes]") {
  // Xie and Chakraborty 2020, section VI-A. A step of elliptic friction on a plane in closed form:
  // v' = w / (1 + b h e^2 / s) by axis, w = v + h f / m, s = |(e_t v'_x, e_o v'_y)|; it stops when
  // |(w_x / e_t, w_y / e_o)| <= b h, b = mu g. With one e it keeps its direction.
  const double b = 0.22 * 9800.0;
  const double h = 0.01;
  Vec2 v(1000, 2000);
  Vec2 x(0, 0);
  for (int step = 0; step < 400; ++step) {
    v *= std::max(0.0, 1.0 - b * h / std::max(v.norm(), 1e-300));
    x += h * v;
  }
  const SpatialSnapshot end = end_of(papers_scene("cube_sliding"));
  CHECK((end.poses[1].position_mm - Vec3(x.x(), x.y(), 250)).norm() < 1e-5);
  CHECK(end.poses[1].orientation.angularDistance(Eigen::Quaterniond::Identity()) < 1e-9);
}

TEST_CASE("the sphere's scene rolls at five sevenths of its speed", "[spatial_scenes]") {
  // Mylapilli and Jain 2017, section 6.1: v_x = 5 v0 / 7, w_y = v_x / R.
  const SpatialSnapshot end = end_of(papers_scene("sphere_on_plane"));
  const Twist& nu = end.velocities[0];
  CHECK(nu[0] == Approx(10000.0 / 7.0).epsilon(1e-10));
  CHECK(nu[4] == Approx(10.0 / 7.0).epsilon(1e-10));
  CHECK(std::abs(nu[1]) < 1e-9);
}

TEST_CASE("the four balls' scene meets the table and the row when it should", "[spatial_scenes]") {
  // Stewart and Trinkle 2000, section 4.2: free fall of 0.9 m takes 0.42835 s; at 1.0714 m/s the
  // row is met at 0.58221 s.
  const SpatialSceneFile file = papers_scene("four_balls", {"time.duration_s=0.6"});
  double on_table_s = -1.0;
  double at_row_s = -1.0;
  simulate(file, [&](const SpatialSnapshot& snapshot) {
    for (const SpatialContact& c : snapshot.contacts) {
      if (c.p_n <= 0.0 || c.body_b > 2) continue;
      if (c.body_a == 0 && c.body_b == 1 && on_table_s < 0) on_table_s = snapshot.time_s;
      if (c.body_a == 1 && c.body_b == 2 && at_row_s < 0) at_row_s = snapshot.time_s;
    }
    return true;
  });
  CHECK(on_table_s == Approx(0.42835).margin(1.01 * file.run.step_s));
  CHECK(at_row_s == Approx(0.58221).margin(1.01 * file.run.step_s));
}

TEST_CASE("the pendulum's scene meets the floor when free dynamics say", "[spatial_scenes]") {
  // Mylapilli and Jain 2017, section 6.2: the last ball is the first, at 0.1565 s.
  const SpatialSceneFile file = papers_scene("twelve_link_pendulum", {"time.duration_s=0.16"});
  double first_s = -1.0;
  int link = -1;
  simulate(file, [&](const SpatialSnapshot& snapshot) {
    for (const SpatialContact& c : snapshot.contacts) {
      if (c.p_n <= 0.0 || first_s > 0) continue;
      first_s = snapshot.time_s;
      link = c.body_a;
    }
    return first_s < 0;
  });
  CHECK(link == 11);
  CHECK(first_s == Approx(0.1565).margin(2.01 * file.run.step_s));
}

TEST_CASE("an observer ends a simulation in space", "[spatial_scenes]") {
  int seen = 0;
  const SceneRun run =
      simulate(papers_scene("cube_sliding"), [&](const SpatialSnapshot&) { return ++seen < 5; });
  CHECK(seen == 5);
  CHECK(run.totals.steps == 4);
}
