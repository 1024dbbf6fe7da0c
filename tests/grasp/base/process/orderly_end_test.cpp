#include "grasp/base/process/orderly_end.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <functional>
#include <optional>

#include "grasp/base/process/stop.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace {

namespace fs = std::filesystem;
using testing::file_text;
using testing::TemporaryFolder;

/// A process that does something under EndOnSignal and then waits for what comes. Its standard
/// error goes to a file.
class Child {
 public:
  Child(const fs::path& errors, bool tells, const std::function<void()>& work) {
    id_ = ::fork();
    if (id_ != 0) return;
    ::dup2(::open(errors.c_str(), O_WRONLY | O_CREAT, 0666), STDERR_FILENO);
    const EndOnSignal end(tells);
    work();
    for (;;) ::pause();
  }

  /// Its exit code.
  [[nodiscard]] int wait() const {
    int status = 0;
    ::waitpid(id_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t id_;
};

void write(const fs::path& file) { std::ofstream(file) << "text"; }

TEST_CASE("a signal ends the process with its exit code and removes what is temporary") {
  const int signal = GENERATE(SIGINT, SIGTERM, SIGHUP);
  const TemporaryFolder folder;
  const fs::path work = folder.path() / "work";
  const Child child(folder.path() / "errors", true, [&] {
    const TemporaryPath temporary(work);
    fs::create_directory(work);
    write(work / "a");
    write(folder.path() / "stays");
    std::raise(signal);
    for (;;) ::pause();
  });
  CHECK(child.wait() == 128 + signal);
  CHECK_FALSE(fs::exists(work));
  CHECK(fs::exists(folder.path() / "stays"));
  CHECK(file_text(folder.path() / "errors") == "graspmap: interrupted; nothing was written.\n");
}

TEST_CASE("a hangup that is ignored, as under nohup, stays so") {
  const TemporaryFolder folder;
  const auto before = std::signal(SIGHUP, SIG_IGN);
  const Child child(folder.path() / "errors", true, [&] {
    const InterruptGuard guard;
    std::raise(SIGHUP);
    ::_exit(guard.signal() == 0 ? 7 : 8);
  });
  std::signal(SIGHUP, before);
  CHECK(child.wait() == 7);
}

TEST_CASE("what has got its name stays, and is told") {
  const TemporaryFolder folder;
  const Child child(folder.path() / "errors", true, [&] {
    TemporaryPath temporary(folder.path() / "a.tmp");
    write(temporary.path());
    fs::rename(temporary.path(), folder.path() / "a");
    temporary.keep();
    std::raise(SIGTERM);
  });
  CHECK(child.wait() == 143);
  CHECK(fs::exists(folder.path() / "a"));
  CHECK(file_text(folder.path() / "errors") ==
        "graspmap: interrupted; the files that were written are complete.\n");
}

TEST_CASE("the end waits for what must not be broken, and may be silent") {
  const TemporaryFolder folder;
  const Child child(folder.path() / "errors", false, [&] {
    const Unbroken moment;
    std::raise(SIGINT);
    ::usleep(50'000);
    write(folder.path() / "first");
    write(folder.path() / "second");
  });
  CHECK(child.wait() == 130);
  CHECK(fs::exists(folder.path() / "second"));
  CHECK(file_text(folder.path() / "errors").empty());
}

TEST_CASE(
    "a guard that ends in time ends the process itself, one that does not is not waited for") {
  const bool in_time = GENERATE(true, false);
  const TemporaryFolder folder;
  const Child child(folder.path() / "errors", true, [&] {
    std::optional<InterruptGuard> guard(0.05);
    std::raise(SIGTERM);
    if (in_time) {
      guard.reset();
      ::usleep(150'000);
      ::_exit(3);
    }
    for (;;) ::pause();
  });
  CHECK(child.wait() == (in_time ? 3 : 143));
  CHECK(file_text(folder.path() / "errors").empty() == in_time);
}

TEST_CASE("child processes are killed with the process") {
  const TemporaryFolder folder;
  const Child child(folder.path() / "errors", false, [&] {
    const pid_t grandchild = ::fork();
    if (grandchild == 0) {
      for (;;) ::pause();
    }
    const ChildProcess process(grandchild);
    std::ofstream(folder.path() / "id") << grandchild;
    std::raise(SIGTERM);
    for (;;) ::pause();
  });
  CHECK(child.wait() == 143);
  CHECK(::kill(std::stoi(file_text(folder.path() / "id")), 0) == -1);
}

TEST_CASE("a temporary path is removed at the end of its scope, unless it was kept") {
  const TemporaryFolder folder;
  {
    const TemporaryPath removed(folder.path() / "removed");
    TemporaryPath kept(folder.path() / "kept");
    TemporaryPath moved(folder.path() / "moved");
    const TemporaryPath other(std::move(moved));
    for (const char* name : {"removed", "kept", "moved"}) write(folder.path() / name);
    kept.keep();
  }
  CHECK_FALSE(fs::exists(folder.path() / "removed"));
  CHECK_FALSE(fs::exists(folder.path() / "moved"));
  CHECK(fs::exists(folder.path() / "kept"));
}

TEST_CASE("a child process tells how it ended") {
  const pid_t id = ::fork();
  if (id == 0) ::_exit(7);
  ChildProcess process(id);
  const int status = process.wait();
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 7);
}

}  // namespace
}  // namespace graspmap
