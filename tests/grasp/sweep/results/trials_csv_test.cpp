#include "grasp/sweep/results/trials_csv.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>

#include "tests/support/random_rows.hpp"

namespace graspmap {
namespace {

TEST_CASE("a line of trials.csv has the fields of its row in the header's order") {
  TrialRow row;
  row.index = 10'000'000'000;
  row.cell_x = 3;
  row.cell_y = 4;
  row.cell_theta = 5;
  row.parameters = {0.1, -2.5, 1e-300, 0.25, 0.3};
  row.outcome = Outcome::kWedged;
  row.end_time_s = 0.5;
  row.final_pose = {{1.5, 2.5}, -0.75};
  row.jaw_right_mm = 13;
  row.jaw_left_mm = -14;
  row.statistics.steps = 5'000'000'00;
  row.statistics.newton_iterations = 777;
  row.statistics.worst_residual = 1e-10;
  std::string text = "before\n";
  append_trial_csv(text, row);
  CHECK(trials_csv_header() ==
        "index,cell_x,cell_y,cell_theta,x_mm,y_mm,theta_rad,mu_jaw,mu_support,outcome,end_time_s,"
        "part_x_mm,part_y_mm,part_theta_rad,jaw_right_x_mm,jaw_left_x_mm,steps,worst_residual\n");
  CHECK(text ==
        "before\n10000000000,3,4,5,0.1,-2.5,1e-300,0.25,0.3,wedged,0.5,1.5,2.5,-0.75,13,-14,"
        "500000000,1e-10\n");
}

TEST_CASE("a number that is not known is empty in trials.csv") {
  using Limits = std::numeric_limits<double>;
  TrialRow row;
  row.outcome = Outcome::kTimeout;
  row.end_time_s = Limits::infinity();
  row.final_pose = {{Limits::quiet_NaN(), 2.5}, -Limits::infinity()};
  std::string text;
  append_trial_csv(text, row);
  CHECK(text == "0,0,0,0,0,0,0,0,0,timeout,,,2.5,,0,0,0,0\n");
}

TEST_CASE("every row is one line with a value for each column") {
  const auto commas = [](const std::string& text) {
    return std::count(text.begin(), text.end(), ',');
  };
  std::string text;
  for (const TrialRow& row : testing::random_rows(3)) append_trial_csv(text, row);
  CHECK(std::count(text.begin(), text.end(), '\n') == 3);
  CHECK(commas(text) == 3 * commas(trials_csv_header()));
}

}  // namespace
}  // namespace graspmap
