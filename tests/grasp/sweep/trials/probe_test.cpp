#include "grasp/sweep/trials/probe.hpp"

#include <catch2/catch.hpp>

#include "tests/support/lock_piece.hpp"

namespace graspmap {
namespace {

TEST_CASE("a probe depends on how trials come out, not on how many are asked for") {
  const std::string probe = probe_digest(testing::small_lock_piece_sweep());
  CHECK(probe.size() == 32);
  CHECK(probe_digest(testing::small_lock_piece_sweep()) == probe);
  CHECK(probe_digest(testing::small_lock_piece_sweep({"sweep.trials_per_cell=9"})) == probe);
  CHECK(probe_digest(testing::small_lock_piece_sweep({"simulation.step_s=0.001"})) != probe);
  CHECK(probe_digest(testing::small_lock_piece_sweep({"sweep.seed=2"})) != probe);
}

}  // namespace
}  // namespace graspmap
