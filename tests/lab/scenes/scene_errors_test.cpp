#include <catch2/catch.hpp>
#include <map>

#include "grasp/sweep/config/sweep_config.hpp"
#include "lab/scenes/scene_reader.hpp"
#include "tests/support/config_error.hpp"
#include "tests/support/mistakes.hpp"
#include "tests/support/parsed_scenes.hpp"
#include "tests/support/scene_text.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

std::string error_of(const std::string& text) {
  return config_error([&] { (void)parse_scene_file(text, "box.toml"); });
}

void check_mistakes(const std::vector<Mistake>& mistakes) {
  testing::check_mistakes(kSceneText, "box.toml", error_of, mistakes);
}

}  // namespace

TEST_CASE("the scene that mistakes are made in is good", "[scenes]") {
  CHECK(error_of(kSceneText) == "(no error)");
}

TEST_CASE("unknown keys of a scene are named with the one that was probably meant", "[scenes]") {
  check_mistakes({
      {"[world]", "[word]\n[world]", "[word]", "word", "did you mean world?"},
      {"step_s = 0.01", "step_s = 0.01\nstep = 1", "step = 1", "time.step", "step_s?"},
      {"stepper = ", "steper = ", "steper", "solver.steper", "did you mean stepper?"},
      {"friction = 0.4", "frictions = 0.4", "frictions", "world.frictions", "friction?"},
      {"radius_mm = 10", "radius_mm = 10\nradius_m = 1", "radius_m = 1", "body.1.radius_m",
       "a key ends with its unit: did you mean radius_mm?"},
      {"density_kg_per_mm2 = 1e-3", "density_kg_mm2 = 1e-3", "density_kg_mm2 = 1e-3",
       "body.2.density_kg_mm2", "density_kg_per_mm2"},
      {"size_mm = [20, 10]", "size_mm = [20, 10]\nradius_mm = 3", "radius_mm = 3",
       "body.2.piece.0.radius_mm", "unknown key"},
      {"columns = 3", "columns = 3\ncolumn = 3", "column = 3", "body.4.grid.column", "columns?"},
      {"amplitude_mm = 2,", "amplitude_mm = 2, phase = 1,", "phase = 1", "body.3.shake.phase",
       "allowed: amplitude_mm, duration_s, period_s"},
      {"touch = false", "tuch = false", "tuch", "contact.1.tuch", "did you mean touch?"},
      {"at_mm = [0, 20]", "at_mm = [0, 20]\nangle = 1", "angle = 1", "joint.0.angle", "allowed"},
  });
}

TEST_CASE("times and solver settings out of range are refused", "[scenes]") {
  check_mistakes({
      {"step_s = 0.01", "step_s = 0", "step_s = 0", "time.step_s",
       "must be a number from 1e-09 to 10"},
      {"duration_s = 0.5\nstep_s", "duration_s = -1\nstep_s", "duration_s = -1", "time.duration_s",
       "must be a number > 0"},
      {"duration_s = 0.5\nstep_s = 0.01", "step_s = 0.01", "[time]", "time.duration_s", "missing"},
      {"\"anitescu-hart\"", "\"euler\"", "stepper", "solver.stepper",
       "must be \"implicit\" or \"implicit-full\" or \"stewart-trinkle\""},
      {"tolerance = 1e-9", "tolerance = 1", "tolerance", "solver.tolerance", "must be a number"},
      {"max_iterations = 30", "max_iterations = 0", "max_iterations", "solver.max_iterations",
       "an integer from 1"},
      {"active_gap_mm = 3", "active_gap_mm = -3", "active_gap", "solver.active_gap_mm",
       "from 0 to 1e+09"},
      {"gravity_mm_s2 = [10, -9810]", "gravity_mm_s2 = 9810", "gravity", "world.gravity_mm_s2",
       "must be a list of 2 finite numbers"},
      {"friction = 0.4", "friction = -0.4", "friction = -0.4", "world.friction", "from 0 to 1000"},
  });
}

