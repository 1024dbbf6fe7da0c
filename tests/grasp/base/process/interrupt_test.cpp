#include "grasp/base/process/interrupt.hpp"

#include <catch2/catch.hpp>

namespace graspmap {
namespace {

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
