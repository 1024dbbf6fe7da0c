#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "grasp/sweep/config/config_document.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/mistakes.hpp"
#include "tests/support/sweep_config_equality.hpp"
#include "tests/support/sweep_text.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

const std::string kMass = "mass_kg = 0.05";
const std::string kJaw = R"({ distribution = "uniform", min = 0.05, max = 0.35 })";

/// The short configuration with a table of distributions.
std::string with_uncertain(const std::string& lines) {
  return replaced(kConfigText, "[placement]", "[uncertain]\n" + lines + "\n[placement]");
}

/// The short configuration with a distribution for the mass in its place.
std::string with_mass(const std::string& distribution) {
  return replaced(kConfigText, kMass, "mass_kg = " + distribution);
}

Distribution distribution_of_mass(const std::string& distribution) {
  const SweepConfig config = sweep_of(with_mass(distribution));
  REQUIRE(config.uncertain.size() == 1);
  CHECK(config.uncertain[0].key == "part.mass_kg");
  return config.uncertain[0].distribution;
}

void check_written(const SweepConfig& config) {
  const std::string text = to_toml(config);
  const SweepConfig again = sweep_of(text);
  check_equal(again, config);
  CHECK(to_toml(again) == text);
  for (const std::int64_t index : {0, 1, 77}) {
    CHECK(sample_trial(again, index).uncertain == sample_trial(config, index).uncertain);
    CHECK(sample_trial(again, index).parameters.mu_jaw ==
          sample_trial(config, index).parameters.mu_jaw);
  }
}

/// The error of reading a text with assignments.
std::string error_with_set(const std::string& text, const std::vector<std::string>& assignments) {
  try {
    (void)parse_sweep_config(text, "sweep.toml", assignments);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

void check_uncertain_mistakes(const std::string& text, const std::vector<Mistake>& mistakes) {
  check_mistakes(text, "sweep.toml", sweep_error, mistakes);
}

/// A mistake in the distribution of the mass, in its place.
Mistake mass_mistake(const std::string& distribution, const std::string& key,
                     const std::string& says) {
  return {kMass, "mass_kg = " + distribution, "mass_kg = ", "part.mass_kg" + key, says};
}

}  // namespace

TEST_CASE("distributions of all kinds are read, and written to the last bit") {
  for (
      const char* distribution :
      {R"({ distribution = "uniform", min = 0.04, max = 0.07 })",
       R"({ distribution = "normal", mean = 0.05, sigma = 0.003, min = 0.01 })",
       R"({ distribution = "normal", mean = 0.05, sigma = 0.003, lot_sigma = 0.001, min = 0.02 })",
       R"({ distribution = "normal", mean = 0.05, lot_sigma = 0.001, part_sigma = 0.003, min = 0 })",
       R"({ distribution = "truncated_normal", mean = 0.05, sigma = 0.1, min = 0.04, max = 0.06 })",
       R"({ distribution = "lognormal", mean = 0.05, sigma = 0.02 })",
       R"({ distribution = "lognormal", mean = 0.05, sigma = 0.02, min = 0.01, max = 0.09 })",
       R"({ distribution = "triangular", min = 0.04, mode = 0.05, max = 0.07 })",
       R"({ distribution = "discrete", values = [0.07, 0.05, 0.06, 0.05, 0.1],
             weights = [1, 1, 1, 4, 0] })",
       R"({ distribution = "discrete", values = [0.05, 0.06, 0.07] })",
       R"({ distribution = "histogram", edges = [0.03, 0.04, 0.05, 0.06, 0.07],
             counts = [0, 3, 0, 7] })"}) {
    INFO(distribution);
    std::string text = distribution;
    text.erase(std::remove(text.begin(), text.end(), '\n'), text.end());
    const SweepConfig in_place = sweep_of(with_mass(text));
    const Distribution& read = distribution_of_mass(text);
    CHECK(in_place.scenario.mass.mass_kg == read.quantile(0.5));
    check_written(in_place);
    // The same in [uncertain], quoted or not, except the nominal value.
    SweepConfig in_table = sweep_of(with_uncertain("\"part.mass_kg\" = " + text));
    CHECK(in_table.scenario.mass.mass_kg == 0.05);
    check_written(in_table);
    in_table.scenario.mass = in_place.scenario.mass;
    check_equal(in_table, in_place);
    const SweepConfig unquoted = sweep_of(with_uncertain("part.mass_kg = " + text));
    CHECK(unquoted.uncertain[0].distribution == read);
    check_written(sweep_of(replaced(kConfigText, kJaw, text)));
  }
}

