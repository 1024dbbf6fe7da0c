#include "grasp/show/report/page_data.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "grasp/show/story/trial_report.hpp"
#include "grasp/show/story/trial_scene.hpp"
#include "grasp/sweep/results/derived_files.hpp"
#include "grasp/sweep/trials/trial_record.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/store_files.hpp"
#include "tests/support/sweep_rows.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/uncertain_grasps.hpp"

namespace graspmap {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST_CASE("packed numbers are off by half a step at most, and what is not finite is marked") {
  PackedRange range;
  for (const double number : {3.0, -17.5, kNaN, 8.25, std::numeric_limits<double>::infinity()}) {
    range.include(number);
  }
  CHECK(range.low == -17.5);
  CHECK(range.high == 8.25);
  CHECK(range.pack(-17.5) == 0);
  CHECK(range.pack(8.25) == 65534);
  CHECK(range.pack(kNaN) == 65535);
  CHECK(range.pack(100.0) == 65534);
  for (double number = -17.5; number < 8.25; number += 0.0123) {
    const double read = range.low + range.step() * range.pack(number);
    CHECK(std::abs(read - number) <= 0.5001 * range.step());
  }
}

TEST_CASE("packed numbers: one value, or none") {
  PackedRange range;
  CHECK(range.step() == 0.0);
  CHECK(range.pack(kNaN) == 65535);
  range.include(2.0);
  CHECK(range.pack(2.0) == 0);
  CHECK(range.step() == 0.0);
}

TEST_CASE("words are written with the lower byte first, planes with the upper bytes first") {
  std::string bytes;
  append_word(bytes, 0x1234);
  append_fraction(bytes, 1.0);
  append_fraction(bytes, -1.0);
  append_fraction(bytes, -0.5);
  CHECK(bytes == std::string("\x34\x12\xff\x7f\x01\x80\x00\xc0", 8));
  bytes.clear();
  append_planes(bytes, std::array<std::uint16_t, 2>{0x1234, 0x5678});
  CHECK(bytes == "\x12\x56\x34\x78");
  bytes.clear();
  append_double(bytes, 1.0);
  CHECK(bytes == std::string("\0\0\0\0\0\0\xf0\x3f", 8));
}

double double_at(const std::string& bytes, std::size_t at) {
  double number = 0.0;
  std::memcpy(&number, &bytes[at], sizeof number);
  return number;
}

/// The packed number of column c of trial k of n.
double number_at(const TrialTable& table, std::size_t c, std::size_t k, std::size_t n) {
  const std::size_t begin = 16 * table.trials.size() + n + 2 * n * c;
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(table.bytes[at]); };
  const int word = 256 * byte(begin + k) + byte(begin + n + k);
  return word == 65535 ? std::nan("") : table.range[c].low + table.range[c].step() * word;
}

void check_rows(const TrialTable& table, const std::vector<TrialRow>& rows) {
  const std::size_t n = rows.size();
  REQUIRE(table.bytes.size() == 16 * table.trials.size() + 13 * n);
  for (std::size_t k = 0; k < n; ++k) {
    const TrialRow& row = rows[k];
    CHECK(table.bytes[16 * table.trials.size() + k] == static_cast<char>(row.outcome));
    const std::array<double, 6> stored{row.final_pose.position_mm.x(),
                                       row.final_pose.position_mm.y(),
                                       row.final_pose.angle_rad,
                                       row.jaw_right_mm,
                                       row.jaw_left_mm,
                                       row.end_time_s};
    for (std::size_t c = 0; c < stored.size(); ++c) {
      const double read = number_at(table, c, k, n);
      if (std::isfinite(stored[c])) {
        CHECK(std::abs(read - stored[c]) <= 0.5001 * table.range[c].step() + 1e-12);
      } else {
        CHECK(std::isnan(read));
      }
    }
  }
}

TEST_CASE("the trials of a report are those of the store, rounded as they say") {
  const testing::TemporaryFolder folder;
  const SweepConfig config = testing::small_lock_piece_sweep();
  const RunStore store =
      testing::made_up_store(folder.path() / "run.sqlite", config, {{0, 20}, {30, 41}});
  const TrialTable table = read_trial_table(store);
  CHECK(table.stored == 31);
  REQUIRE(table.trials == TrialRanges{{0, 20}, {30, 41}});
  CHECK(double_at(table.bytes, 0) == 0.0);
  CHECK(double_at(table.bytes, 8) == 20.0);
  CHECK(double_at(table.bytes, 24) == 41.0);
  const std::vector<TrialRow> rows = testing::all_rows(store);
  check_rows(table, rows);
  TrialDigest digest;
  for (const TrialRow& row : rows) digest.add(row);
  CHECK(table.digest == digest.hex());
}

