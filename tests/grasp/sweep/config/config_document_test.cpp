#include "grasp/sweep/config/config_document.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/toml_document.hpp"
#include "grasp/sweep/config/key_list.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/outline_shapes.hpp"
#include "tests/support/source_dir.hpp"

namespace graspmap {

TEST_CASE("a document is written with its overrides, unchecked") {
  const std::string written = written_toml("# a comment\nname = 'a'\n[gripper]\nopening_mm = 1\n",
                                           "x.toml", {"gripper.opening_mm=-2", "sweep.seed=3"});
  CHECK(written.find("opening_mm = -2") != std::string::npos);
  CHECK(written.find("seed = 3") != std::string::npos);
  CHECK(written.find("comment") == std::string::npos);
}

TEST_CASE("a document that is no TOML is an error with its line") {
  CHECK_THROWS_AS(written_toml("a = = 1", "x.toml", {}), ConfigError);
  CHECK_THROWS_AS(written_toml("a = 1", "x.toml", {"b="}), ConfigError);
  CHECK_THROWS_AS(read_toml_text("/no/such/file.toml"), ConfigError);
}

namespace {

namespace fs = std::filesystem;

const AskedKey* find_key(const std::vector<AskedKey>& keys, const std::string& path) {
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&](const AskedKey& key) { return key.path == path; });
  return found == keys.end() ? nullptr : &*found;
}

/// Checks that each key of a table is among `keys`, or a table that is in there.
void check_keys_of(const toml::table& table, const std::string& prefix,
                   const std::vector<AskedKey>& keys) {
  for (const auto& [key, node] : table) {
    const std::string path = prefix + std::string(key.str());
    const toml::table* below = node.as_table();
    const bool is_distribution = below != nullptr && below->contains("distribution");
    if (is_distribution && find_key(keys, path) != nullptr) continue;  // in the place of a number
    if (below != nullptr) {
      check_keys_of(*below, path + ".", keys);
    } else if (const toml::array* list = node.as_array(); list && list->is_array_of_tables()) {
      for (std::size_t i = 0; i < list->size(); ++i) {
        check_keys_of(*(*list)[i].as_table(), path + "." + std::to_string(i) + ".", keys);
      }
    } else {
      INFO(path);
      CHECK(find_key(keys, path) != nullptr);
    }
  }
}

TEST_CASE("all keys of the examples are among those that their readers ask for") {
  int sweeps = 0;
  for (const auto& entry : fs::directory_iterator(testing::source_dir() + "/configs")) {
    if (entry.path().extension() != ".toml") continue;
    INFO(entry.path());
    check_keys_of(load_toml(entry.path(), {}), "", sweep_keys(entry.path()));
    ++sweeps;
  }
  CHECK(sweeps >= 10);
}

TEST_CASE("keys of all choices are known, with the words that they may be") {
  const std::vector<AskedKey> keys = sweep_keys();
  for (const char* path : {"name",
                           "part.mass_kg",
                           "part.thickness_mm",
                           "part.piece.0.semi_axes_mm",
                           "part.piece.0.holes_mm",
                           "gripper.finger.groove_angle_rad",
                           "gripper.left_finger.file",
                           "gripper.palm.outline_mm",
                           "support.e_r_mm",
                           "support.angles_rad",
                           "support.points_mm",
                           "support.matrix",
                           "support.coefficients",
                           "friction.jaw",
                           "friction.jaw.sigma",
                           "friction.jaw.part_sigma",
                           "friction.jaw.mode",
                           "friction.jaw.weights",
                           "friction.jaw.counts",
                           "friction.jaw.column",
                           "uncertain.part.mass_kg",
                           "uncertain.part.mass_kg.lot_sigma",
                           "uncertain.gripper.finger.groove_angle_deg",
                           "correlated.0.keys",
                           "correlated.0.matrix",
                           "placement.theta_cells",
                           "placement.noise.theta_rad",
                           "placement.noise.x_mm.max",
                           "success.0.opening_mm",
                           "sweep.adaptive.most_trials",
                           "summary.plateau_probability",
                           "simulation.order",
                           "simulation.tolerance_mm",
                           "stop.timeout_s"}) {
    INFO(path);
    CHECK(find_key(keys, path) != nullptr);
  }
  REQUIRE(find_key(keys, "support.model") != nullptr);
  CHECK(
      find_key(keys, "support.model")->words ==
      std::vector<std::string>{"ellipsoid", "tripod", "points", "part-ellipsoid", "fourth-order"});
  REQUIRE(find_key(keys, "sweep.adaptive.goal") != nullptr);
  CHECK(find_key(keys, "sweep.adaptive.goal")->words.size() == 6);
  for (const char* path : {"gripper.coupling", "part.piece.0.origin", "sweep.sampling",
                           "friction.support.distribution"}) {
    INFO(path);
    REQUIRE(find_key(keys, path) != nullptr);
    CHECK(find_key(keys, path)->words.size() >= 2);
  }
  REQUIRE(find_key(keys, "simulation.stepper") != nullptr);
  CHECK(find_key(keys, "simulation.stepper")->words == std::vector<std::string>{"implicit"});
  REQUIRE(find_key(keys, "success.0.at_rest") != nullptr);
  CHECK(find_key(keys, "success.0.at_rest")->words == std::vector<std::string>{"true", "false"});
  CHECK(find_key(keys, "gripper") == nullptr);  // a table
}

