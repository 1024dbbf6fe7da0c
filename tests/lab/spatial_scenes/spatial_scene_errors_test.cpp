#include <catch2/catch.hpp>

#include "grasp/sweep/config/sweep_config.hpp"
#include "lab/scenes/scene_reader.hpp"
#include "lab/spatial_scenes/spatial_scene_file.hpp"
#include "tests/support/config_error.hpp"
#include "tests/support/mistakes.hpp"
#include "tests/support/parsed_scenes.hpp"
#include "tests/support/spatial_scene_text.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

std::string spatial_error(const std::string& text) {
  return config_error([&] { (void)parse_spatial_scene_file(text, "box.toml"); });
}

void check_rigid_mistakes(const std::vector<Mistake>& mistakes) {
  check_mistakes(kRigidSceneText, "box.toml", spatial_error, mistakes);
}

void check_articulated_mistakes(const std::vector<Mistake>& mistakes) {
  check_mistakes(kArticulatedSceneText, "box.toml", spatial_error, mistakes);
}

}  // namespace

TEST_CASE("the scenes in space that mistakes are made in are good", "[spatial_scenes]") {
  CHECK(spatial_error(kRigidSceneText) == "(no error)");
  CHECK(spatial_error(kArticulatedSceneText) == "(no error)");
}

TEST_CASE("the kind of a scene is checked", "[spatial_scenes]") {
  CHECK_THAT(spatial_error("kind = \"solid\"\n"),
             StartsWith("box.toml:1: kind: ") &&
                 Contains("must be \"planar\" or \"spatial\" or \"articulated\""));
  CHECK_THAT(spatial_error("title = \"a\"\n"),
             Contains("kind: is \"planar\"; must be \"spatial\" or \"articulated\""));
  CHECK_THAT(config_error([] { (void)parse_scene_file(kRigidSceneText, "box.toml"); }),
             StartsWith("box.toml:2: kind: is \"spatial\"; must be \"planar\""));
}

TEST_CASE("unknown keys of scenes in space are named with the one meant", "[spatial_scenes]") {
  check_rigid_mistakes({
      {"[world]", "[word]\n[world]", "[word]", "word", "did you mean world?"},
      {"stepper =", "steper =", "steper", "solver.steper", "did you mean stepper?"},
      {"e_r_mm = 7", "e_r = 7", "e_r = 7", "world.e_r", "did you mean e_r_mm?"},
      {"radius_mm = 10", "radius_mm = 10\nsize_mm = 1", "size_mm = 1", "body.1.size_mm",
       "unknown key"},
      {"density_kg_per_mm3", "density_kg_per_mm2", "density_kg_per_mm2",
       "body.4.density_kg_per_mm2", "density_kg_per_mm3"},
      {"touch = false", "tuch = false", "tuch", "contact.1.tuch", "did you mean touch?"},
      {"end_s = 0.2", "end = 0.2", "end = 0.2", "push.0.end", "did you mean end_s?"},
      {"when = ", "wen = ", "wen", "kick.0.wen", "did you mean when?"},
  });
  check_articulated_mistakes({
      {"contact_solver", "contact_solvers", "contact_solvers", "solver.contact_solvers",
       "did you mean contact_solver?"},
      {"restitution = 0.5", "restitutions = 0.5", "restitutions", "world.restitutions",
       "restitution?"},
      {"displacement_mm", "angle_rad", "angle_rad = 10", "link.1.angle_rad", "unknown key"},
      {"normal = [0, 0, 2]", "normals = [0, 0, 2]", "normals", "obstacle.0.normals", "normal?"},
      {"point_b_mm", "point_c_mm", "point_c_mm", "closure.0.point_c_mm", "did you mean point_"},
  });
}

