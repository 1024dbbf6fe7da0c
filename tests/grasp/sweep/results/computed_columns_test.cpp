#include "grasp/sweep/trials/computed_columns.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "grasp/base/io/csv.hpp"
#include "grasp/show/story/trial_story.hpp"
#include "grasp/sweep/results/derived_files.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/sweep_text.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

/// The first phase waits for a contact, which does not come in all trials; the part's mass varies.
SweepConfig config_with_program() {
  return sweep_of(std::string(kConfigText) + R"(
[uncertain]
"part.center_of_mass_mm.1" = { distribution = "uniform", min = -3, max = 1 }
[[program]]
do = "move"
by_mm = [0, 12]
speed_mm_s = 60
until = "contact"
[[program]]
do = "close"
)");
}

}  // namespace

TEST_CASE("trials.csv and trials.npz have the poses after each phase of a program") {
  const SweepConfig config = config_with_program();
  const ComputedColumns columns(config);
  REQUIRE(columns.size() == 10);
  CHECK(columns.key(0) == "phase_1_end_time_s");
  CHECK(columns.key(8) == "phase_2_part_theta_rad");
  const TemporaryFolder folder;
  TrialsCsv csv(folder.path() / "trials.csv", UncertainColumns(config));
  TrialsNpz npz(folder.path() / "trials.npz", UncertainColumns(config));
  Workspace workspace;
  for (std::int64_t index = 0; index < config.trials(); ++index) {
    SimulationResult result;
    const TrialRow row = run_trial(config, index, workspace, result);
    csv.add(row);
    npz.add(row);
  }
  csv.commit();
  const std::atomic<int> go_on = 0;
  CHECK(npz.commit(go_on));
  const CsvTable table = read_csv(folder.path() / "trials.csv");
  REQUIRE(std::ssize(table.rows) == config.trials());
  int reached = 0;
  for (std::int64_t index = 0; index < config.trials(); ++index) {
    const TrialStory story = tell_trial(config, index);
    const CsvRow& row = table.rows[static_cast<std::size_t>(index)];
    for (std::size_t k = 0; k < 2; ++k) {
      const auto column = [&](const char* name) {
        return table.column("phase_" + std::to_string(k + 1) + "_" + name);
      };
      INFO("trial " << index << ", phase " << k + 1);
      if (k >= story.phase_ends.size()) {
        CHECK(row.fields[column("part_x_mm")].empty());
        continue;
      }
      const PhaseEnd& end = story.phase_ends[k];
      const Pose2 part = part_pose_in_gripper(story.scenario, end.state);
      CHECK(table.number(row, column("end_time_s")) == end.time_s);
      CHECK(table.number(row, column("part_x_mm")) == part.position_mm.x());
      CHECK(table.number(row, column("part_y_mm")) == part.position_mm.y());
      CHECK(table.number(row, column("part_theta_rad")) == part.angle_rad);
      CHECK(table.number(row, column("opening_mm")) ==
            end.state.jaw_right_mm - end.state.jaw_left_mm);
      reached += k == 1 ? 1 : 0;
    }
  }
  CHECK(reached > 10);
  CHECK(reached < config.trials());
}

TEST_CASE("without a program there are no such columns") {
  const SweepConfig config = sweep_of(kConfigText);
  CHECK(ComputedColumns(config).size() == 0);
  CHECK_THAT(trials_csv_header(UncertainColumns(config)), Catch::EndsWith(",worst_residual\n"));
}
