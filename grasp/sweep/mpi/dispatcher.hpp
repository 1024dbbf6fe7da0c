#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "grasp/sweep/mpi/communicator.hpp"
#include "grasp/sweep/mpi/ranks.hpp"
#include "grasp/sweep/trials/sweep.hpp"
#include "grasp/sweep/trials/trial.hpp"
#include "grasp/sweep/trials/trial_range.hpp"

namespace graspmap {

/// What ranks send each other; the tag of a message. Rank 0 leads, the others work for it.
enum MpiTag : int {
  // From rank 0 to the others.
  kTagBegin,   ///< a BeginMessage: what to simulate
  kTagTrials,  ///< TrialRanges: the answer to a request
  kTagEnd,     ///< no more trials: run those that were given, and end
  kTagStop,    ///< end now; what is being run is not needed
  // From the others to rank 0.
  kTagRequest,  ///< a number of trials: wants about that many
  kTagAlive,    ///< nothing: sent now and then by a rank that has nothing else to send yet
  kTagRows,     ///< the records of the trials of one answer; in the order of the answers
  kTagFailure,  ///< a text: what went wrong; the last message of a rank
  kTagDone,     ///< nothing: the last message of a rank
};

/// What a rank has to know before it can run trials.
struct BeginMessage {
  int threads = 0;               ///< 0: the rank's default
  std::string config_toml;       ///< resolved
  std::vector<TrialRow> probes;  ///< some trials as they come out at rank 0
};

using MessageBytes = std::vector<std::byte>;

MessageBytes pack(const BeginMessage& message);
BeginMessage unpack_begin(std::span<const std::byte> bytes);

MessageBytes pack(const TrialRanges& ranges);
TrialRanges unpack_ranges(std::span<const std::byte> bytes);

MessageBytes pack(std::int64_t number);
std::int64_t unpack_number(std::span<const std::byte> bytes);

MessageBytes pack(std::span<const TrialRow> rows);
std::vector<TrialRow> unpack_rows(std::span<const std::byte> bytes);

MessageBytes pack(const std::string& text);
std::string unpack_text(std::span<const std::byte> bytes);

/// Gives the trials of a queue at rank 0 to the other ranks, and takes their rows. A rank gets
/// about as many trials as it asks for; fewer towards the end, so that all end together.
class MpiDispatcher {
 public:
  /// `placement` gives the rows their cells. `stop` is the sweep's stop flag, if it has one. `halt`
  /// is the queue's, which is set when the sweep is to end early. `threads_by_rank` has the threads
  /// of each.
  MpiDispatcher(MpiCommunicator& communicator, const std::vector<RankInfo>& ranks,
                std::vector<int> threads_by_rank, const PlacementSweep& placement,
                ChunkQueue& queue, std::int64_t window, const std::atomic<int>* stop,
                std::atomic<int>& halt);

  /// Serves the other ranks until all of them have ended: because the queue is exhausted, or
  /// `stop` is set. Throws IoError, after `halt` is set, when a rank fails or ends too early,
  /// or is lost: then the communicator is abandoned.
  void run(const BeginMessage& begin);

 private:
  using Clock = std::chrono::steady_clock;

  /// What rank 0 knows of another rank.
  struct Worker {
    std::deque<TrialChunk*> chunks;  ///< what it runs, in the order in which it was given
    Clock::time_point last_heard;
    bool done = false;  ///< its last message was received
  };
  /// A rank wants about so many trials.
  struct Request {
    std::size_t rank;
    std::int64_t trials;
  };

  void serve();
  void wind_up();
  [[nodiscard]] bool is_stopped() const;
  [[nodiscard]] bool all_done() const;
  void receive(const MpiMessage& message);
  void fail(int rank, const std::string& what);
  void receive_rows(Worker& worker, const MpiMessage& message);
  void answer_requests();
  [[nodiscard]] std::int64_t share(const Request& request) const;
  void tell_all(MpiTag tag, const MessageBytes& bytes = {});
  void check_silence();
  [[nodiscard]] std::size_t first_silent() const;
  [[noreturn]] void lose(std::size_t rank, const std::string& what);

  MpiCommunicator& communicator_;
  const std::vector<RankInfo>& ranks_;
  std::vector<int> threads_by_rank_;
  const PlacementSweep& placement_;
  ChunkQueue& queue_;
  std::int64_t window_;
  const std::atomic<int>* stop_;
  std::atomic<int>& halt_;
  std::vector<Worker> workers_;  ///< by rank; rank 0 is done from the beginning
  std::deque<Request> requests_;
  std::string failure_;  ///< what the first rank that failed said
};

}  // namespace graspmap
