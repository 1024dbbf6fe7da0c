#include <catch2/catch.hpp>

#include "grasp/sweep/config/sweep_config.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/mistakes.hpp"
#include "tests/support/sweep_text.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

void check_mistakes(const std::vector<Mistake>& mistakes) {
  testing::check_mistakes(kConfigText, "sweep.toml", sweep_error, mistakes);
}

const std::string kUniform = R"({ distribution = "uniform", min = 0.05, max = 0.35 })";

/// A mistake in the distribution of friction.jaw.
Mistake jaw_mistake(const std::string& distribution, const std::string& key,
                    const std::string& says) {
  return {kUniform, distribution, "jaw = ", "friction.jaw" + key, says};
}

}  // namespace

TEST_CASE("unknown keys are named, with the one that was probably meant") {
  check_mistakes({
      {"[sweep]", "[sweeps]\n[sweep]", "[sweeps]", "sweeps", "did you mean sweep?"},
      {"[sweep]", "[zebra]\n[sweep]", "[zebra]", "zebra", "allowed: name, part, gripper, support"},
      {"mass_kg = 0.05", "mas_kg = 0.05", "mas_kg", "part.mas_kg", "did you mean mass_kg?"},
      {"exponent = 8", "exponnent = 8", "exponnent", "part.piece.0.exponnent",
       "did you mean exponent?"},
      {"e_r_mm = 10", "radius_mm = 10", "radius_mm", "support.radius_mm",
       "for support.model = \"tripod\" only; must be left out (--set "
       "support.radius_mm= takes it away)"},
      {"[sweep]", "[stop]\npatience = 3\n[sweep]", "patience", "stop.patience",
       "allowed: stopped_speed_mm_s"},
      {"[sweep]", "[summary]\nplateau = 1\n[sweep]", "plateau", "summary.plateau", "allowed: "},
      {"[sweep]", "[simulation]\nstep_size = 1\n[sweep]", "step_size", "simulation.step_size",
       "did you mean step_s?"},
      {"[sweep]", "[placement.noise]\nz_mm = 1\n[sweep]", "z_mm", "placement.noise.z_mm",
       "did you mean x_mm?"},
      {"support = 0.3", "suport = 0.3", "suport", "friction.suport", "did you mean support?"},
      {"left = [", "lft = [", "lft", "success.0.lft", "did you mean left?"},
      {"x_cells", "xcells", "xcells", "placement.xcells", "did you mean x_cells?"},
      {"trials_per_cell", "trials_per_sell", "trials_per_sell", "sweep.trials_per_sell",
       "did you mean trials_per_cell?"},
      jaw_mistake("{ distribution = \"uniform\", min = 0, max = 1, mean = 1 }", ".mean",
                  "for distribution = \"normal\" or \"truncated_normal\" or \"lognormal\" only; "
                  "must be left out"),
      jaw_mistake("{ distribution = \"uniform\", min = 0, max = 1, value = 1 }", ".value",
                  "for distribution = \"fixed\" only; must be left out"),
      jaw_mistake("{ distribution = \"uniform\", min = 0, max = 1, vaalue = 1 }", ".vaalue",
                  "allowed: distribution, min, max"),
  });
  CHECK_THAT(sweep_error(replaced(kConfigText, kUniform, "{ kind = \"uniform\" }")),
             Contains("friction.jaw.kind: unknown key; allowed: distribution, value, mean") &&
                 Contains("friction.jaw.distribution: missing; must be \"fixed\" or"));
}