TEST_CASE("a file that cannot be read leaves the keys of any sweep") {
  CHECK(sweep_keys("no/such.toml").size() == sweep_keys().size());
}

SweepConfig knob_bar() { return parse_sweep_config(testing::kConfigText, "knob_bar.toml"); }

/// "KEY: FIRST, SECOND" for each difference between a configuration and a changed one.
std::vector<std::string> differences(const SweepConfig& changed) {
  std::vector<std::string> lines;
  for (const ConfigDifference& d : config_differences(knob_bar(), changed)) {
    lines.push_back(d.key + ": " + d.first + ", " + d.second);
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST_CASE("a configuration does not differ from itself") { CHECK(differences(knob_bar()).empty()); }

TEST_CASE("a difference is told by its key and both values") {
  SweepConfig config = knob_bar();
  SECTION("a number") {
    config.scenario.part.pieces[1].shape.exponent = 3;
    CHECK(differences(config) == Lines{"part.piece.1.exponent: 2, 3"});
  }
  SECTION("the last bit of a number") {
    config.scenario.gripper.opening_mm = 30 + 0x1p-48;
    CHECK(differences(config) == Lines{"gripper.opening_mm: 30, 30.000000000000004"});
  }
  SECTION("an integer") {
    config.seed = 43;
    CHECK(differences(config) == Lines{"sweep.seed: 42, 43"});
  }
  SECTION("the order of steps, and what it brings") {
    config.scenario.order = 1;
    config.scenario.tolerance_mm = 0;
    CHECK(differences(config) ==
          Lines{"simulation.order: 2, 1", "simulation.tolerance_mm: 0.02, not given"});
  }
  SECTION("a text") {
    config.name = "other";
    CHECK(differences(config) == Lines{"name: \"knob-bar\", \"other\""});
  }
  SECTION("lists") {
    config.scenario.part.pieces[0].pose.position_mm = {1, 0.5};
    config.success[0].left = {{"bar", {0}}, {"knob", {1}}};
    CHECK(differences(config) == Lines{"part.piece.0.center_mm: [0, 0], [1, 0.5]",
                                       "success.0.left: [\"knob\"], [\"bar\", \"knob\"]"});
  }
  SECTION("a window, and a truth") {
    config.success[0].x_mm = Window{-1, 1};
    config.success[0].at_rest = true;
    CHECK(differences(config) ==
          Lines{"success.0.at_rest: not given, true", "success.0.x_mm: not given, [-1, 1]"});
  }
  SECTION("a distribution") {
    config.mu_jaw = Fixed{0.2};
    CHECK(differences(config) == Lines{"friction.jaw.distribution: \"uniform\", \"fixed\"",
                                       "friction.jaw.max: 0.35, not given",
                                       "friction.jaw.min: 0.05, not given",
                                       "friction.jaw.value: not given, 0.2"});
  }
  SECTION("a piece more") {
    config.scenario.part.pieces.push_back(config.scenario.part.pieces[1]);
    CHECK(differences(config).size() == 5);
    CHECK(differences(config)[0] == "part.piece.2.angle_rad: not given, 0");
  }
}

TEST_CASE("outlines are compared point by point") {
  SweepConfig one = knob_bar();
  one.scenario.part.outlines = {
      {"plate",
       {polygon_loop({{0, 0}, {4, 0}, {0, 3}}), {polygon_loop({{1, 1}, {1, 2}, {2, 1}})}},
       {}}};
  SweepConfig other = one;
  other.scenario.part.outlines[0].outline.outer[1].bulge = 0.5;
  other.scenario.part.outlines[0].outline.holes[0][2].begin_mm.x() = 1.5;
  const auto differences = config_differences(one, other);
  REQUIRE(differences.size() == 2);
  CHECK(differences[0].key == "part.piece.2.holes_mm.0.2");
  CHECK(differences[0].first == "[2, 1]");
  CHECK(differences[0].second == "[1.5, 1]");
  CHECK(differences[1].key == "part.piece.2.outline_mm.1");
  CHECK(differences[1].first == "[4, 0]");
  CHECK(differences[1].second == "[4, 0, 0.5]");
}

}  // namespace

}  // namespace graspmap