TEST_CASE("of many trials a report takes those of lowest index, and the digest is of all") {
  const testing::TemporaryFolder folder;
  const SweepConfig config = testing::small_lock_piece_sweep();
  const RunStore store =
      testing::made_up_store(folder.path() / "run.sqlite", config, {{0, 20}, {30, 41}});
  const TrialTable table = read_trial_table(store, 25);
  CHECK(table.stored == 31);
  CHECK(table.trials == TrialRanges{{0, 20}, {30, 35}});
  std::vector<TrialRow> rows = testing::all_rows(store);
  rows.resize(25);
  check_rows(table, rows);
  CHECK(table.digest == read_trial_table(store).digest);
}

TEST_CASE("the first trial of each outcome of each cell gets a film") {
  const testing::TemporaryFolder folder;
  const SweepConfig config = testing::small_lock_piece_sweep({"sweep.trials_per_cell=8"});
  const RunStore store =
      testing::made_up_store(folder.path() / "run.sqlite", config, {{0, config.trials()}});
  const TrialTable table = read_trial_table(store);
  const std::vector<std::int64_t> films = film_trials(store, table, 10000);
  std::set<std::pair<std::int64_t, Outcome>> seen;
  std::set<std::int64_t> first;
  for (const TrialRow& row : testing::all_rows(store)) {
    if (seen.emplace(row.index % 25, row.outcome).second) first.insert(row.index);
  }
  CHECK(std::set(films.begin(), films.end()) == first);
  CHECK(films.size() == first.size());

  const std::vector<std::int64_t> some = film_trials(store, table, 7);
  CHECK(some.size() == 7);
  CHECK(std::all_of(some.begin(), some.end(), [&](auto trial) { return first.contains(trial); }));
  for (const std::int64_t trial : film_trials(store, read_trial_table(store, 30), 10000)) {
    CHECK(trial < 30);
  }
}

TEST_CASE("a film ends with the trial's end, and has its story") {
  const SweepConfig config = testing::small_lock_piece_sweep();
  const std::int64_t trial = 7;
  const TrialStory story = tell_trial(config, trial);
  const TrialFilms films = make_films(config, {trial});
  CHECK(films.films == 1);
  CHECK_THAT(films.json, Catch::Contains("\"trial\": 7") && Catch::Contains("\"begins_at\": 0") &&
                             Catch::Contains(story.row.outcome == Outcome::kSuccess
                                                 ? "\"story\": \"success after "
                                                 : "\"story\": \"") &&
                             Catch::Contains("Contacts"));
  const std::vector<std::size_t> kept = evenly_in_time(story.trajectory, kMostFilmFrames);
  std::size_t words = 0;
  for (const std::size_t k : kept) {
    words += 11 + 6 * scene_at(story, k).contacts.size();
  }
  CHECK(films.frames.size() == 2 * words);
}

TEST_CASE("samples evenly in time: first and last are among them") {
  std::vector<TrajectorySample> trajectory(1000);
  for (std::size_t k = 0; k < trajectory.size(); ++k) {
    trajectory[k].time_s = std::sqrt(static_cast<double>(k));
  }
  for (const std::size_t most : {2U, 3U, 36U, 999U}) {
    const std::vector<std::size_t> kept = evenly_in_time(trajectory, most);
    CHECK(kept.size() <= most);
    CHECK(kept.size() + most / 3 >= most);
    CHECK(kept.front() == 0);
    CHECK(kept.back() == 999);
    CHECK(std::is_sorted(kept.begin(), kept.end()));
  }
  CHECK(evenly_in_time(trajectory, 1000).size() == 1000);
  trajectory.resize(1);
  CHECK(evenly_in_time(trajectory, 36) == std::vector<std::size_t>{0});
}

std::string facts_of(const SweepConfig& config) {
  const testing::TemporaryFolder folder;
  RunStore store = RunStore::create(folder.path() / "run.sqlite", config);
  store.append(testing::sweep_rows(config), 0.5);
  return run_facts_json(store, summarize(store, read_totals(store)), read_trial_table(store, 1000),
                        "run");
}

TEST_CASE(
    "a report knows which numbers differ from trial to trial, and the distributions of friction") {
  const SweepConfig config = testing::disc_of_uncertain_size(6.0, 0.3);
  const std::string facts = facts_of(config);
  CHECK_THAT(facts,
             Catch::Contains("\"kind\": \"fixed\",\n      \"value\": 0.3,\n      \"median\": 0.3,\n"
                             "      \"is_correlated\": false"));
  CHECK_THAT(facts, Catch::Contains("\"one_friction\": true"));
  CHECK_THAT(facts, Catch::Contains("\"part.offset_mm\""));
  SweepConfig other = config;
  other.scenario.gripper.mu_left = 0.2;
  CHECK_THAT(facts_of(other), Catch::Contains("\"one_friction\": false"));
}

}  // namespace

}  // namespace graspmap