TEST_CASE("a key with another unit or none is named, with the right one") {
  check_mistakes({
      {"opening_mm = 30", "opening_cm = 3", "opening_cm", "gripper.opening_cm",
       "a key ends with its unit: did you mean opening_mm?"},
      {"opening_mm = 30", "opening = 30", "opening = ", "gripper.opening",
       "did you mean opening_mm?"},
      {"closing_speed_mm_s", "closing_speed_m_s", "closing_speed_m_s", "gripper.closing_speed_m_s",
       "did you mean closing_speed_mm_s?"},
      {"inertia_kg_mm2", "inertia_kg_m2", "inertia_kg_m2", "part.inertia_kg_m2",
       "did you mean inertia_kg_mm2?"},
      {"x_cells", "theta = 10\nx_cells", "theta = ", "placement.theta", "did you mean theta_rad?"},
      {"[sweep]", "[simulation]\nstep_ms = 5\n[sweep]", "step_ms", "simulation.step_ms",
       "did you mean step_s?"},
  });
}

TEST_CASE("a missing key is named at its table's line") {
  check_mistakes({
      {"mass_kg = 0.05", "", "[part]", "part.mass_kg", "missing; must be a finite number > 0"},
      {"opening_mm = 30", "", "[gripper]", "gripper.opening_mm", "missing"},
      {"closing_force_n = 10", "", "[gripper]", "gripper.closing_force_n", "missing"},
      {"name = \"knob\"\n", "", "[[part.piece]]\ncenter_mm", "part.piece.1.name", "missing"},
      {"semi_axes_mm = [3, 3]", "", "[[part.piece]]\nname = \"knob\"", "part.piece.1.semi_axes_mm",
       "missing; must be a list of 2 finite numbers"},
      {"model = \"ellipsoid\"", "", "[support]", "support.model",
       "must be \"ellipsoid\" or \"tripod\""},
      {"support = 0.3", "", "[friction]", "friction.support", "missing"},
      {"y_max_mm = -2", "", "[placement]", "placement.y_max_mm", "missing"},
      {"x_cells = 4", "", "[placement]", "placement.x_cells", "missing; must be an integer from 1"},
      {"seed = 42", "", "[sweep]", "sweep.seed", "missing; must be an integer from 0"},
      {"[[success]]\nleft = [\"knob\"]\nright = [\"knob\"]\n", "", "name = ", "success",
       "missing; must be one or more tables, [[success]]"},
      jaw_mistake("{ min = 0.1, max = 0.2 }", ".distribution", "missing; must be \"fixed\" or"),
      jaw_mistake("{ distribution = \"fixed\" }", ".value", "missing"),
      jaw_mistake("{ distribution = \"uniform\", max = 1 }", ".min", "missing"),
      jaw_mistake("{ distribution = \"normal\", mean = 1, min = 0 }", ".sigma", "missing"),
      jaw_mistake("{ distribution = \"truncated_normal\", mean = 1, sigma = 1, min = 0 }", ".max",
                  "missing"),
  });
}

TEST_CASE("a missing table is named with what it needs") {
  CHECK_THAT(
      sweep_error(replaced(kConfigText, "[support]\nmodel = \"ellipsoid\"\ne_r_mm = 10\n", "")),
      StartsWith("sweep.toml:1: support: missing; must be a table, [support]\n") &&
          Contains("sweep.toml:1: support.model: missing; must be \"ellipsoid\" or"));
}