TEST_CASE("settings of scenes in space out of range are refused", "[spatial_scenes]") {
  check_rigid_mistakes({
      {"step_s = 0.01", "step_s = 0", "step_s = 0", "time.step_s",
       "must be a number from 1e-09 to 10"},
      {"\"stewart-trinkle\"", "\"anitescu-hart-convex\"", "stepper", "solver.stepper",
       "must be \"implicit\" or \"implicit-full\" or \"stewart-trinkle\""},
      {"directions = 12", "directions = 5", "directions", "solver.directions", "must be even"},
      {"directions = 12", "directions = 2", "directions", "solver.directions", "from 4 to 64"},
      {"[10, 20, -9810]", "[0, -9810]", "gravity", "world.gravity_mm_s2",
       "must be a list of 3 finite numbers"},
      {"friction = 0.4", "friction = -0.4", "friction = -0.4", "world.friction", "from 0 to 1000"},
      {"e_o = 0.5", "e_o = 0", "e_o = 0", "world.e_o", "from 0.001 to 1000"},
      {"e_r_mm = 7", "e_r_mm = -7", "e_r_mm = -7", "world.e_r_mm", "from 0 to 1000000"},
  });
  check_articulated_mistakes({
      {"\"mlcp-pfb-rlm\"", "\"implicit\"", "contact_solver", "solver.contact_solver",
       "must be \"mlcp-lemke\" or \"mlcp-pfb-rlm\""},
      {"\"moreau-midpoint\"", "\"euler\"", "integrator", "solver.integrator",
       "must be \"semi-implicit-euler\" or \"moreau-midpoint\""},
      {"penalty = 0.9", "penalty = 0", "penalty", "solver.penalty", "> 0 and <= 1"},
      {"restitution = 0.5", "restitution = 1.5", "restitution = 1.5", "world.restitution",
       "a number from 0 to 1"},
      {"self_contact = false", "self_contact = 0", "self_contact", "world.self_contact",
       "true or false"},
  });
}

TEST_CASE("soft layers in space that cannot be are refused", "[spatial_scenes]") {
  const std::string stop = ", max_deflection_mm = 4 }";
  const auto with = [&](const std::string& keys) {
    return "touch = false\nsoft = { " + keys + stop;
  };
  check_rigid_mistakes({
      {"touch = false", with("stiffness_n_per_mm = -1"), "soft",
       "contact.1.soft.stiffness_n_per_mm", "from 1e-09 to 1e+12"},
      {"touch = false", with("stiffness_matrix_n_per_mm = [[2, 1], [1, 2]]"), "soft",
       "contact.1.soft.stiffness_matrix_n_per_mm.0", "must be a list of 3 finite numbers"},
      {"touch = false", with("stiffness_n_per_mm = 1"), "stepper", "solver.stepper",
       "is \"stewart-trinkle\", which has no soft contacts; must be \"implicit\""},
  });
}

TEST_CASE("solids and poses that cannot be are refused", "[spatial_scenes]") {
  check_rigid_mistakes({
      {"\"sphere\"\nradius", "\"ball\"\nradius", "\"ball\"\nradius", "body.1.kind",
       "must be \"sphere\" or \"ellipsoid\" or \"superquadric\" or \"box\" or \"cylinder\""},
      {"radius_mm = 10", "radius_mm = 0", "radius_mm = 0", "body.1.radius_mm", "from 1e-06"},
      {"[10, 20, 30]", "[10, 0, 30]", "[10, 0, 30]", "body.2.semi_axes_mm", "all must be > 0"},
      {"exponent = 4", "exponent = 1", "exponent", "body.3.exponent", "from 2 to 100"},
      {"size_mm = [20, 40, 60]", "size_mm = [20, 40]", "size_mm", "body.4.size_mm", "of 3"},
      {"length_mm = 60", "length_mm = -60", "length_mm", "body.5.length_mm", "from 1e-06"},
      {"kind = \"half_space\"\nfixed = true", "kind = \"half_space\"\nmass_kg = 1",
       "kind = \"half_space\"", "body.0.kind", "is a half-space on a body that moves"},
      {"[0.8, 0.6, 0, 0]", "[0.8, 0.7, 0, 0]", "orientation", "body.1.orientation",
       "must be a unit quaternion [w, x, y, z]"},
      {"[0.8, 0.6, 0, 0]", "[1, 0, 0]", "orientation", "body.1.orientation", "of 4"},
  });
}

