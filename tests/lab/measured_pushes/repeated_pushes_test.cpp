#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "lab/measured_pushes/least_squares.hpp"
#include "lab/measured_pushes/repeat_spread.hpp"
#include "tests/support/config_error.hpp"
#include "tests/support/random.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using Catch::Matchers::Contains;

namespace {

constexpr double kBlockHalf_mm = 25.0;
constexpr const char* kBlock =
    "[block]\ncentroid_mm = [0, 0]\n[[block.piece]]\nname = \"block\"\n"
    "outline_mm = [[-25, -17.5], [25, -17.5], [25, 17.5], [-25, 17.5]]\n";
constexpr const char* kRunsHeader =
    "run_id,object,plan,repeat,start_x_mm,start_y_mm,start_theta_rad,end_x_mm,end_y_mm,"
    "end_theta_rad\n";
constexpr const char* kPathsHeader =
    "run_id,t_s,phase,hand_x_mm,hand_y_mm,hand_theta_rad,part_x_mm,part_y_mm,part_theta_rad\n";

RepeatedPushes read_block(const std::string& runs, const std::string& paths) {
  const TemporaryFolder folder;
  std::ignore = folder.write("shapes.toml", kBlock);
  std::ignore = folder.write("runs.csv", kRunsHeader + runs);
  std::ignore = folder.write("paths.csv", kPathsHeader + paths);
  return read_repeated_pushes(folder.path());
}

/// Pushes a block that lies at `part` from one of its short sides: 60 mm along an arc.
std::vector<HandSample> arc_push(const Pose2& part, bool from_left, double turn_rad) {
  const double side = from_left ? -1.0 : 1.0;
  Pose2 hand = compose(part, {{side * (kBlockHalf_mm + kFingerRadius_mm + 1.0), 0.0},
                              from_left ? 0.0 : std::numbers::pi});
  std::vector<HandSample> path{{0.0, hand, part}};
  for (int k = 1; k <= 12; ++k) {
    hand = compose(hand, {{5.0, 0.0}, turn_rad / 12});
    path.push_back({0.2 * k, hand, {}});
  }
  return path;
}

/// Two plans of a block, pushed from the left and then from the right, or the other way round; it
/// ends where it does under a law, and seen so. Starts lie within 1.5 mm and `askew_rad` of the
/// plan's.
RepeatedPushes block_runs(const HandLaw& law, int repeats, double askew_rad) {
  RepeatedPushes data = read_block("", "");
  const HandScene scene(data.shapes.at("block"));
  Workspace workspace;
  SimulationResult result;
  Random random(3);
  for (const bool from_left : {true, false}) {
    const double turn_rad = from_left ? 0.4 : -0.3;
    const Pose2 planned{{10.0, -300.0}, 0.3};
    const auto path = arc_push(planned, from_left, turn_rad);
    const Pose2 between =
        compose(path.back().hand, {{28.0, 0.0}, from_left ? 0.0 : std::numbers::pi});
    for (int k = 1; k <= repeats; ++k) {
      RepeatedRun run;
      run.plan = from_left ? "left" : "right";
      run.id = fmt::format("{}-{}", run.plan, k);
      run.object = "block";
      run.repeat = k;
      run.pushes = {path, arc_push(between, !from_left, turn_rad)};
      const double x_mm = random.uniform(-0.8, 0.8);
      const double y_mm = random.uniform(-1.5, 1.5);
      const double angle_rad = random.uniform(-askew_rad, askew_rad);
      run.start = compose(planned, {{x_mm, y_mm}, angle_rad});
      const std::vector<Pose2> rests = scene.rests(run, run.start, law, workspace, result);
      REQUIRE(rests.size() == 2);
      run.pushes[0].back().part = rests[0];
      run.end = rests[1];
      data.runs.push_back(run);
    }
  }
  return data;
}

}  // namespace

