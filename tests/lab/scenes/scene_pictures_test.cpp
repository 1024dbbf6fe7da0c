#include "lab/scenes/scene_pictures.hpp"

#include <catch2/catch.hpp>
#include <numbers>

#include "grasp/base/pictures/figure.hpp"
#include "lab/scenes/picture_layout.hpp"
#include "lab/scenes/scene_body_reader.hpp"
#include "lab/scenes/scene_report.hpp"
#include "tests/support/parsed_scenes.hpp"
#include "tests/support/recorded_scene.hpp"
#include "tests/support/scene_text.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using Catch::Matchers::Contains;

namespace {

PlanarResult simulated(const SceneFile& file, std::vector<PlanarContact> contacts = {}) {
  BallisticStepper stepper;
  stepper.contacts = std::move(contacts);
  return recorded_scene(file, stepper, 1);
}

double area(const DrawnLine& polygon) {
  double sum = 0.0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    sum += 0.5 * cross(polygon[i], polygon[(i + 1) % polygon.size()]);
  }
  return sum;
}

PlanarBody body_of(const ConvexShape& shape) {
  PlanarBody body;
  body.shapes = {{shape, {}}};
  return body;
}

}  // namespace

TEST_CASE("outlines enclose the shapes' areas counter-clockwise", "[scenes]") {
  const Box window{{-20, -20}, {20, 20}};
  const auto drawn = [&](const ConvexShape& shape) {
    return body_outlines(body_of(shape), {1, 2, 0.3}, window).at(0);
  };
  const double pi = std::numbers::pi;
  CHECK(area(drawn(Superellipse{4, 3, 2})) == Approx(12 * pi).epsilon(0.01));
  CHECK(area(drawn(rod(10, 2))) == Approx(40 + 4 * pi).epsilon(0.01));
  CHECK(area(drawn(polygon({{0, 0}, {4, 0}, {0, 3}}))) == Approx(6.0));
  // y <= 0, turned by 0.3 about (1, 2): about half of the window.
  const DrawnLine half = drawn(half_plane_shape());
  for (const Vec2& point : half) {
    CHECK(Vec2(-std::sin(0.3), std::cos(0.3)).dot(point - Vec2(1, 2)) < 1e-9);
    CHECK(point.cwiseAbs().maxCoeff() < 20 + 1e-9);
  }
  CHECK(area(half) == Approx(800 + 40 * (2 - std::tan(0.3))).epsilon(1e-9));
}

TEST_CASE("a half-plane out of the picture has no points", "[scenes]") {
  const Box window{{0, 1}, {5, 5}};
  CHECK(body_outlines(body_of(half_plane_shape()), {0, 0, 0}, window).at(0).empty());
}

TEST_CASE("the window holds all that moves at all times", "[scenes]") {
  const SceneFile file = parse_scene_file(kSceneText, "a.toml");
  const PlanarResult result = simulated(file);
  const Box window = scene_window_mm(file, result.recording);
  REQUIRE(result.recording.samples.size() > 1);
  for (const PlanarSample& sample : result.recording.samples) {
    for (std::size_t k = 0; k < file.scene.bodies.size(); ++k) {
      if (!file.scene.bodies[k].moves_freely()) continue;
      for (const DrawnLine& polygon :
           body_outlines(file.scene.bodies[k], sample.shown.poses[k], window)) {
        for (const Vec2& point : polygon) CHECK(window.contains({point, point}));
      }
    }
  }
  const Vec2 size = window.max - window.min;
  CHECK(size.y() / size.x() < 1.26);
  CHECK(size.y() / size.x() > 0.39);
}

TEST_CASE("blocks that move have colours and others are grey", "[scenes]") {
  const SceneFile file = parse_scene_file(kSceneText, "a.toml");
  CHECK(block_color(file, 0) == block_color(file, 3));  // floor and table
  CHECK(block_color(file, 1) != block_color(file, 0));
  CHECK(block_color(file, 1) != block_color(file, 2));
}

TEST_CASE("the moments of the overlay are at equal times until the end", "[scenes]") {
  const SceneFile file = parse_scene_file(kSceneText, "a.toml");
  const PlanarResult result = simulated(file);
  const auto moments = strobe_samples(file, result.recording, 6);
  CHECK(moments == std::vector<std::size_t>{0, 10, 20, 30, 40, 50});
}

TEST_CASE("the frames of an animation are spread evenly with the last one", "[scenes]") {
  const auto frames = animation_frames(1000);
  CHECK(frames.size() == 150);
  CHECK(frames.front() == 0);
  CHECK(frames.back() == 999);
  CHECK(animation_frames(3) == std::vector<std::size_t>{0, 1, 2});
  CHECK(animation_frames(1) == std::vector<std::size_t>{0});
}

TEST_CASE("the animation is a GIF with a frame for each sample and arrows for forces", "[scenes]") {
  const SceneFile file = parse_scene_file(kSceneText, "a.toml", {"time.duration_s=0.05"});
  PlanarContact contact;
  contact.key = {0, 0, 1, 0, {}};
  contact.at = {0.0, {0, -1}, {-50, 0}, {-50, 0}, 0.0, 10.0};
  contact.p_n = 20.0;
  const PlanarResult result = simulated(file, {contact});
  // On the disc, upwards, its tip at the contact.
  CHECK_THAT(scene_animation_script(file, result), Contains("$forces << EOD\n-50 -"));
  const std::string gif = scene_animation(file, result);
  CHECK(gif_delays(gif).size() == 6);
}

TEST_CASE("there is a figure of energies and positions and overlaps and the motion", "[scenes]") {
  const SceneFile file = parse_scene_file(kSceneText, "a.toml");
  const std::vector<Figure> figures = scene_figures(file, simulated(file));
  REQUIRE(figures.size() == 4);
  CHECK(figures[0].name == "energy");
  CHECK(figures[1].name == "positions");
  CHECK(figures[2].name == "overlap");
  CHECK(figures[3].name == "motion");
  CHECK_THAT(figures[1].data.value_or(""), Contains("block,time_s,x_mm,y_mm,theta_rad\n1,0,-50,"));
  CHECK_THAT(figures[3].script, Contains("each picture is"));  // seven bodies: side by side
}

TEST_CASE("the progress of a simulation is a bar with what is left", "[scenes]") {
  CHECK(scene_progress_bar(1.5, 3.0, 100, 2.0, 200) ==
        "[######------]  50 %  1.5 of 3 s  100 steps/s  0:02 left");
  CHECK(scene_progress_bar(3.0, 3.0, 100, 2.0, 200) ==
        "[############] 100 %  3 of 3 s  100 steps/s");
  CHECK(scene_progress_bar(1.5, 3.0, 100, 2.0, 20).size() == 20);
}
