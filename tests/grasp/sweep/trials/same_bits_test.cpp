#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "grasp/base/probability/distribution.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/trial.hpp"
#include "grasp/sweep/trials/trial_record.hpp"
#include "tests/support/source_dir.hpp"

// The same with every compiler, with any options, on every machine; scripts/same_bits compares
// more.

namespace graspmap {
namespace {

TEST_CASE("the first trials of examples have these bits on every machine") {
  Workspace workspace;
  SimulationResult result;
  TrialDigest digest;
  for (const char* name :
       {"lock_piece", "bolt", "trefoil", "v_fingers", "connecting_rod", "lock_piece_tolerances"}) {
    const auto file = std::filesystem::path(testing::source_dir()) / "configs" / name;
    const SweepConfig config = read_sweep_config(file.string() + ".toml", {});
    for (const std::int64_t index : {0, 11, 23, 57, 101, 180}) {
      digest.add(run_trial(config, index, workspace, result));
    }
  }
  // Trials that come out otherwise have another one, and grasp/sweep/trials/trial_record.hpp
  // another number.
  CHECK(digest.hex() == "e402a2e41ed280821c65c402c0960e93");
}

TEST_CASE("distributions draw these bits on every machine") {
  const std::vector<Distribution> distributions = {
      Uniform{0.1, 0.7},
      Normal{0.3, 0.07, 0.0},
      TruncatedNormal{0.3, 0.2, 0.0, 2.0},
      TruncatedNormal{0.0, 0.1, 0.5, 2.0},
      Lognormal{0.3, 0.2},
      Triangular{0.1, 0.3, 0.7},
  };
  std::string bits;
  for (const Distribution& distribution : distributions) {
    for (int k = 1; k < 100; ++k) {
      for (const double u : {k / 100.0, kLeastLevel * k}) {
        bits += std::to_string(std::bit_cast<std::uint64_t>(distribution.quantile(u))) + "\n";
      }
    }
  }
  CHECK(text_digest(bits) == "672ea2df677d7aaf53a9e1905f35389e");
}

}  // namespace
}  // namespace graspmap
