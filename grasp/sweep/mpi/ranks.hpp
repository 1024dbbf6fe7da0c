#pragma once

#include <bitset>
#include <string>
#include <vector>

#include "grasp/sweep/mpi/world.hpp"

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
std::vector<RankInfo> exchange_ranks(MpiWorld& world);

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

/// A rank whose build is another one than that of rank 0; 0 when there is none.
int rank_of_other_build(const std::vector<RankInfo>& ranks);

}  // namespace graspmap
