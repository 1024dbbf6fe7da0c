#include "grasp/sweep/mpi/dispatcher.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "grasp/sweep/trials/trial_record.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/trial_rows.hpp"

namespace graspmap {
namespace {

using testing::same_rows;

TEST_CASE("messages are unpacked as they were packed") {
  const TrialRanges ranges{{3, 1'000'000'000'000}, {1, 2}};
  CHECK(unpack_ranges(pack(ranges)) == ranges);
  CHECK(unpack_ranges({}).empty());
  CHECK(unpack_number(pack(std::int64_t{-5})) == -5);
  CHECK(unpack_text(pack(std::string("out of\nmemory"))) == "out of\nmemory");
  CHECK(unpack_text({}).empty());
}

TEST_CASE("rows travel to the last bit") {
  auto rows = testing::made_up_rows(testing::small_lock_piece_sweep(), {0, 40});
  testing::make_odd(rows[7]);
  CHECK(same_rows(unpack_rows(pack(rows)), rows));
  CHECK(unpack_rows({}).empty());
}

TEST_CASE("the first message has the configuration and the trials to compare") {
  const auto rows = testing::made_up_rows(testing::small_lock_piece_sweep(), {5, 8});
  const BeginMessage message{3, to_toml(testing::small_lock_piece_sweep()), rows};
  const BeginMessage unpacked = unpack_begin(pack(message));
  CHECK(unpacked.threads == 3);
  CHECK(unpacked.config_toml == message.config_toml);
  CHECK(same_rows(unpacked.probes, rows));
}

}  // namespace
}  // namespace graspmap
