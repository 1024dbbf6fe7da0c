#include "lab/scenes/scene_reader.hpp"

#include <catch2/catch.hpp>
#include <numbers>

#include "grasp/base/probability/random.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/parsed_scenes.hpp"
#include "tests/support/scene_text.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

SceneFile scene_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return parse_scene_file(text, "folder/box.toml", overrides);
}

const PlanarBody& body(const SceneFile& file, const std::string& name) {
  for (const PlanarBody& candidate : file.scene.bodies) {
    if (candidate.name == name) return candidate;
  }
  throw std::runtime_error("no body " + name);
}

/// The smallest scene: a disc of this text on nothing.
std::string disc_scene(const std::string& more) {
  return "[time]\nduration_s = 1\nstep_s = 0.01\n[[body]]\nname = \"a\"\nkind = \"disc\"\n"
         "radius_mm = 2\n" +
         more;
}

}  // namespace

TEST_CASE("a scene file gives times, solver and world", "[scenes]") {
  const SceneFile file = scene_of(kSceneText);
  CHECK(file.name == "box");
  CHECK(file.title == "A test scene");
  CHECK(file.toml == kSceneText);
  CHECK(file.run.duration_s == 0.5);
  CHECK(file.run.step_s == 0.01);
  CHECK(file.stepper == StepperKind::kAnitescuHart);
  CHECK(file.stepper_settings.tolerance == 1e-9);
  CHECK(file.stepper_settings.max_iterations == 30);
  CHECK(file.stepper_settings.active_gap_mm == 3.0);
  CHECK(file.scene.gravity_mm_s2 == Vec2(10, -9810));
  CHECK(file.scene.mu == 0.4);
}

TEST_CASE("what a scene file leaves out has a default", "[scenes]") {
  const SceneFile file = scene_of(disc_scene("mass_kg = 1\ninertia_kg_mm2 = 2\n"));
  CHECK(file.title == "box");
  CHECK(file.stepper == StepperKind::kImplicit);
  CHECK(file.stepper_settings.tolerance == StepperSettings{}.tolerance);
  CHECK(file.stepper_settings.active_gap_mm < 0.0);
  CHECK(file.scene.gravity_mm_s2 == Vec2(0, -9810));
  CHECK(file.scene.mu == 0.0);
  CHECK(file.scene.bodies[0].pose == Vec3(0, 0, 0));
  CHECK(file.scene.start_velocity == Eigen::VectorXd::Zero(3));
  CHECK(file.scene.drives.empty());
  CHECK(file.scene.laws.empty());
}

TEST_CASE("all steppers can be named", "[scenes]") {
  for (const StepperKind kind : kStepperKinds) {
    CHECK(scene_of(kSceneText, {std::string("solver.stepper=") + name(kind)}).stepper == kind);
  }
}

TEST_CASE("a body with a given mass keeps its frame", "[scenes]") {
  const SceneFile file = scene_of(kSceneText);
  const PlanarBody& disc = body(file, "disc");
  CHECK(disc.mass_kg == 2.0);
  CHECK(disc.inertia_kg_mm2 == 100.0);
  CHECK(disc.pose == Vec3(-50, 10, 0));
  CHECK(disc.moves_freely());
  const int index = disc.coordinates[0].index;
  CHECK(file.scene.start_velocity.segment<3>(index) == Vec3(1, 2, 3));
  REQUIRE(file.scene.drives.size() == 1);
  CHECK(file.scene.drives[0].coordinate == index);
  CHECK(file.scene.drives[0].force_mn == 500.0);
}

TEST_CASE("a given centre of mass is where the body's pose is", "[scenes]") {
  const SceneFile file = scene_of(disc_scene(
      "mass_kg = 1\ninertia_kg_mm2 = 2\ncenter_of_mass_mm = [0.5, 0]\nposition_mm = [10, 20]\n"
      "angle_rad = 1.5707963267948966\n"));
  const PlanarBody& a = file.scene.bodies[0];
  CHECK(a.pose.x() == Approx(10.0));
  CHECK(a.pose.y() == Approx(20.5));
  CHECK(a.shapes[0].pose.position_mm == Vec2(-0.5, 0));
}

TEST_CASE("a density gives mass and inertia about the centre of mass", "[scenes]") {
  const SceneFile file = scene_of(kSceneText);
  const PlanarBody& bracket = body(file, "bracket");
  // 20 x 10 about (0, 0) and 10 x 20 about (15, 5): 200 mm^2 each, the centre between them.
  CHECK(bracket.mass_kg == Approx(0.4));
  const double each = 200.0 * (400.0 + 100.0) / 12.0 + 200.0 * (7.5 * 7.5 + 2.5 * 2.5);
  CHECK(bracket.inertia_kg_mm2 == Approx(1e-3 * 2.0 * each));
  CHECK(bracket.shapes[0].pose.position_mm.x() == Approx(-7.5));
  CHECK(bracket.shapes[1].pose.position_mm.y() == Approx(2.5));
  // The frame at (100, 50) is turned by 90 degrees: (7.5, 2.5) points to (-2.5, 7.5).
  CHECK(bracket.pose.x() == Approx(97.5));
  CHECK(bracket.pose.y() == Approx(57.5));
}

