#include "grasp/decide/compare/published_facts.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

#include "tests/support/config_error.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/trial_rows.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

const std::string kFacts = R"(origin = "measured"
source = "a paper"
[[fact]]
claim = "near the middle"
kind = "sweet_spot"
x_mm = 0
y_mm = -5
within_mm = 1
[[fact]]
claim = "good there"
kind = "probability_at_least"
x_min_mm = -1
x_max_mm = 1
y_min_mm = -6
y_max_mm = -4
probability = 0.9
[[fact]]
claim = "low behind"
kind = "low_area_behind"
least_extent_mm = 1
)";

PublishedFacts read_facts(const std::string& text) {
  const TemporaryFolder folder;
  return read_published_facts(folder.write("facts.toml", text));
}

std::string error_of_facts(const std::string& text) {
  return testing::config_error_of_file("facts.toml", text,
                                       [](const auto& file) { (void)read_published_facts(file); });
}

/// A run on 10 x 12 cells of 1 mm, x from -5 to 5 and y from -12 to 0 mm, success as told.
RunStore made_up_run(const TemporaryFolder& folder,
                     const std::function<bool(const TrialRow&)>& success) {
  std::string text = replaced(kConfigText, "x_cells = 4", "x_cells = 10");
  text = replaced(text, "y_cells = 3", "y_cells = 12");
  text = replaced(text, "y_min_mm = -8", "y_min_mm = -12");
  text = replaced(text, "y_max_mm = -2", "y_max_mm = 0");
  const SweepConfig config =
      parse_sweep_config(text + "[summary]\nsweet_spot_half_width_mm = 2\n", "test");
  RunStore store = RunStore::create(folder.path() / "run.sqlite", config);
  std::vector<TrialRow> rows = made_up_rows(config, {0, config.trials()});
  for (TrialRow& row : rows) {
    row.outcome = success(row) ? Outcome::kSuccess : Outcome::kWedged;
  }
  store.begin_process({"1.2.3", "abc", "host", "2026-11-21T08:15:30Z", 1, 2});
  store.append(rows, 0.5);
  return store;
}

/// Success in -8 <= y < -3: the sweet spot is within half a cell of (0, -5.5).
bool on_plateau(const TrialRow& row) { return row.cell_y >= 4 && row.cell_y < 9; }

PublishedFact sweet_spot(double x_mm, double y_mm, double within_mm) {
  PublishedFact fact;
  fact.claim = "a spot";
  fact.kind = FactKind::kSweetSpot;
  fact.x_mm = x_mm;
  fact.y_mm = y_mm;
  fact.within_mm = within_mm;
  return fact;
}

PublishedFact probability(FactKind kind, const Rectangle& rectangle, double p) {
  PublishedFact fact;
  fact.claim = "a \"word\", quoted";
  fact.kind = kind;
  fact.rectangle = rectangle;
  fact.probability = p;
  return fact;
}

PublishedFact low_area(double least_extent_mm) {
  PublishedFact fact;
  fact.claim = "low";
  fact.kind = FactKind::kLowAreaBehind;
  fact.least_extent_mm = least_extent_mm;
  return fact;
}

PublishedFacts published(std::vector<PublishedFact> facts) {
  return {"facts.toml", ExperimentOrigin::kMeasured, "a paper", 5000, std::move(facts)};
}

}  // namespace