TEST_CASE("what distributions are read as") {
  const Distribution lots = distribution_of_mass(
      R"({ distribution = "normal", mean = 0.05, lot_sigma = 0.003, part_sigma = 0.004 })");
  CHECK(*lots.sigma() == Approx(0.005).epsilon(1e-15));
  CHECK(lots.as<Normal>()->lot_sigma == 0.003);
  const Distribution discrete = distribution_of_mass(
      R"({ distribution = "discrete", values = [0.07, 0.05, 0.06, 0.05], weights = [1, 2, 0, 1] })");
  CHECK(discrete == Discrete{{0.05, 0.07}, {0.75, 0.25}});
  const Distribution histogram = distribution_of_mass(
      R"({ distribution = "histogram", edges = [0.01, 0.02, 0.03, 0.05], counts = [0, 6, 2] })");
  CHECK(histogram == Histogram{{0.02, 0.03, 0.05}, {0.75, 0.25}});
}

TEST_CASE("any number of the scenario may be a distribution where it stands") {
  std::string text =
      replaced(kConfigText, "semi_axes_mm = [20, 5]",
               "semi_axes_mm = [{ distribution = \"uniform\", min = 19, max = 21 }, "
               "5]\nangle_rad = { distribution = \"normal\", mean = 0, sigma = 0.01 }");
  text = replaced(text, "center_mm = [0, -6]",
                  "center_mm = [0, { distribution = \"uniform\", min = -7, max = -5 }]");
  text = replaced(text, "opening_mm = 30",
                  "opening_mm = { distribution = \"discrete\", values = [30, 31] }");
  text = replaced(text, "e_r_mm = 10",
                  "e_r_mm = { distribution = \"triangular\", min = 8, mode = 10, max = 11 }");
  const SweepConfig config = sweep_of(text);
  std::vector<std::string> keys;
  for (const UncertainNumber& number : config.uncertain) keys.push_back(number.key);
  CHECK(keys == std::vector<std::string>{"gripper.opening_mm", "part.piece.bar.angle_rad",
                                         "part.piece.bar.semi_axes_mm.0",
                                         "part.piece.knob.center_mm.1", "support.e_r_mm"});
  CHECK(config.scenario.part.pieces[0].shape.a_mm == 20);
  CHECK(config.scenario.part.pieces[1].pose.position_mm.y() == -6);
  CHECK(config.scenario.gripper.opening_mm == 30);
  check_written(config);
}

TEST_CASE("an override gives and takes distributions, in place and in [uncertain]") {
  const std::string distribution = R"({ distribution = "uniform", min = 0.04, max = 0.06 })";
  const std::string table = with_uncertain("\"part.mass_kg\" = " + distribution);
  const auto read = [](const std::string& text, const std::string& set) {
    return parse_sweep_config(text, "sweep.toml", {set}).uncertain;
  };
  CHECK(read(kConfigText, "part.mass_kg=" + distribution).at(0).distribution.range().high == 0.06);
  CHECK(
      read(kConfigText, "uncertain.part.mass_kg=" + distribution).at(0).distribution.range().high ==
      0.06);
  CHECK(read(table, "uncertain.part.mass_kg.max=0.07").at(0).distribution.range().high == 0.07);
  CHECK(read(table, "uncertain.part.mass_kg=").empty());
  CHECK(read(with_uncertain("part.mass_kg = " + distribution), "uncertain.part.mass_kg=").empty());
  CHECK_THAT(sweep_error(with_uncertain("part.mass_kg = {}")),
             Contains("uncertain.part.mass_kg.distribution: missing"));
  CHECK(read(table, "uncertain.part.mass_kg=0.05").empty());
  CHECK(read(with_mass(distribution), "part.mass_kg.max=0.07").at(0).distribution.range().high ==
        0.07);
  CHECK(read(with_mass(distribution), "part.mass_kg=0.05").empty());
  // A distribution that --set gives takes the place of the one in the file.
  CHECK(read(with_mass(distribution),
             "uncertain.part.mass_kg={ distribution = \"uniform\", min = 0.04, max = "
             "0.08 }")
            .at(0)
            .distribution.range()
            .high == 0.08);
  CHECK(read(table, "part.mass_kg={ distribution = \"uniform\", min = 0.04, max = 0.08 }")
            .at(0)
            .distribution.range()
            .high == 0.08);
  CHECK(read(with_mass(distribution), "uncertain.part.mass_kg=0.055").empty());
  CHECK(read(kConfigText,
             "uncertain.part.piece.bar.angle_rad={ distribution = \"normal\", mean = 0, "
             "sigma = 0.1 }")
            .at(0)
            .key == "part.piece.bar.angle_rad");
  CHECK_THAT(error_with_set(table, {"part.mass_kg=0.06"}),
             StartsWith("--set part.mass_kg=0.06: part.mass_kg: the number has a distribution in "
                        "[uncertain], sweep.toml:") &&
                 Contains("--set uncertain.part.mass_kg="));
  const auto differences = config_differences(
      sweep_of(table),
      parse_sweep_config(table, "sweep.toml", {"uncertain.part.mass_kg.max=0.07"}));
  REQUIRE(differences.size() == 1);
  CHECK(differences[0].key == "uncertain.part.mass_kg.max");
}

