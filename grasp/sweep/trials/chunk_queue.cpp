#include "grasp/sweep/trials/chunk_queue.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace graspmap {
namespace {

/// How often those who wait look at the stop flag, which a signal handler sets without a notice.
constexpr std::chrono::milliseconds kStopInterval(50);

}  // namespace

ChunkQueue::ChunkQueue(TrialRanges todo, const std::atomic<int>* stop, std::int64_t window)
    : todo_(todo.begin(), todo.end()),
      unclaimed_trials_(count_trials(todo)),
      stop_(stop),
      window_(window) {}

ChunkQueue::ChunkQueue(const std::atomic<int>* stop, std::int64_t window)
    : stop_(stop), window_(window), more_may_come_(true) {}

void ChunkQueue::add(const TrialRanges& ranges) {
  const std::lock_guard lock(mutex_);
  for (const TrialRange& range : ranges) {
    if (range.empty()) continue;
    todo_.push_back(range);
    unclaimed_trials_ += range.trials();
  }
  room_.notify_all();
}

void ChunkQueue::add_no_more() {
  const std::lock_guard lock(mutex_);
  more_may_come_ = false;
  room_.notify_all();
}

bool ChunkQueue::is_over() const {
  const bool stopped = stop_ != nullptr && stop_->load(std::memory_order_relaxed) != 0;
  return closed_ || stopped || (is_empty() && !more_may_come_);
}

TrialChunk* ChunkQueue::claim(std::int64_t most) {
  std::unique_lock lock(mutex_);
  while (!is_over() && (is_full() || is_empty())) room_.wait_for(lock, kStopInterval);
  return claim_locked(most);
}

TrialChunk* ChunkQueue::try_claim(std::int64_t most) {
  const std::lock_guard lock(mutex_);
  return is_full() ? nullptr : claim_locked(most);
}

TrialChunk* ChunkQueue::claim_locked(std::int64_t most) {
  if (is_over() || is_empty()) return nullptr;
  TrialChunk& chunk = chunks_.emplace_back();
  std::int64_t room = std::max<std::int64_t>(most, 1);
  while (room > 0 && !is_empty()) {
    TrialRange& rest = todo_.front();
    const TrialRange range{rest.first, rest.first + std::min(room, rest.trials())};
    chunk.ranges.push_back(range);
    room -= range.trials();
    claimed_trials_ += range.trials();
    unclaimed_trials_ -= range.trials();
    rest.first = range.end;
    if (rest.empty()) todo_.pop_front();
  }
  return &chunk;
}

void ChunkQueue::deliver(TrialChunk& chunk) {
  const std::lock_guard lock(mutex_);
  chunk.delivered = true;
  if (chunks_.front().delivered) ready_.notify_one();
}

void ChunkQueue::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  room_.notify_all();
  ready_.notify_all();
}

bool ChunkQueue::take(std::vector<TrialRow>& rows, std::size_t most, double wait_s) {
  std::unique_lock lock(mutex_);
  const auto is_ready = [&] { return !chunks_.empty() && chunks_.front().delivered; };
  ready_.wait_for(lock, std::chrono::duration<double>(wait_s),
                  [&] { return is_ready() || closed_; });
  if (closed_ && !is_ready()) return false;
  while (is_ready() && rows.size() < most) {
    const std::vector<TrialRow>& ready = chunks_.front().rows;
    claimed_trials_ -= count_trials(chunks_.front().ranges);
    rows.insert(rows.end(), ready.begin(), ready.end());
    chunks_.pop_front();
  }
  room_.notify_all();
  return true;
}

bool ChunkQueue::exhausted() const {
  const std::lock_guard lock(mutex_);
  return is_over();
}

std::int64_t ChunkQueue::unclaimed() const {
  const std::lock_guard lock(mutex_);
  return unclaimed_trials_;
}

}  // namespace graspmap
