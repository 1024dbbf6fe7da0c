#include "grasp/chunk_queue.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace graspmap {
namespace {

/// How often those who wait look at the stop flag, which a signal handler sets without a notice.
constexpr std::chrono::milliseconds kStopInterval(50);

}  // namespace

ChunkQueue::ChunkQueue(TrialRanges todo, const std::atomic<int>* stop, std::int64_t window)
    : todo_(std::move(todo)), stop_(stop), window_(window) {}

ChunkQueue::ChunkQueue(const std::atomic<int>* stop) : stop_(stop), more_may_come_(true) {}

void ChunkQueue::add(TrialRange range) {
  const std::lock_guard lock(mutex_);
  if (!range.empty()) todo_.push_back(range);
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
  TrialRange& rest = todo_[next_range_];
  const std::int64_t trials = std::max<std::int64_t>(most, 1);
  TrialChunk& chunk = chunks_.emplace_back();
  chunk.range = {rest.first, rest.first + std::min(trials, rest.trials())};
  rest.first = chunk.range.end;
  if (rest.empty()) ++next_range_;
  claimed_trials_ += chunk.range.trials();
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
    claimed_trials_ -= chunks_.front().range.trials();
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
  std::int64_t trials = 0;
  for (std::size_t k = next_range_; k < todo_.size(); ++k) trials += todo_[k].trials();
  return trials;
}

}  // namespace graspmap