TEST_CASE("a value of the wrong type is named") {
  check_mistakes({
      {"opening_mm = 30", "opening_mm = \"30\"", "opening_mm", "gripper.opening_mm",
       "is the text \"30\"; must be a finite number > 0"},
      {"opening_mm = 30", "opening_mm = true", "opening_mm", "gripper.opening_mm", "is true;"},
      {"opening_mm = 30", "opening_mm = 2020-01-01", "opening_mm", "gripper.opening_mm",
       "is a date"},
      {"opening_mm = 30", "opening_mm = [30]", "opening_mm", "gripper.opening_mm", "is a list;"},
      {"opening_mm = 30", "opening_mm = {}", "opening_mm", "gripper.opening_mm", "is a table;"},
      {"x_cells = 4", "x_cells = 4.0", "x_cells", "placement.x_cells", "must be an integer"},
      {"[3, 3]", "3", "semi_axes_mm = 3", "part.piece.1.semi_axes_mm",
       "is 3; must be a list of 2 finite numbers"},
      {"[3, 3]", "[3, 3, 3]", "[3, 3, 3]", "part.piece.1.semi_axes_mm", "is a list of 3;"},
      {"[3, 3]", "[3,\n \"x\"]", "\"x\"", "part.piece.1.semi_axes_mm.1",
       "is the text \"x\"; must be a finite number"},
      {"name = \"knob\"", "name = 5", "name = 5", "part.piece.1.name", "is 5; must be a text"},
      {"left = [\"knob\"]", "left = \"knob\"", "left", "success.0.left", "must be a list of texts"},
      {"left = [\"knob\"]", "left = [1]", "left", "success.0.left.0", "is 1; must be a text"},
      {"[[success]]", "[success]", "[success]", "success", "must be one or more tables"},
      {"[[success]]\nleft = [\"knob\"]\nright = [\"knob\"]", "[success]\nleft = []", "[success]",
       "success", "must be one or more tables"},
      {"support = 0.3", "support = \"wood\"", "support = \"wood\"", "friction.support",
       "is the text \"wood\"; must be a finite number >= 0"},
      {"model = \"ellipsoid\"", "model = \"carpet\"", "carpet", "support.model",
       "is the text \"carpet\"; must be \"ellipsoid\" or \"tripod\""},
      {"closing_speed_mm_s", "coupling = 1\nclosing_speed_mm_s", "coupling", "gripper.coupling",
       "must be \"symmetric\" or \"independent\""},
      jaw_mistake("{ distribution = \"gaussian\" }", ".distribution",
                  "must be \"fixed\" or \"uniform\" or \"normal\" or \"truncated_normal\""),
  });
}

TEST_CASE("a tolerance that does not fit is named with what fits") {
  const auto with = [](const std::string& keys) {
    return "[simulation]\n" + keys + "\n[friction]";
  };
  check_mistakes({
      {"[friction]", with("tolerance_mm = -0.01"), "tolerance_mm", "simulation.tolerance_mm",
       "is -0.01; must be a finite number >= 0"},
      {"[friction]", with("tolerance_mm = \"small\""), "small", "simulation.tolerance_mm",
       "is the text \"small\"; must be a finite number >= 0"},
      {"[friction]", with("tolerance = 0.01"), "tolerance", "simulation.tolerance",
       "did you mean tolerance_mm?"},
  });
}

TEST_CASE("an order of steps that does not fit is named with what fits") {
  const auto with = [](const std::string& keys) {
    return "[simulation]\n" + keys + "\n[friction]";
  };
  check_mistakes({
      {"[friction]", with("order = 0"), "order", "simulation.order",
       "is 0; must be an integer from 1 to 2"},
      {"[friction]", with("order = 3"), "order", "simulation.order",
       "is 3; must be an integer from 1 to 2"},
      {"[friction]", with("order = 1.5"), "order", "simulation.order", "must be an integer"},
      {"[friction]", with("order = 2\ntolerance_mm = 0"), "tolerance_mm", "simulation.tolerance_mm",
       "is 0 with simulation.order = 2, whose steps are sized by their error; must be > 0 or left "
       "out, or 0 with simulation.order = 1 for fixed steps"},
      {"[friction]", with("order = 1\ntolerance_mm = 0.003"), "tolerance_mm",
       "simulation.tolerance_mm",
       "is 0.003 with simulation.order = 1, whose steps are fixed; must be 0 or left out, or go "
       "with "
       "simulation.order = 2"},
  });
}

