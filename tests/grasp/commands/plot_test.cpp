#include "grasp/commands/plot.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "grasp/commands/options.hpp"
#include "grasp/plots.hpp"
#include "grasp/run_directory.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/maps.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace {

using Catch::Matchers::Contains;
using testing::TemporaryFolder;

/// What a command prints while this object lives.
class CapturedOutput {
 public:
  CapturedOutput() : before_(std::cout.rdbuf(stream_.rdbuf())) {}
  ~CapturedOutput() { std::cout.rdbuf(before_); }
  CapturedOutput(const CapturedOutput&) = delete;
  CapturedOutput& operator=(const CapturedOutput&) = delete;

  [[nodiscard]] std::string text() const { return stream_.str(); }

 private:
  std::ostringstream stream_;
  std::streambuf* before_;
};

SuccessMap some_map() {
  return testing::map_of({-5, 5, 10}, {-8, -2, 6}, 10,
                         [](double, double y) { return y < -4 ? 0.8 : 0.1; });
}

TEST_CASE("plot: draws a run's figures with the name and limits of its configuration") {
  const TemporaryFolder run;
  (void)run.write(run_files::kMap, map_csv(some_map()));
  (void)run.write(run_files::kConfig,
                  std::string(testing::kConfigText) +
                      "[summary]\nsweet_spot_half_width_mm = 2\nplateau_probability = 0.75\n");
  const CapturedOutput output;
  REQUIRE(plot_command({run.path().string()}) == 0);
  CHECK_THAT(output.text(), Contains((run.path() / kFiguresFolder).string()));
  CHECK_THAT(testing::file_text(run.path() / kFiguresFolder / "success_map.svg"),
             Contains("knob-bar") && Contains("±2 mm") && Contains("p ≥ 0.75"));
}

TEST_CASE("plot: a folder that is not that of a run") {
  const TemporaryFolder folder;
  const auto error = [&] { (void)plot_command({folder.path().string()}); };
  CHECK_THROWS_AS(error(), ConfigError);
  CHECK_THROWS_WITH(error(), Contains("has no config.toml") && Contains("folder of a run"));
  (void)folder.write(run_files::kConfig, testing::kConfigText);
  CHECK_THROWS_WITH(error(), Contains("has no map.csv"));
  (void)folder.write(run_files::kMap, "cell_x\n");
  CHECK_THROWS_AS(error(), ConfigError);
  CHECK_FALSE(std::filesystem::exists(folder.path() / kFiguresFolder));

  CHECK_THROWS_WITH(plot_command({(folder.path() / "nothing").string()}),
                    Contains("there is no such folder"));
  CHECK_THROWS_WITH(plot_command({(folder.path() / run_files::kMap).string()}),
                    Contains("is not a folder"));
}

TEST_CASE("plot: help with an example, usage errors") {
  const CapturedOutput output;
  CHECK(plot_command({"--help"}) == 0);
  CHECK_THAT(output.text(),
             Contains("graspmap plot RUNDIR") && Contains("graspmap plot outputs/lock_piece"));
  CHECK_THROWS_AS(plot_command({}), UsageError);
  CHECK_THROWS_AS(plot_command({"--out", "x"}), UsageError);
}

}  // namespace
}  // namespace graspmap
