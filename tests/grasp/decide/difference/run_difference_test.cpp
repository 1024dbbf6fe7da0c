#include "grasp/decide/difference/run_difference.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>

#include "tests/support/config_text.hpp"
#include "tests/support/store_files.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap::testing {
namespace {

using Rule = std::function<Outcome(const TrialRow&)>;

SweepConfig sweep(const std::vector<std::pair<std::string, std::string>>& changes = {}) {
  std::string text = kConfigText;
  for (const auto& [from, to] : changes) text = replaced(text, from, to);
  return parse_sweep_config(text, "test");
}

/// A run of made-up trials whose outcomes follow a rule, in NAME/run.sqlite.
RunStore made_up_run(const TemporaryFolder& folder, const std::string& name,
                     const SweepConfig& config, const Rule& rule, TrialRange range = {0, 120}) {
  std::filesystem::create_directory(folder.path() / name);
  std::vector<TrialRow> rows = made_up_rows(config, range);
  for (TrialRow& row : rows) row.outcome = rule(row);
  RunStore store = RunStore::create(folder.path() / name / "run.sqlite", config);
  store.append(rows, 0);
  return store;
}

Outcome success_if(bool success) { return success ? Outcome::kSuccess : Outcome::kWedged; }

Outcome by_jaw_friction(const TrialRow& row) { return success_if(row.parameters.mu_jaw < 0.2); }
Outcome never(const TrialRow&) { return Outcome::kMissed; }

}  // namespace

TEST_CASE("trials of one seed are paired by index", "[difference]") {
  const TemporaryFolder folder;
  const SweepConfig config_a = sweep();
  const SweepConfig config_b =
      sweep({{"max = 0.35", "max = 0.25"}, {"closing_force_n = 10", "closing_force_n = 20"}});
  const RunStore a = made_up_run(folder, "a", config_a, by_jaw_friction);
  const RunStore b = made_up_run(folder, "b", config_b, by_jaw_friction, {12, 120});
  const RunDifference result = compare_runs(a, b, {});
  CHECK(result.pairing == Pairing::kPaired);
  CHECK(result.pairs.pairs == 108);
  CHECK(result.pairs.equal == std::array<std::int64_t, kTrialInputs>{108, 108, 108, 0, 108});
  REQUIRE(result.configuration.size() == 2);
  CHECK(result.configuration[0].key == "friction.jaw.max");
  CHECK(result.configuration[1].key == "gripper.closing_force_n");
  // The same random numbers through another distribution: B succeeds wherever A does, and more
  // often.
  PairTable sum;
  for (const PairTable& cell : result.pairs.cells) sum += cell;
  CHECK(sum.decided().only_a == 0);
  CHECK(sum.decided().only_b > 10);
  CHECK(result.whole.difference.value == Approx(static_cast<double>(sum.decided().only_b) / 108));
  CHECK(result.whole.difference.interval.low > 0);
  CHECK(result.pairing_gain > 1.5);
  const std::string text = difference_text(result);
  CHECK_THAT(text, Catch::StartsWith("B succeeds more often than A by "));
  CHECK_THAT(text, Catch::Contains(
                       "other distributions but the same random numbers: friction of the jaws"));
}

