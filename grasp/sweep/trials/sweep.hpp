#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "grasp/sweep/trials/success_map.hpp"
#include "grasp/sweep/trials/trial.hpp"
#include "grasp/sweep/trials/trial_range.hpp"

namespace graspmap {

/// The number of threads that `threads` stands for: itself, or for 0 what the machine has.
int thread_count(int threads);

/// Calls `work` on each of several threads, 0: as many as the machine has. An exception of one is
/// thrown on when all have ended. The engine in a browser has one thread (web/engine).
void on_threads(int threads, const std::function<void()>& work);

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
  std::int64_t window_;
  bool more_may_come_ = false;
  std::int64_t claimed_trials_ = 0;
  std::deque<TrialChunk> chunks_;  ///< claimed, in order; a deque keeps their addresses
  bool closed_ = false;
};

/// How far the trials are: written by the threads that run them, read by whoever watches.
struct TrialCounters {
  std::array<std::atomic<std::int64_t>, kOutcomeCount> by_outcome{};

  void add(Outcome outcome, std::int64_t trials = 1) {
    by_outcome[static_cast<std::size_t>(outcome)].fetch_add(trials, std::memory_order_relaxed);
  }
  void add(const CellCounts& counts);
  /// The counts by now. Trials that end meanwhile are in or not.
  [[nodiscard]] CellCounts snapshot() const;
};

/// Begins to show the progress of trials that are about to be simulated, which `counters` will
/// count; what it returns ends the show when it dies. An empty function shows nothing.
using ShowTrials =
    std::function<std::shared_ptr<const void>(const TrialCounters& counters, std::int64_t total)>;

/// What `show` returns; null when it is empty.
inline std::shared_ptr<const void> shown(const ShowTrials& show, const TrialCounters& counters,
                                         std::int64_t total) {
  return show ? show(counters, total) : nullptr;
}

/// How trials are run.
struct SweepControl {
  int threads = 0;                         ///< 0: as many as the machine has
  const std::atomic<int>* stop = nullptr;  ///< no new trial begins once this is not zero
  TrialCounters* counters = nullptr;       ///< counts the trials as they end
};

/// One trial: everything that it needs is its index and one thread's memory.
using TrialFunction =
    std::function<Outcome(std::int64_t index, Workspace& workspace, SimulationResult& result)>;

/// Runs trials 0, 1, ..., count - 1 on several threads, begun in the order of the index. Returns
/// how many were run: count, or fewer when it was stopped; the trials that were run are always the
/// first ones, without a gap. An exception of `trial` stops the others and is thrown on.
std::int64_t run_trials(std::int64_t count, const SweepControl& control,
                        const TrialFunction& trial);

/// One trial of a sweep as its row.
using RowFunction =
    std::function<TrialRow(std::int64_t index, Workspace& workspace, SimulationResult& result)>;

/// The trials of a configuration, which must outlive the function.
RowFunction sweep_trials(const SweepConfig& config);

/// Runs chunks of a queue on several threads until there are no more. Chunks are small enough that
/// one takes some 20 ms, whatever a trial takes. An exception of `trial` closes the queue and is
/// thrown on. The queue's stop flag is the one that counts.
void run_chunks(ChunkQueue& queue, int threads, const RowFunction& trial);

/// How many trials a chunk should have: as many as took a chunk's time in the last one.
class ChunkPacer {
 public:
  /// Chunks that take `chunk_s` and have at most `most` trials; the first one has `first`.
  ChunkPacer(double chunk_s, std::int64_t first, std::int64_t most)
      : chunk_s_(chunk_s), most_(most), trials_(first) {}

  [[nodiscard]] std::int64_t trials() const { return trials_; }

  /// A chunk of `trials` trials took `seconds`.
  void took(std::int64_t trials, double seconds) {
    const double fitting = chunk_s_ * static_cast<double>(trials) / std::max(seconds, 1e-9);
    // At most twice as many as before: the first trials may have been short ones.
    const double next = std::min(fitting, 2.0 * static_cast<double>(trials_));
    trials_ = std::clamp<std::int64_t>(static_cast<std::int64_t>(next), 1, most_);
  }

 private:
  double chunk_s_;
  std::int64_t most_;
  std::int64_t trials_;
};

/// Trials with parameters that somebody chose (sample_at draws them for a placement), in place of
/// those of a sweep's cells.

/// Simulates trials with given parameters on several threads. `uncertain` has the values of
/// config.uncertain of each trial, one trial after the other; without them all trials have the
/// nominal ones. Outcome k is that of trial k; when the control's stop flag ends it early, there
/// are outcomes of the first trials only.
std::vector<Outcome> simulate_trials(const SweepConfig& config,
                                     std::span<const TrialParameters> trials,
                                     const SweepControl& control = {},
                                     std::span<const double> uncertain = {});

}  // namespace graspmap
