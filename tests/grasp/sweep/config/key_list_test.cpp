#include "grasp/sweep/config/key_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <numbers>
#include <sstream>

#include "grasp/base/io/toml_document.hpp"
#include "tests/support/config_error.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/sweep_config_equality.hpp"
#include "tests/support/sweep_text.hpp"

namespace graspmap::testing {
namespace {

using Catch::Contains;

using Rows = std::vector<std::string>;

/// The numbers that a key admits, as the reference page says it.
std::string range_text(const ListedKey& key) {
  const NumberRange& range = key.quantity.range;
  const bool distribution = key.kind == KeyKind::kDistribution;
  if (key.kind == KeyKind::kWord) return fmt::format("`\"{}\"`", fmt::join(key.words, "\"`, `\""));
  const bool is_pair = key.kind == KeyKind::kPair || key.kind == KeyKind::kNumberOrPair;
  if (key.kind > KeyKind::kInteger && !is_pair && !distribution) return "";
  if (range.max >= 0x1p63 && std::isfinite(range.max)) return "0 to 2^63 - 1";
  if (std::isinf(range.min)) return "";
  const std::string least =
      range.above_min ? fmt::format("> {:g}", range.min) : fmt::format(">= {:g}", range.min);
  if (range.max > 1e9 || std::isinf(range.max)) return (distribution ? "values " : "") + least;
  if (range.above_min) return fmt::format("{}, at most {:.4g}", least, range.max);
  return fmt::format("{:g} to {}", range.min, range.max);
}

/// The rows of the reference page for some keys; neighbours that differ by their name only share
/// one.
Rows expected_rows(const std::vector<ListedKey>& keys, bool has_choice = false) {
  Rows rows;
  for (const ListedKey& key : keys) {
    std::string allowed = range_text(key);
    if (!allowed.empty() && !key.sentence.empty()) allowed += "; ";
    allowed += key.sentence;
    if (has_choice && !key.groups.empty()) {
      allowed += fmt::format("{}{} only", allowed.empty() ? "" : "; ", fmt::join(key.groups, ", "));
    }
    const std::string rest =
        fmt::format(" | {} | {} | {} |", key.quantity.type, key.fallback, allowed);
    if (!rows.empty() && rows.back().ends_with("`" + rest)) {
      rows.back().replace(rows.back().size() - rest.size(), rest.size(),
                          fmt::format(", `{}`", key.name) + rest);
    } else {
      rows.push_back(fmt::format("| `{}`", key.name) + rest);
    }
  }
  return rows;
}

/// The rows of keys in the page's tables, by the table that they follow: "[part]", or the heading.
std::map<std::string, Rows> rows_of_page() {
  std::map<std::string, Rows> rows;
  std::istringstream page(file_text(testing::source_dir() + "/docs/reference/configuration.md"));
  std::string table;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("#")) table = line.substr(line.find(' ') + 1);
    if (line.starts_with("| **`[")) {
      table = line.substr(5, line.find('`', 5) - 5);
      std::erase(table, '[');
      std::erase(table, ']');
    } else if (line.starts_with("| `")) {
      rows[table].push_back(line);
    }
  }
  return rows;
}

const ListedTable& table_named(std::string_view path) {
  const auto& tables = config_tables();
  return *std::find_if(tables.begin(), tables.end(),
                       [&](const ListedTable& table) { return table.path == path; });
}

std::string lines(const Rows& rows) { return fmt::format("{}", fmt::join(rows, "\n")); }

/// The keys of outlines and of fingers, which the page has in tables of their own.
bool is_outline_key(const ListedKey& key) {
  return table_named("gripper.palm").find(key.name) != nullptr;
}

TEST_CASE("the reference page has the keys of the table, word for word") {
  const std::map<std::string, Rows> page = rows_of_page();
  const auto on_page = [&](const std::string& table) {
    const auto found = page.find(table);
    return found == page.end() ? "" : lines(found->second);
  };
  for (const ListedTable& table : config_tables()) {
    std::vector<ListedKey> keys = table.keys;
    // Those have tables of their own, below; the camera has the robot's keys, and
    // the left pad those of the right one.
    if (table.path.find("finger") != std::string_view::npos || table.path == "gripper.palm" ||
        table.path == "robot.camera" || table.path == "gripper.left_pad") {
      continue;
    }
    std::erase_if(keys, [&](const ListedKey& key) {
      return (table.path == "part.piece" || table.path == "obstacle") && is_outline_key(key);
    });
    INFO(table.path);
    CHECK(on_page(table.path.empty() ? "Configuration" : std::string(table.path)) ==
          lines(expected_rows(keys, !table.choice.empty())));
  }
  CHECK(on_page("Outlines") == lines(expected_rows(table_named("gripper.palm").keys)));
  std::vector<ListedKey> finger = table_named("gripper.finger").keys;
  std::erase_if(finger, is_outline_key);
  CHECK(on_page("Fingers and palm") == lines(expected_rows(finger)));
}

