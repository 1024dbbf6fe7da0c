#include "grasp/show/report/run_facts.hpp"

#include <catch2/catch.hpp>

#include "grasp/sweep/results/derived_files.hpp"
#include "tests/support/sweep_rows.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/uncertain_grasps.hpp"

namespace graspmap {
namespace {

std::string facts_of(const SweepConfig& config) {
  const testing::TemporaryFolder folder;
  RunStore store = RunStore::create(folder.path() / "run.sqlite", config);
  store.append(testing::sweep_rows(config), 0.5);
  return run_facts_json(store, summarize(store, read_totals(store)), read_trial_table(store, 1000),
                        "run");
}

TEST_CASE("a report knows which numbers differ from trial to trial, and what its page can draw") {
  const SweepConfig config = testing::disc_of_uncertain_size(6.0, 0.3);
  const std::string facts = facts_of(config);
  CHECK_THAT(facts, Catch::Contains("\"laws_are_known\": true"));
  CHECK_THAT(facts, Catch::Contains("\"one_friction\": true"));
  CHECK_THAT(facts, Catch::Contains("\"part.offset_mm\""));
  SweepConfig other = config;
  other.scenario.gripper.mu_left = 0.2;
  CHECK_THAT(facts_of(other), Catch::Contains("\"one_friction\": false"));
}

}  // namespace
}  // namespace graspmap
