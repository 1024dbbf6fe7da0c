#include "grasp/sweep/config/plausibility.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <numbers>
#include <regex>
#include <string>
#include <vector>

#include "tests/support/config_text.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/v_pads.hpp"

namespace graspmap {
namespace {

/// The keys that are doubtful in the lock piece's sweep with these changes.
std::vector<std::string> doubtful(const std::vector<std::string>& overrides) {
  std::vector<std::string> keys;
  for (const ConfigFault& doubt :
       doubts(testing::small_lock_piece_sweep(overrides), "sweep.toml")) {
    CHECK(!doubt.what.empty());
    keys.push_back(doubt.key);
  }
  return keys;
}

using Keys = std::vector<std::string>;

TEST_CASE("nothing in the examples is doubtful") {
  const auto folder = testing::lock_piece_file().parent_path();
  int examples = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".toml") continue;
    ++examples;
    CAPTURE(entry.path());
    CHECK(doubts(read_sweep_config(entry.path(), {}), "sweep.toml").empty());
  }
  CHECK(examples > 8);
}

TEST_CASE("noise of the angle about an origin far off the part is doubtful") {
  const auto is_doubtful = [](const std::string& center) {
    const std::string axes = "semi_axes_mm = [12, 12]\n";
    const std::string text =
        testing::replaced(testing::v_pads(""), axes, axes + "center_mm = " + center + "\n") +
        "[placement.noise]\ntheta_rad = { distribution = \"normal\", mean = 0, sigma = 0.01 }\n";
    const auto found = doubts(parse_sweep_config(text, "sweep.toml"), "sweep.toml");
    return std::any_of(found.begin(), found.end(), [](const ConfigFault& doubt) {
      return doubt.key == "placement.noise.theta_rad" &&
             doubt.what.find("200 mm off its centre of mass, which it moves by 2 mm") !=
                 std::string::npos;
    });
  };
  CHECK_FALSE(is_doubtful("[10, 0]"));
  CHECK(is_doubtful("[200, 0]"));
}

TEST_CASE("nothing in a configuration of the documents is doubtful") {
  const auto docs = testing::lock_piece_file().parent_path().parent_path() / "docs";
  int examples = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(docs)) {
    if (entry.path().extension() != ".md") continue;
    const std::string page = testing::file_text(entry.path());
    const std::regex block("```toml\\n([^`]*)```");
    for (std::sregex_iterator at(page.begin(), page.end(), block), end; at != end; ++at) {
      const std::string text = (*at)[1];
      if (text.find("\n[placement]") == std::string::npos) continue;  // a part of one
      ++examples;
      CAPTURE(entry.path());
      CHECK(doubts(parse_sweep_config(text, "page.md"), "page.md").empty());
    }
  }
  CHECK(examples > 0);
}

TEST_CASE("a slip of a unit is doubted under its key") {
  CHECK(doubtful({"gripper.closing_force_n=0.01"}) == Keys{"gripper.closing_force_n"});
  CHECK(doubtful({"placement.theta_rad=90"}) == Keys{"placement.theta_rad"});
  CHECK(doubtful({"placement.theta_deg=90"}).empty());
  CHECK(doubtful({"friction.jaw=20"}) == Keys{"friction.jaw"});
  CHECK(doubtful({"friction.jaw=2"}).empty());
  CHECK(doubtful({"sweep.trials_per_cell=1"}) == Keys{"sweep.trials_per_cell"});
  // Between the fingers it would not fit; only far below do these start clear of it.
  CHECK(doubtful({"gripper.opening_mm=20", "placement.y_min_mm=-40", "placement.y_max_mm=30"}) ==
        Keys{"gripper.opening_mm"});
}

/// What is said of a configuration under a key; "" when it is not doubted.
std::string doubt_of(const SweepConfig& config, const std::string& key) {
  for (const ConfigFault& doubt : doubts(config, "sweep.toml")) {
    if (doubt.key == key) return doubt.sentence();
  }
  return "";
}

TEST_CASE("a map on which no finger meets the part is doubted") {
  const auto key = [](double y_min_mm, double y_max_mm) {
    return doubtful({fmt::format("placement.y_min_mm={}", y_min_mm),
                     fmt::format("placement.y_max_mm={}", y_max_mm)});
  };
  // The disc, 20.75 mm in radius, lies at -y, and the fingers end at y = 0.
  CHECK(key(-60, -30) == Keys{"placement"});
  CHECK(key(-60, -15).empty());
  CHECK(doubtful({"placement.y_min_mm=-60", "placement.y_max_mm=-30",
                  R"(placement.noise.y_mm={distribution="uniform", min=-40, max=40})"})
            .empty());
  CHECK_THAT(doubt_of(testing::small_lock_piece_sweep(
                          {"placement.y_min_mm=-60", "placement.y_max_mm=-30"}),
                      "placement"),
             Catch::Contains("no finger can meet the part") && Catch::Contains("y_min_mm"));
}