TEST_CASE("shapes that cannot be are refused", "[scenes]") {
  const std::string disc = "kind = \"disc\"\nradius_mm = 10";
  const auto polygon = [&](const std::string& vertices) {
    return "kind = \"polygon\"\nvertices_mm = " + vertices;
  };
  check_mistakes({
      {disc, "kind = \"circle\"\nradius_mm = 10", "\"circle\"", "body.1.kind",
       "must be \"disc\" or \"superellipse\" or \"rectangle\" or \"polygon\""},
      {disc, "radius_mm = 10", "[[body]]\nname = \"disc\"", "body.1.kind", "missing"},
      {disc, "kind = \"disc\"\nradius_mm = -10", "radius_mm = -10", "body.1.radius_mm",
       "from 1e-06 to 1e+09"},
      {disc, polygon("[[0, 0], [1, 0]]"), "vertices_mm", "body.1.vertices_mm", "at least 3"},
      {disc, polygon("[[0, 0], [0, 1], [1, 0]]"), "vertices_mm", "body.1.vertices_mm",
       "does not turn left at vertex 0 = [0, 0]; must be at least 3 vertices, counter-clockwise"},
      {disc, polygon("[[0, 0], [2, 0], [1, 0.5], [1, 2]]"), "vertices_mm", "body.1.vertices_mm",
       "vertex 2 = [1, 0.5]"},
      {disc, polygon("[[0, 0], [1, 0], [2, 0], [1, 2]]"), "vertices_mm", "body.1.vertices_mm",
       "vertex 1"},
      {disc, polygon("[[0, 10], [-6, -8], [9.5, 3], [-9.5, 3], [6, -8]]"), "vertices_mm",
       "body.1.vertices_mm", "goes around more than once"},
      {disc, polygon("[[0, 0], [1, 0], 3]"), "vertices_mm", "body.1.vertices_mm.2",
       "must be a list of 2 finite numbers"},
      {disc, "kind = \"polygon\"\nverticev_mm = [[0, 0], [1, 0], [1, 2]]", "verticev_mm",
       "body.1.verticev_mm", "did you mean vertices_mm?"},
      {disc, "kind = \"regular_polygon\"\nvertices = 2\ncircumradius_mm = 1", "vertices = 2",
       "body.1.vertices", "from 3"},
      {"size_mm = [20, 10]", "size_mm = [20, 0]", "size_mm = [20, 0]", "body.2.piece.0.size_mm",
       "both must be > 0"},
      {"exponent = 4", "exponent = 1.5", "exponent", "body.4.exponent", "from 2"},
      {disc, "kind = \"half_plane\"", "kind = \"half_plane\"\nmass", "body.1.kind",
       "is a half-plane on a body that moves; give it fixed = true or shake"},
      {"density_kg_per_mm2 = 1e-3", "density_kg_per_mm2 = 1e-3\nkind = \"disc\"",
       "kind = \"disc\"\nposition_mm = [100, 50]", "body.2.kind", "[[body.piece]]"},
  });
}

TEST_CASE("a shape without its lengths says which is missing", "[scenes]") {
  for (const auto& [keys, key] : std::map<std::string, std::string>{
           {"\"disc\"", "radius_mm"},
           {"\"superellipse\"", "semi_axes_mm"},
           {"\"rectangle\"", "size_mm"},
           {"\"polygon\"", "vertices_mm"},
           {"\"regular_polygon\"\ncircumradius_mm = 10", "vertices"},
           {"\"rod\"\nradius_mm = 10", "length_mm"},
       }) {
    check_mistakes({{"kind = \"disc\"\nradius_mm = 10", "kind = " + keys,
                     "[[body]]\nname = \"disc\"", "body.1." + key, "missing"}});
  }
}

