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

bool ChunkQueue::is_over() const {
  const bool stopped = stop_ != nullptr && stop_->load(std::memory_order_relaxed) != 0;
  return closed_ || stopped || next_range_ == todo_.size();
}

TrialChunk* ChunkQueue::claim(std::int64_t most) {
  std::unique_lock lock(mutex_);
  while (!is_over() && is_full()) room_.wait_for(lock, kStopInterval);
  return claim_locked(most);
}

TrialChunk* ChunkQueue::try_claim(std::int64_t most) {
  const std::lock_guard lock(mutex_);
  return is_full() ? nullptr : claim_locked(most);
}

TrialChunk* ChunkQueue::claim_locked(std::int64_t most) {
  if (is_over()) return nullptr;
  TrialRange& rest = todo_[next_range_];
  const std::int64_t trials = std::clamp<std::int64_t>(most, 1, kMostChunkTrials);
  TrialChunk& chunk = chunks_.emplace_back();
  chunk.range = {rest.first, std::min(rest.end, rest.first + trials)};
  rest.first = chunk.range.end;
  if (rest.empty()) ++next_range_;
  claimed_trials_ += chunk.range.trials();
  ++outstanding_;
  return &chunk;
}

void ChunkQueue::deliver(TrialChunk& chunk) {
  const std::lock_guard lock(mutex_);
  chunk.delivered = true;
  --outstanding_;
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

std::int64_t ChunkQueue::outstanding() const {
  const std::lock_guard lock(mutex_);
  return outstanding_;
}

}  // namespace graspmap