TEST_CASE("uncertain numbers of one key have equal draws in both designs", "[difference]") {
  const TemporaryFolder folder;
  const auto with = [](const std::string& distributions) {
    return sweep({{"[placement]", "[uncertain]\n" + distributions + "[placement]"},
                  {"[sweep]\n", "[sweep]\npoints = \"independent\"\n"}});
  };
  const std::string mass = "\"part.mass_kg\" = { distribution = \"uniform\", min = 0.04, max = ";
  const std::string inertia =
      "\"part.inertia_kg_mm2\" = { distribution = \"uniform\", min = 10, max = 14 }\n";
  const std::string force =
      "\"gripper.closing_force_n\" = { distribution = \"normal\", mean = 10, sigma = 1 }\n";
  const SweepConfig config_a = with(force + inertia + mass + "0.06 }\n");
  const SweepConfig config_b = with(inertia + mass + "0.05 }\n");
  // Success depends on what both draw: pairs differ only by the distribution of the mass.
  const auto rule = [](const SweepConfig& config) {
    return [&config](const TrialRow& row) {
      const auto values = sample_trial(config, row.index).uncertain;
      return success_if(values.back() < 0.045 && values[values.size() - 2] < 13);
    };
  };
  const RunStore a = made_up_run(folder, "a", config_a, rule(config_a));
  const RunStore b = made_up_run(folder, "b", config_b, rule(config_b));
  const RunDifference result = compare_runs(a, b, {});
  CHECK(result.pairing == Pairing::kPaired);
  REQUIRE(result.pairs.uncertain.size() == 3);
  CHECK(result.pairs.uncertain[0].key == "gripper.closing_force_n");
  CHECK((result.pairs.uncertain[0].in_a && !result.pairs.uncertain[0].in_b));
  CHECK(result.pairs.uncertain[1].equal == 120);  // the inertia
  CHECK(result.pairs.uncertain[2].equal == 0);
  PairTable sum;
  for (const PairTable& cell : result.pairs.cells) sum += cell;
  CHECK(sum.decided().only_a == 0);
  CHECK(sum.decided().only_b > 10);
  const std::string text = difference_text(result);
  CHECK_THAT(text, Catch::Contains("uncertain.part.mass_kg.max: 0.06 in A, 0.05 in B") &&
                       Catch::Contains("friction of the table, part.inertia_kg_mm2.\n") &&
                       Catch::Contains("but the same random numbers: part.mass_kg.\n") &&
                       Catch::Contains("Drawn in A only, the same number in all trials of B: "
                                       "gripper.closing_force_n.\n"));
  CHECK_THAT(json_document(difference_fields(result)),
             Catch::Contains("\"part.inertia_kg_mm2\": 120"));
}

TEST_CASE("trials of two seeds are independent", "[difference]") {
  const TemporaryFolder folder;
  const RunStore a = made_up_run(folder, "a", sweep(), by_jaw_friction);
  const RunStore b = made_up_run(folder, "b", sweep({{"seed = 42", "seed = 43"}}), never);
  const RunDifference result = compare_runs(a, b, {});
  CHECK(result.pairing == Pairing::kIndependent);
  CHECK(result.whole.difference.value == Approx(-result.whole.probability_a));
  CHECK(result.whole.difference.interval.high < -0.3);
  CHECK_THAT(
      difference_text(result),
      Catch::Contains("The random numbers differ (sweep.seed or sweep.points): 120 trials of A"));
}

TEST_CASE("even points are paired with even points only", "[difference]") {
  const TemporaryFolder folder;
  const RunStore a = made_up_run(folder, "a", sweep(), by_jaw_friction);
  const SweepConfig random = sweep({{"[sweep]\n", "[sweep]\npoints = \"independent\"\n"}});
  const RunStore b = made_up_run(folder, "b", random, by_jaw_friction);
  CHECK(compare_runs(a, b, {}).pairing == Pairing::kIndependent);
}

TEST_CASE("an input has the same random numbers where others are fixed", "[difference]") {
  const TemporaryFolder folder;
  const auto equal = [&](const SweepConfig& config, const std::string& name) {
    const RunStore a = made_up_run(folder, name + "_a", sweep(), by_jaw_friction);
    const RunStore b = made_up_run(folder, name + "_b", config, by_jaw_friction);
    return compare_runs(a, b, {}).pairs.equal;
  };
  using Equal = std::array<std::int64_t, kTrialInputs>;
  SweepConfig one_friction = sweep();
  one_friction.mu_jaw = Fixed{0.2};
  CHECK(equal(one_friction, "friction") == Equal{120, 120, 120, 0, 120});
  SweepConfig noisy = sweep();
  noisy.placement.noise_x_mm = Normal{0.3, 0.1};
  CHECK(equal(noisy, "noise") == Equal{0, 120, 120, 120, 120});
}