TEST_CASE("fixed and shaken bodies have no velocities of their own", "[scenes]") {
  const SceneFile file = scene_of(kSceneText);
  CHECK_FALSE(body(file, "floor").moves_freely());
  const PlanarBody& table = body(file, "table");
  CHECK_FALSE(table.moves_freely());
  REQUIRE(table.shake.has_value());
  CHECK(table.shake->amplitude_mm == 2.0);
  CHECK(table.shake->duration_s == 0.5);
  CHECK(table.shake->period_s == 2.0);
  CHECK(file.scene.velocities == 3 * (2 + 5));
}

TEST_CASE("a grid's bodies lie in rows from below with random shifts and sizes", "[scenes]") {
  const SceneFile file = scene_of(kSceneText);
  REQUIRE(file.blocks.size() == 5);
  const SceneBlock& block = file.blocks.back();
  CHECK(block.name == "grain");
  REQUIRE(block.bodies.size() == 5);  // 3 + 2
  const auto draw = [](std::uint64_t k, std::uint32_t d) { return 2 * uniform_open(7, k, d) - 1; };
  const std::vector<Vec2> regular = {{0, 100}, {10, 100}, {20, 100}, {5, 108}, {15, 108}};
  for (std::size_t k = 0; k < 5; ++k) {
    const PlanarBody& grain = file.scene.bodies[static_cast<std::size_t>(block.bodies[k])];
    CHECK(grain.name == "grain_" + std::to_string(k + 1));
    CHECK(grain.pose.x() == Approx(regular[k].x() + 0.5 * draw(k, 0)).epsilon(1e-12));
    CHECK(grain.pose.y() == Approx(regular[k].y() + 0.25 * draw(k, 1)).epsilon(1e-12));
    const double size = 1 + 0.1 * draw(k, 2);
    CHECK(std::get<Superellipse>(grain.shapes[0].shape).a_mm == Approx(3 * size).epsilon(1e-12));
    CHECK(file.block_of(block.bodies[k]) == 4);
  }
  CHECK(file.block_of(0) == 0);
}

TEST_CASE("the same seed gives the same grid and another seed another one", "[scenes]") {
  const auto x = [](const SceneFile& file) { return body(file, "grain_3").pose.x(); };
  CHECK(x(scene_of(kSceneText)) == x(scene_of(kSceneText)));
  CHECK(x(scene_of(kSceneText)) != x(scene_of(kSceneText, {"body.4.grid.seed=8"})));
}

TEST_CASE("contacts give laws and a grid's name means all its bodies", "[scenes]") {
  const SceneFile file = scene_of(kSceneText);
  const ContactLaw soft = contact_law(file.scene, 0, 1);
  CHECK(soft.mu == 0.1);
  REQUIRE(soft.soft.has_value());
  CHECK(soft.soft->stiffness_mn_per_mm == 2000.0);
  CHECK(soft.soft->damping_mn_s_per_mm == 500.0);
  CHECK(soft.soft->max_deflection_mm == 4.0);
  for (const int grain : file.blocks.back().bodies) {
    const ContactLaw through = contact_law(file.scene, 3, grain);
    CHECK_FALSE(through.touch);
    CHECK(through.mu == 0.4);
  }
  CHECK(contact_law(file.scene, 0, file.blocks.back().bodies[0]).touch);
}

TEST_CASE("layers are those of the bodies in the order of between", "[scenes]") {
  const auto layers_of = [](const std::string& between, const std::string& soft) {
    std::string text = replaced(kSceneText, "[\"disc\", \"floor\"]", between);
    text = replaced(text,
                    "soft = { stiffness_n_per_mm = 2, damping_n_s_per_mm = 0.5, "
                    "max_deflection_mm = 4 }",
                    soft);
    return contact_law(scene_of(replaced(text, "anitescu-hart", "implicit")).scene, 0, 1);
  };
  const std::string matrix =
      "{ stiffness_matrix_n_per_mm = [[2, 0.5], [0.5, 3]], damping_matrix_n_s_per_mm = [[0.1, 0], "
      "[0, 0.2]], max_deflection_mm = 4 }";
  const std::string normal = "{ stiffness_n_per_mm = 7, max_deflection_mm = 5 }";
  const auto is_matrix = [](const std::optional<SoftLayer>& layer) {
    Eigen::Matrix3d K;
    K << 2000.0, 500.0, 0.0, 500.0, 3000.0, 0.0, 0.0, 0.0, 3000.0;
    return layer && layer->matrices && layer->matrices->stiffness_mn_per_mm == K &&
           layer->matrices->damping_mn_s_per_mm ==
               Vec3(100, 200, 200).asDiagonal().toDenseMatrix() &&
           layer->stiffness_mn_per_mm == 2000.0 && layer->max_deflection_mm == 4.0;
  };
  const ContactLaw of_floor = layers_of("[\"disc\", \"floor\"]", "soft = " + matrix);
  CHECK(is_matrix(of_floor.layers[0]));  // the floor is body 0
  CHECK_FALSE(of_floor.layers[1]);
  CHECK_FALSE(of_floor.soft);
  const ContactLaw of_disc = layers_of("[\"floor\", \"disc\"]", "soft = " + matrix);
  CHECK(is_matrix(of_disc.layers[1]));
  CHECK_FALSE(of_disc.layers[0]);
  const ContactLaw both =
      layers_of("[\"disc\", \"floor\"]", "soft = [" + matrix + ", " + normal + "]");
  CHECK(is_matrix(both.layers[1]));
  REQUIRE(both.layers[0]);
  CHECK(both.layers[0]->stiffness_mn_per_mm == 7000.0);
  CHECK_FALSE(both.layers[0]->matrices);
}