std::vector<ConfigFault> faults_of_sweep(const std::string& text) {
  try {
    (void)parse_sweep_config(text, "x.toml");
  } catch (const ConfigError& error) {
    return error.faults();
  }
  return {};
}

TEST_CASE("all missing and unknown keys are told in one error") {
  const std::vector<ConfigFault> faults = faults_of_sweep(
      "[part]\n[[part.piece]]\nname = \"disc\"\nsemi_axes_mm = [9, 9]\n[sweep]\nseeed = 3\n");
  Rows keys;
  for (const ConfigFault& fault : faults) keys.push_back(fault.key);
  CHECK(keys == Rows{"part.mass_kg",
                     "gripper",
                     "gripper.closing_force_n",
                     "gripper.closing_speed_mm_s",
                     "gripper.opening_mm",
                     "support",
                     "support.model",
                     "friction",
                     "friction.jaw",
                     "friction.support",
                     "placement",
                     "placement.x_min_mm",
                     "placement.x_max_mm",
                     "placement.x_cells",
                     "placement.y_min_mm",
                     "placement.y_max_mm",
                     "placement.y_cells",
                     "success",
                     "sweep.seeed",
                     "sweep.trials_per_cell"});
  const ConfigFault& misspelt = faults[18];
  CHECK(misspelt.place.source == "x.toml");
  CHECK(misspelt.place.line == 6);
  CHECK(misspelt.what == "unknown key");
  CHECK(misspelt.allowed == "did you mean seed?");
  CHECK(faults[2].sentence() ==
        "x.toml:1: gripper.closing_force_n: missing; must be a finite number > 0");
  const std::string both = replaced(kConfigText, "exponent = 8", "angle_deg = 3\nangle_rad = 1");
  CHECK_THAT(sweep_error(both), Contains("sweep.toml:10: part.piece.0.angle_deg: does not go with "
                                         "angle_rad; give one of them"));
}

TEST_CASE("what distributions lack is told with all other missing keys") {
  const std::string missing = "missing; must be ";
  const auto sentences = [](const std::string& text) {
    Rows rows;
    for (const ConfigFault& fault : faults_of_sweep(text)) {
      rows.push_back(fault.key + ": " + fault.what + "; " + fault.allowed);
    }
    return rows;
  };
  std::string text =
      replaced(kConfigText, R"({ distribution = "uniform", min = 0.05, max = 0.35 })",
               R"({ distribution = "normal" })");
  text = replaced(text, "support = 0.3", R"(support = { distribution = "uniform", sigma = 1 })");
  text = replaced(text, "mass_kg = 0.05", R"(mass_kg = { distribution = "lognormal", sigm = 1 })");
  text = replaced(text, "[3, 3]", R"([3, { distribution = "histogram", bins = 2 }])");
  text = replaced(text, "y_cells = 3", R"(noise.x_mm = { distribution = "truncated_normal" })");
  text += R"([uncertain]
"gripper.opening_mm" = { min = 1 }
"gripper.closing_force_n" = { distribution = "normal", mean = 1, part_sigma = 1 }
)";
  CHECK(sentences(text) ==
        Rows{"part.mass_kg.sigm: unknown key; did you mean sigma?",
             "part.mass_kg.mean: " + missing + "a finite number > 0",
             "part.piece.1.semi_axes_mm.1.file: " + missing + "a text",
             "part.piece.1.semi_axes_mm.1.column: " + missing + "a text",
             "friction.jaw.mean: " + missing + "a finite number",
             "friction.jaw.sigma: " + missing + "a finite number >= 0",
             "friction.jaw.min: " + missing + "a finite number >= 0",
             "friction.support.sigma: for distribution = \"normal\" or \"truncated_normal\" or "
             "\"lognormal\" only; must be left out (--set friction.support.sigma= takes it away)",
             "friction.support.min: " + missing + "a finite number >= 0",
             "friction.support.max: " + missing + "a finite number >= 0",
             "placement.y_cells: " + missing + "an integer from 1 to 1000000",
             "placement.noise.x_mm.mean: " + missing + "a finite number",
             "placement.noise.x_mm.sigma: " + missing + "a finite number >= 0",
             "placement.noise.x_mm.min: " + missing + "a finite number",
             "placement.noise.x_mm.max: " + missing + "a finite number",
             "uncertain.gripper.closing_force_n.lot_sigma: " + missing + "a finite number >= 0",
             "uncertain.gripper.opening_mm.distribution: " + missing +
                 "\"fixed\" or \"uniform\" or \"normal\" or \"truncated_normal\" or "
                 "\"lognormal\" or \"triangular\" or \"discrete\" or \"histogram\""});
}

