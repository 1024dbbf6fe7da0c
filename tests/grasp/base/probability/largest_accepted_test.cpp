#include <catch2/catch.hpp>

#include "grasp/base/probability/stratified.hpp"

namespace graspmap {
namespace {

TEST_CASE("the largest accepted number is found, large or small") {
  const double bound = GENERATE(1e-200, 3e-9, 1.0, 3.7, 5e12, 1e250);
  const auto is_rejected = [&](double lambda) { return lambda > bound; };
  const double found = largest_accepted(is_rejected, 1e-12);
  CHECK_FALSE(is_rejected(found));
  CHECK(is_rejected(found * (1 + 2e-12)));
}

}  // namespace
}  // namespace graspmap
