#include "grasp/sweep/trials/trial_range.hpp"

#include <catch2/catch.hpp>
#include <limits>

namespace graspmap {
namespace {

TEST_CASE("the shards of a sweep are its trials, in order, of nearly the same size") {
  const auto trials = GENERATE(as<std::int64_t>(), 1, 7, 100'800, 1'000'000'000'000);
  const int count = GENERATE(1, 2, 3, 7, 1000);
  std::int64_t next = 0;
  for (int index = 1; index <= count; ++index) {
    const TrialRange range = shard_range(trials, {index, count});
    CHECK(range.first == next);
    CHECK(range.trials() >= trials / count);
    CHECK(range.trials() <= trials / count + 1);
    next = range.end;
  }
  CHECK(next == trials);
}

TEST_CASE("a shard of the largest sweep does not overflow") {
  const std::int64_t most = 1'000'000'000'000;
  const int count = std::numeric_limits<int>::max();
  CHECK(shard_range(most, {count, count}).end == most);
}

TEST_CASE("a whole sweep is one shard of one") {
  CHECK(Shard{}.is_whole());
  CHECK_FALSE(Shard{1, 2}.is_whole());
  CHECK(shard_range(12, {}) == TrialRange{0, 12});
}

TEST_CASE("ranges that overlap or touch are joined") {
  CHECK(joined({}).empty());
  CHECK(joined({{5, 5}, {9, 3}}).empty());
  CHECK(joined({{10, 20}, {0, 5}}) == TrialRanges{{0, 5}, {10, 20}});
  CHECK(joined({{5, 10}, {0, 5}}) == TrialRanges{{0, 10}});
  CHECK(joined({{0, 10}, {2, 5}, {8, 12}}) == TrialRanges{{0, 12}});
  CHECK(joined({{0, 2}, {0, 2}}) == TrialRanges{{0, 2}});
}

TEST_CASE("what is missing is the rest of the whole") {
  const TrialRange whole{10, 20};
  CHECK(missing({}, whole) == TrialRanges{whole});
  CHECK(missing({{10, 20}}, whole).empty());
  CHECK(missing({{0, 100}}, whole).empty());
  CHECK(missing({{12, 14}}, whole) == TrialRanges{{10, 12}, {14, 20}});
  CHECK(missing({{0, 11}, {13, 14}, {19, 30}}, whole) == TrialRanges{{11, 13}, {14, 19}});
  CHECK(missing({{0, 5}, {25, 30}}, whole) == TrialRanges{whole});
  CHECK(missing({}, {3, 3}).empty());
}

TEST_CASE("trials of ranges are counted") {
  CHECK(count_trials({}) == 0);
  CHECK(count_trials({{0, 5}, {7, 8}}) == 6);
}

TEST_CASE("ranges as text name both ends") {
  CHECK(text({}) == "none");
  CHECK(text({{3, 4}}) == "3");
  CHECK(text({{0, 100}, {250, 400}}) == "0-99, 250-399");
  CHECK(text({{0, 1}, {2, 3}, {4, 5}, {6, 8}}, 2) == "0, 2, ... (2 more)");
  CHECK(text({{0, 1}, {2, 3}}, 2) == "0, 2");
}

}  // namespace
}  // namespace graspmap