TEST_CASE("all keys of [uncertain] that are no numbers are told in one error") {
  const std::vector<ConfigFault> faults = faults_of_sweep(
      std::string(kConfigText) + "[uncertain]\npart.mass_g = 1\nstop.timeout_s = 1\n");
  REQUIRE(faults.size() == 2);
  CHECK(faults[0].key == "uncertain.part.mass_g");
  CHECK(faults[1].key == "uncertain.stop.timeout_s");
}

TEST_CASE("the schema says what each key must be") {
  const std::string schema = config_schema();
  const auto object_of = [&](const std::string& key, const std::string& table = "part") {
    const std::size_t at = schema.find('"' + key + "\": {", schema.find('"' + table + "\": {"));
    REQUIRE(at != std::string::npos);
    return schema.substr(at, 420);
  };
  CHECK_THAT(object_of("opening_mm"), Contains("\"$ref\": \"#/definitions/distribution\"") &&
                                          Contains("\"minimum\": 1e-06"));
  CHECK_THAT(object_of("timeout_s", "stop"),
             Contains("\"exclusiveMinimum\": 0") &&
                 Contains("s; at most 10,000,000 steps of `step_s`. Default: 3."));
  CHECK_THAT(object_of("rotation_deg"),
             Contains("degrees; about the drawing's origin. Default: 0."));
  CHECK_THAT(object_of("coupling"), Contains("\"symmetric\",\n"));
  CHECK(schema.find("](") == std::string::npos);  // no links
  CHECK(schema.find("Default: .") == std::string::npos);
  CHECK_THAT(object_of("lot_sigma"), Contains("number; standard deviation of the lots' means"));
  for (const ListedTable& table : config_tables()) {
    for (const ListedKey& key : table.keys) (void)object_of(std::string(key.name));
  }
}

TEST_CASE("angles in degrees are the same angles in radians") {
  const auto both = [](const std::string& key, const std::string& table, const std::string& rad,
                       const std::string& deg) {
    const auto with = [&](const std::string& unit, const std::string& value) {
      return sweep_of(replaced(kConfigText, table, table + "\n" + key + unit + " = " + value));
    };
    INFO(key);
    check_equal(with("_deg", deg), with("_rad", rad));
    CHECK(to_toml(with("_deg", deg)) != to_toml(sweep_of(kConfigText)));
    CHECK(to_toml(with("_deg", deg)).find("_deg") == std::string::npos);
  };
  const std::string knob = "center_mm = [0, -6]";
  both("angle", knob, "0.5235987755982988", "30");
  both("theta", "y_cells = 3", "0.05235987755982989", "3.0");
  both("theta", "right = [\"knob\"]", "[-0.17453292519943295, 0.17453292519943295]", "[-10, 10]");
  both("angle", knob, "{ distribution = \"uniform\", min = 0, max = 0.017453292519943295 }",
       "{ distribution = \"uniform\", min = 0, max = 1 }");
  both("noise.theta", "y_cells = 3",
       "{ distribution = \"normal\", mean = 0, sigma = 0.017453292519943295 }",
       "{ distribution = \"normal\", mean = 0, sigma = 1 }");
  both("uncertain.part.piece.knob.angle", "name = \"knob-bar\"",
       "{ distribution = \"discrete\", values = [0, 0.017453292519943295] }",
       "{ distribution = \"discrete\", values = [0, 1] }");
  both("finger.groove_position_mm = -9\nfinger.groove_depth_mm = 3\nfinger.groove_angle",
       "opening_mm = 30", "1.5707963267948966", "90");
}

TEST_CASE("a wrong angle in degrees is told in degrees") {
  CHECK(sweep_error(
            replaced(kConfigText, "opening_mm = 30",
                     "opening_mm = 30\nfinger = { tip_chamfer_mm = 1, tip_chamfer_deg = 95 }")) ==
        "sweep.toml:21: gripper.finger.tip_chamfer_deg: is 95; must be a number > 0 and <= 89.82");
  CHECK_THAT(sweep_error(replaced(kConfigText, "y_cells = 3",
                                  "y_cells = 3\ntheta_min_deg = 9\ntheta_max_deg = 8\n"
                                  "theta_cells = 1")),
             Contains("placement.theta_max_deg: is 0.139") && Contains("(angles in rad)"));
}