TEST_CASE("masses and motions that do not fit are refused", "[scenes]") {
  check_mistakes({
      {"mass_kg = 2", "mass_kg = 0", "mass_kg = 0", "body.1.mass_kg", "from 1e-09 to 1e+09"},
      {"mass_kg = 2\n", "", "[[body]]\nname = \"disc\"", "body.1.mass_kg", "missing"},
      {"inertia_kg_mm2 = 100\n", "", "[[body]]\nname = \"disc\"", "body.1.inertia_kg_mm2",
       "missing"},
      {"mass_kg = 2\ninertia_kg_mm2 = 100\n", "", "[[body]]\nname = \"disc\"", "body.1.mass_kg",
       "give either mass_kg and inertia_kg_mm2, or density_kg_per_mm2"},
      {"mass_kg = 2", "mass_kg = 2\ndensity_kg_per_mm2 = 1", "density_kg_per_mm2 = 1\n",
       "body.1.density_kg_per_mm2", "does not go with mass_kg"},
      {"density_kg_per_mm2 = 1e-3", "density_kg_per_mm2 = 1e-3\ncenter_of_mass_mm = [0, 0]",
       "center_of_mass_mm", "body.2.center_of_mass_mm", "goes with mass_kg only"},
      {"position_mm = [15, 5]", "position_mm = [5, 5]", "density_kg_per_mm2 = 1e-3",
       "body.2.density_kg_per_mm2", "piece.0 and piece.1, by 10 mm"},
      {"fixed = true", "fixed = true\nmass_kg = 1", "mass_kg = 1", "body.0.mass_kg",
       "does not go with fixed or shake"},
      {"fixed = true", "fixed = true\nvelocity_mm_s = [1, 0]", "velocity_mm_s = [1, 0]",
       "body.0.velocity_mm_s", "does not go with fixed"},
      {"fixed = true", "fixed = \"yes\"", "fixed", "body.0.fixed", "must be true or false"},
      {"shake = {", "fixed = false\nshake = {", "fixed = false", "body.3.fixed", "must be true"},
      {"duration_s = 0.5, period_s = 2", "duration_s = 3, period_s = 2", "shake",
       "body.3.shake.duration_s", "must be at most period_s = 2"},
  });
}

TEST_CASE("names are unique and known", "[scenes]") {
  check_mistakes({
      {"name = \"table\"", "name = \"disc\"", "name = \"disc\"\nkind = \"rectangle\"",
       "body.3.name", "\"disc\" is the name of two bodies"},
      {"name = \"table\"", "name = \"a b\"", "name = \"a b\"", "body.3.name", "must be a name"},
      {"name = \"grain\"", "name = \"disc\"", "name = \"disc\"\nkind = \"superellipse\"",
       "body.4.name", "two bodies"},
      {"[\"disc\", \"floor\"]", "[\"disc\", \"flor\"]", "flor", "contact.0.between",
       "\"flor\" is no body; must be of floor, disc, bracket, table, grain"},
      {"[\"disc\", \"floor\"]", "[\"disc\"]", "between = [\"disc\"]", "contact.0.between",
       "must be a list of two names"},
      {"[\"disc\", \"floor\"]", "[\"disc\", \"disc\"]", "between = [\"disc\", \"disc\"]",
       "contact.0.between", "twice"},
      {"[\"grain\", \"table\"]", "[\"floor\", \"disc\"]", "between = [\"floor\", \"disc\"]",
       "contact.1.between", "one law for each pair"},
      {"[\"disc\", \"bracket\"]", "[\"disc\", \"grain\"]", "between = [\"disc\", \"grain\"]",
       "joint.0.between", "must be one of grain_1 to grain_5"},
      {"[\"disc\", \"bracket\"]", "[\"table\", \"floor\"]", "between = [\"table\", \"floor\"]",
       "joint.0.between", "both fixed"},
      {"kind = \"pin\"", "kind = \"slider\"", "slider", "joint.0.kind", "must be \"pin\""},
  });
}

TEST_CASE("grids and layers out of range are refused", "[scenes]") {
  check_mistakes({
      {"columns = 3", "columns = 0", "columns = 0", "body.4.grid.columns", "from 1 to 1000"},
      {"size_spread = 0.1", "size_spread = 1", "size_spread", "body.4.grid.size_spread",
       "from 0 to 0.9"},
      {"jitter_mm = [0.5, 0.25]", "jitter_mm = [-1, 0]", "jitter_mm", "body.4.grid.jitter_mm",
       "both must be >= 0"},
      {"seed = 7", "seed = -7", "seed", "body.4.grid.seed", "an integer from 0"},
      {"density_kg_per_mm2 = 1e-5", "mass_kg = 1\ninertia_kg_mm2 = 1",
       "mass_kg = 1\ninertia_kg_mm2 = 1\n", "body.4.mass_kg", "does not go with grid.size_spread"},
      {"stiffness_n_per_mm = 2", "stiffness_n_per_mm = 0", "soft",
       "contact.0.soft.stiffness_n_per_mm", "from 1e-09 to 1e+12"},
      {"max_deflection_mm = 4", "max_deflection_mm = 0", "soft", "contact.0.soft.max_deflection_mm",
       "from 1e-06 to 1e+09"},
  });
}

