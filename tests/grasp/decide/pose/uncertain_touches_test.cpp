#include <catch2/catch.hpp>

#include "grasp/decide/pose/delivered_pose.hpp"
#include "tests/support/sweep_rows.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/uncertain_grasps.hpp"

namespace graspmap {
namespace {

TEST_CASE("what a trial touches is found with the shapes that it had") {
  const testing::TemporaryFolder folder;
  const SweepConfig config = testing::disc_of_uncertain_size(6.0, 0.3);
  const std::vector<TrialRow> rows = testing::sweep_rows(config);
  RunStore store = RunStore::create(folder.path() / "run.sqlite", config);
  store.append(rows, 0.5);
  const std::vector<Touches> touches = read_touches(store, rows.size(), Outcome::kSuccess);
  REQUIRE(touches.size() == rows.size());
  int held = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (rows[k].outcome != Outcome::kSuccess) continue;
    ++held;
    CHECK(touches[k].left == std::vector<int>{0});
    CHECK(touches[k].right == std::vector<int>{0});
  }
  CHECK(held > 10);
}

}  // namespace
}  // namespace graspmap
