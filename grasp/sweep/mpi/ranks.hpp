#pragma once

#include <bitset>
#include <optional>
#include <string>
#include <vector>

#include "grasp/sweep/mpi/communicator.hpp"

namespace graspmap {

/// The logical processors of a machine that a process may use.
inline constexpr std::size_t kMostCpus = 1024;
using CpuSet = std::bitset<kMostCpus>;

/// What all ranks of a job know of one of them.
struct RankInfo {
  std::string host;
  int process_id = 0;
  std::string build;  ///< version and commit
  CpuSet cpus;
};

/// All ranks of a job, by rank; each must call it.
std::vector<RankInfo> exchange_ranks(MpiCommunicator& communicator);

/// The threads that a rank should have where nobody says how many: its fair part of the processors
/// that it may use, which the launcher may have bound it to, or which it may share with other ranks
/// on its host. At least 1.
int default_threads(const std::vector<RankInfo>& ranks, int rank);

/// On how many hosts the ranks are.
int count_hosts(const std::vector<RankInfo>& ranks);

/// "rank 3 (process 4711 on host lab7)".
std::string rank_name(const std::vector<RankInfo>& ranks, int rank);

/// Whether the process of a rank is no more; false where it is on another host than `this_host`, or
/// cannot be looked at.
bool is_gone(const RankInfo& rank, const std::string& this_host);

/// A rank whose build is another one than that of rank 0; 0 when all are the same.
int rank_of_other_build(const std::vector<RankInfo>& ranks);

/// Which process of how many a launcher of MPI programs (mpirun, srun) began.
struct MpiLaunch {
  int rank = 0;
  int size = 1;
  friend bool operator==(const MpiLaunch&, const MpiLaunch&) = default;
};

/// What the environment says of the launcher: of Open MPI, or one that speaks PMI or PMIx (Slurm).
/// Nothing when this process was begun in another way, or as the only one: then MPI is not needed.
std::optional<MpiLaunch> mpi_launch();

}  // namespace graspmap
