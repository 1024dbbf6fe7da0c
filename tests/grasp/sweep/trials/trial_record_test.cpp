#include "grasp/sweep/trials/trial_record.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "grasp/sweep/trials/trial.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/trial_rows.hpp"

namespace graspmap {
namespace {

/// A change of one field.
struct Change {
  const char* field;
  std::function<void(TrialRow&)> apply;
};

/// Changes of all fields of a row.
const std::vector<Change>& changes() {
  static const std::vector<Change> kChanges = {
      {"index", [](TrialRow& r) { ++r.index; }},
      {"cell_x", [](TrialRow& r) { ++r.cell_x; }},
      {"cell_y", [](TrialRow& r) { ++r.cell_y; }},
      {"x_mm", [](TrialRow& r) { r.parameters.placement_x_mm += 1e-9; }},
      {"y_mm", [](TrialRow& r) { r.parameters.placement_y_mm += 1e-9; }},
      {"theta_rad", [](TrialRow& r) { r.parameters.theta_rad += 1e-9; }},
      {"mu_jaw", [](TrialRow& r) { r.parameters.mu_jaw += 1e-9; }},
      {"mu_support", [](TrialRow& r) { r.parameters.mu_support += 1e-9; }},
      {"outcome", [](TrialRow& r) { r.outcome = Outcome::kFailed; }},
      {"end_time_s", [](TrialRow& r) { r.end_time_s += 1e-9; }},
      {"part_x_mm", [](TrialRow& r) { r.final_pose.position_mm.x() += 1e-9; }},
      {"part_y_mm", [](TrialRow& r) { r.final_pose.position_mm.y() += 1e-9; }},
      {"part_theta_rad", [](TrialRow& r) { r.final_pose.angle_rad += 1e-9; }},
      {"jaw_right_x_mm", [](TrialRow& r) { r.jaw_right_mm += 1e-9; }},
      {"jaw_left_x_mm", [](TrialRow& r) { r.jaw_left_mm += 1e-9; }},
      {"steps", [](TrialRow& r) { ++r.statistics.steps; }},
      {"newton_iterations", [](TrialRow& r) { ++r.statistics.newton_iterations; }},
      {"steps_warm", [](TrialRow& r) { ++r.statistics.by_rung[0]; }},
      {"steps_halved", [](TrialRow& r) { ++r.statistics.by_rung[4]; }},
      {"worst_residual", [](TrialRow& r) { r.statistics.worst_residual += 1e-9; }},
      {"worst_gap_mm", [](TrialRow& r) { r.statistics.worst_gap_mm += 1e-12; }},
      {"least_dissipation_mn_mm", [](TrialRow& r) { r.statistics.least_dissipation += 1e-12; }},
  };
  return kChanges;
}

std::int64_t number_at(const TrialRecord& record, std::size_t position) {
  std::int64_t number = 0;
  std::memcpy(&number, record.data() + 8 * position, 8);
  return number;
}

double double_at(const TrialRecord& record, std::size_t position) {
  return std::bit_cast<double>(number_at(record, position));
}

TrialRow some_row() { return testing::made_up_row(testing::small_lock_piece_sweep(), 31); }

std::string digest_of(const std::vector<TrialRow>& rows) {
  TrialDigest digest;
  for (const TrialRow& row : rows) digest.add(row);
  return digest.hex();
}

TEST_CASE("a record has its numbers in the order that is documented") {
  const TrialRow row = some_row();
  const TrialRecord record = encode(row);
  CHECK(number_at(record, 0) == 31);
  CHECK(number_at(record, 1) == row.cell_x);
  CHECK(number_at(record, 2) == row.cell_y);
  CHECK(double_at(record, 3) == row.parameters.placement_x_mm);
  CHECK(double_at(record, 7) == row.parameters.mu_support);
  CHECK(number_at(record, 8) == static_cast<int>(row.outcome));
  CHECK(double_at(record, 9) == row.end_time_s);
  CHECK(double_at(record, 12) == row.final_pose.angle_rad);
  CHECK(double_at(record, 14) == row.jaw_left_mm);
  CHECK(number_at(record, 15) == row.statistics.steps);
  CHECK(number_at(record, 16) == row.statistics.newton_iterations);
  for (std::size_t k = 0; k < kRungCount; ++k) {
    CHECK(number_at(record, 17 + k) == row.statistics.by_rung[k]);
  }
  CHECK(double_at(record, 22) == row.statistics.worst_residual);
  CHECK(double_at(record, 24) == row.statistics.least_dissipation);
  CHECK(record[0] == std::byte{31});  // little-endian
}

TEST_CASE("the fields are those of the exported columns but the angle's cell, in their order") {
  std::vector<std::string> fields;
  visit_trial_fields(some_row(), [&](const char* name, const auto&) { fields.emplace_back(name); });
  std::vector<std::string> columns = {"index"};
  visit_trial_columns(some_row(),
                      [&](const char* name, const auto&) { columns.emplace_back(name); });
  CHECK(std::erase(columns, "cell_theta") == 1);
  CHECK(fields == columns);
  CHECK(fields.size() == kTrialFields);
}

TEST_CASE("a row comes back from its record to the last bit") {
  TrialRow row = some_row();
  CHECK(encode(decode(encode(row))) == encode(row));
  testing::make_odd(row);
  const TrialRow back = decode(encode(row));
  CHECK(encode(back) == encode(row));
  CHECK(std::signbit(back.parameters.placement_x_mm));
  CHECK(std::isnan(back.end_time_s));
  CHECK(back.statistics.newton_iterations == row.statistics.newton_iterations);
}

TEST_CASE("every field of a row counts") {
  const TrialRow row = some_row();
  REQUIRE(identical(row, row));
  CHECK(different_fields(row, row).empty());
  for (const Change& change : changes()) {
    CAPTURE(change.field);
    TrialRow other = row;
    change.apply(other);
    CHECK_FALSE(identical(row, other));
    const std::vector<FieldDifference> differences = different_fields(row, other);
    REQUIRE(differences.size() == 1);
    CHECK(differences[0].field == change.field);
    CHECK(differences[0].first != differences[0].second);
    CHECK(digest_of({row}) != digest_of({other}));
    CHECK(identical(decode(encode(other)), other));
  }
}

TEST_CASE("a difference shows both values with all digits") {
  TrialRow a = some_row();
  TrialRow b = a;
  a.outcome = Outcome::kWedged;
  b.outcome = Outcome::kMissed;
  a.statistics.steps = 12;
  b.statistics.steps = -3;
  a.end_time_s = 1.0 / 3.0;
  b.end_time_s = std::nextafter(1.0 / 3.0, 1.0);
  a.final_pose.angle_rad = 0.0;
  b.final_pose.angle_rad = -0.0;
  a.statistics.worst_gap_mm = -std::numeric_limits<double>::quiet_NaN();
  b.statistics.worst_gap_mm = -1;
  const std::vector<FieldDifference> differences = different_fields(a, b);
  REQUIRE(differences.size() == 5);
  const auto is = [&](std::size_t k, const char* field, const char* first, const char* second) {
    CHECK(differences[k].field == field);
    CHECK(differences[k].first == first);
    CHECK(differences[k].second == second);
  };
  is(0, "outcome", "wedged", "missed");
  is(1, "end_time_s", "0.3333333333333333", "0.33333333333333337");
  is(2, "part_theta_rad", "0", "-0");
  is(3, "steps", "12", "-3");
  is(4, "worst_gap_mm", "nan", "-1");
}

TEST_CASE("all NaNs are one, and minus zero is not zero") {
  TrialRow row = some_row();
  row.end_time_s = std::bit_cast<double>(0xfff8000000000123);
  TrialRow other = row;
  other.end_time_s = std::numeric_limits<double>::quiet_NaN();
  CHECK(identical(row, other));
  CHECK(number_at(encode(row), 9) == 0x7ff8000000000000);
  row.end_time_s = 0.0;
  other.end_time_s = -0.0;
  CHECK_FALSE(identical(row, other));
}

TEST_CASE("a digest depends on rows and their order") {
  const SweepConfig config = testing::small_lock_piece_sweep();
  const auto rows = testing::made_up_rows(config, {0, 20});
  CHECK(digest_of(rows) == digest_of(rows));
  CHECK(digest_of({}) != digest_of(rows));
  CHECK(digest_of({rows[0], rows[1]}) != digest_of({rows[1], rows[0]}));
}

TEST_CASE("digests are XXH3 of 128 bits") {
  // The first is published with XXH3; the second must not change from machine to machine.
  CHECK(text_digest("") == "99aa06d3014798d86001c324468d497f");
  CHECK(text_digest("graspmap") == "404fa67ebde8f1c7018d97bd28549096");
  CHECK(digest_of({}) == text_digest(""));
  const TrialRecord record = encode(some_row());
  CHECK(digest_of({some_row()}) ==
        text_digest({reinterpret_cast<const char*>(record.data()), record.size()}));
}

TEST_CASE("a probe depends on how trials come out, not on how many are asked for") {
  const std::string probe = probe_digest(testing::small_lock_piece_sweep());
  CHECK(probe.size() == 32);
  CHECK(probe_digest(testing::small_lock_piece_sweep()) == probe);
  CHECK(probe_digest(testing::small_lock_piece_sweep({"sweep.trials_per_cell=9"})) == probe);
  CHECK(probe_digest(testing::small_lock_piece_sweep({"simulation.step_s=0.001"})) != probe);
  CHECK(probe_digest(testing::small_lock_piece_sweep({"sweep.seed=2"})) != probe);
}

}  // namespace

}  // namespace graspmap