TEST_CASE("a finger that is wanted on a side that faces away from it is doubted") {
  SweepConfig config =
      read_sweep_config(testing::lock_piece_file().parent_path() / "l_bracket.toml", {});
  SuccessAlternative& rule = config.success.front();
  REQUIRE(!rule.left.empty());
  REQUIRE(!rule.right.empty());
  CHECK(untouchable_targets(config).empty());
  rule.theta_rad = Window{-0.05, 0.05};
  CHECK(untouchable_targets(config).empty());
  std::swap(rule.left, rule.right);
  const std::vector<UntouchableTarget> found = untouchable_targets(config);
  REQUIRE(found.size() == 2);
  CHECK(found[0].other_side_can);
  CHECK_THAT(doubt_of(config, "success.left"), Catch::Contains("are left and right swapped?"));
  // Half a turn later each lies on the other side.
  rule.theta_rad = Window{3.1, 3.2};
  CHECK(untouchable_targets(config).empty());
  rule.theta_rad = Window{-0.05, 0.05};
  rule.theta_period_rad = std::numbers::pi;
  CHECK(untouchable_targets(config).empty());
  // Far above the fingers nothing can be touched.
  rule.theta_period_rad = 2 * std::numbers::pi;
  std::swap(rule.left, rule.right);
  rule.y_mm = Window{500, 501};
  REQUIRE(untouchable_targets(config).size() == 2);
  CHECK(!untouchable_targets(config)[0].other_side_can);
  CHECK_THAT(doubt_of(config, "success.left"), Catch::Contains("name an element that faces it"));
}

TEST_CASE("a doubted opening tells how wide the part is") {
  CHECK_THAT(
      doubt_of(testing::small_lock_piece_sweep(
                   {"gripper.opening_mm=20", "placement.y_min_mm=-40", "placement.y_max_mm=30"}),
               "gripper.opening_mm"),
      Catch::Contains("the part, which is 41.5 mm wide"));
}

TEST_CASE("normal noise over a turn is doubted, uniform noise over a turn is not") {
  const std::string key = "placement.noise.theta_rad=";
  CHECK(doubtful({key + R"({distribution="normal", mean=0, sigma=3})"}) ==
        Keys{"placement.noise.theta_rad"});
  CHECK(doubtful({key + R"({distribution="normal", mean=0, sigma=0.3})"}).empty());
  CHECK(doubtful({key + R"({distribution="uniform", min=-3.2, max=3.2})"}).empty());
}

TEST_CASE("a part as heavy as no material is doubted, and what cannot push it") {
  CHECK(doubtful({"part.mass_kg=5000"}) == Keys{"part.mass_kg", "gripper.closing_force_n"});
  CHECK(doubtful({"part.mass_kg=1e-7"}) == Keys{"part.mass_kg"});
  CHECK(doubtful({"part.mass_kg=1"}).empty());
}

TEST_CASE("a timeout is doubted that ends trials before the jaws have closed") {
  const SweepConfig config = testing::small_lock_piece_sweep();
  const Gripper& gripper = config.scenario.gripper;
  const double closed_mm = gripper.opening_mm - config.scenario.stop.closed_opening_mm;
  const double closing_s = closed_mm / (2 * gripper.closing_speed_mm_s);
  CHECK(doubtful({fmt::format("stop.timeout_s={}", 1.01 * closing_s)}).empty());
  CHECK(doubtful({fmt::format("stop.timeout_s={}", 0.99 * closing_s)}) == Keys{"stop.timeout_s"});
}

TEST_CASE("a part in inches or metres is doubted") {
  SweepConfig config = testing::small_lock_piece_sweep();
  config.scenario.part.pieces.resize(1);
  config.scenario.mass.mass_kg = 1e-4;
  for (const auto& [semi_axis_mm, doubted] :
       {std::pair{0.8, true}, {3.0, false}, {900.0, false}, {1100.0, true}}) {
    CAPTURE(semi_axis_mm);
    config.scenario.part.pieces.front().shape = {semi_axis_mm, semi_axis_mm, 2.0};
    std::vector<ConfigFault> found = doubts(config, "sweep.toml");
    std::erase_if(found, [](const ConfigFault& doubt) { return doubt.key != "part.piece"; });
    CHECK(found.size() == (doubted ? 1u : 0u));
  }
}

}  // namespace
}  // namespace graspmap
