#include <catch2/catch.hpp>
#include <filesystem>

#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/sweep/results/derived_files.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "tests/support/captured_output.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/store_files.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace {

using Catch::Matchers::Contains;
using testing::CapturedOutput;
using testing::TemporaryFolder;

/// 4 x 3 cells with 10 trials each.
SweepConfig some_config() {
  return parse_sweep_config(std::string(testing::kConfigText) +
                                "[summary]\nsweet_spot_half_width_mm = 1\n"
                                "plateau_probability = 0.75\n",
                            "test");
}

std::string drawn_map(const TemporaryFolder& run) {
  return testing::file_text(run.path() / kFiguresFolder / "success_map.svg");
}

TEST_CASE("plot: draws a run's figures with the name and limits of its configuration") {
  const TemporaryFolder run;
  const auto store =
      testing::made_up_store(run.path() / run_files::kStore, some_config(), {{0, 120}});
  const CapturedOutput output;
  REQUIRE(plot_command().run({run.path().string()}) == 0);
  CHECK_THAT(output.text(), Contains((run.path() / kFiguresFolder).string()));
  CHECK_THAT(drawn_map(run), Contains("knob-bar") && Contains("p ≥ 0.75"));
  CHECK(read_map_csv(run.path() / run_files::kMap).total().trials() == 120);
}

TEST_CASE("plot: a map that is older than the store is made anew, a current one is taken") {
  const TemporaryFolder run;
  auto store = testing::made_up_store(run.path() / run_files::kStore, some_config(), {{0, 60}});
  const CapturedOutput output;
  REQUIRE(plot_command().run({run.path().string()}) == 0);
  store.append(testing::made_up_rows(store.config(), {60, 72}), 1.0);
  REQUIRE(plot_command().run({run.path().string()}) == 0);
  CHECK(read_map_csv(run.path() / run_files::kMap).total().trials() == 72);

  const auto written = std::filesystem::last_write_time(run.path() / run_files::kMap);
  REQUIRE(plot_command().run({run.path().string()}) == 0);
  CHECK(std::filesystem::last_write_time(run.path() / run_files::kMap) == written);

  const std::string without_angles = "cell_x,cell_y,x_min_mm,x_max_mm,y_min_mm,y_max_mm,trials\n";
  for (const std::string& map : {std::string("not a map\n"), without_angles}) {
    (void)run.write(run_files::kMap, map);
    REQUIRE(plot_command().run({run.path().string()}) == 0);
    CHECK(read_map_csv(run.path() / run_files::kMap).total().trials() == 72);
  }
}

TEST_CASE("plot: a folder that is not that of a run") {
  const TemporaryFolder folder;
  const auto error = [&] { (void)plot_command().run({folder.path().string()}); };
  CHECK_THROWS_AS(error(), ConfigError);
  CHECK_THROWS_WITH(error(), Contains("has no run.sqlite") && Contains("folder of a run"));
  (void)folder.write(run_files::kStore, "no database");
  CHECK_THROWS_AS(error(), ConfigError);
  CHECK_FALSE(std::filesystem::exists(folder.path() / kFiguresFolder));
  CHECK_THROWS_WITH(plot_command().run({(folder.path() / "nothing").string()}),
                    Contains("there is no such folder"));
}

TEST_CASE("plot: help with an example, usage errors") {
  const CapturedOutput output;
  CHECK(plot_command().run({"--help"}) == 0);
  CHECK_THAT(output.text(),
             Contains("graspmap plot RUNDIR") && Contains("graspmap plot outputs/lock_piece"));
  CHECK_THROWS_AS(plot_command().run({}), UsageError);
  CHECK_THROWS_AS(plot_command().run({"--out", "x"}), UsageError);
}

}  // namespace
}  // namespace graspmap
