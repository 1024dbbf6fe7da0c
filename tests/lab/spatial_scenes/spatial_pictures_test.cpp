#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <sstream>

#include "grasp/base/pictures/figure.hpp"
#include "lab/scenes/picture_layout.hpp"
#include "lab/spatial_scenes/spatial_figures.hpp"
#include "lab/spatial_scenes/spatial_picture.hpp"
#include "tests/support/parsed_scenes.hpp"
#include "tests/support/spatial_scene_text.hpp"
#include "tests/support/spatial_snapshots.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using Catch::Matchers::Contains;

namespace {

/// A ball that rolls away over a floor past a post.
const std::string kRollingText = R"(kind = "spatial"
[time]
duration_s = 1
step_s = 0.02
[[body]]
name = "floor"
kind = "half_space"
fixed = true
[[body]]
name = "post"
kind = "box"
size_mm = [10, 10, 80]
position_mm = [100, 60, 40]
fixed = true
[[body]]
name = "ball"
kind = "sphere"
radius_mm = 20
mass_kg = 1
position_mm = [0, 0, 20]
velocity_mm_s = [300, 0, 0]
angular_velocity_rad_s = [0, 15, 0]
)";

SpatialSceneFile rolling_file() { return parse_spatial_scene_file(kRollingText, "roll.toml"); }

std::vector<std::string> names_of(const std::vector<Figure>& figures) {
  std::vector<std::string> names;
  for (const Figure& figure : figures) names.push_back(figure.name);
  return names;
}

}  // namespace

TEST_CASE("the window in space holds what moves at all times", "[spatial_scenes]") {
  const SpatialSceneFile file = rolling_file();
  const SpatialResult result = recorded(file, drifting(file, 50));
  const SpatialPicture picture(file, result.recording);
  REQUIRE(result.recording.samples.size() > 1);
  for (const SpatialSample& sample : result.recording.samples) {
    const DrawnSolid drawn =
        drawn_solid(file.bodies[2].solid, sample.shown.poses[2], picture.view(), 48);
    for (const Vec2& point : drawn.outline) CHECK(picture.window().contains({point, point}));
  }
  CHECK(picture.is_solid(1));
  CHECK_FALSE(picture.is_solid(0));
  CHECK(picture.color(1) == kFixedColor);
  CHECK(picture.color(2) != kFixedColor);
  CHECK_THAT(picture.ground_text(), Contains("grid of 50 mm"));
}

TEST_CASE("a body that goes far is drawn at ten moments in one picture", "[spatial_scenes]") {
  const SpatialSceneFile file = rolling_file();
  const SpatialResult result = recorded(file, drifting(file, 50));
  CHECK(SpatialPicture(file, result.recording).moves_far());
  const Figure figure = spatial_motion_figure(file, result);
  CHECK_THAT(figure.script, Contains("10 moments from 0 to 1 s") && Contains("$outline_9_2") &&
                                Contains("$outline_9_1") && !Contains("$outline_0_1"));
}

TEST_CASE("a body that stays is drawn at four moments side by side", "[spatial_scenes]") {
  const SpatialSceneFile file =
      parse_spatial_scene_file(kRollingText, "roll.toml", {"body.2.velocity_mm_s=[10, 0, 0]"});
  const SpatialResult result = recorded(file, drifting(file, 50));
  CHECK_FALSE(SpatialPicture(file, result.recording).moves_far());
  CHECK_THAT(spatial_motion_figure(file, result).script,
             Contains("marks on the bodies show how they turn") && Contains("$outline_3_2") &&
                 !Contains("$outline_4_2"));
}

TEST_CASE("only bodies that move have marks", "[spatial_scenes]") {
  const SpatialSceneFile file = rolling_file();
  const SpatialResult result = recorded(file, drifting(file, 5));
  const SpatialPicture picture(file, result.recording);
  const auto& poses = result.recording.samples[0].shown.poses;
  CHECK_THAT(picture.solid_data("a", 1, poses[1]), Contains("$marks_a << EOD\nNaN NaN\nEOD\n"));
  CHECK_THAT(picture.solid_data("a", 2, poses[2]), !Contains("$marks_a << EOD\nNaN"));
}

TEST_CASE("moments end when nothing moves or turns any more", "[spatial_scenes]") {
  const SpatialSceneFile file = rolling_file();
  auto snapshots = drifting(file, 50);
  for (std::size_t k = 31; k < snapshots.size(); ++k) {
    snapshots[k].poses = snapshots[30].poses;
  }
  const SpatialResult result = recorded(file, snapshots);
  const auto moments = strobe_samples(file, result.recording, 4, 1.0);
  CHECK(moments.front() == 0);
  CHECK(moments.back() == 30);
}