TEST_CASE("a distribution without a width is the fixed number") {
  const std::string fixed = to_toml(sweep_of(kConfigText));
  for (const char* distribution :
       {"{ distribution = \"fixed\", value = 0.05 }",
        "{ distribution = \"uniform\", min = 0.05, max = 0.05 }",
        "{ distribution = \"normal\", mean = 0.05, sigma = 0 }",
        "{ distribution = \"normal\", mean = 0.05, lot_sigma = 0, part_sigma = 0 }",
        "{ distribution = \"truncated_normal\", mean = 0.05, sigma = 0, min = 0, max = 1 }",
        "{ distribution = \"lognormal\", mean = 0.05, sigma = 0 }",
        "{ distribution = \"triangular\", min = 0.05, mode = 0.05, max = 0.05 }",
        "{ distribution = \"discrete\", values = [0.05, 0.05, 7], weights = [1, 1, 0] }"}) {
    INFO(distribution);
    CHECK(to_toml(sweep_of(with_mass(distribution))) == fixed);
    CHECK(to_toml(sweep_of(with_uncertain(std::string("part.mass_kg = ") + distribution))) ==
          fixed);
  }
  CHECK(to_toml(sweep_of(with_uncertain("part.mass_kg = 0.06"))) ==
        to_toml(sweep_of(replaced(kConfigText, kMass, "mass_kg = 0.06"))));
  const SweepConfig friction =
      sweep_of(replaced(kConfigText, kJaw, "{ distribution = \"uniform\", min = 0.2, max = 0.2 }"));
  CHECK(to_toml(friction) == to_toml(sweep_of(replaced(kConfigText, kJaw, "0.2"))));
}

TEST_CASE("measured values come from a file beside the configuration") {
  const TemporaryFolder folder;
  (void)folder.write("masses.csv", "part,mass_g\n1,49\n2,50\n3,50\n4,51\n5,53\n");
  (void)folder.write("same.csv", "mass_kg\n0.05\n0.05\n");
  (void)folder.write("bad.csv", "mass_kg\n0.05\nheavy\n");
  (void)folder.write("none.csv", "mass_kg\n");
  const auto read = [&](const std::string& keys) {
    return read_sweep_config(
        folder.write("sweep.toml", with_mass("{ distribution = \"histogram\", " + keys + " }")),
        {});
  };
  const SweepConfig config =
      read("file = \"masses.csv\", column = \"mass_g\", scale = 1e-3, bins = 2");
  REQUIRE(config.uncertain.size() == 1);
  const auto& distribution = *config.uncertain[0].distribution.as<Histogram>();
  REQUIRE(distribution.edges.size() == 3);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(distribution.edges[k] == Approx(0.049 + 0.002 * static_cast<double>(k)).epsilon(1e-15));
  }
  CHECK(distribution.weights == std::vector<double>{0.6, 0.4});
  check_written(config);  // without the file
  CHECK(to_toml(read("file = \"same.csv\", column = \"mass_kg\"")).find("[uncertain]") ==
        std::string::npos);
  const auto fails = [&](const std::string& keys, const std::string& says) {
    INFO(keys);
    CHECK_THROWS_WITH(read(keys),
                      Contains("sweep.toml:4") && Contains("part.mass_kg.") && Contains(says));
  };
  const std::string named = " (named by part.mass_kg.file, ";
  fails("file = \"missing.csv\", column = \"mass_kg\"",
        "missing.csv: cannot be read: No such file or directory" + named);
  fails("file = \"bad.csv\", column = \"mass_kg\"", "bad.csv:3: mass_kg");
  fails("file = \"none.csv\", column = \"mass_kg\"", "has no values");
  fails("file = \"masses.csv\", column = \"width\"", "width");
  fails("file = \"a\\nb\\u0007\", column = \"mass_kg\"", "cannot be read");
  fails("file = \"masses.csv\"", "column: missing");
  fails("file = \"masses.csv\", column = \"mass_g\", edges = [1, 2]", "does not go with file");
  fails("file = \"masses.csv\", column = \"mass_g\", bins = 0",
        "must be an integer from 1 to 1000");
}

