#include "grasp/show/report/trial_films.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "grasp/show/story/trial_report.hpp"
#include "grasp/show/story/trial_scene.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/store_files.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace {

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
    words += 7 + 6 * scene_at(story, config.scenario, k).contacts.size();
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

}  // namespace
}  // namespace graspmap
