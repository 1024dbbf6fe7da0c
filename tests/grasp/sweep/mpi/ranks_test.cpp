#include "grasp/sweep/mpi/ranks.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

#include "grasp/sweep/mpi/job.hpp"

namespace graspmap {
namespace {

/// A rank that may use the processors first, ..., first + count - 1 of a host.
RankInfo rank_on(const std::string& host, std::size_t first, std::size_t count) {
  RankInfo rank{host, 4711, "1.0.0 (abc)", {}};
  for (std::size_t k = first; k < first + count; ++k) rank.cpus.set(k);
  return rank;
}

std::vector<int> threads(const std::vector<RankInfo>& ranks) {
  std::vector<int> threads;
  for (std::size_t k = 0; k < ranks.size(); ++k) {
    threads.push_back(default_threads(ranks, static_cast<int>(k)));
  }
  return threads;
}

using Threads = std::vector<int>;

TEST_CASE("ranks that may use the same processors share them") {
  CHECK(threads({rank_on("a", 0, 8)}) == Threads{8});
  CHECK(threads({rank_on("a", 0, 8), rank_on("b", 0, 4)}) == Threads{8, 4});
  CHECK(threads({rank_on("a", 0, 8), rank_on("a", 0, 8)}) == Threads{4, 4});
  CHECK(threads({rank_on("a", 0, 8), rank_on("a", 0, 8), rank_on("a", 0, 8)}) == Threads{3, 3, 2});
}

TEST_CASE("ranks that are bound to processors of their own use all of them") {
  CHECK(threads({rank_on("a", 0, 8), rank_on("a", 8, 8)}) == Threads{8, 8});
  CHECK(threads({rank_on("a", 0, 1), rank_on("a", 1, 1)}) == Threads{1, 1});
}

TEST_CASE("a rank has one thread at least") {
  const RankInfo two = rank_on("a", 0, 2);
  CHECK(threads({two, two, two, two}) == Threads{1, 1, 1, 1});
  CHECK(threads({rank_on("a", 0, 0)}) == Threads{1});
}

TEST_CASE("a rank of another build is found") {
  std::vector<RankInfo> ranks(3, rank_on("a", 0, 1));
  CHECK(rank_of_other_build(ranks) == 0);
  ranks[2].build = "1.0.0 (def)";
  CHECK(rank_of_other_build(ranks) == 2);
}

TEST_CASE("ranks are named and their hosts are counted") {
  const std::vector<RankInfo> ranks = {rank_on("a", 0, 1), rank_on("b", 0, 1), rank_on("a", 0, 1)};
  CHECK(count_hosts(ranks) == 2);
  CHECK(rank_name(ranks, 1) == "rank 1 (process 4711 on host b)");
}

TEST_CASE("a rank whose process has ended on this host is gone") {
  RankInfo rank = rank_on("a", 0, 1);
  rank.process_id = ::fork();
  if (rank.process_id == 0) ::_exit(0);
  REQUIRE(rank.process_id > 0);
  CHECK_FALSE(is_gone(rank, "a"));  // its end has not been waited for
  ::waitpid(rank.process_id, nullptr, 0);
  CHECK(is_gone(rank, "a"));
  CHECK_FALSE(is_gone(rank, "b"));
}

TEST_CASE("the window grows with the threads, up to a bound") {
  CHECK(window_trials(1) == 65536);
  CHECK(window_trials(32) == 262144);
  CHECK(window_trials(100000) == 1048576);
}

/// A variable of the environment, while it lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

TEST_CASE("a process that no launcher began is alone") { CHECK_FALSE(mpi_launch()); }

TEST_CASE("launchers say rank and size in their own variables") {
  const auto [rank, size] = GENERATE(table<const char*, const char*>({
      {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
      {"PMI_RANK", "PMI_SIZE"},
      {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"},
  }));
  const Variable rank_variable(rank, "2");
  CHECK_FALSE(mpi_launch());
  {
    const Variable size_variable(size, "4");
    CHECK(mpi_launch() == MpiLaunch{2, 4});
  }
  const Variable one(size, "1");
  CHECK_FALSE(mpi_launch());
}

}  // namespace

}  // namespace graspmap
