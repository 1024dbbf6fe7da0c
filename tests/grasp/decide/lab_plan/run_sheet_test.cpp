#include "grasp/decide/lab_plan/run_sheet.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "grasp/decide/compare/experiment.hpp"
#include "tests/support/config_error.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap::testing {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

const CellGrid kSheetMap{{-10, 10, 20}, {-20, 0, 20}};

LabDesign design_of(int sessions) { return {even_placements(kSheetMap, 30, 1), 1, sessions}; }

/// A sheet with the first `rows` rows filled in.
std::string filled(const std::string& csv, int rows) {
  std::string text;
  std::size_t begin = 0;
  while (begin < csv.size()) {
    const std::size_t end = csv.find('\n', begin);
    text += csv.substr(begin, end - begin);
    if (csv[end - 1] == ',' && rows-- > 0) text += rows % 2 == 0 ? "1" : "0";
    text += '\n';
    begin = end + 1;
  }
  return text;
}

}  // namespace

TEST_CASE("run sheet: all trials of the design, in random order within each session") {
  const LabDesign design = design_of(3);
  const auto rows = run_sheet(design, 30, 5);
  REQUIRE(rows.size() == 30);
  std::vector<std::size_t> placements;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    CHECK(rows[k].trial == k);
    CHECK(rows[k].session == k / 10);
    placements.push_back(rows[k].placement);
  }
  CHECK_FALSE(std::is_sorted(placements.begin(), placements.begin() + 10));
  std::sort(placements.begin(), placements.end());
  for (std::size_t k = 0; k < placements.size(); ++k) CHECK(placements[k] == k);
  const auto other = run_sheet(design, 30, 6);
  CHECK_FALSE(std::equal(rows.begin(), rows.end(), other.begin(),
                         [](const auto& a, const auto& b) { return a.placement == b.placement; }));
}

TEST_CASE("run sheet: filled in, it is an experiment") {
  const TemporaryFolder folder;
  const LabDesign design = design_of(2);
  const auto rows = run_sheet(design, 12, 1);
  const std::string csv =
      csv_text(run_sheet_table(design, rows, false, {"a remark\nwith a line end"}));
  CHECK_THAT(csv, StartsWith("# origin = measured\n# a remark with a line end\n"
                             "session,trial,x_mm,y_mm,success\n1,1,"));
  const Experiment experiment = read_experiment(folder.write("lab.csv", filled(csv, 12)));
  REQUIRE(experiment.single_trials.size() == 12);
  CHECK(experiment.sessions == std::vector<std::string>{"1", "2"});
  CHECK(experiment.single_trials[0].success == false);
  CHECK(experiment.single_trials[1].success == true);
  CHECK(experiment.single_trials[3].x_mm ==
        Approx(design.places[rows[3].placement].x_mm).margin(1e-9));
}

TEST_CASE("run sheet: trials that are not filled in are planned") {
  const TemporaryFolder folder;
  const LabDesign design = design_of(0);
  const std::string csv =
      csv_text(run_sheet_table(design, run_sheet(design, 12, 1), false, {"a remark"}));
  const auto file = folder.write("lab.csv", filled(csv, 4));
  const Experiment experiment = read_experiment(file);
  CHECK(experiment.single_trials.size() == 4);
  CHECK(experiment.planned.size() == 8);
}

TEST_CASE("run sheet: angles have a column where they vary") {
  const LabDesign design{{{1, 2, 0.25}}, 1, 0};
  CHECK(csv_text(run_sheet_table(design, {{0, 0, 0}}, true, {})) ==
        "# origin = measured\ntrial,x_mm,y_mm,theta_rad,success\n1,1,2,0.25,\n");
  CHECK(csv_text(run_sheet_table(design, {{0, 0, 0}}, false, {})) ==
        "# origin = measured\ntrial,x_mm,y_mm,success\n1,1,2,\n");
}

TEST_CASE("lab page: settings, success, placements and a box for each trial") {
  SweepConfig config =
      read_sweep_config(testing::source_dir() + "/configs/lock_piece_quick.toml", {});
  config.name = "a<b>";
  const LabDesign design = design_of(2);
  const auto rows = run_sheet(design, 30, 1);
  const std::string page = lab_page_html({config, design, rows, "30 trials & a goal"});
  CHECK_THAT(page, StartsWith("<!DOCTYPE html>") && Contains("Run sheet: a&lt;b&gt;") &&
                       Contains("30 trials &amp; a goal") && Contains("<td>64 mm</td>") &&
                       Contains("<td>10 N</td>") && Contains("Session 2 of 2") &&
                       Contains("the left finger touches tooth_1, the right finger touches "
                                "tooth_6"));
  CHECK_THAT(page, !Contains("a<b>") && !Contains("http-equiv") && !Contains("src="));
  std::size_t ticks = 0;
  for (std::size_t at = 0; (at = page.find("class=\"tick\"", at)) != std::string::npos; ++at) {
    ++ticks;
  }
  CHECK(ticks == 60);
}

TEST_CASE("lab page: the gripper's origin is between fingertips, or in the middle of pads") {
  const LabDesign design = design_of(0);
  const auto page = [&](const char* config) {
    const SweepConfig read = read_sweep_config(testing::source_dir() + "/configs/" + config, {});
    return lab_page_html({read, design, run_sheet(design, 4, 1), ""});
  };
  CHECK_THAT(page("lock_piece_quick.toml"),
             Contains("the fingertips, at the height of their ends"));
  CHECK_THAT(page("shaft_from_above.toml"),
             Contains("the middle between the pads, which reach 11 mm above and 11 mm below."));
}

}  // namespace graspmap::testing
