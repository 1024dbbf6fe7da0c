#include "grasp/sweep/store/run_lock.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <optional>

#include "grasp/base/io/atomic_file.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace {

TEST_CASE("a locked folder is refused with the owner's process id, and free afterwards") {
  const testing::TemporaryFolder folder;
  {
    const RunLock lock(folder.path());
    CHECK(lock.crashed_owner().empty());
    CHECK_THROWS_AS(RunLock(folder.path()), ConfigError);
    CHECK_THROWS_WITH(RunLock(folder.path()),
                      Catch::Contains("process " + std::to_string(::getpid()) + " on host "));
  }
  CHECK(std::filesystem::is_empty(folder.path()));
  CHECK(RunLock(folder.path()).crashed_owner().empty());
}

TEST_CASE("the lock of a process that was killed is recognised as stale") {
  const testing::TemporaryFolder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    const RunLock lock(folder.path());
    ::raise(SIGKILL);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
  CHECK(std::filesystem::exists(folder.path() / "run.lock"));
  const RunLock lock(folder.path());
  CHECK_THAT(lock.crashed_owner(),
             Catch::StartsWith("process " + std::to_string(child) + " on host "));
}

TEST_CASE("a folder without room for a lock is an IoError") {
  const testing::TemporaryFolder folder;
  CHECK_THROWS_AS(RunLock(folder.path() / "none"), IoError);
}

}  // namespace
}  // namespace graspmap