TEST_CASE("masses and motions in space that do not fit are refused", "[spatial_scenes]") {
  check_rigid_mistakes({
      {"mass_kg = 2", "mass_kg = 0", "mass_kg = 0", "body.1.mass_kg", "from 1e-09"},
      {"mass_kg = 2", "mass_kg = 1e300", "mass_kg = 1e300", "body.1.mass_kg", "from 1e-09"},
      {"mass_kg = 2\n", "", "[[body]]\nname = \"ball\"", "body.1.mass_kg",
       "missing; give either mass_kg"},
      {"[80, 90, 100]", "[80, -90, 100]", "inertia", "body.1.inertia_kg_mm2", "all must be > 0"},
      {"[80, 90, 100]", "[80, 90, 171]", "inertia", "body.1.inertia_kg_mm2", "which no body has"},
      {"density_kg_per_mm3 = 1e-4", "density_kg_per_mm3 = 1e-4\nmass_kg = 77", "mass_kg = 77",
       "body.4.mass_kg", "does not go with density_kg_per_mm3"},
      {"fixed = true\n[[contact]]", "fixed = true\nmass_kg = 77\n[[contact]]", "mass_kg = 77",
       "body.5.mass_kg", "does not go with fixed"},
      {"fixed = true\n[[contact]]", "fixed = true\nforce_n = [9, 0, 0]\n[[contact]]",
       "force_n = [9, 0, 0]", "body.5.force_n", "does not go with fixed"},
  });
  CHECK_THAT(spatial_error("kind = \"spatial\"\n[time]\nduration_s = 1\nstep_s = 0.1\n[[body]]\n"
                           "name = \"a\"\nkind = \"sphere\"\nradius_mm = 1\nfixed = true\n"),
             StartsWith("box.toml:5: body: no body moves"));
}

TEST_CASE("names of bodies in space are unique and known", "[spatial_scenes]") {
  check_rigid_mistakes({
      {"name = \"egg\"", "name = \"ball\"", "name = \"ball\"\nkind = \"ellipsoid\"", "body.2.name",
       "\"ball\" is the name of two bodies"},
      {"[\"ball\", \"floor\"]", "[\"ball\", \"flor\"]", "flor", "contact.0.between",
       "\"flor\" is no body; must be of floor, ball, egg, pillow, crate, pole"},
      {"[\"ball\", \"floor\"]", "[\"ball\", \"ball\"]", "[\"ball\", \"ball\"]", "contact.0.between",
       "twice"},
      {"[\"egg\", \"ball\"]", "[\"floor\", \"ball\"]", "[\"floor\", \"ball\"]", "contact.1.between",
       "one law for each pair"},
      {"body = \"crate\"", "body = \"pole\"", "body = \"pole\"", "push.0.body",
       "\"pole\" is fixed; must be a body that moves"},
      {"body = \"egg\"", "body = \"eg\"", "body = \"eg\"", "kick.0.body", "is no body"},
  });
}

TEST_CASE("pushes and kicks that cannot be are refused", "[spatial_scenes]") {
  check_rigid_mistakes({
      {"end_s = 0.2", "end_s = 0.1", "end_s = 0.1", "push.0.end_s", "> 0.1"},
      {"force_n = [1, 2, 3]\ntorque_n_mm = [4, 5, 6]\n", "", "[[push]]", "push.0.force_n",
       "give force_n or torque_n_mm"},
      {"\"line_contact\"", "\"always\"", "when", "kick.0.when",
       "must be \"turning_stops\" or \"line_contact\" or \"surface_contact\""},
      {"impulse_n_s = [7, 8, 9]\nangular_impulse_n_mm_s = [0.1, 0.2, 0.3]\n", "", "[[kick]]",
       "kick.0.impulse_n_s", "give impulse_n_s or angular_impulse_n_mm_s"},
  });
}