TEST_CASE("distributions that are wrong give one line with file, line and key") {
  check_uncertain_mistakes(
      kConfigText,
      {
          mass_mistake("{ distribution = \"uniform\", min = 0.2, max = 0.1 }", ".max",
                       "must be above min = 0.2, or equal to it"),
          mass_mistake("{ distribution = \"lognormal\", mean = 0, sigma = 1 }", ".mean",
                       "must be a finite number > 0"),
          mass_mistake("{ distribution = \"lognormal\", mean = 1e6, sigma = 1e8 }", ".sigma",
                       "must be smaller, or give max"),
          mass_mistake("{ distribution = \"triangular\", min = 1, mode = 3, max = 2 }", ".mode",
                       "is 3; must be from min = 1 to max = 2"),
          mass_mistake("{ distribution = \"discrete\", values = [] }", ".values",
                       "is a list of 0; must be a list of 1 to 1000"),
          mass_mistake("{ distribution = \"discrete\", values = [1, nan] }", ".values.1", "nan"),
          mass_mistake("{ distribution = \"discrete\", values = [1, 2], weights = [1] }",
                       ".weights", "is a list of 1; must be a list of 2, one for each value"),
          mass_mistake("{ distribution = \"discrete\", values = [1, 2], weights = [1, nan] }",
                       ".weights.1", "nan"),
          mass_mistake("{ distribution = \"discrete\", values = [1, 2], weights = [0, 0] }",
                       ".weights", "are all 0"),
          mass_mistake("{ distribution = \"discrete\", values = [1, 2], weights = [2, -1] }",
                       ".weights", "has -1; all must be"),
          mass_mistake("{ distribution = \"discrete\", values = [1, 2e9] }", ".values",
                       "has 2000000000; all must be"),
          mass_mistake("{ distribution = \"histogram\", edges = [1, 3, 2], counts = [1, 1] }",
                       ".edges", "has 2 after 3; must ascend"),
          mass_mistake("{ distribution = \"histogram\", edges = [1, 2], counts = [1, 1] }",
                       ".counts", "is a list of 2; must be a list of 1"),
          mass_mistake("{ distribution = \"histogram\", edges = [1, 2] }", ".counts", "missing"),
          mass_mistake("{ distribution = \"normal\", mean = 1, sigma = 1, part_sigma = 1 }",
                       ".lot_sigma", "missing"),
          mass_mistake(
              "{ distribution = \"normal\", mean = 1, sigma = 1, lot_sigma = 1, part_sigma = 1 }",
              ".sigma", "does not go with part_sigma"),
          mass_mistake("{ distribution = \"normal\", mean = 1, sigma = 1, lot_sigma = 2 }",
                       ".lot_sigma", "is 2; must be at most sigma = 1"),
          mass_mistake("{ distribution = \"uniform\", lot_sigma = 1, min = 0, max = 1 }",
                       ".lot_sigma", "for distribution = \"normal\" only"),
          mass_mistake("{ distribution = \"beta\" }", ".distribution", "must be \"fixed\" or"),
      });
  std::string many = "[1";
  for (int k = 2; k <= 2000; ++k) many += ", " + std::to_string(k);
  check_uncertain_mistakes(
      kConfigText, {mass_mistake("{ distribution = \"discrete\", values = " + many + "] }",
                                 ".values", "is a list of 2000; must be a list of 1 to 1000")});
}

