#include "grasp/sweep/results/trials_npz.hpp"

#include <fmt/format.h>

#include <atomic>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <csignal>
#include <limits>

#include "tests/support/file_size_limit.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/numpy.hpp"
#include "tests/support/random_rows.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace {

const std::atomic<int> kNoStop{0};
const std::atomic<int> kStop{SIGINT};

using Rows = std::vector<TrialRow>;

bool write_npz(const fs::path& file, const Rows& rows) {
  TrialsNpz npz(file);
  for (const TrialRow& row : rows) npz.add(row);
  return npz.commit(kNoStop);
}

/// A number that is not known is NaN in the file.
std::string word(double value) {
  if (!std::isfinite(value)) value = std::numeric_limits<double>::quiet_NaN();
  return fmt::format(" {:016x}", std::bit_cast<std::uint64_t>(value));
}
std::string word(std::int64_t value) { return fmt::format(" {}", value); }

/// The line that numpy must find for a column.
template <class Value>
std::string line(const Rows& rows, const std::string& name_and_type, const Value& value) {
  std::string text = fmt::format("{} ({},)", name_and_type, rows.size());
  for (const TrialRow& row : rows) text += word(value(row));
  return text + '\n';
}

std::string steps_line(const Rows& rows, const std::string& name, Rung rung) {
  return line(rows, name + " <i4", [&](const TrialRow& row) {
    return row.statistics.by_rung[static_cast<std::size_t>(rung)];
  });
}

std::string placement_lines(const Rows& rows) {
  return line(rows, "index <i8", [](auto& row) { return row.index; }) +
         line(rows, "cell_x <i4", [](auto& row) { return std::int64_t{row.cell_x}; }) +
         line(rows, "cell_y <i4", [](auto& row) { return std::int64_t{row.cell_y}; }) +
         line(rows, "cell_theta <i4", [](auto& row) { return std::int64_t{row.cell_theta}; }) +
         line(rows, "x_mm <f8", [](auto& row) { return row.parameters.placement_x_mm; }) +
         line(rows, "y_mm <f8", [](auto& row) { return row.parameters.placement_y_mm; }) +
         line(rows, "theta_rad <f8", [](auto& row) { return row.parameters.theta_rad; }) +
         line(rows, "mu_jaw <f8", [](auto& row) { return row.parameters.mu_jaw; }) +
         line(rows, "mu_support <f8", [](auto& row) { return row.parameters.mu_support; });
}

std::string end_lines(const Rows& rows) {
  return line(rows, "outcome |u1", [](auto& row) { return std::int64_t(row.outcome); }) +
         line(rows, "end_time_s <f8", [](auto& row) { return row.end_time_s; }) +
         line(rows, "part_x_mm <f8", [](auto& row) { return row.final_pose.position_mm.x(); }) +
         line(rows, "part_y_mm <f8", [](auto& row) { return row.final_pose.position_mm.y(); }) +
         line(rows, "part_theta_rad <f8", [](auto& row) { return row.final_pose.angle_rad; }) +
         line(rows, "jaw_right_x_mm <f8", [](auto& row) { return row.jaw_right_mm; }) +
         line(rows, "jaw_left_x_mm <f8", [](auto& row) { return row.jaw_left_mm; });
}

std::string health_lines(const Rows& rows) {
  return line(rows, "steps <i4", [](auto& row) { return row.statistics.steps; }) +
         line(rows, "newton_iterations <i4",
              [](auto& row) { return row.statistics.newton_iterations; }) +
         steps_line(rows, "steps_warm", Rung::kWarm) + steps_line(rows, "steps_cold", Rung::kCold) +
         steps_line(rows, "steps_damped", Rung::kDamped) +
         steps_line(rows, "steps_pattern", Rung::kPattern) +
         steps_line(rows, "steps_halved", Rung::kHalved) +
         line(rows, "worst_residual <f8", [](auto& row) { return row.statistics.worst_residual; }) +
         line(rows, "worst_gap_mm <f8", [](auto& row) { return row.statistics.worst_gap_mm; }) +
         line(rows, "least_dissipation_mn_mm <f8",
              [](auto& row) { return row.statistics.least_dissipation; });
}

