#pragma once

#include <string>
#include <vector>

#include "grasp/sweep/mpi/communicator.hpp"
#include "grasp/sweep/mpi/ranks.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/store/stored_trials.hpp"
#include "grasp/sweep/trials/sweep.hpp"

namespace graspmap {

/// The processes that run a sweep together: those of an MPI job, or this one alone. Rank 0 leads:
/// it alone reads the configuration, writes the store and says anything; it runs trials like the
/// others. They wait for it, and end when it does, whatever goes wrong there.
class MpiJob {
 public:
  /// Joins the job. Throws IoError when MPI does not work, and ConfigError at rank 0 when the ranks
  /// do not run the same build.
  MpiJob();
  ~MpiJob();
  MpiJob(const MpiJob&) = delete;
  MpiJob& operator=(const MpiJob&) = delete;

  [[nodiscard]] bool leads() const { return communicator_.rank() == 0; }
  [[nodiscard]] int processes() const { return communicator_.size(); }

  /// What the other ranks do, from beginning to end. Rank 0 reports every error, and all others
  /// exit with 0: launchers kill the whole job as soon as one exits with another code.
  void work();

  /// For rank 0: the threads of all ranks together; `threads` is for each, 0 for its default.
  [[nodiscard]] int all_threads(int threads) const;
  /// For rank 0: "4 ranks on 2 hosts, 32 threads".
  [[nodiscard]] std::string text(int threads) const;
  /// For rank 0: run_stored_sweep, on the threads of all ranks, control.threads at each. Throws
  /// IoError also when a rank fails or is lost; what had arrived by then is stored. Once.
  void run_stored_sweep(RunStore& store, RunTotals& totals, const SweepControl& control);
  /// For rank 0: lets the others end. The job is over.
  void dismiss();

 private:
  [[nodiscard]] int threads_of(int rank, int threads) const;
  void run_on_all(RunStore& store, RunTotals& totals, const SweepControl& control);

  MpiCommunicator communicator_;
  std::vector<RankInfo> ranks_;
  bool begun_ = false;  ///< the others have got what to simulate
  bool dismissed_ = false;
};

/// The trials of a sweep that may be claimed and not stored yet: two seconds' work of all threads,
/// between 65,536 and 1,048,576. A row has some 200 bytes: not more than 210 MB.
std::int64_t window_trials(int all_threads);

}  // namespace graspmap