TEST_CASE("distributions where none may be are refused, with what may be") {
  const std::string distribution = "{ distribution = \"uniform\", min = 1, max = 2 }";
  const std::string says = "may not be a distribution; must be one value";
  check_uncertain_mistakes(
      kConfigText,
      {
          {"trials_per_cell = 10", "trials_per_cell = " + distribution, "trials_per_cell",
           "sweep.trials_per_cell", says},
          {"x_min_mm = -5", "x_min_mm = " + distribution, "x_min_mm", "placement.x_min_mm", says},
          {"[sweep]", "[stop]\ntimeout_s = " + distribution + "\n[sweep]", "timeout_s",
           "stop.timeout_s", says},
          {"[sweep]", "[simulation]\nstep_s = " + distribution + "\n[sweep]", "step_s",
           "simulation.step_s", says},
          {"[sweep]", "[simulation]\norder = " + distribution + "\n[sweep]", "order",
           "simulation.order", says},
          {"[sweep]", "[simulation]\ntolerance_mm = " + distribution + "\n[sweep]", "tolerance_mm",
           "simulation.tolerance_mm", says},
          {"name = \"bar\"", "name = " + distribution, "name = { ", "part.piece.0.name", says},
          {"left = [\"knob\"]", "left = [" + distribution + "]", "left", "success.0.left.0", says},
      });
  check_uncertain_mistakes(
      with_uncertain("part.mass_kg = 0.05"),
      {{"part.mass_kg = 0.05", "stop.timeout_s = 1", "stop.timeout_s", "uncertain.stop.timeout_s",
        "unknown key"},
       {"part.mass_kg = 0.05", "part.piece.bra.angle_rad = 1", "bra",
        "uncertain.part.piece.bra.angle_rad", "did you mean part.piece.bar.angle_rad?"},
       {"part.mass_kg = 0.05", "support.radius_mm = 1", "support.radius",
        "uncertain.support.radius_mm", "unknown key"},
       {"part.mass_kg = 0.05", "part.mass_kg = { mean = 1 }",
        "part.mass_kg =", "uncertain.part.mass_kg.distribution", "missing"},
       {"part.mass_kg = 0.05", "part.mass_kg = 0.05\n\"part.mass_kg\" = 0.06", "\"part.mass_kg\"",
        "uncertain.part.mass_kg", "is given twice"}});
  CHECK_THAT(sweep_error(replaced(with_uncertain("part.mass_kg = " + distribution),
                                  "mass_kg = 0.05", "mass_kg = " + distribution)),
             Contains(": is given twice, also as ") && Contains("part.mass_kg"));
}

TEST_CASE("a distribution's ends must be values that the number may have") {
  check_uncertain_mistakes(
      kConfigText,
      {
          mass_mistake("{ distribution = \"normal\", mean = 0.05, sigma = 0.01 }", "",
                       "the distribution's lower end (quantile 1e-9) is -0.00997807: part.mass_kg: "
                       "is -0.00997"),
          {"opening_mm = 30", "opening_mm = { distribution = \"uniform\", min = 1, max = 50 }",
           "opening_mm", "gripper.opening_mm",
           "lower end (quantile 1e-9) is 1: gripper.opening_mm: is 1.000000049; must be above "
           "stop.closed_opening_mm = 2"},
          {"exponent = 8", "exponent = { distribution = \"uniform\", min = 2, max = 101 }",
           "exponent", "part.piece.0.exponent", "upper end (quantile 1 - 1e-9) is 101: "},
      });
  check_uncertain_mistakes(
      with_uncertain("part.mass_kg = 0.05"),
      {{"part.mass_kg = 0.05", "part.mass_kg = -1", "part.mass_kg", "uncertain.part.mass_kg",
        "value is -1: part.mass_kg: is -1; must be a finite number > 0"},
       {"part.mass_kg = 0.05", "part.mass_kg = { distribution = \"uniform\", min = -0.1, max = 1 }",
        "part.mass_kg", "uncertain.part.mass_kg",
        "the distribution's lower end (quantile 1e-9) is -0.1: "}});
}

TEST_CASE("more distributions than there may be are refused") {
  std::string pieces = kConfigText;
  std::string distributions;
  for (int k = 0; k < 30; ++k) {
    distributions += "[[part.piece]]\nname = \"p" + std::to_string(k) + "\"\nsemi_axes_mm = [";
    distributions += "{ distribution = \"uniform\", min = 1, max = 2 }, ";
    distributions += "{ distribution = \"uniform\", min = 1, max = 2 }]\nangle_rad = ";
    distributions += "{ distribution = \"uniform\", min = 1, max = 2 }\nexponent = ";
    distributions += "{ distribution = \"uniform\", min = 3, max = 4 }\n";
  }
  CHECK_THAT(sweep_error(replaced(pieces, "[gripper]", distributions + "[gripper]")),
             Contains("is one of 120 distributions; must be 100 at most"));
}

TEST_CASE("draws stay within the ends that were checked") {
  const SweepConfig config =
      sweep_of(with_mass("{ distribution = \"normal\", mean = 1, sigma = 0.1 }"));
  const Distribution& distribution = config.uncertain[0].distribution;
  for (std::int64_t index = 0; index < 1000; ++index) {
    const double x = sample_trial(config, index).uncertain[0];
    CHECK(x >= distribution.quantile(kLeastLevel));
    CHECK(x <= distribution.quantile(1 - kLeastLevel));
  }
}
