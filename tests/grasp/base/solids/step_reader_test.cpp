#include "grasp/base/solids/step_reader.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <csignal>
#include <stdexcept>

namespace graspmap {
namespace {

TEST_CASE("work in a process of its own ends there, whatever becomes of it") {
  std::atomic<int> changed = 0;
  CHECK(ends_without_crash([&] { changed = 1; }, 10));
  CHECK(changed == 0);
  CHECK(ends_without_crash([] { throw std::runtime_error("told when it happens again"); }, 10));
  CHECK_FALSE(ends_without_crash([] { std::raise(SIGKILL); }, 10));
  CHECK_FALSE(ends_without_crash(
      [&] {
        for (;;) ++changed;
      },
      1));
}

}  // namespace
}  // namespace graspmap
