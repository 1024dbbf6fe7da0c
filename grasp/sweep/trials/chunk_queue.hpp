#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "grasp/sweep/trials/trial.hpp"
#include "grasp/sweep/trials/trial_range.hpp"

namespace graspmap {

/// Some trials that one worker runs.
struct TrialChunk {
  TrialRanges ranges;          ///< in the order in which the queue got them; not empty
  std::vector<TrialRow> rows;  ///< of all trials of the ranges, in order, when it is delivered
  bool delivered = false;      ///< set by the queue
};

/// The trials that are claimed and not yet stored, at most, where nobody asks for more.
inline constexpr std::int64_t kDefaultWindow = 65536;

/// Between those who run trials and the one who stores them. Workers claim chunks in the order in
/// which the queue got the trials and deliver them in any order; the collector takes the rows in
/// the order of the claims. A chunk that was claimed and is never delivered holds up those behind
/// it, not those before it. At most `window` trials are claimed and not yet taken: memory is
/// bounded, and fast workers wait for a slow disk. All functions may be called from any thread.
class ChunkQueue {
 public:
  /// `todo`: the trials to run. No chunk is given out once *stop is not zero.
  ChunkQueue(TrialRanges todo, const std::atomic<int>* stop, std::int64_t window = kDefaultWindow);
  /// A queue without trials yet: `add` adds them until `add_no_more`.
  explicit ChunkQueue(const std::atomic<int>* stop, std::int64_t window = kDefaultWindow);

  /// More trials to run, in the order in which they are added. For the second kind of queue only.
  void add(const TrialRanges& ranges);
  void add_no_more();

  /// The next trials, 1 to `most`; nothing when none are left or the queue is closed or stopped.
  /// Waits while the window is full or trials may still be added. The chunk stays the queue's.
  TrialChunk* claim(std::int64_t most);
  /// As claim, but returns nothing where claim would wait.
  TrialChunk* try_claim(std::int64_t most);
  /// Gives back a claimed chunk with its rows.
  void deliver(TrialChunk& chunk);

  /// Gives no more chunks out, and lets the collector end: called when no worker will deliver any
  /// more, or by whoever fails.
  void close();
  /// Moves the rows that are ready to the end of `rows`, in order, whole chunks while they are
  /// fewer than `most`. Waits until there are any or `wait_s` has passed. False when the queue is
  /// closed and nothing is left to take.
  bool take(std::vector<TrialRow>& rows, std::size_t most, double wait_s);

  /// True when claim would give nothing any more.
  [[nodiscard]] bool exhausted() const;
  /// The trials that are not claimed yet.
  [[nodiscard]] std::int64_t unclaimed() const;

 private:
  [[nodiscard]] bool is_over() const;
  [[nodiscard]] bool is_full() const { return claimed_trials_ >= window_; }
  [[nodiscard]] bool is_empty() const { return todo_.empty(); }
  TrialChunk* claim_locked(std::int64_t most);

  mutable std::mutex mutex_;
  std::condition_variable room_;   ///< for workers: there is something to claim, or it is over
  std::condition_variable ready_;  ///< for the collector: the front is delivered, or closed
  std::deque<TrialRange> todo_;
  std::int64_t unclaimed_trials_ = 0;
  const std::atomic<int>* stop_;
  std::int64_t window_ = kDefaultWindow;
  bool more_may_come_ = false;
  std::int64_t claimed_trials_ = 0;
  std::deque<TrialChunk> chunks_;  ///< claimed, in order; a deque keeps their addresses
  bool closed_ = false;
};

}  // namespace graspmap