TEST_CASE("links that cannot be are refused", "[spatial_scenes]") {
  check_articulated_mistakes({
      {"joint = \"slider\"", "joint = \"hinge\"", "hinge", "link.1.joint",
       "must be \"pin\" or \"slider\" or \"ball\" or \"free\""},
      {"axis = [0, 3, 4]", "axis = [0, 0, 0]", "axis = [0, 0, 0]", "link.0.axis",
       "must be a direction, not all 0"},
      {"axis = [0, 3, 4]\n", "", "[[link]]\nname = \"arm\"", "link.0.axis", "missing"},
      {"parent = \"wrist\"", "parent = \"stone\"", "parent = \"stone\"", "link.3.parent",
       "\"stone\" is no link before this one; must be of ground, arm, slide, wrist"},
      {"name = \"stone\"", "name = \"arm\"", "name = \"arm\"\njoint = \"free\"", "link.4.name",
       "two links"},
      {"name = \"stone\"", "name = \"ground\"", "name = \"ground\"", "link.4.name",
       "must be another name"},
      {"repeat = 3", "repeat = 0", "repeat", "link.3.repeat", "from 1 to 1000"},
      {"repeat = 3\n", "", "next_at_mm", "link.3.next_at_mm", "goes with repeat only"},
      {"ball_radius_mm = 5\n", "", "ball_centre_mm = [0, 0, -30]", "link.1.ball_centre_mm",
       "goes with ball_radius_mm only"},
      {"inertia_kg_mm2 = [7, 8, 9]\n", "", "[[link]]\nname = \"arm\"", "link.0.inertia_kg_mm2",
       "missing"},
      {"inertia_kg_mm2 = [7, 8, 9]", "inertia_kg_mm2 = [7, 8, 99]", "inertia",
       "link.0.inertia_kg_mm2", "which no body has"},
      {"mass_kg = 2\n", "mass_kg = 0\n", "mass_kg = 0\nball_radius_mm = 50", "link.4.mass_kg",
       "stone carries no other mass"},
      {"mass_kg = 3\n", "mass_kg = -3\n", "mass_kg = -3", "link.0.mass_kg", "from 0 to 1e+09"},
  });
}

TEST_CASE("obstacles and closures that cannot be are refused", "[spatial_scenes]") {
  check_articulated_mistakes({
      {"name = \"floor\"", "name = \"arm\"", "name = \"arm\"\npoint", "obstacle.0.name",
       "two links or obstacles"},
      {"normal = [0, 0, 2]", "normal = [0, 0, 0]", "normal", "obstacle.0.normal", "a direction"},
      {"\"stone\"]", "\"chain_4\"]", "chain_4", "closure.0.between",
       "\"chain_4\" is no link; must be of ground, arm"},
      {"[\"ground\", \"stone\"]", "[\"arm\", \"arm\"]", "between", "closure.0.between", "twice"},
      {"[\"ground\", \"stone\"]", "[\"arm\"]", "between", "closure.0.between", "list of two"},
  });
}

TEST_CASE("bodies in space that overlap at the start are named with the depth",
          "[spatial_scenes]") {
  check_rigid_mistakes({
      {"position_mm = [100, 0, 40]", "position_mm = [100, 0, 25]", "position_mm = [100, 0, 25]",
       "body.2.position_mm", "floor and egg overlap by 5 mm at the start"},
      {"position_mm = [400, 0, 100]", "position_mm = [314, 0, 60]", "position_mm = [314, 0, 60]",
       "body.5.position_mm", "crate and pole overlap by 1 mm at the start"},
  });
  // Those that do not touch may overlap.
  CHECK(spatial_error(replaced(kRigidSceneText, "position_mm = [100, 0, 40]",
                               "position_mm = [-50, 0, 40]")) == "(no error)");
  check_articulated_mistakes({
      {"point_mm = [0, 0, -500]", "point_mm = [0, 0, 251]", "point_mm = [0, 0, 251]",
       "obstacle.0.point_mm", "overlap by"},
  });
}

TEST_CASE("links that overlap at the start are told at the later one", "[spatial_scenes]") {
  const std::string twin =
      "[[link]]\nname = \"twin\"\njoint = \"free\"\nmass_kg = 1\nball_radius_mm = 50\n"
      "position_mm = [500, 0, 390]\n";
  const std::string text = replaced(kArticulatedSceneText, "[[obstacle]]", twin + "[[obstacle]]");
  CHECK(spatial_error(text) == "(no error)");  // self_contact = false
  CHECK_THAT(spatial_error(replaced(text, "self_contact = false", "self_contact = true")),
             Contains("link.5.at_mm: stone and twin overlap by 10 mm at the start") &&
                 Contains("self_contact = false"));
}

TEST_CASE("closures that are open at the start are refused", "[spatial_scenes]") {
  check_articulated_mistakes({
      {"point_a_mm = [497.2, 0, 290.4]", "point_a_mm = [497.2, 3, 294.4]", "point_a_mm",
       "closure.0.point_a_mm", "the two points are 5 mm apart at the start; must meet"},
  });
}