TEST_CASE("Repeated pushes: runs are read, and a push begins where the hand has left") {
  const RepeatedPushes data = read_block(
      "b-1,block,b,1,1,2,0.5,3,4,0.25\na-1,block,a,1,0,0,0,0,0,0\n",
      "b-1,0,3,10,0,0,1,2,0.5\nb-1,0.2,3,11,0,0,,,\nb-1,0.24,1,11,0,0,,,\nb-1,2,1,50,0,1,,,\n"
      "a-1,0,1,0,0,0,,,\n");
  REQUIRE(data.runs.size() == 2);
  CHECK(data.runs[0].plan == "a");
  const RepeatedRun& run = data.runs[1];
  CHECK(run.start == Pose2{{1.0, 2.0}, 0.5});
  CHECK(run.end == Pose2{{3.0, 4.0}, 0.25});
  REQUIRE(run.pushes.size() == 2);
  CHECK(run.pushes[0].size() == 3);
  CHECK(run.pushes[0][0].part == Pose2{{1.0, 2.0}, 0.5});
  CHECK_FALSE(run.pushes[0][1].part.has_value());
  REQUIRE(run.pushes[1].size() == 1);
  CHECK(run.pushes[1][0].hand == Pose2{{50.0, 0.0}, 1.0});
}

TEST_CASE("Repeated pushes: two fingers turn a flat side to themselves and hold it") {
  const RepeatedPushes data = read_block("", "");
  const HandScene scene(data.shapes.at("block"));
  Workspace workspace;
  SimulationResult result;
  RepeatedRun run;
  run.pushes = {arc_push({}, true, 0.3)};
  const Pose2& hand = run.pushes[0].back().hand;
  for (const Pose2& start :
       {Pose2{{0.0, 0.0}, 0.0}, Pose2{{0.5, 2.0}, 0.05}, Pose2{{-2.5, -1.0}, -0.04}}) {
    const auto rests = scene.rests(run, start, {.length_mm = 18.0}, workspace, result);
    REQUIRE(rests.size() == 1);
    const Pose2 in_hand = compose(inverse(hand), rests[0]);
    CHECK(in_hand.angle_rad == Approx(0.0).margin(2e-3));
    CHECK(in_hand.position_mm.x() == Approx(kBlockHalf_mm + kFingerRadius_mm).margin(0.2));
    CHECK(in_hand.position_mm.y() == Approx(start.position_mm.y()).margin(2.5));
  }
  // A hand that is 2 mm further on, and a camera that sees the part 2 mm further on.
  const HandLaw ahead{.hand = {{2.0, 0.0}, 0.0}, .length_mm = 18.0};
  const HandLaw seen_ahead{.part = {{-2.0, 0.0}, 0.0}, .length_mm = 18.0};
  const Pose2 a = scene.rests(run, {{3.0, 0.0}, 0.0}, ahead, workspace, result).at(0);
  const Pose2 b = scene.rests(run, {{3.0, 0.0}, 0.0}, seen_ahead, workspace, result).at(0);
  CHECK(inverse_transform(hand, a.position_mm).x() == Approx(29.5).margin(0.2));
  CHECK(inverse_transform(hand, b.position_mm).x() == Approx(29.5).margin(0.2));
}

TEST_CASE("Repeated pushes: an offset and a friction are found again") {
  const RepeatedPushes shapes = read_block("", "");
  const PushedShape& block = shapes.shapes.at("block");
  HandParameters truth;
  truth << 0.9, 0.0, 0.0, 0.0, 0.0, 0.0, 0.4, 0.0;
  const RepeatedPushes data = block_runs(hand_law(block, truth), 12, 0.25);
  const HandFit fit = fit_hands(data, {}).at("block");
  CHECK(fit.runs == 12);
  CHECK(fit.rests == 24);
  CHECK(fit.parameters[0] == Approx(0.9).margin(0.15));
  CHECK(fit.parameters[kLogFriction] == Approx(0.4).margin(0.15));
  Workspace workspace;
  SimulationResult result;
  double before_mm = 0.0;
  double after_mm = 0.0;
  for (const RepeatedRun& run : data.runs) {
    if (run.is_fitted_on()) continue;
    const auto error_mm = [&](const HandParameters& parameters) {
      const HandLaw law = hand_law(block, parameters);
      const auto rests = HandScene(block).rests(run, run.start, law, workspace, result);
      return difference(rests.at(1), run.end).head<2>().norm();
    };
    before_mm += error_mm(HandParameters::Zero());
    after_mm += error_mm(fit.parameters);
  }
  CHECK(after_mm < 0.25 * before_mm);
}