TEST_CASE("a number out of range is named with the range") {
  check_mistakes({
      {"exponent = 8", "exponent = 1.9", "1.9", "part.piece.0.exponent",
       "is 1.9; must be a number from 2 to 100"},
      {"exponent = 8", "exponent = 101", "101", "part.piece.0.exponent", "from 2 to 100"},
      {"[3, 3]", "[3, -3]", "-3]", "part.piece.1.semi_axes_mm", "both must be > 0"},
      {"[3, 3]", "[0, 3]", "[0, 3]", "part.piece.1.semi_axes_mm", "both must be > 0"},
      {"mass_kg = 0.05", "mass_kg = 0", "mass_kg = 0", "part.mass_kg",
       "must be a finite number > 0"},
      {"inertia_kg_mm2 = 12", "inertia_kg_mm2 = -1", "inertia", "part.inertia_kg_mm2", "> 0"},
      {"jaw_mass_kg = 0.2", "jaw_mass_kg = 0", "jaw_mass_kg", "gripper.jaw_mass_kg", "> 0"},
      {"e_r_mm = 10", "e_r_mm = 0", "e_r_mm", "support.e_r_mm", "> 0"},
      {"x_cells = 4", "x_cells = 0", "x_cells", "placement.x_cells",
       "is 0; must be an integer from 1 to 1000000"},
      {"x_cells = 4", "x_cells = -1", "x_cells", "placement.x_cells", "from 1"},
      {"x_cells = 4", "x_cells = 1000001", "x_cells", "placement.x_cells", "to 1000000"},
      {"y_cells = 3", "y_cells = 250001", "y_cells", "placement.y_cells", "from 1 to 250000"},
      {"trials_per_cell = 10", "trials_per_cell = 0", "trials_per", "sweep.trials_per_cell",
       "is 0; must be an integer from 1"},
      {"trials_per_cell = 10", "trials_per_cell = 3000000000", "trials_per",
       "sweep.trials_per_cell", "to 2147483647"},
      {"seed = 42", "seed = -1", "seed", "sweep.seed", "is -1; must be an integer from 0"},
      {"[sweep]", "[summary]\nplateau_probability = 1.5\n[sweep]", "plateau_probability",
       "summary.plateau_probability", "from 0 to 1"},
      {"[sweep]", "[simulation]\nstep_s = 0\n[sweep]", "step_s", "simulation.step_s",
       "must be a number > 0 and <= 1"},
      {"[sweep]", "[stop]\ntimeout_s = 1e5\n[simulation]\nstep_s = 0.005\n[sweep]", "timeout_s",
       "stop.timeout_s", "must be a number > 0 and <= 50000"},
      {"[sweep]", "[stop]\nclosed_opening_mm = 30\n[sweep]", "opening_mm = 30",
       "gripper.opening_mm", "must be above stop.closed_opening_mm = 30"},
      {"[sweep]", "[stop]\nstopped_speed_mm_s = 50\n[sweep]", "closing_speed_mm_s",
       "gripper.closing_speed_mm_s", "must be above stop.stopped_speed_mm_s = 50"},
  });
}

TEST_CASE("one angle, or a whole range of angles") {
  const std::string y = "y_cells = 3";
  const std::string range = "\ntheta_min_rad = 0\ntheta_max_rad = 1";
  check_mistakes({
      {y, y + "\ntheta_rad = 0" + range + "\ntheta_cells = 2", "theta_rad", "placement.theta_rad",
       "does not go with theta_min_rad; give one angle, theta_rad, or a range"},
      {y, y + "\ntheta_rad = 0\ntheta_cells = 2", "theta_rad", "placement.theta_rad",
       "does not go with theta_cells"},
      {y, y + range, "[placement]", "placement.theta_cells", "missing; must be an integer from 1"},
      {y, y + "\ntheta_min_rad = 0\ntheta_cells = 2", "[placement]", "placement.theta_max_rad",
       "missing"},
      {y, y + range + "\ntheta_cells = 0", "theta_cells", "placement.theta_cells", "from 1"},
      {y, y + range + "\ntheta_cells = 83334", "theta_cells", "placement.theta_cells",
       "from 1 to 83333"},
      {y, y + "\ntheta_min_rad = 1\ntheta_max_rad = 1\ntheta_cells = 1", "theta_max_rad",
       "placement.theta_max_rad", "must be above theta_min_rad = 1 (theta_rad is for one angle)"},
      {y, y + "\ntheta_min_rad = 0\ntheta_max_rad = inf\ntheta_cells = 1", "theta_max_rad",
       "placement.theta_max_rad", "finite"},
  });
  // Upside down, the bar is above the jaws: one angle that is free is enough.
  const std::string narrow = replaced(kConfigText, "opening_mm = 30", "opening_mm = 5");
  CHECK_THAT(sweep_error(narrow), Contains("the jaws start inside the part"));
  const std::string turned = "\ntheta_min_rad = 0\ntheta_max_rad = 4.2\ntheta_cells = 2";
  CHECK(sweep_error(replaced(narrow, y, y + turned)) == "(no error)");
}

