#include "grasp/sweep/trials/chunk_queue.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

namespace graspmap {
namespace {

void fill(TrialChunk& chunk) {
  for (const TrialRange& range : chunk.ranges) {
    for (std::int64_t index = range.first; index < range.end; ++index) {
      chunk.rows.emplace_back().index = index;
    }
  }
}

std::vector<std::int64_t> indices(const std::vector<TrialRow>& rows) {
  std::vector<std::int64_t> result;
  for (const TrialRow& row : rows) result.push_back(row.index);
  return result;
}

using Indices = std::vector<std::int64_t>;

TEST_CASE("chunks are claimed in order and have as many trials as are asked for over gaps too") {
  ChunkQueue queue({{0, 5}, {8, 10}, {12, 13}}, nullptr);
  CHECK(queue.claim(3)->ranges == TrialRanges{{0, 3}});
  CHECK(queue.claim(4)->ranges == TrialRanges{{3, 5}, {8, 10}});
  CHECK_FALSE(queue.exhausted());
  CHECK(queue.unclaimed() == 1);
  CHECK(queue.claim(3)->ranges == TrialRanges{{12, 13}});
  CHECK(queue.exhausted());
  CHECK(queue.claim(3) == nullptr);
}

TEST_CASE("a chunk has at least one trial and not more than the most") {
  ChunkQueue queue({{0, 1'000'000}}, nullptr);
  CHECK(count_trials(queue.claim(0)->ranges) == 1);
  CHECK(count_trials(queue.claim(1'000'000)->ranges) == 999'999);
}

TEST_CASE("rows are taken in order, whatever the order of delivery") {
  ChunkQueue queue({{0, 6}}, nullptr);
  TrialChunk& first = *queue.claim(2);
  TrialChunk& second = *queue.claim(2);
  TrialChunk& third = *queue.claim(2);
  for (TrialChunk* chunk : {&first, &second, &third}) fill(*chunk);
  std::vector<TrialRow> rows;
  queue.deliver(third);
  queue.deliver(second);
  CHECK(queue.take(rows, 100, 0));
  CHECK(rows.empty());
  queue.deliver(first);
  CHECK(queue.take(rows, 3, 0));
  CHECK(indices(rows) == Indices{0, 1, 2, 3});
  CHECK(queue.take(rows, 100, 0));
  CHECK(indices(rows) == Indices{0, 1, 2, 3, 4, 5});
}

TEST_CASE("a closed queue gives nothing out, and gives back what is ready before the first gap") {
  ChunkQueue queue({{0, 100}}, nullptr);
  TrialChunk& first = *queue.claim(2);
  static_cast<void>(queue.claim(2));
  TrialChunk& third = *queue.claim(2);
  fill(first);
  fill(third);
  queue.deliver(first);
  queue.deliver(third);
  queue.close();
  CHECK(queue.claim(2) == nullptr);
  std::vector<TrialRow> rows;
  CHECK(queue.take(rows, 100, 10));
  CHECK_FALSE(queue.take(rows, 100, 10));
  CHECK(indices(rows) == Indices{0, 1});
}

TEST_CASE("nothing is given out once the stop flag is set") {
  std::atomic<int> stop{0};
  ChunkQueue queue({{0, 100}}, &stop);
  CHECK(queue.claim(2) != nullptr);
  stop = 15;
  CHECK(queue.claim(2) == nullptr);
  CHECK(queue.exhausted());
}

TEST_CASE("a full window holds workers up until rows are taken") {
  ChunkQueue queue({{0, 100}}, nullptr, 4);
  TrialChunk& first = *queue.claim(2);
  static_cast<void>(queue.claim(2));
  CHECK(queue.try_claim(2) == nullptr);
  fill(first);
  queue.deliver(first);
  CHECK(queue.try_claim(2) == nullptr);

  std::atomic<bool> claimed{false};
  std::thread worker([&] {
    const TrialChunk* chunk = queue.claim(2);
    claimed = chunk != nullptr && chunk->ranges == TrialRanges{{4, 6}};
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK_FALSE(claimed);
  std::vector<TrialRow> rows;
  CHECK(queue.take(rows, 100, 0));
  worker.join();
  CHECK(claimed);
}

TEST_CASE("a worker that waits for room is let go when the queue is stopped or closed") {
  const bool by_closing = GENERATE(true, false);
  std::atomic<int> stop{0};
  ChunkQueue queue({{0, 100}}, &stop, 2);
  static_cast<void>(queue.claim(2));
  const TrialChunk* chunk = nullptr;
  std::thread worker([&] { chunk = queue.claim(2); });
  if (by_closing) {
    queue.close();
  } else {
    stop = 2;
  }
  worker.join();
  CHECK(chunk == nullptr);
}

TEST_CASE("trials that are added later are claimed in the order in which they are added") {
  ChunkQueue queue(nullptr);
  CHECK(queue.try_claim(5) == nullptr);
  CHECK_FALSE(queue.exhausted());
  queue.add({{10, 13}});
  queue.add({{0, 2}});
  CHECK(queue.unclaimed() == 5);
  CHECK(queue.claim(3)->ranges == TrialRanges{{10, 13}});
  CHECK(queue.unclaimed() == 2);
  CHECK(queue.claim(5)->ranges == TrialRanges{{0, 2}});
  CHECK_FALSE(queue.exhausted());
  queue.add_no_more();
  CHECK(queue.exhausted());
  CHECK(queue.claim(5) == nullptr);
}

TEST_CASE("a worker waits for trials that may be added, and is let go when no more will come") {
  const bool added = GENERATE(true, false);
  ChunkQueue queue(nullptr);
  const TrialChunk* chunk = nullptr;
  std::thread worker([&] { chunk = queue.claim(2); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (added) queue.add({{4, 9}});
  if (!added) queue.add_no_more();
  worker.join();
  CHECK((chunk != nullptr) == added);
}

}  // namespace
}  // namespace graspmap