TEST_CASE("Repeated pushes: the spread of ends follows from that of starts") {
  const RepeatedPushes shapes = read_block("", "");
  const HandLaw law = hand_law(shapes.shapes.at("block"), HandParameters::Zero());
  const RepeatedPushes data = block_runs(law, 5, 0.03);
  const RepeatStudy study = study_repeats(data, 12, 1, {});
  CHECK(study.unsolved == 0);
  CHECK(study.share < 0.3);  // all runs had the same law
  REQUIRE(study.plans.size() == 2);
  CHECK(study.plans[0].fitted_on);
  CHECK_FALSE(study.plans[1].fitted_on);
  for (const PlanSpread& plan : study.plans) {
    CHECK((plan.starts_alone - plan.measured_end).head<2>().norm() < 0.15);
    CHECK(plan.measured_end[2] < 0.2 * plan.measured_start[2]);  // the hand turns them straight
    CHECK(plan.starts_alone[2] < 0.2 * plan.measured_start[2]);
    CHECK(plan.predicted[1] > 0.5 * plan.measured_end[1]);
    CHECK(plan.predicted[1] < 2.0 * plan.measured_end[1]);
    CHECK(plan.low[1] < plan.predicted[1]);
    CHECK(plan.predicted[1] < plan.high[1]);
  }
  const RepeatStudy one_thread = study_repeats(data, 12, 1, {.threads = 1});
  CHECK(one_thread.fits.at("block").parameters == study.fits.at("block").parameters);
  CHECK(one_thread.plans[1].predicted == study.plans[1].predicted);
}

TEST_CASE("Repeated pushes: spread and the camera's error are standard deviations") {
  const double pi = std::numbers::pi;
  const Vec3 spread = spread_of({{{1.0, 0.0}, pi - 0.1}, {{3.0, 0.0}, -pi + 0.1}});
  CHECK(spread[0] == Approx(std::sqrt(2.0)));
  CHECK(spread[1] == 0.0);
  CHECK(spread[2] == Approx(0.1 * std::sqrt(2.0)));
  RepeatedPushes data;
  RepeatedRun& run = data.runs.emplace_back();
  std::vector<HandSample>& path = run.pushes.emplace_back();
  Random random(5);
  for (int k = 0; k < 4000; ++k) {
    // Uniform in (-0.5, 0.5): a standard deviation of the root of 1/12.
    const double x_mm = random.uniform(-0.5, 0.5);
    const double angle_rad = random.uniform(-0.05, 0.05);
    path.push_back({0.2 * k, {}, Pose2{{x_mm, 3.0}, angle_rad}});
  }
  const Vec3 camera = camera_error(data);
  CHECK(camera[0] == Approx(std::sqrt(1.0 / 12)).epsilon(0.05));
  CHECK(camera[1] == 0.0);
  CHECK(camera[2] == Approx(0.1 * std::sqrt(1.0 / 12)).epsilon(0.05));
  for (std::size_t k = 0; k < path.size(); k += 3) path[k].hand.position_mm.x() = 1.0;
  CHECK(camera_error(data) == Vec3(Vec3::Zero()));  // it never stands still for long
}

TEST_CASE("Repeated pushes: what is wrong with the files is said with file, line and column") {
  const std::string run = "a-1,block,a,1,0,0,0,0,0,0\n";
  const std::string row = "a-1,0,1,0,0,0,,,\n";
  const auto error = [](const std::string& runs, const std::string& paths) {
    return config_error([&] { read_block(runs, paths); });
  };
  CHECK_THAT(error("a-1,disc,a,1,0,0,0,0,0,0\n", ""),
             Contains("runs.csv:2: object: no shape 'disc'; must be one of shapes.toml"));
  CHECK_THAT(error(run + run, ""), Contains("runs.csv:3: run_id: 'a-1' is there twice"));
  CHECK_THAT(error("a-1,block,a,1.5,0,0,0,0,0,0\n", ""), Contains("runs.csv:2: repeat: "));
  CHECK_THAT(error(run, row + "b-1,0,1,0,0,0,,,\n"),
             Contains("paths.csv:3: run_id: no run 'b-1'; must be one of runs.csv"));
  CHECK_THAT(error(run, row + row), Contains("paths.csv:3: t_s: 0; must be > 0, that of the row"));
  CHECK_THAT(error(run, "a-1,0,1,0,0,0,1,,\n"), Contains("paths.csv:2: part_y_mm: "));
  const std::string other = "b-1,block,b,1,0,0,0,0,0,0\n";
  CHECK_THAT(error(run + other, row + "b-1,0,1,0,0,0,,,\n" + row),
             Contains("paths.csv:4: run_id: 'a-1' again; must be in rows after each other"));
  CHECK_THAT(error(run + other, row), Contains("paths.csv: no row of run 'b-1'; must have some"));
}
