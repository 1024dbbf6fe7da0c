#include "web/engine/page_run.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/request.hpp"
#include "grasp/decide/plan/plan_request.hpp"
#include "grasp/decide/pose/delivered_pose.hpp"
#include "grasp/sweep/adaptive/rounds.hpp"
#include "grasp/sweep/results/derived_files.hpp"
#include "grasp/sweep/store/stored_sweep.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/store_files.hpp"
#include "tests/support/temporary_folder.hpp"
#include "web/engine/asked.hpp"

namespace graspmap {
namespace {

using testing::all_rows;
using testing::TemporaryFolder;

SweepConfig sweep(std::vector<std::string> overrides = {}) {
  overrides.insert(overrides.begin(), "sweep.trials_per_cell=4");
  return testing::small_lock_piece_sweep(overrides);
}

SweepConfig adaptive_sweep() {
  return sweep({"sweep.trials_per_cell=40", "sweep.sampling=adaptive",
                "sweep.adaptive.most_trials=400", "sweep.adaptive.round_trials=60",
                "summary.sweet_spot_half_width_mm=4"});
}

/// The run as `graspmap run` makes it.
RunStore stored_run(const std::filesystem::path& file, const SweepConfig& config) {
  RunStore store = RunStore::create(file, config);
  RunTotals totals(config);
  store.begin_process({});
  run_stored_sweep(store, totals, {2, nullptr, nullptr}, sweep_trials(config));
  return store;
}

/// Ranges in pieces of at most `most` trials, the last one first.
TrialRanges pieces_of(const TrialRanges& ranges, std::int64_t most) {
  TrialRanges pieces;
  for (const TrialRange& range : ranges) {
    for (std::int64_t first = range.first; first < range.end; first += most) {
      pieces.push_back({first, std::min(range.end, first + most)});
    }
  }
  std::reverse(pieces.begin(), pieces.end());
  return pieces;
}

void complete(PageRun& run) {
  for (TrialRanges missing = run.missing(); !missing.empty(); missing = run.missing()) {
    for (const TrialRange& piece : pieces_of(missing, 17)) run.take(run.simulate(piece));
  }
}

std::string digest(const RunStore& store) {
  TrialDigest digest;
  store.for_each([&](const TrialRow& row) { digest.add(row); });
  return digest.hex();
}

TEST_CASE("a run of a page in pieces, in any order, is the run of the program") {
  const TemporaryFolder folder;
  const SweepConfig config = GENERATE(sweep(), adaptive_sweep());
  const RunStore stored = stored_run(folder.path() / "stored.sqlite", config);
  PageRun run(config, folder.path() / "page.sqlite");
  complete(run);
  CHECK(testing::same_rows(all_rows(run.store()), all_rows(stored)));
  CHECK(run.part("digest") == digest(stored));
  CHECK(run.part("map") ==
        map_csv(read_totals(stored).map(),
                config.adaptive ? MapIntervals::kWilsonAndAnytime : MapIntervals::kWilson));
  CHECK(run.part("config") == stored.config_toml());
}

TEST_CASE("a page misses what is not taken yet, of an adaptive run its round") {
  const TemporaryFolder folder;
  PageRun run(sweep(), folder.path() / "run.sqlite");
  CHECK(run.missing() == TrialRanges{{0, 100}});
  run.take(run.simulate({30, 50}));
  CHECK(run.missing() == TrialRanges{{0, 30}, {50, 100}});

  const SweepConfig config = adaptive_sweep();
  PageRun adaptive(config, folder.path() / "adaptive.sqlite");
  AdaptiveRounds rounds(config);
  const TrialRanges first = adaptive.missing();
  CHECK(first == rounds.missing());
  for (const TrialRange& range : first) adaptive.take(adaptive.simulate(range));
  for (const TrialRow& row : all_rows(adaptive.store())) rounds.add(row.index, row.outcome);
  CHECK(adaptive.missing() == rounds.missing());
  CHECK(count_trials(adaptive.missing()) > 0);
}

TEST_CASE("a page's run that is extended has the trials of the longer one") {
  const TemporaryFolder folder;
  PageRun run(sweep(), folder.path() / "run.sqlite");
  complete(run);
  run.extend(6);
  CHECK(run.missing() == TrialRanges{{100, 150}});
  complete(run);
  SweepConfig longer = sweep();
  longer.trials_per_cell = 6;
  const RunStore stored = stored_run(folder.path() / "longer.sqlite", longer);
  CHECK(run.part("digest") == digest(stored));
  CHECK(run.part("config") == stored.config_toml());
  CHECK_THROWS_WITH(run.extend(5), "a run cannot shrink");
  PageRun adaptive(adaptive_sweep(), folder.path() / "adaptive.sqlite");
  CHECK_THROWS_WITH(adaptive.extend(50), Catch::Contains("its own number of trials"));
}

TEST_CASE("a page's run refuses what is no trial of it") {
  const TemporaryFolder folder;
  PageRun run(sweep(), folder.path() / "run.sqlite");
  const std::string records = run.simulate({0, 3});
  CHECK_THROWS_AS(run.take(records.substr(1)), RequestError);
  run.take(records);
  CHECK_THROWS(run.take(records));
  CHECK_THROWS(run.take(run.simulate({100, 101})));
  CHECK_THROWS_AS(run.take_outcomes({{3, 5}}, std::string(1, '\0')), RequestError);
  CHECK_THROWS_AS(run.take_outcomes({{3, 4}}, "\6"), RequestError);
  CHECK_THROWS_WITH(run.part("nothing"), Catch::Contains("no such part"));
  CHECK(run.missing() == TrialRanges{{3, 100}});
}

TEST_CASE("outcomes stand for trials where only these and what was drawn count") {
  const TemporaryFolder folder;
  const SweepConfig config =
      sweep({"placement.noise.x_mm={distribution=\"normal\",mean=0.0,sigma=0.3}"});
  const RunStore stored = stored_run(folder.path() / "stored.sqlite", config);
  std::string outcomes;
  stored.for_each([&](const TrialRow& row) { outcomes += static_cast<char>(row.outcome); });
  PageRun run(config, folder.path() / "page.sqlite");
  run.take_outcomes({{40, 100}}, outcomes.substr(40));
  CHECK_THROWS(run.take_outcomes({{40, 41}}, outcomes.substr(40, 1)));
  run.take_outcomes({{0, 13}, {13, 40}}, outcomes.substr(0, 40));
  CHECK(run.part("map") == map_csv(read_totals(stored).map()));
  const std::vector<TrialRow> taken = all_rows(run.store());
  for (const TrialRow& row : all_rows(stored)) {
    const TrialRow& other = taken[static_cast<std::size_t>(row.index)];
    CHECK(other.cell() == row.cell());
    CHECK(other.outcome == row.outcome);
    CHECK(other.parameters.placement_x_mm == row.parameters.placement_x_mm);
    CHECK(other.parameters.mu_jaw == row.parameters.mu_jaw);
    CHECK(std::isnan(other.end_time_s));
  }
  CHECK(run.field().trials() == 100);
  CHECK_THROWS_WITH(run.need_ends(), Catch::Contains("only the outcomes are known"));
}

TEST_CASE("a page's run without trials has no field") {
  const TemporaryFolder folder;
  const PageRun run(sweep(), folder.path() / "run.sqlite");
  CHECK_THROWS_WITH(run.field(), Catch::Contains("no trials yet"));
  CHECK_NOTHROW(run.need_ends());
}

/// A text as it stands in JSON.
std::string quoted(const std::string& text) {
  const std::string json = json_text(text);
  return json.substr(0, json.rfind('"') + 1);
}

TEST_CASE("decisions of a page are the files of the commands") {
  const TemporaryFolder folder;
  const RunStore run = stored_run(folder.path() / "run.sqlite", sweep());
  const auto decided = [&](const char* command, const std::vector<std::string>& options) {
    return decision_json(command, run, "", options, [](const std::string&) {});
  };
  PlanRequest plan;
  plan.error.position_sigma_mm = {0.5, 2.0};
  const PlacementPlan planned = plan_run(run, plan).plan;
  const std::string of_plan = decided("plan", {"position-sigma-mm=0.5,2"});
  CHECK_THAT(of_plan, Catch::Contains(quoted(json_document(plan_fields(planned)))));
  CHECK_THAT(of_plan, Catch::Contains(quoted(csv_text(plan_table(planned)))));
  CHECK_THAT(of_plan, Catch::Contains(quoted(plan_text(planned))));

  const DeliveredPoses poses = pose_run(run, {});
  const std::string of_pose = decided("pose", {});
  CHECK_THAT(of_pose, Catch::Contains(quoted(json_document(pose_fields(poses)))));
  CHECK_THAT(of_pose, Catch::Contains(quoted(csv_text(pose_table(poses)))));

  CHECK_THROWS_WITH(decided("plan", {"nothing=1"}), "unknown option --nothing");
  CHECK_THROWS_AS(decided("plan", {"position-sigma-mm=-1"}), RequestError);
  CHECK_THROWS_AS(decided("nothing", {}), RequestError);
  try {
    decided("plan", {"confidence=2"});
    FAIL("a confidence of 2");
  } catch (const RequestError& error) {
    const std::string json = error_json(error);
    CHECK_THAT(json, Catch::Contains("\"error\": \"--confidence: '2'; must be a number from 0.5"));
    CHECK_THAT(json, Catch::Contains("\"key\": \"confidence\"") &&
                         Catch::Contains("\"what\": \"'2'\"") &&
                         Catch::Contains("\"allowed\": \"must be a number from 0.5 to 0.9999\""));
  }
}

TEST_CASE("trials are kept where they are the same ones") {
  const TemporaryFolder folder;
  PageRun before(sweep(), folder.path() / "before.sqlite");
  complete(before);
  PageRun robot(sweep({"robot.position_sigma_mm=1"}), folder.path() / "robot.sqlite");
  robot.keep(before);
  CHECK(robot.missing().empty());
  CHECK(robot.part("digest") == before.part("digest"));
  CHECK(robot.part("answer") != before.part("answer"));
  PageRun more(sweep({"sweep.trials_per_cell=6"}), folder.path() / "more.sqlite");
  more.keep(before);
  CHECK(more.missing() == TrialRanges{{before.store().asked().end, more.store().asked().end}});
  PageRun fewer(sweep({"sweep.trials_per_cell=2"}), folder.path() / "fewer.sqlite");
  fewer.keep(before);
  CHECK(fewer.missing().empty());
  PageRun other(sweep({"gripper.closing_force_n=30"}), folder.path() / "other.sqlite");
  other.keep(before);
  CHECK(other.missing() == TrialRanges{other.store().asked()});
}

TEST_CASE("a finger is drawn, where it has an outline") {
  const TemporaryFolder folder;
  const PageRun plain(sweep(), folder.path() / "plain.sqlite");
  CHECK_THROWS_AS(plain.part("finger.dxf"), RequestError);
  const PageRun drawn(sweep({"gripper.finger.pad_width_mm=20", "gripper.finger.pad_depth_mm=8"}),
                      folder.path() / "drawn.sqlite");
  CHECK_THAT(drawn.part("finger.dxf"), Catch::Contains("SECTION"));
  CHECK_THAT(drawn.part("finger.svg"), Catch::Contains("<svg"));
}

}  // namespace
}  // namespace graspmap