TEST_CASE("soft layers that cannot be are refused", "[scenes]") {
  const std::string one =
      "soft = { stiffness_n_per_mm = 2, damping_n_s_per_mm = 0.5, max_deflection_mm = 4 }";
  const auto with = [](const std::string& keys) { return "soft = { " + keys + " }"; };
  const std::string stop = ", max_deflection_mm = 4";
  check_mistakes({
      {one, with("stiffness_matrix_n_per_mm = [[2, 1]]" + stop), "soft",
       "contact.0.soft.stiffness_matrix_n_per_mm", "has 1 rows; must have 2, of 2 numbers each"},
      {one, with("stiffness_matrix_n_per_mm = [[2, 1, 0], [1, 2, 0]]" + stop), "soft",
       "contact.0.soft.stiffness_matrix_n_per_mm.0", "must be a list of 2 finite numbers"},
      {one, with("stiffness_matrix_n_per_mm = [[2, 1], [0, 2]]" + stop), "soft",
       "contact.0.soft.stiffness_matrix_n_per_mm", "must be symmetric"},
      {one, with("stiffness_matrix_n_per_mm = [[2, 3], [3, 2]]" + stop), "soft",
       "contact.0.soft.stiffness_matrix_n_per_mm", "must be positive definite"},
      {one, with("stiffness_matrix_n_per_mm = [[0, 1e-3], [1e-3, 1e9]]" + stop), "soft",
       "contact.0.soft.stiffness_matrix_n_per_mm", "must be positive definite"},
      {one,
       with("stiffness_matrix_n_per_mm = [[2, 0], [0, 2]], damping_matrix_n_s_per_mm = [[0, 1], "
            "[1, 0]]" +
            stop),
       "soft", "contact.0.soft.damping_matrix_n_s_per_mm", "must be positive semidefinite"},
      {one, with("stiffness_matrix_n_per_mm = [[2, 0], [0, 2]], stiffness_n_per_mm = 2" + stop),
       "soft", "contact.0.soft.stiffness_n_per_mm", "unknown key"},
      {one, "soft = [{ stiffness_n_per_mm = 2" + stop + " }]", "soft", "contact.0.soft",
       "has 1 layers; must be one, or a list of two"},
  });
  // Layers with matrices are for the implicit steppers.
  const std::string whole =
      replaced(kSceneText, one, with("stiffness_matrix_n_per_mm = [[2, 1], [1, 2]]" + stop));
  CHECK_THAT(error_of(whole), Contains("solver.stepper: is \"") &&
                                  Contains("must be \"implicit\" or \"implicit-full\""));
}

TEST_CASE("bodies that overlap at the start are named with the depth", "[scenes]") {
  check_mistakes({
      {"position_mm = [100, 50]", "position_mm = [100, 9]", "position_mm = [100, 9]",
       "body.2.position_mm", "floor and bracket overlap by 1 mm at the start"},
      // The disc may be 4 mm deep in its soft layer.
      {"position_mm = [-50, 10]", "position_mm = [-50, 5]", "position_mm = [-50, 5]",
       "body.1.position_mm", "floor and disc overlap by 1 mm at the start"},
      {"spacing_mm = [10, 8]", "spacing_mm = [5, 8]", "position_mm = [0, 100]",
       "body.4.position_mm", "overlap by"},
  });
  // What passes through each other may overlap.
  CHECK(error_of(replaced(kSceneText, "at_mm = [0, 20]", "at_mm = [0, 20]\ntouch = true")) ==
        "(no error)");
  CHECK(error_of(replaced(kSceneText, "position_mm = [-50, 10]", "position_mm = [97, 57]")) ==
        "(no error)");
}

TEST_CASE("a scene in which nothing moves is refused", "[scenes]") {
  const std::string error = error_of(
      "[time]\nduration_s = 1\nstep_s = 0.1\n[[body]]\nname = \"a\"\nkind = \"disc\"\n"
      "radius_mm = 1\nfixed = true\n");
  CHECK_THAT(error, StartsWith("box.toml:4: body: no body moves"));
}
