#include "grasp/sweep/mpi/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <limits>
#include <optional>
#include <vector>

#include "grasp/base/io/number_text.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/sweep/mpi/communicator.hpp"
#include "grasp/sweep/mpi/dispatcher.hpp"
#include "grasp/sweep/mpi/ranks.hpp"
#include "grasp/sweep/store/stored_sweep.hpp"
#include "grasp/sweep/trials/sweep.hpp"
#include "grasp/sweep/trials/trial_record.hpp"

namespace graspmap {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kRequestsOnTheWay = 2;
constexpr double kRequest_s = 0.25;
constexpr int kFirstTrialsPerThread = 4;
constexpr double kRowsWait_s = 0.001;  ///< how long rows or messages may wait to be noticed
constexpr double kAlive_s = 5.0;  ///< how often rank 0 hears at least, however long trials take

/// Throws unless the trials that rank 0 ran come out here to the last bit: the same program may
/// compute other bits on another kind of processor or with another mathematical library.
void check_same_bits(const SweepConfig& config, const std::vector<TrialRow>& probes) {
  Workspace workspace;
  SimulationResult result;
  for (const TrialRow& probe : probes) {
    if (identical(run_trial(config, probe.index, workspace, result), probe)) continue;
    throw std::runtime_error(
        fmt::format("trial {} comes out differently here than at rank 0; all ranks need the same "
                    "libraries, and processors that compute the same bits",
                    probe.index));
  }
}

/// The trials that a rank was given, while its threads run them.
class Worker {
 public:
  Worker(MpiCommunicator& communicator, const SweepConfig& config, int threads,
         const std::atomic<int>& stop)
      : communicator_(communicator),
        queue_(&stop),
        pacer_(kRequest_s, kFirstTrialsPerThread * threads,
               std::numeric_limits<std::int64_t>::max()),
        trials_([this, &config, threads] { run_queue(config, threads); }) {}
  ~Worker() { queue_.close(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Works until there are no more trials, rank 0 wants no more rows, or a signal came.
  void run() {
    for (int k = 0; k < kRequestsOnTheWay; ++k) request();
    while (queue_.take(rows_, std::numeric_limits<std::size_t>::max(), kRowsWait_s)) {
      while (!given_.empty() && std::ssize(rows_) >= given_.front()) send_front();
      while (const auto message = communicator_.receive(0)) obey(*message);
      tell_that_it_lives();
    }
    trials_.finish();
  }

 private:
  /// In the background: all trials of the queue.
  void run_queue(const SweepConfig& config, int threads) {
    run_chunks(queue_, threads, sweep_trials(config));
    queue_.close();
  }

  void send(MpiTag tag, const MessageBytes& bytes) {
    communicator_.send(0, tag, bytes);
    last_sent_ = Clock::now();
  }

  void request() { send(kTagRequest, pack(pacer_.trials())); }

  void tell_that_it_lives() {
    if (std::chrono::duration<double>(Clock::now() - last_sent_).count() > kAlive_s) {
      send(kTagAlive, {});
    }
  }

  void obey(const MpiMessage& message) {
    if (message.tag == kTagTrials) {
      if (given_.empty()) front_began_ = Clock::now();
      const TrialRanges ranges = unpack_ranges(message.bytes);
      given_.push_back(count_trials(ranges));
      queue_.add(ranges);
    } else if (message.tag == kTagEnd) {
      queue_.add_no_more();
    } else {
      queue_.close();
    }
  }

  /// Sends the rows of the trials at the front, and asks for others.
  void send_front() {
    const std::int64_t trials = given_.front();
    const auto now = Clock::now();
    pacer_.took(trials, std::chrono::duration<double>(now - front_began_).count());
    front_began_ = now;
    given_.pop_front();
    const auto rows = std::span(rows_).first(static_cast<std::size_t>(trials));
    request();
    send(kTagRows, pack(rows));
    rows_.erase(rows_.begin(), rows_.begin() + trials);
  }

  MpiCommunicator& communicator_;
  ChunkQueue queue_;
  ChunkPacer pacer_;
  std::deque<std::int64_t> given_;  ///< numbers of trials, given and not sent back yet, in order
  Clock::time_point last_sent_ = Clock::now();
  Clock::time_point front_began_;  ///< when the threads came to the trials at the front
  std::vector<TrialRow> rows_;     ///< of these trials, from the front on without a gap
  BackgroundTask trials_;          ///< the last member: ends before the others do
};

/// The first message of rank 0; nothing when a signal came before it.
std::optional<MpiMessage> first_message(MpiCommunicator& communicator,
                                        const std::atomic<int>& stop) {
  constexpr double kLook_s = 0.05;  // how often it looks at the flag
  while (stop == 0) {
    if (auto message = communicator.receive(kLook_s)) return message;
  }
  return std::nullopt;
}

/// What every rank except rank 0 does: runs the trials that rank 0 gives it and sends it the rows,
/// until there are no more, or none are wanted. Two ranges are on their way at any time, so that
/// the threads do not wait; they have as many trials as take this rank a quarter of a second. The
/// rank sends its errors to rank 0, which reports them to the user.
void work_for_rank_0(MpiCommunicator& communicator, const std::vector<RankInfo>& ranks) {
  if (rank_of_other_build(ranks) != 0) return;  // rank 0 sees it too, and says it
  const InterruptGuard interrupt(InterruptGuard::kForever_s);
  const auto message = first_message(communicator, interrupt.signal());
  if (message && message->tag == kTagEnd) return;
  try {
    if (message) {
      const BeginMessage begin = unpack_begin(message->bytes);
      const int threads =
          begin.threads > 0 ? begin.threads : default_threads(ranks, communicator.rank());
      const SweepConfig config =
          parse_sweep_config(begin.config_toml, "the configuration of rank 0");
      check_same_bits(config, begin.probes);
      Worker(communicator, config, threads, interrupt.signal()).run();
    }
    communicator.send(0, kTagDone, {});
  } catch (const std::exception& error) {
    communicator.send(0, kTagFailure, pack(std::string(error.what())));
  }
  communicator.leave();
}

void check_builds(const std::vector<RankInfo>& ranks) {
  const int other = rank_of_other_build(ranks);
  if (other == 0) return;
  throw ConfigError(fmt::format(
      "{} runs graspmap {}, rank 0 {}; all must run the same, or the trials are not the same bits",
      rank_name(ranks, other), ranks[static_cast<std::size_t>(other)].build, ranks.front().build));
}

/// A few trials, evenly spread, as they come out here.
std::vector<TrialRow> probes(const SweepConfig& config, TrialRange trials) {
  constexpr std::int64_t kProbes = 8;
  Workspace workspace;
  SimulationResult result;
  std::vector<TrialRow> rows;
  const std::int64_t interval = std::max<std::int64_t>(trials.trials() / kProbes, 1);
  for (std::int64_t index = trials.first; index < trials.end; index += interval) {
    rows.push_back(run_trial(config, index, workspace, result));
  }
  return rows;
}

}  // namespace

std::int64_t window_trials(int all_threads) {
  constexpr std::int64_t kTrialsPerThread = 8192;
  constexpr std::int64_t kMostTrials = 1'048'576;
  return std::clamp(kTrialsPerThread * all_threads, kDefaultWindow, kMostTrials);
}

MpiJob::MpiJob() : ranks_(exchange_ranks(communicator_)) {
  if (leads()) check_builds(ranks_);
}

MpiJob::~MpiJob() {
  try {
    if (leads()) dismiss();
  } catch (const std::exception&) {
    communicator_.abandon();  // the launcher ends the others
  }
}

void MpiJob::work() { work_for_rank_0(communicator_, ranks_); }

int MpiJob::threads_of(int rank, int threads) const {
  if (threads > 0) return threads;
  return processes() == 1 ? thread_count(0) : default_threads(ranks_, rank);
}

int MpiJob::all_threads(int threads) const {
  int sum = 0;
  for (int rank = 0; rank < processes(); ++rank) sum += threads_of(rank, threads);
  return sum;
}

std::string MpiJob::text(int threads) const {
  return fmt::format("{} ranks on {}, {} threads", processes(),
                     counted(count_hosts(ranks_), "host"), all_threads(threads));
}

void MpiJob::run_stored_sweep(RunStore& store, RunTotals& totals, const SweepControl& control) {
  if (processes() > 1) return run_on_all(store, totals, control);
  graspmap::run_stored_sweep(store, totals, control, sweep_trials(store.config()));
}

void MpiJob::run_on_all(RunStore& store, RunTotals& totals, const SweepControl& control) {
  std::vector<int> threads;
  for (int rank = 0; rank < processes(); ++rank) {
    threads.push_back(threads_of(rank, control.threads));
  }
  const std::int64_t window = window_trials(all_threads(control.threads));
  std::atomic<int> halt{0};
  ChunkQueue queue(&halt, window);
  MpiDispatcher dispatcher(communicator_, ranks_, threads, store.config().placement, queue, window,
                           control.stop, halt);
  const BeginMessage begin_message{control.threads, store.config_toml(),
                                   probes(store.config(), store.asked())};
  graspmap::run_stored_sweep(store, totals, queue, control.counters, [&] {
    BackgroundTask own_trials(
        [&] { run_chunks(queue, threads.front(), sweep_trials(store.config())); });
    begun_ = true;
    dispatcher.run(begin_message);
    own_trials.finish();
  });
}

void MpiJob::dismiss() {
  if (dismissed_) return;
  dismissed_ = true;
  for (int rank = 1; rank < processes() && !begun_; ++rank) communicator_.send(rank, kTagEnd, {});
  communicator_.leave();
}

}  // namespace graspmap