TEST_CASE("an uncertain number after one that only one design has is redrawn", "[difference]") {
  const TemporaryFolder folder;
  const auto with = [](const std::string& distributions) {
    return sweep({{"[placement]", "[uncertain]\n" + distributions + "[placement]"}});
  };
  const std::string force =
      "\"gripper.closing_force_n\" = { distribution = \"normal\", mean = 10, sigma = 1 }\n";
  const std::string mass =
      "\"part.mass_kg\" = { distribution = \"uniform\", min = 0.04, max = 0.06 }\n";
  const RunStore a = made_up_run(folder, "a", with(force + mass), by_jaw_friction);
  const RunStore b = made_up_run(folder, "b", with(mass), by_jaw_friction);
  const RunStore c = made_up_run(folder, "c", with(force), by_jaw_friction);
  CHECK_THAT(difference_text(compare_runs(a, b, {})),
             Catch::Contains("With other random numbers: part.mass_kg.\n"));
  const RunDifference without_later = compare_runs(a, c, {});
  REQUIRE(without_later.pairs.uncertain.size() == 2);
  CHECK(without_later.pairs.uncertain[0].equal == 120);
}

TEST_CASE("runs on different grids are refused with a way out", "[difference]") {
  const TemporaryFolder folder;
  const RunStore a = made_up_run(folder, "a", sweep(), never);
  const RunStore b =
      made_up_run(folder, "b", sweep({{"x_cells = 4", "x_cells = 2"}}), never, {0, 60});
  CHECK_THROWS_WITH(compare_runs(a, b, {}), Catch::Contains("different grids") &&
                                                Catch::Contains("placement.x_cells (4 and 2)") &&
                                                Catch::Contains("on the grid of the other"));
}

TEST_CASE("significant cells are those in which one is surely better", "[difference]") {
  const TemporaryFolder folder;
  const SweepConfig config = sweep();
  const RunStore a = made_up_run(folder, "a", config, [](const TrialRow& row) {
    return success_if(row.cell_x == 0 || row.index % 24 < 12);
  });
  const RunStore b = made_up_run(folder, "b", config, [](const TrialRow& row) {
    return success_if(row.cell_x == 1 || row.index % 24 < 12);
  });
  // 10 pairs in each of 12 cells: in the first column A is better in 5 of them, in the second B.
  const RunDifference result = compare_runs(a, b, {0.95, 0.15});
  CHECK(result.cells[0].p_value == Approx(2.0 / 32));
  CHECK(result.cells[0].adjusted_p == Approx(2.0 / 32 * 12 / 6));
  CHECK(result.significant_cells(-1) == 3);
  CHECK(result.significant_cells(1) == 3);
  CHECK(compare_runs(a, b, {}).significant_cells(1) == 0);
  CHECK(result.whole.difference.value == 0.0);
  const std::string csv = csv_text(difference_table(result));
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 13);
  CHECK_THAT(csv, Catch::Contains(",10,5,5,0,0,0,1,0.5,-0.5,"));
}

TEST_CASE("failed trials speak against a difference", "[difference]") {
  const TemporaryFolder folder;
  const SweepConfig config = sweep();
  const RunStore a = made_up_run(folder, "a", config, [](const TrialRow& row) {
    return row.index < 12 ? Outcome::kFailed : Outcome::kWedged;
  });
  const RunStore b =
      made_up_run(folder, "b", config, [](const TrialRow&) { return Outcome::kSuccess; });
  const RunDifference result = compare_runs(a, b, {});
  CHECK(result.cells[0].difference.value == Approx(1.0));
  CHECK(result.cells[0].p_value == Approx(2.0 / 512));  // 9 pairs, not 10
  CHECK(result.cells[0].difference.interval.low < 0.6);
  CHECK_THAT(difference_text(result), Catch::Contains("12 trials failed"));
}

TEST_CASE("plateaus and the squares of both sweet spots are compared", "[difference]") {
  const TemporaryFolder folder;
  SweepConfig config = sweep();
  config.sweet_spot_half_width_mm = 1;
  const RunStore a = made_up_run(folder, "a", config, [](const TrialRow& row) {
    return success_if(row.cell_x == 0 && row.cell_y == 0);
  });
  const RunStore b = made_up_run(folder, "b", config,
                                 [](const TrialRow& row) { return success_if(row.cell_x == 3); });
  const RunDifference result = compare_runs(a, b, {});
  CHECK(result.plateaus.cells == 4);
  CHECK(result.plateaus.difference.value == Approx(0.5));
  CHECK(result.at_a.cells == 1);
  CHECK(result.at_a.difference.value == -1.0);
  CHECK(result.at_b.cells == 1);
  CHECK(result.at_b.difference.value == 1.0);
}

}  // namespace graspmap::testing
