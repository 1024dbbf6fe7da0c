#include "grasp/base/process/orderly_end.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grasp/base/process/stop.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace {

/// What this process has to clear away, and whether it has written anything.
struct Unfinished {
  std::recursive_mutex mutex;
  std::vector<fs::path> temporaries;
  std::vector<pid_t> children;
  bool has_written = false;
  std::string kept;  ///< the file from which the same command continues
};

Unfinished& unfinished() {
  static Unfinished all;
  return all;
}

/// A signal handler has no other way to say something than globals.
std::atomic<int> g_end_signal{0};
std::atomic<bool> g_end_is_told{true};
std::atomic<bool> g_end_is_watched{false};
std::atomic<bool> g_end_is_after_guard{false};
sem_t g_end_asked;

bool is_temporary(const fs::path& folder) {
  const auto& temporaries = unfinished().temporaries;
  return std::any_of(temporaries.begin(), temporaries.end(), [&](const fs::path& path) {
    std::error_code ignored;
    return fs::equivalent(path, folder, ignored);
  });
}

void ignore_errors_of_write(ssize_t /*written*/) {}

void write_line(std::string_view text) {
  // A progress bar may be on the line.
  if (::isatty(STDERR_FILENO) != 0) ignore_errors_of_write(::write(STDERR_FILENO, "\r\x1b[K", 4));
  ignore_errors_of_write(::write(STDERR_FILENO, text.data(), text.size()));
}

/// Waits for the end of a child process; returns its wait status.
int wait_status(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

[[noreturn]] void end_process(int signal) {
  Unfinished& all = unfinished();
  all.mutex.lock();  // for good: from now on nobody makes anything, or gives it a name
  for (const pid_t child : all.children) ::kill(child, SIGKILL);
  for (const pid_t child : all.children) wait_status(child);
  std::error_code ignored;
  for (const fs::path& path : all.temporaries) fs::remove_all(path, ignored);
  if (g_end_is_told) {
    const char* what =
        all.has_written ? "the files that were written are complete" : "nothing was written";
    write_line("graspmap: interrupted; " +
               (all.kept.empty() ? what : all.kept + " is kept; the same command continues") +
               ".\n");
  }
  ::_exit(exit_code_of_signal(signal));
}

extern "C" void graspmap_end_on_signal(int signal) {
  const int saved_errno = errno;
  g_end_signal.store(signal);
  EndSignals::reset();
  ::sem_post(&g_end_asked);
  errno = saved_errno;
}

/// True when the guard ended within its patience: then its command ends the process.
bool guard_ended() {
  constexpr std::chrono::milliseconds kLook(10);
  const auto begin = std::chrono::steady_clock::now();
  for (double patience_s = InterruptGuard::patience_s(); patience_s > 0.0;
       patience_s = InterruptGuard::patience_s()) {
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begin;
    if (waited.count() > patience_s) return false;
    std::this_thread::sleep_for(kLook);
  }
  return true;
}

void watch() {
  for (;;) {
    while (::sem_wait(&g_end_asked) != 0) {
    }
    if (!g_end_is_watched) return;
    if (g_end_is_after_guard.exchange(false) && guard_ended()) continue;
    end_process(g_end_signal.load());
  }
}

}  // namespace

EndOnSignal::EndOnSignal(bool tells) {
  g_end_signal.store(0);
  g_end_is_told.store(tells);
  g_end_is_after_guard.store(false);
  g_end_is_watched.store(true);
  ::sem_init(&g_end_asked, 0, 0);
  watcher_ = std::thread(watch);
  signals_.emplace(graspmap_end_on_signal);
}

EndOnSignal::~EndOnSignal() {
  signals_.reset();
  g_end_is_watched.store(false);
  ::sem_post(&g_end_asked);
  watcher_.join();
  ::sem_destroy(&g_end_asked);
}

void end_on_signal_after_guard(int signal) {
  if (!g_end_is_watched) return;
  g_end_signal.store(signal);
  g_end_is_after_guard.store(true);
  ::sem_post(&g_end_asked);
}

Unbroken::Unbroken() : lock_(unfinished().mutex) {}

TemporaryPath::TemporaryPath(fs::path path) : path_(std::move(path)) {
  const Unbroken moment;
  unfinished().temporaries.push_back(path_);
}

TemporaryPath::~TemporaryPath() {
  if (path_.empty()) return;
  const Unbroken moment;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  forget();
}

TemporaryPath::TemporaryPath(TemporaryPath&& other) noexcept
    : path_(std::exchange(other.path_, fs::path())) {}

void TemporaryPath::keep() {
  const Unbroken moment;
  const fs::path folder = path_.parent_path();
  forget();
  if (!is_temporary(folder)) note_written();
}

void TemporaryPath::forget() {
  auto& temporaries = unfinished().temporaries;
  temporaries.erase(std::find(temporaries.begin(), temporaries.end(), path_));
  path_.clear();
}

ChildProcess::ChildProcess(pid_t id) : id_(id) {
  const Unbroken moment;
  unfinished().children.push_back(id);
}

ChildProcess::~ChildProcess() {
  if (id_ != 0) wait();
}

int ChildProcess::wait() {
  // Its number is its own until waitpid: EndOnSignal must not kill another process.
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  const Unbroken moment;
  const int status = wait_status(id_);
  auto& children = unfinished().children;
  children.erase(std::find(children.begin(), children.end(), std::exchange(id_, 0)));
  return status;
}

void note_kept(const fs::path& file) {
  const Unbroken moment;
  unfinished().kept = file.string();
}

void note_written() {
  const Unbroken moment;
  unfinished().has_written = true;
}

}  // namespace graspmap