TEST_CASE("a grid against itself has a law for each pair", "[scenes]") {
  const SceneFile file =
      scene_of(kSceneText + "[[contact]]\nbetween = [\"grain\", \"grain\"]\nfriction = 0.9\n");
  CHECK(contact_law(file.scene, 4, 5).mu == 0.9);
  CHECK(contact_law(file.scene, 6, 8).mu == 0.9);
  CHECK(file.scene.laws.size() == 1 + 5 + 10 + 1);
}

TEST_CASE("a pin holds the points of both bodies that are at its place", "[scenes]") {
  const SceneFile file = scene_of(kSceneText);
  REQUIRE(file.scene.pins.size() == 1);
  const PinJoint& pin = file.scene.pins[0];
  for (const auto& [index, point] :
       {std::pair{pin.body_a, pin.point_a_mm}, std::pair{pin.body_b, pin.point_b_mm}}) {
    const Vec3& pose = file.scene.bodies[static_cast<std::size_t>(index)].pose;
    const Vec2 at = transform({pose.head<2>(), pose[2]}, point);
    CHECK(at.x() == Approx(0.0).margin(1e-12));
    CHECK(at.y() == Approx(20.0));
  }
  CHECK_FALSE(contact_law(file.scene, pin.body_a, pin.body_b).touch);
  CHECK(contact_law(scene_of(kSceneText, {"joint.0.touch=true"}).scene, 1, 2).touch);
}

TEST_CASE("every kind of shape can be read", "[scenes]") {
  const auto shape = [](const std::string& keys) {
    const std::string text =
        "[time]\nduration_s = 1\nstep_s = 0.01\n[[body]]\nname = \"a\"\n"
        "mass_kg = 1\ninertia_kg_mm2 = 2\n" +
        keys;
    return scene_of(text).scene.bodies[0].shapes[0].shape;
  };
  const auto superellipse =
      std::get<Superellipse>(shape("kind = \"superellipse\"\nsemi_axes_mm = [3, 2]\n"));
  CHECK((superellipse.a_mm == 3 && superellipse.b_mm == 2 && superellipse.exponent == 2));
  const auto triangle = std::get<RoundedPolygon>(
      shape("kind = \"polygon\"\nvertices_mm = [[0, 0], [4, 0], [0, 3.5]]\n"));
  CHECK(triangle.vertices == std::vector<Vec2>{{0, 0}, {4, 0}, {0, 3.5}});
  const auto hexagon = std::get<RoundedPolygon>(
      shape("kind = \"regular_polygon\"\nvertices = 6\ncircumradius_mm = 2\n"));
  CHECK(hexagon.vertices.size() == 6);
  CHECK(hexagon.vertices[0].x() == Approx(0.0).margin(1e-12));
  CHECK(hexagon.vertices[0].y() == Approx(-2.0));
  const auto bar =
      std::get<RoundedPolygon>(shape("kind = \"rod\"\nlength_mm = 5\nradius_mm = 0.5\n"));
  CHECK((bar.radius_mm == 0.5 && bar.vertices.size() == 2));
  const auto box = std::get<RoundedPolygon>(shape("kind = \"rectangle\"\nsize_mm = [4, 2]\n"));
  CHECK(box.vertices == std::vector<Vec2>{{-2, -1}, {2, -1}, {2, 1}, {-2, 1}});
}

TEST_CASE("an overridden scene reads back as the same scene from its own text", "[scenes]") {
  const SceneFile first = scene_of(kSceneText, {"world.friction=0.7", "body.1.radius_mm=8"});
  const SceneFile again = scene_of(first.toml);
  CHECK(again.scene.mu == 0.7);
  REQUIRE(again.scene.bodies.size() == first.scene.bodies.size());
  for (std::size_t k = 0; k < first.scene.bodies.size(); ++k) {
    CHECK(again.scene.bodies[k].name == first.scene.bodies[k].name);
    CHECK(again.scene.bodies[k].pose == first.scene.bodies[k].pose);
    CHECK(again.scene.bodies[k].mass_kg == first.scene.bodies[k].mass_kg);
    CHECK(again.scene.bodies[k].inertia_kg_mm2 == first.scene.bodies[k].inertia_kg_mm2);
  }
  CHECK(again.scene.laws.size() == first.scene.laws.size());
  CHECK(again.run.step_s == first.run.step_s);
}