TEST_CASE("numbers that are not finite are refused") {
  check_mistakes({
      {"opening_mm = 30", "opening_mm = inf", "opening_mm", "gripper.opening_mm",
       "is inf; must be a finite number"},
      {"opening_mm = 30", "opening_mm = nan", "opening_mm", "gripper.opening_mm", "finite"},
      {"[3, 3]", "[3, inf]", "inf", "part.piece.1.semi_axes_mm.1", "must be a finite number"},
      {"x_min_mm = -5", "x_min_mm = -inf", "x_min_mm", "placement.x_min_mm", "finite"},
      {"support = 0.3", "support = nan", "support = nan", "friction.support", "finite"},
      jaw_mistake("{ distribution = \"uniform\", min = 0, max = inf }", ".max", "finite"),
  });
}

TEST_CASE("reversed bounds are refused") {
  check_mistakes({
      {"x_max_mm = 5", "x_max_mm = -6", "x_max_mm", "placement.x_max_mm",
       "is -6; must be above x_min_mm = -5"},
      {"y_max_mm = -2", "y_max_mm = -8", "y_max_mm", "placement.y_max_mm", "above y_min_mm = -8"},
      jaw_mistake("{ distribution = \"uniform\", min = 0.3, max = 0.2 }", ".max",
                  "is 0.2; must be above min = 0.3"),
      jaw_mistake("{ distribution = \"normal\", mean = 1, sigma = 1, min = 2, max = 1 }", ".max",
                  "must be above min = 2"),
      jaw_mistake("{ distribution = \"fixed\", value = 0.2, min = 0.5, max = 0.4 }", ".max",
                  "must be above min = 0.5"),
      jaw_mistake("{ distribution = \"fixed\", value = 0.2, min = 0.3 }", ".value",
                  "is 0.2; must lie in the bounds"),
      jaw_mistake("{ distribution = \"fixed\", value = 0.2, max = 0.1 }", ".value",
                  "is 0.2; must lie in the bounds"),
  });
}

TEST_CASE("friction is never negative") {
  check_mistakes({
      {"support = 0.3", "support = -0.3", "support = -0.3", "friction.support",
       "is -0.3; must be a finite number >= 0"},
      jaw_mistake("{ distribution = \"fixed\", value = -1 }", ".value",
                  "must be a finite number >= 0"),
      jaw_mistake("{ distribution = \"uniform\", min = -0.1, max = 1 }", ".min",
                  "is -0.1; must be a finite number >= 0"),
      jaw_mistake("{ distribution = \"normal\", mean = 0.2, sigma = 0.1 }", ".min",
                  "missing; must be a finite number >= 0"),
      jaw_mistake("{ distribution = \"normal\", mean = 0.2, sigma = 0.1, min = -1 }", ".min",
                  ">= 0"),
  });
}

TEST_CASE("a normal needs a sigma that is not negative, and a truncated one bounds within reach") {
  check_mistakes({
      jaw_mistake("{ distribution = \"normal\", mean = 1, sigma = -1, min = 0 }", ".sigma",
                  "is -1; must be a finite number >= 0"),
      jaw_mistake(
          "{ distribution = \"truncated_normal\", mean = 0, sigma = 0.1, min = 4, max = 5 }",
          ".min", "is 4; must be at most 30 sigma above mean"),
      jaw_mistake(
          "{ distribution = \"truncated_normal\", mean = 9, sigma = 0.1, min = 4, max = 5 }",
          ".max", "is 5; must be at most 30 sigma below mean"),
  });
}

