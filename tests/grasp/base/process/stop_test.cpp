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

}  // namespace
}  // namespace graspmap