std::string all_lines(const Rows& rows) {
  return placement_lines(rows) + end_lines(rows) + health_lines(rows) +
         "outcome_names <U7 (6,) success wedged missed timeout blocked failed\n";
}

TEST_CASE("numpy finds every value of every row, bit for bit") {
  const testing::TemporaryFolder folder;
  const fs::path file = folder.path() / "trials.npz";
  Rows rows = testing::random_rows(GENERATE(0, 1, 20'000));  // 20,000 are more than a buffer
  if (!rows.empty()) {
    rows[0].index = std::numeric_limits<std::int64_t>::max();
    rows[0].parameters = {-0.0, std::numeric_limits<double>::denorm_min(),
                          std::numeric_limits<double>::infinity(), 0.1,
                          std::numeric_limits<double>::quiet_NaN()};
    rows[0].statistics.steps = std::numeric_limits<std::int32_t>::max();
  }
  REQUIRE(write_npz(file, rows));
  CHECK((testing::npz_dump(file) == all_lines(rows)));
  CHECK(testing::names_in(folder.path()) == testing::Names{"trials.npz"});
}

TEST_CASE("the same rows give the same bytes") {
  const testing::TemporaryFolder folder;
  const Rows rows = testing::random_rows(100);
  REQUIRE(write_npz(folder.path() / "a.npz", rows));
  REQUIRE(write_npz(folder.path() / "b.npz", rows));
  CHECK(
      (testing::file_text(folder.path() / "a.npz") == testing::file_text(folder.path() / "b.npz")));
}

TEST_CASE("a count that is too large for its column is an error, not another number") {
  const testing::TemporaryFolder folder;
  TrialRow row = testing::random_row(7);
  const std::int64_t too_large = std::int64_t{1} << 31;
  SECTION("iterations") { row.statistics.newton_iterations = too_large; }
  SECTION("steps") { row.statistics.steps = too_large; }
  SECTION("steps of a rung") { row.statistics.by_rung.back() = too_large; }
  TrialsNpz npz(folder.path() / "trials.npz");
  CHECK_THROWS_AS(npz.add(row), IoError);
  CHECK_THROWS_WITH(npz.add(row), Catch::Contains("trial 7") && Catch::Contains("2147483648"));
}

TEST_CASE("without a commit, or stopped in it, no archive is left and an old one stays") {
  const testing::TemporaryFolder folder;
  const fs::path file = folder.write("trials.npz", "old");
  {
    TrialsNpz npz(file);
    for (const TrialRow& row : testing::random_rows(20'000)) npz.add(row);
    CHECK(testing::names_in(folder.path()) == testing::Names{"trials.npz"});
    SECTION("no commit") {}
    SECTION("stopped") { CHECK_FALSE(npz.commit(kStop)); }
  }
  CHECK(testing::names_in(folder.path()) == testing::Names{"trials.npz"});
  CHECK(testing::file_text(file) == "old");
}

TEST_CASE("a full disk leaves no archive, whether an array or the archive does not fit") {
  const testing::TemporaryFolder folder;
  const fs::path file = folder.path() / "trials.npz";
  const rlim_t limit_bytes = GENERATE(100'000U, 1'000'000U);  // an array has 160,000 bytes at most
  CAPTURE(limit_bytes);
  const Rows rows = testing::random_rows(20'000);
  {
    const testing::FileSizeLimit limit(limit_bytes);
    CHECK_THROWS_AS(write_npz(file, rows), IoError);
    CHECK_THROWS_WITH(write_npz(file, rows),
                      Catch::Contains("trials.npz: cannot be written: File too large"));
  }
  CHECK(testing::names_in(folder.path()).empty());
}

TEST_CASE("an archive goes into a regular file only, in a folder that is there") {
  const testing::TemporaryFolder folder;
  CHECK_THROWS_WITH(TrialsNpz("/dev/null"), Catch::Contains("must be a regular file"));
  CHECK_THROWS_WITH(TrialsNpz(folder.path() / "none" / "a.npz"),
                    Catch::Contains("a.npz") && Catch::Contains("No such file"));
}

}  // namespace
}  // namespace graspmap