TEST_CASE("the part needs pieces with names of their own") {
  const std::string pieces =
      "[[part.piece]]\nname = \"bar\"\nsemi_axes_mm = [20, 5]\nexponent = 8\n"
      "[[part.piece]]\nname = \"knob\"\ncenter_mm = [0, -6]\n"
      "semi_axes_mm = [3, 3]\n";
  check_mistakes({
      {pieces, "", "[part]", "part.piece", "missing; must be one or more tables, [[part.piece]]"},
      {pieces, "piece = []", "piece = []", "part.piece", "is empty; must be one or more tables"},
      {"name = \"knob\"", "name = \"bar\"", "name = \"bar\"\ncenter", "part.piece.1.name",
       "\"bar\" is the name of two pieces; must be unique"},
      {"name = \"knob\"", "name = \"a,b\"", "a,b", "part.piece.1.name",
       "must be a name of letters"},
      {"name = \"knob-bar\"", "name = \"../up\"", "../up", "name", "must be a name of letters"},
      {"name = \"knob-bar\"", "name = \"..\"", "\"..\"", "name", "must be a name of letters"},
      {"name = \"knob-bar\"", "name = \"\"", "name = ", "name", "must be a name of letters"},
  });
}

TEST_CASE("mass is given or computed, not both and not half") {
  const std::string either =
      "give either mass_kg, center_of_mass_mm and inertia_kg_mm2, or density";
  const std::string all = "mass_kg = 0.05\ncenter_of_mass_mm = [0.5, -1]\ninertia_kg_mm2 = 12\n";
  check_mistakes({
      {all, "", "[part]", "part.mass_kg", either},
      {"mass_kg = 0.05", "material = \"pom\"", "material", "part.material",
       "does not go with center_of_mass_mm; " + either},
      {"mass_kg = 0.05", "density_kg_mm3 = 1e-6", "density", "part.density_kg_mm3",
       "does not go with center_of_mass_mm"},
      {"inertia_kg_mm2 = 12", "", "[part]", "part.inertia_kg_mm2", "missing"},
      {all, "density_kg_mm3 = 1e-6\n", "[part]", "part.thickness_mm", "missing"},
      {all, "thickness_mm = 1\n", "[part]", "part.density_kg_mm3", "missing"},
      {all, "thickness_mm = 1\ndensity_kg_mm3 = 0\n", "density", "part.density_kg_mm3", "> 0"},
      {all, "thickness_mm = 1\nmaterial = \"wood\"\n", "material", "part.material",
       "is the text \"wood\"; must be \"steel\" or"},
      {all, "thickness_mm = 1\nmaterial = \"pom\"\ndensity_kg_mm3 = 1e-6\n", "material",
       "part.material", "does not go with density_kg_mm3; give one of them"},
  });
}

TEST_CASE("a success rule names pieces of the part") {
  check_mistakes({
      {"left = [\"knob\"]", "left = [\"bar\", \"nob\"]", "left", "success.0.left",
       "no piece is named \"nob\"; the part's pieces are bar, knob"},
      {"left = [\"knob\"]\nright = [\"knob\"]", "left = []", "left", "success.0.left",
       "at least one must be named of bar, knob"},
      {"left = [\"knob\"]\nright = [\"knob\"]", "", "[[success]]", "success.0.left",
       "at least one must be named of bar, knob"},
  });
}

TEST_CASE("jaws that start inside the part everywhere are refused") {
  check_mistakes({{"opening_mm = 30", "opening_mm = 5", "opening_mm", "gripper.opening_mm",
                   "is 5: the jaws start inside the part at the centre of every cell"}});
  // A free cell is enough: the fingertips go around the knob in the middle of the lowest row.
  CHECK(sweep_error(replaced(kConfigText, "opening_mm = 30", "opening_mm = 9")) == "(no error)");
}

