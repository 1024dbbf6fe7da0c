#include "grasp/show/report/trial_table.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

#include "grasp/sweep/trials/trial_record.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/store_files.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace {

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

}  // namespace
}  // namespace graspmap