TEST_CASE("the published facts of the lock piece can be read", "[facts]") {
  const PublishedFacts facts =
      read_published_facts(std::filesystem::path(testing::source_dir()) /
                           "configs/published/brost_christiansen_1996.toml");
  CHECK(facts.origin == ExperimentOrigin::kMeasured);
  CHECK(facts.trials == 100'800);
  REQUIRE(facts.facts.size() == 4);
  CHECK(facts.facts[0].kind == FactKind::kSweetSpot);
  CHECK(facts.facts[0].y_mm == -11);
  CHECK(facts.facts[1].rectangle.y_min_mm == -14);
}

TEST_CASE("what is wrong with a file of facts is told with line and key", "[facts]") {
  CHECK(read_facts(kFacts).facts.size() == 3);
  const auto [old_part, new_part, error] = GENERATE(table<std::string, std::string, std::string>({
      {"\"measured\"", "\"guessed\"",
       "facts.toml:1: origin: is the text \"guessed\"; must be \"measured\" or \"digitised\" or"},
      {"origin = \"measured\"", "", "facts.toml:1: origin: missing"},
      {"source", "sorce", "facts.toml:2: sorce: unknown key; did you mean source?"},
      {"\"sweet_spot\"", "\"sweetspot\"", "facts.toml:5: fact.0.kind: is the text"},
      {"within_mm = 1", "within_mm = 0", "facts.toml:8: fact.0.within_mm: is 0; must be"},
      {"x_mm = 0", "x_cm = 0", "facts.toml:6: fact.0.x_cm: unknown key"},
      {"x_min_mm = -1", "x_min_mm = 1", "facts.toml:12: fact.1.x_min_mm: is 1; must be below"},
      {"y_max_mm = -4", "y_max_mm = -7", "facts.toml:14: fact.1.y_min_mm: is -6; must be below"},
      {"probability = 0.9", "probability = 90", "facts.toml:16: fact.1.probability: is 90"},
      {"least_extent_mm = 1", "", "facts.toml:17: fact.2.least_extent_mm: missing"},
  }));
  CAPTURE(new_part);
  CHECK_THAT(error_of_facts(replaced(kFacts, old_part, new_part)), Catch::StartsWith(error));
  CHECK_THAT(error_of_facts("origin = \"measured\"\n"),
             Catch::StartsWith("facts.toml:1: fact: missing"));
}

TEST_CASE("facts that hold and facts that do not", "[facts]") {
  const TemporaryFolder folder;
  const RunStore run = made_up_run(folder, on_plateau);
  const Rectangle inside{-3, 3, -7.5, -3.5};
  const Rectangle half{-3, 3, -5, -1};  // half of it succeeds
  const FactCheck check = check_facts(
      run,
      published({sweet_spot(0, -5.5, 1.0), sweet_spot(0, -9, 1.0),
                 probability(FactKind::kProbabilityAtLeast, inside, 0.9),
                 probability(FactKind::kProbabilityAtLeast, half, 0.7),
                 probability(FactKind::kProbabilityBelow, half, 0.7),
                 probability(FactKind::kProbabilityBelow, inside, 0.5), low_area(2), low_area(4)}),
      0.95);
  std::vector<FactVerdict> verdicts;
  for (const CheckedFact& fact : check.facts) verdicts.push_back(fact.verdict);
  constexpr auto kYes = FactVerdict::kHolds;
  constexpr auto kNo = FactVerdict::kDoesNotHold;
  CHECK(verdicts == std::vector<FactVerdict>{kYes, kNo, kYes, kNo, kYes, kNo, kYes, kNo});
  CHECK(check.facts[3].run.value == Approx(0.5));
  CHECK(check.facts[6].run.value == Approx(3.0));  // half way at -3, to the edge at 0
  CHECK(check.run_trials == 1200);
  CHECK_THAT(fact_check_text(check), Catch::StartsWith("4 of 8 published facts hold in this run; "
                                                       "4 do not.\n"));
  CHECK_THAT(fact_check_text(check), Catch::Contains("measured: a paper"));
  CHECK_THAT(csv_text(fact_check_table(check)),
             Catch::Contains("\n\"a \"\"word\"\", quoted\",mean success"));
  CHECK_THAT(json_document(fact_check_fields(check)),
             Catch::Contains("\"published_trials\": 5000") &&
                 Catch::Contains("\"verdict\": \"does not hold\""));
}

TEST_CASE("facts that cannot be told", "[facts]") {
  const TemporaryFolder folder;
  const RunStore run = made_up_run(folder, on_plateau);
  const Rectangle few{-0.05, 0.05, -3.5, -2.5};
  const Rectangle half_outside{-3, 3, -2, 2};
  const FactCheck check =
      check_facts(run,
                  published({probability(FactKind::kProbabilityAtLeast, few, 0.5),
                             probability(FactKind::kProbabilityBelow, half_outside, 0.3),
                             probability(FactKind::kProbabilityBelow, half_outside, 0.6)}),
                  0.95);
  CHECK(check.facts[0].verdict == FactVerdict::kCannotBeTold);
  CHECK(check.facts[1].verdict == FactVerdict::kCannotBeTold);
  CHECK(check.facts[2].verdict == FactVerdict::kHolds);  // even if all beyond the map succeeds
}

TEST_CASE("a run without a low area or a sweet spot", "[facts]") {
  const TemporaryFolder folder;
  const RunStore good = made_up_run(folder, [](const TrialRow&) { return true; });
  const FactCheck check = check_facts(good, published({low_area(1)}), 0.95);
  CHECK(check.facts[0].verdict == FactVerdict::kDoesNotHold);
  CHECK(check.facts[0].run.value == 0);

  const TemporaryFolder empty_folder;
  const SweepConfig config = parse_sweep_config(kConfigText, "test");
  const RunStore empty = RunStore::create(empty_folder.path() / "run.sqlite", config);
  const FactCheck nothing = check_facts(empty, published({low_area(1), sweet_spot(0, 0, 1)}), 0.95);
  CHECK(nothing.facts[0].verdict == FactVerdict::kCannotBeTold);
  CHECK(nothing.facts[1].verdict == FactVerdict::kCannotBeTold);
  CHECK(std::isnan(nothing.facts[1].run.value));
}