TEST_CASE("the animation in space has a frame for each sample and arrows for forces",
          "[spatial_scenes]") {
  const SpatialSceneFile file = rolling_file();
  SpatialContact contact = ball_on_floor();
  contact.body_b = 2;
  contact.on_b_mm = {0, 0, 0};
  const SpatialResult result = recorded(file, drifting(file, 5, {contact}));
  const std::string script = scene_animation_script(file, result);
  CHECK_THAT(script, Contains("$forces << EOD\nNaN NaN NaN NaN\n"));  // the start
  // From below, its tip where the ball stands: the contact pushes the ball up, the floor down.
  const std::string forces = "$forces << EOD\n";
  const std::size_t at = script.rfind(forces) + forces.size();
  double x = 0.0;
  double y = 0.0;
  double dx = 0.0;
  double dy = 0.0;
  std::istringstream(script.substr(at)) >> x >> y >> dx >> dy;
  CHECK(dy > 0.0);
  CHECK(x + dx == Approx(0.0).margin(1e-4));
  CHECK(y + dy == Approx(0.0).margin(1e-4));
  const std::string gif = scene_animation(file, result);
  CHECK(gif_delays(gif).size() == 6);
}

TEST_CASE("figures in space show contacts only where there are some", "[spatial_scenes]") {
  const SpatialSceneFile file = parse_spatial_scene_file(kRigidSceneText, "a.toml");
  const auto without = scene_figures(file, recorded(file, drifting(file, 10)));
  CHECK(names_of(without) == std::vector<std::string>{"energy", "positions", "overlap", "motion"});
  const auto with = scene_figures(file, recorded(file, drifting(file, 10, {ball_on_floor()})));
  CHECK(names_of(with) ==
        std::vector<std::string>{"energy", "positions", "contacts", "overlap", "motion"});
  CHECK_THAT(with[0].script, !Contains("elastic"));
  CHECK_THAT(with[1].data.value_or(""),
             Contains("body,time_s,x_mm,y_mm,z_mm,spin_rad_s\n1,0,-50,0,10,"));
  CHECK_THAT(with[2].data.value_or(""),
             Contains("pair,time_s,normal_n,friction_n,patch\n0,0.01,2,1,1\n"));
  CHECK_THAT(with[2].script, Contains("'floor, ball'"));
}

TEST_CASE("links are drawn with lines from joint to link and on to the next joint",
          "[spatial_scenes]") {
  const SpatialSceneFile file = parse_spatial_scene_file(
      "kind = \"articulated\"\n[time]\nduration_s = 1\nstep_s = 0.1\n[[link]]\nname = \"rod\"\n"
      "repeat = 2\njoint = \"pin\"\naxis = [1, 0, 0]\nat_mm = [0, 0, 100]\n"
      "next_at_mm = [0, 0, -40]\nmass_kg = 1\nball_centre_mm = [0, 0, -30]\nball_radius_mm = 5\n",
      "rods.toml");
  SpatialSnapshot at;
  at.poses = {{{0, 0, 70}, Eigen::Quaterniond::Identity()},
              {{0, 0, 30}, Eigen::Quaterniond::Identity()}};
  at.velocities.assign(2, Twist::Zero());
  at.joints_mm = {{0, 0, 100}, {0, 0, 60}};
  const SpatialResult result = recorded(file, {at});
  const SpatialPicture picture(file, result.recording);
  const double u = picture.view().up.z();
  const std::string data = picture.rods_data("a", at);
  const auto line = [&](double from, double to) {
    return fmt::format("0 {:.6g}\n0 {:.6g}\n\n", u * from, u * to);
  };
  CHECK_THAT(data, Contains(line(100, 70)) && Contains(line(60, 30)) && Contains(line(70, 60)));
  CHECK(picture.rods_layers("a", "#444444").size() == 2);
  CHECK_THAT(spatial_motion_figure(file, result).script, Contains("$rods_0"));
}

TEST_CASE("colours are mixed with white by their share", "[scenes]") {
  CHECK(mixed_with_white("#000000", 1.0) == "#000000");
  CHECK(mixed_with_white("#0072b2", 0.0) == "#ffffff");
  CHECK(mixed_with_white("#004080", 0.5) == "#80a0c0");
}

TEST_CASE("the last moment of an overlay is not pale", "[scenes]") {
  CHECK(paleness(9, 10) == 0.0);
  CHECK(paleness(0, 10) == 0.85);
  CHECK(paleness(0, 1) == 0.0);
}
