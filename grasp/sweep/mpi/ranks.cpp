#include "grasp/sweep/mpi/ranks.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <set>

#include "grasp/base/io/number.hpp"
#include "grasp/base/process/environment.hpp"

namespace graspmap {
namespace {

static_assert(CPU_SETSIZE == kMostCpus);

/// A RankInfo as it travels; texts end with a zero, and are cut where they are too long.
struct PackedRankInfo {
  char host[256];
  char build[128];
  int process_id;
  cpu_set_t cpus;
};

template <std::size_t kSize>
void copy_text(char (&to)[kSize], const std::string& text) {
  text.copy(to, kSize - 1);
}

PackedRankInfo own_info() {
  PackedRankInfo info{};
  copy_text(info.host, host_name());
  copy_text(info.build, fmt::format("{} ({})", version(), git_commit()));
  info.process_id = ::getpid();
  // On a failure (more than kMostCpus of them) the set stays empty, which stands for one.
  ::sched_getaffinity(0, sizeof info.cpus, &info.cpus);
  return info;
}

RankInfo unpacked(const PackedRankInfo& packed) {
  RankInfo info{packed.host, packed.process_id, packed.build, {}};
  for (std::size_t k = 0; k < kMostCpus; ++k) info.cpus[k] = CPU_ISSET(k, &packed.cpus);
  return info;
}

}  // namespace

std::vector<RankInfo> exchange_ranks(MpiCommunicator& communicator) {
  const PackedRankInfo own = own_info();
  std::vector<RankInfo> ranks;
  for (const auto& bytes : communicator.all_gather(std::as_bytes(std::span(&own, 1)))) {
    PackedRankInfo packed{};
    std::memcpy(&packed, bytes.data(), sizeof packed);
    ranks.push_back(unpacked(packed));
  }
  return ranks;
}

int default_threads(const std::vector<RankInfo>& ranks, int rank) {
  const RankInfo& own = ranks[static_cast<std::size_t>(rank)];
  std::size_t sharing = 0;
  std::size_t before = 0;  // those of lower rank, who get what does not divide
  for (std::size_t k = 0; k < ranks.size(); ++k) {
    if (ranks[k].host != own.host || (ranks[k].cpus & own.cpus).none()) continue;
    ++sharing;
    if (k < static_cast<std::size_t>(rank)) ++before;
  }
  if (sharing == 0) return 1;
  const std::size_t cpus = own.cpus.count();
  const std::size_t threads = cpus / sharing + (before < cpus % sharing ? 1 : 0);
  return static_cast<int>(std::max<std::size_t>(threads, 1));
}

int count_hosts(const std::vector<RankInfo>& ranks) {
  std::set<std::string> hosts;
  for (const RankInfo& rank : ranks) hosts.insert(rank.host);
  return static_cast<int>(hosts.size());
}

std::string rank_name(const std::vector<RankInfo>& ranks, int rank) {
  const RankInfo& info = ranks[static_cast<std::size_t>(rank)];
  return fmt::format("rank {} (process {} on host {})", rank, info.process_id, info.host);
}

bool is_gone(const RankInfo& rank, const std::string& this_host) {
  return rank.host == this_host && ::kill(rank.process_id, 0) != 0 && errno == ESRCH;
}

int rank_of_other_build(const std::vector<RankInfo>& ranks) {
  const auto other = std::find_if(ranks.begin(), ranks.end(), [&](const RankInfo& rank) {
    return rank.build != ranks.front().build;
  });
  return other == ranks.end() ? 0 : static_cast<int>(other - ranks.begin());
}

namespace {

/// The variables in which a launcher says a process's rank and their number.
struct LauncherVariables {
  const char* rank;
  const char* size;
};

constexpr std::array kLaunchers = {
    LauncherVariables{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    LauncherVariables{"PMI_RANK", "PMI_SIZE"},
    LauncherVariables{"PMIX_RANK", "SLURM_STEP_NUM_TASKS"},
};

std::optional<int> whole_number(const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  const auto number = parse_integer(text);
  return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

}  // namespace

std::optional<MpiLaunch> mpi_launch() {
  for (const LauncherVariables& variables : kLaunchers) {
    const auto rank = whole_number(variables.rank);
    const auto size = whole_number(variables.size);
    if (rank && size && *size > 1) return MpiLaunch{*rank, *size};
  }
  return std::nullopt;
}

}  // namespace graspmap