TEST_CASE("an override in degrees takes the place of an angle in radians") {
  const std::string text = replaced(kConfigText, "y_cells = 3", "y_cells = 3\ntheta_rad = 0.1");
  const SweepConfig config =
      parse_sweep_config(text, "x.toml", {"gripper.opening_mm=60", "placement.theta_deg=180"});
  CHECK(config.placement.theta_rad.min == std::numbers::pi);
  CHECK(parse_sweep_config(
            text, "x.toml",
            {"gripper.opening_mm=60", "placement.theta_deg=180", "placement.theta_rad=0.2"})
            .placement.theta_rad.min == 0.2);
  const std::string distribution = "{ distribution = \"uniform\", min = 0, max = 1 }";
  const std::string uncertain = std::string(kConfigText) +
                                "[uncertain]\n\"part.piece.knob.angle_rad\" = " + distribution +
                                "\n";
  const SweepConfig turned = parse_sweep_config(
      uncertain, "x.toml", {"uncertain.part.piece.knob.angle_deg=" + distribution});
  REQUIRE(turned.uncertain.size() == 1);
  CHECK(turned.uncertain[0].distribution == Distribution(Uniform{0, std::numbers::pi / 180}));
  CHECK_THAT(sweep_error(uncertain + "\"part.piece.knob.angle_deg\" = " + distribution + "\n"),
             Contains("uncertain.part.piece.knob.angle_deg: does not go with "
                      "part.piece.knob.angle_rad; give one of them"));
}

TEST_CASE("an override in degrees of a part of a distribution in radians is refused") {
  const std::string distribution = "{ distribution = \"normal\", mean = 0, sigma = 0.1 }";
  const std::string noise =
      replaced(kConfigText, "y_cells = 3", "y_cells = 3\nnoise.theta_rad = " + distribution);
  const std::string uncertain = std::string(kConfigText) +
                                "[uncertain]\n\"part.piece.knob.angle_rad\" = " + distribution +
                                "\n";
  const auto error = [](const std::string& text, const std::string& override) {
    return config_error([&] { (void)parse_sweep_config(text, "x.toml", {override}); });
  };
  CHECK(error(noise, "placement.noise.theta_deg.sigma=4") ==
        "--set placement.noise.theta_deg.sigma=4: placement.noise.theta_deg: stands there as "
        "theta_rad; give the whole distribution, as in theta_deg={ distribution = ... }");
  CHECK_THAT(error(uncertain, "uncertain.part.piece.knob.angle_deg.sigma=4"),
             Contains("stands there as part.piece.knob.angle_rad; give the whole distribution"));
}

TEST_CASE("a misspelt angle is told in the unit that was written") {
  CHECK_THAT(sweep_error(replaced(kConfigText, "exponent = 8", "angel_deg = 3")),
             Contains("part.piece.0.angel_deg: unknown key; did you mean angle_deg?"));
  CHECK_THAT(sweep_error(replaced(kConfigText, "exponent = 8", "angel_rad = 3")),
             Contains("did you mean angle_rad?"));
  const std::string range =
      sweep_error(replaced(kConfigText, "y_cells = 3",
                           "y_cells = 3\ntheta_min_deg = 1\ntheta_mox_deg = 3\ntheta_cells = 2"));
  CHECK_THAT(range, Contains("did you mean theta_max_deg?") && !Contains("missing"));
}

TEST_CASE("the unit of a number is that of its key's row") {
  const std::map<std::string, std::string> units = {{"part.mass_kg", "kg"},
                                                    {"part.inertia_kg_mm2", "kg mm²"},
                                                    {"part.center_of_mass_mm.0", "mm"},
                                                    {"part.piece.tooth.1.semi_axes_mm.1", "mm"},
                                                    {"part.piece.tooth.1.angle_rad", "rad"},
                                                    {"part.piece.0.angle_deg", "degrees"},
                                                    {"part.piece.0.friction_factor", ""},
                                                    {"gripper.closing_speed_mm_s", "mm/s"},
                                                    {"gripper.pad.normal_n_per_mm2", "N/mm²"},
                                                    {"gripper.left_pad.damping_s", "s"},
                                                    {"gripper.mount.sideways_n_per_mm", "N/mm"},
                                                    {"gripper.mount.turning_n_mm", "N mm"},
                                                    {"support.e_t", ""},
                                                    {"friction.jaw", ""},
                                                    {"placement.noise.x_mm", "mm"},
                                                    {"placement.noise.theta_deg", "degrees"},
                                                    {"success.0.theta_rad.1", "rad"},
                                                    {"program.2.speed_rad_s", "rad/s"},
                                                    {"gripper.coupling", ""},
                                                    {"nothing.x_mm", ""},
                                                    {"name", ""}};
  for (const auto& [key, unit] : units) {
    INFO(key);
    CHECK(unit_of_key(key) == unit);
  }
  for (const ListedTable& table : config_tables()) {
    for (const ListedKey& key : table.keys) {
      INFO(table.path << '.' << key.name);
      if (key.name.ends_with("_rad")) CHECK(key.unit().ends_with("rad"));
    }
  }
}

}  // namespace
}  // namespace graspmap::testing
