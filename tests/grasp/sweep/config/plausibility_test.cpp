#include "grasp/sweep/config/plausibility.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/lock_piece.hpp"

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
