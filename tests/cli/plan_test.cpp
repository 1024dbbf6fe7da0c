#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/cli/program.hpp"
#include "tests/support/source_dir.hpp"

namespace graspmap::testing {
namespace fs = std::filesystem;
namespace {

using Arguments = std::vector<std::string>;

/// Runs a sweep of 9 cells, 10 trials each, into the folder `run`; on most of it grasps succeed.
void some_run(Program& program, const Arguments& more = {}) {
  Arguments args{"run",
                 lock_piece(),
                 "--no-plots",
                 "--quiet",
                 "--out",
                 "run",
                 "--set",
                 "placement.x_cells=3",
                 "--set",
                 "placement.y_cells=3",
                 "--set",
                 "placement.y_min_mm=-15",
                 "--set",
                 "placement.y_max_mm=-5",
                 "--trials-per-cell",
                 "10"};
  args.insert(args.end(), more.begin(), more.end());
  REQUIRE(program.run(args).exit_code == 0);
}

TEST_CASE("a plan says first where to put the gripper and leaves its files") {
  Program program;
  some_run(program);
  const ProgramResult result =
      program.run({"plan", "run", "--position-sigma-mm", "1,2", "--required-probability", "0.6",
                   "--confidence", "0.9"});
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK_THAT(result.out, Catch::StartsWith("Put the gripper at (") &&
                             Catch::Contains("1 mm in x and 2 mm in y (standard deviations)") &&
                             Catch::Contains("(90 % interval ") &&
                             Catch::Contains("chosen by other trials") &&
                             Catch::Contains("largest error") &&
                             Catch::Contains("Files in run/plan: plan.json, plan.csv"));
  CHECK(program.names("run/plan") == Arguments{"plan.csv", "plan.json", "plan_map.csv",
                                               "plan_map.gp", "plan_map.png", "plan_map.svg"});
  const std::string csv = program.text("run/plan/plan.csv");
  CHECK_THAT(csv, Catch::StartsWith("what,x_mm,y_mm,theta_rad,sigma_x_mm,") &&
                      Catch::Contains("\nplacement_1,") &&
                      Catch::Contains("\nlargest_normal_estimate,"));
  const std::string json = program.text("run/plan/plan.json");
  CHECK_THAT(json, Catch::Contains("\"unselected\"") && Catch::Contains("\"confidence\": 0.9") &&
                       Catch::Contains("\"guaranteed_square\"") && !Catch::Contains("theta_rad"));
  // The same again, byte for byte; and a run.sqlite will do.
  REQUIRE(
      program
          .run({"plan", "run/run.sqlite", "--position-sigma-mm", "1,2", "--required-probability",
                "0.6", "--confidence", "0.9", "--out", "again", "--no-plots"})
          .exit_code == 0);
  CHECK(program.text("again/plan.json") == json);
  CHECK(program.text("again/plan.csv") == csv);
  CHECK(program.names("again") == Arguments{"plan.csv", "plan.json"});
}

TEST_CASE("a plan for a required probability alone needs no error") {
  Program program;
  some_run(program);
  const ProgramResult result =
      program.run({"plan", "run", "--required-probability", "0.7", "--no-plots"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Catch::StartsWith("70 % or more of the grasps succeed up to"));
  const ProgramResult never =
      program.run({"plan", "run", "--required-probability", "0.999999", "--no-plots"});
  CHECK_THAT(never.out, Catch::StartsWith("There are too few trials to promise 99.9999 %") &&
                            !Catch::Contains("not even without an error"));
}

TEST_CASE("a plan knows of offsets, repeats, correlations and a calibration") {
  Program program;
  some_run(program);
  const auto plan = [&](Arguments options) {
    options.insert(options.begin(), {"plan", "run"});
    options.emplace_back("--no-plots");
    const ProgramResult result = program.run(options);
    CHECK(result.exit_code == 0);
    CHECK(result.err.empty());
    return result.out;
  };
  CHECK_THAT(plan({"--position-sigma-mm", "1", "--repeats", "8", "--offset-sigma-mm", "0.5"}),
             Catch::Contains("Unknown but the same in each grasp: the offset, the spread (from 8 "
                             "repeats).\nIn 95 % of the cases"));
  const std::string json = program.text("run/plan/plan.json");
  CHECK_THAT(json,
             Catch::Contains("\"repeats\": 8") && Catch::Contains("\"unknown_but_constant\"") &&
                 Catch::Contains("\"interval_of_trials_alone\"") && Catch::Contains("\"as_good\""));
  CHECK_THAT(plan({"--position-covariance-mm2", "4,1.5,1"}),
             Catch::Contains("2 mm in x and 1 mm in y (standard deviations, correlated)") &&
                 !Catch::Contains("Unknown"));
  (void)program.folder().write("calibrate.json", "{ \"posterior_file\": \"draws.csv\" }");
  (void)program.folder().write("draws.csv",
                               "friction.jaw.mean,friction.jaw.width,offset.x_mm,noise.xy_mm\n"
                               "0.15,0.1,0.2,0.5\n0.2,0.15,0.3,0.6\n");
  const std::string after = plan({"--after", "calibrate.json"});
  CHECK_THAT(after, Catch::Contains("the calibration's noise") &&
                        Catch::Contains("what calibrate.json leaves open"));
  // The same again, byte for byte.
  CHECK(plan({"--after", "calibrate.json"}) == after);
  CHECK_THAT(program.text("run/plan/plan.json"), Catch::Contains("\"posterior_draws\": 2"));
}

TEST_CASE("a search for the largest error refuses what the run's robot has of others") {
  Program program;
  some_run(program, {"--set", "robot.position_sigma_mm=1", "--set", "robot.offset_sigma_mm=0.5"});
  const Arguments plan{"plan", "run", "--required-probability", "0.6", "--no-plots"};
  const ProgramResult refused = program.run(plan);
  CHECK(refused.exit_code == 2);
  CHECK(count_lines(refused.err) == 1);
  CHECK_THAT(refused.err,
             Catch::Contains("robot.offset_sigma_mm of the run: errors that are not independent, "
                             "normal or uniform about 0, which --required-probability cannot take; "
                             "give --position-sigma-mm SX,SY in place of [robot]"));
  Arguments in_place = plan;
  in_place.insert(in_place.end(), {"--position-sigma-mm", "1"});
  CHECK(program.run(in_place).exit_code == 0);
}

TEST_CASE("a sweep over angles is planned and its angle may err") {
  Program program;
  const ProgramResult run = program.run(
      {"run", testing::source_dir() + "/configs/lock_piece_angles.toml", "--no-plots", "--quiet",
       "--out", "run", "--set", "placement.x_cells=2", "--set", "placement.y_cells=2", "--set",
       "placement.theta_cells=2", "--trials-per-cell", "4"});
  REQUIRE(run.exit_code == 0);
  const ProgramResult result =
      program.run({"plan", "run", "--position-sigma-mm", "1", "--angle-sigma-rad", "0.1"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Catch::Contains("theta rad") && Catch::Contains("and 0.1 rad"));
  CHECK_THAT(program.text("run/plan/plan.json"), Catch::Contains("\"theta_rad\""));
  CHECK(program
            .run({"pose", "run", "--placement", "0,-11,0.1", "--position-sigma-mm", "3",
                  "--no-plots"})
            .exit_code == 0);
  CHECK_THAT(program.run({"pose", "run", "--placement", "0,-11"}).err,
             Catch::Contains("X,Y,THETA"));
}

TEST_CASE("a pose says first how the part lies and leaves its files") {
  Program program;
  some_run(program);
  const ProgramResult result = program.run({"pose", "run", "--plateau"});
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK_THAT(result.out, Catch::StartsWith("In the hand the part lies at (") &&
                             Catch::Contains("on the plateau") && Catch::Contains("opening mm") &&
                             Catch::Contains("correlation"));
  CHECK(program.names("run/pose") == Arguments{"pose.csv", "pose.json", "pose_plot.csv",
                                               "pose_plot.gp", "pose_plot.png", "pose_plot.svg"});
  CHECK_THAT(program.text("run/pose/pose.json"),
             Catch::Contains("\"probability_at_least\": 0.95") && Catch::Contains("\"modes\""));
  const ProgramResult placement =
      program.run({"pose", "run", "--placement", "0,-11", "--position-sigma-mm", "2", "--no-plots",
                   "--out", "other"});
  CHECK(placement.exit_code == 0);
  CHECK_THAT(placement.out, Catch::Contains("error of 2 mm in x and 2 mm in y"));
  CHECK(program.names("other") == Arguments{"pose.csv", "pose.json"});
}

TEST_CASE("plans and poses that cannot be are one line that says why") {
  Program program;
  some_run(program);
  const Arguments before = program.names("run");
  const std::vector<std::pair<Arguments, std::string>> cases = {
      {{"plan", "run"}, "how far the robot is off"},
      {{"plan", "run", "--offset-sigma-mm", "1"}, "give --position-sigma-mm SX,SY"},
      {{"plan", "none", "--position-sigma-mm", "1"}, "none: there is no such folder"},
      {{"plan", "run", "--position-sigma-mm", "1,2,3"}, "must be one or two numbers >= 0"},
      {{"plan", "run", "--position-sigma-mm", "-1"}, "must be one or two numbers >= 0"},
      {{"plan", "run", "--position-sigma-mm", "x"}, "--position-sigma-mm"},
      {{"plan", "run", "--required-probability", "1"}, "above 0 and below 1"},
      {{"plan", "run", "--required-probability", "0.9", "--position-sigma-mm", "0"},
       "has no proportions"},
      {{"plan", "run", "--position-sigma-mm", "1", "--angle-sigma-rad", "0.1"},
       "placement.theta_min_rad, theta_max_rad and theta_cells"},
      {{"plan", "run", "--position-sigma-mm", "1", "--confidence", "95"}, "--confidence: '95'"},
      {{"plan", "run", "--position-covariance-mm2", "1,2,1"}, "xy^2 < xx yy"},
      {{"plan", "run", "--position-covariance-mm2", "1,0,1", "--position-sigma-mm", "1"},
       "must be one of --repeatability-mm, --position-range-mm"},
      {{"plan", "run", "--position-sigma-mm", "1", "--repeats", "3"}, "--repeats"},
      {{"plan", "run", "--position-sigma-mm", "1", "--offset-sigma-mm", "-1"},
       "must be one or two numbers >= 0"},
      {{"plan", "run", "--position-sigma-mm", "1", "--offset-angle-sigma-rad", "0.1"},
       "must be a sweep over angles"},
      {{"plan", "run", "--position-sigma-mm", "1", "--angle-covariance-mm-rad", "0.1,0"},
       "positive definite"},
      {{"plan", "run", "--position-sigma-mm", "1", "--required-probability", "0.9", "--repeats",
        "9"},
       "--repeats: errors that are not independent"},
      {{"plan", "run", "--position-sigma-mm", "1", "--after", "none.json"}, "none.json: cannot be"},
      {{"pose", "run", "--placement", "0"}, "must be X,Y (mm)"},
      {{"pose", "run", "--placement", "0,3"}, "y = 3 is outside of the map, -15 to -5"},
      {{"pose", "run", "--placement", "0,-11", "--plateau"}, "must be one of them"},
      {{"pose", "run", "--position-sigma-mm", "1"}, "needs a placement"},
      {{"pose", "run", "--outcome", "won"}, "must be one of success, wedged"},
      {{"pose", "run", "--outcome", "timeout"}, "has no trial with outcome timeout"},
  };
  for (const auto& [args, named] : cases) {
    CAPTURE(named);
    const ProgramResult result = program.run(args);
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(count_lines(result.err) == 1);
    CHECK_THAT(result.err, Catch::StartsWith("graspmap: error: ") && Catch::Contains(named));
  }
  CHECK(program.names("run") == before);
}

}  // namespace
}  // namespace graspmap::testing
