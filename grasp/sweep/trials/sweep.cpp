#include "grasp/sweep/trials/sweep.hpp"

#include <algorithm>
#include <chrono>

#include "geometry/assert.hpp"

namespace graspmap {
namespace {

/// How often those who wait look at the stop flag, which a signal handler sets without a notice.
constexpr std::chrono::milliseconds kStopInterval(50);

bool is_set(const std::atomic<int>* stop) {
  return stop != nullptr && stop->load(std::memory_order_relaxed) != 0;
}

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
  return closed_ || is_set(stop_) || (is_empty() && !more_may_come_);
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
  GRASPMAP_ASSERT(std::ssize(chunk.rows) == count_trials(chunk.ranges));
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

namespace {

constexpr double kChunk_s = 0.02;
constexpr std::int64_t kFirstChunkTrials = 4;
constexpr std::int64_t kMostChunkTrials = 1024;

}  // namespace

void TrialCounters::add(const CellCounts& counts) {
  for (const Outcome outcome : kOutcomes) add(outcome, counts.count(outcome));
}

CellCounts TrialCounters::snapshot() const {
  CellCounts counts;
  std::transform(by_outcome.begin(), by_outcome.end(), counts.by_outcome.begin(),
                 [](const auto& count) { return count.load(std::memory_order_relaxed); });
  return counts;
}

std::int64_t run_trials(std::int64_t count, const SweepControl& control,
                        const TrialFunction& trial) {
  // Indices are handed out in order. One that was taken is always run, so the trials that were run
  // are the first ones.
  std::atomic<std::int64_t> next{0};
  std::atomic<bool> aborted{false};
  on_threads(control.threads, [&] {
    Workspace workspace;
    SimulationResult result;
    try {
      while (!aborted && !is_set(control.stop)) {
        const std::int64_t index = next++;
        if (index >= count) return;
        const Outcome outcome = trial(index, workspace, result);
        if (control.counters != nullptr) control.counters->add(outcome);
      }
    } catch (...) {
      aborted = true;
      throw;
    }
  });
  return std::min(next.load(), count);
}

RowFunction sweep_trials(const SweepConfig& config) {
  return [&config](std::int64_t index, Workspace& workspace, SimulationResult& result) {
    return run_trial(config, index, workspace, result);
  };
}

void run_chunks(ChunkQueue& queue, int threads, const RowFunction& trial) {
  on_threads(threads, [&] {
    Workspace workspace;
    SimulationResult result;
    ChunkPacer pacer(kChunk_s, kFirstChunkTrials, kMostChunkTrials);
    try {
      while (TrialChunk* chunk = queue.claim(pacer.trials())) {
        const auto start = std::chrono::steady_clock::now();
        const std::int64_t trials = count_trials(chunk->ranges);
        chunk->rows.reserve(static_cast<std::size_t>(trials));
        for (const TrialRange& range : chunk->ranges) {
          for (std::int64_t index = range.first; index < range.end; ++index) {
            chunk->rows.push_back(trial(index, workspace, result));
          }
        }
        queue.deliver(*chunk);
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
        pacer.took(trials, elapsed.count());
      }
    } catch (...) {
      queue.close();
      throw;
    }
  });
}

std::vector<Outcome> simulate_trials(const SweepConfig& config,
                                     std::span<const TrialParameters> trials,
                                     const SweepControl& control,
                                     std::span<const double> uncertain) {
  const std::size_t numbers = uncertain.empty() ? 0 : config.uncertain.size();
  GRASPMAP_CHECK(uncertain.size() == numbers * trials.size());
  std::vector<Outcome> outcomes(trials.size(), Outcome::kFailed);
  const std::int64_t ended =
      run_trials(static_cast<std::int64_t>(trials.size()), control,
                 [&](std::int64_t index, Workspace& workspace, SimulationResult& result) {
                   const auto k = static_cast<std::size_t>(index);
                   const auto values = uncertain.subspan(k * numbers, numbers);
                   outcomes[k] = run_trial(config, trials[k], values, workspace, result).outcome;
                   return outcomes[k];
                 });
  outcomes.resize(static_cast<std::size_t>(ended));
  return outcomes;
}

}  // namespace graspmap