TEST_CASE("adaptive sampling is checked") {
  const std::string adaptive = "seed = 42\nsampling = \"adaptive\"\n[sweep.adaptive]\n";
  const auto mistake = [&](const std::string& line, const std::string& key,
                           const std::string& says) {
    return Mistake{"seed = 42\n", adaptive + line + "\n", line, "sweep.adaptive." + key, says};
  };
  check_mistakes({
      mistake("first_trial = 4", "first_trial", "did you mean first_trials?"),
      mistake("first_trials = 0", "first_trials", "an integer from 1 to 10"),
      mistake("first_trials = 11", "first_trials", "an integer from 1 to 10"),
      mistake("first_trials = 4294967297", "first_trials", "must be at most 2147483647"),
      mistake("round_trials = 0", "round_trials", "an integer from 1"),
      mistake("most_trials = 121", "most_trials", "an integer from 1 to 120"),
      mistake("most_trials = 71", "most_trials",
              "is 71; must be at least 72, for first_trials = 6 in each of 12 cells"),
      mistake("goal = \"speed\"", "goal", "\"sweet_spot\" or \"interval_width\" or"),
      mistake("sweet_spot_within_mm = -1", "sweet_spot_within_mm", "number >= 0"),
      mistake("confidence = 1", "confidence", "a number from 0.5 to 0.999"),
      mistake("interval_width = 0", "interval_width", "a number > 0"),
      mistake("standard_error = 0.6", "standard_error", "a number > 0 and <= 0.5"),
      mistake("standard_error = 0.02", "standard_error", "without goal = \"map\""),
      mistake("goal = \"plan\"", "goal", "must not be so without [robot], which says the error"),
      {"seed = 42\n", "seed = 42\nsampling = \"clever\"\n", "sampling", "sweep.sampling",
       "\"uniform\" or \"adaptive\""},
      {"seed = 42\n", "seed = 42\n[sweep.adaptive]\nconfidence = 0.9\n", "[sweep.adaptive]",
       "sweep.adaptive", "is only for sampling = \"adaptive\""},
      {"trials_per_cell = 10\n", "trials_per_cell = 10001\nsampling = \"adaptive\"\n",
       "trials_per_cell = 10001", "sweep.trials_per_cell", "must be at most 10000"},
      {"seed = 42\n", adaptive + "goal = \"both\"\n[summary]\nsweet_spot_half_width_mm = 9\n",
       "goal", "sweep.adaptive.goal", "no square of +-9 mm fits the map"},
  });
}

TEST_CASE("syntax errors name file and line") {
  CHECK_THAT(sweep_error("name = \"a\"\n[part\nmass_kg = 1\n"), StartsWith("sweep.toml:2: "));
  CHECK_THAT(sweep_error("a = 1\na = 2\n"), StartsWith("sweep.toml:2: "));
  CHECK_THAT(sweep_error("a = 99999999999999999999\n"), StartsWith("sweep.toml:1: "));
  CHECK_THAT(sweep_error("a = \"\xff\"\n"), StartsWith("sweep.toml:1: "));
  CHECK(sweep_error("a = \"x\ny\"\n").find('\n') == std::string::npos);
  CHECK_THAT(sweep_error(""), StartsWith("sweep.toml: is an empty file; give a TOML file"));
  CHECK_THAT(sweep_error("# nothing\n"), StartsWith("sweep.toml:1: part: missing"));
}

TEST_CASE("messages stay on one line whatever the text holds") {
  const std::string text = replaced(kConfigText, "e_r_mm = 10", "\"a\\nb\" = \"c\\nd\"");
  CHECK_THAT(sweep_error(text), Contains("support.a b: unknown key"));
}

TEST_CASE("a file that cannot be read is named") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(read_sweep_config(folder.path(), {}),
                    Contains(folder.path().string() + ": is a folder; give a TOML file"));
  CHECK_THROWS_WITH(read_sweep_config(folder.path() / "none.toml", {}),
                    Contains("none.toml: cannot be read: No such file"));
  CHECK_THROWS_AS(read_sweep_config(folder.path() / "none.toml", {}), ConfigError);
}
