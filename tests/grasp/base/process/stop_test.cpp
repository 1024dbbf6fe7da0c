#include "grasp/base/process/stop.hpp"

#include <catch2/catch.hpp>

namespace graspmap {
namespace {

TEST_CASE("check_stop looks at the flag of the newest scope, and at none outside") {
  const std::atomic<int> set{1};
  std::atomic<int> later{0};
  CHECK_NOTHROW(check_stop());
  {
    const StopScope outer(&set);
    CHECK_THROWS_AS(check_stop(), AnalysisStopped);
    {
      const StopScope inner(&later);
      CHECK_NOTHROW(check_stop());
      later = 2;
      CHECK_THROWS_AS(check_stop(), AnalysisStopped);
      const StopScope nothing(nullptr);
      CHECK_NOTHROW(check_stop());
    }
    CHECK(stop_flag() == &set);
  }
  CHECK(stop_flag() == nullptr);
  CHECK_NOTHROW(check_stop());
}

/// True when a signal would end the process.
bool is_deadly(int signal) {
  struct sigaction action {};
  ::sigaction(signal, nullptr, &action);
  return action.sa_handler == SIG_DFL;
}

TEST_CASE("the first signal is noted, the next one would end the process") {
  const int signal = GENERATE(SIGINT, SIGTERM);
  struct sigaction before {};
  ::sigaction(signal, nullptr, &before);
  {
    const InterruptGuard guard;
    CHECK(guard.signal() == 0);
    CHECK_FALSE(is_deadly(SIGINT));
    CHECK_FALSE(is_deadly(SIGTERM));
    std::raise(signal);
    CHECK(guard.signal() == signal);
    CHECK(is_deadly(SIGINT));
    CHECK(is_deadly(SIGTERM));
  }
  struct sigaction after {};
  ::sigaction(signal, nullptr, &after);
  CHECK(after.sa_handler == before.sa_handler);
}

TEST_CASE("a new guard forgets the signals of the last one") {
  {
    const InterruptGuard guard;
    std::raise(SIGTERM);
  }
  const InterruptGuard guard;
  CHECK(guard.signal() == 0);
}

}  // namespace

}  // namespace graspmap
