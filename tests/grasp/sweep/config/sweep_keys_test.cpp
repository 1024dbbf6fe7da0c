#include "grasp/sweep/config/sweep_keys.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "grasp/base/io/toml_document.hpp"

namespace graspmap {
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
    const bool is_law = below != nullptr && below->contains("distribution");
    if (is_law && find_key(keys, path) != nullptr) continue;  // in the place of a number
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
  for (const auto& entry : fs::directory_iterator(GRASPMAP_SOURCE_DIR "/configs")) {
    if (entry.path().extension() != ".toml") continue;
    INFO(entry.path());
    check_keys_of(load_toml(entry.path(), {}), "", sweep_keys_for(entry.path()));
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
  CHECK(find_key(keys, "sweep.adaptive.goal")->words.size() == 4);
  for (const char* path : {"gripper.coupling", "part.piece.0.origin", "simulation.stepper",
                           "sweep.sampling", "friction.support.distribution"}) {
    INFO(path);
    REQUIRE(find_key(keys, path) != nullptr);
    CHECK(find_key(keys, path)->words.size() >= 2);
  }
  REQUIRE(find_key(keys, "success.0.at_rest") != nullptr);
  CHECK(find_key(keys, "success.0.at_rest")->words == std::vector<std::string>{"true", "false"});
  CHECK(find_key(keys, "gripper") == nullptr);  // a table
}

TEST_CASE("a file that cannot be read leaves the keys of any sweep") {
  CHECK(sweep_keys_for("no/such.toml").size() == sweep_keys().size());
}

}  // namespace
}  // namespace graspmap
