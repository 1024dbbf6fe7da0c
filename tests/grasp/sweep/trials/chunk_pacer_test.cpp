#include "grasp/sweep/trials/chunk_pacer.hpp"

#include <catch2/catch.hpp>

namespace graspmap {
namespace {

TEST_CASE("chunks grow and shrink to the time that they should take") {
  ChunkPacer pacer(0.5, 100, 1000);
  CHECK(pacer.trials() == 100);
  pacer.took(100, 1.0);
  CHECK(pacer.trials() == 50);
  pacer.took(50, 0.4);
  CHECK(pacer.trials() == 62);
  pacer.took(62, 1e-6);  // at most twice as many
  CHECK(pacer.trials() == 124);
  pacer.took(1, 10.0);
  CHECK(pacer.trials() == 1);
  for (int i = 0; i < 20; ++i) pacer.took(pacer.trials(), 0.0);
  CHECK(pacer.trials() == 1000);
}

}  // namespace
}  // namespace graspmap
