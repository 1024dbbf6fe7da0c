#include "lab/mcp/problem.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <set>
#include <string>

using namespace graspmap;
using mcp::Kind;
using mcp::Status;

TEST_CASE("the natural residual is the largest of the rows") {
  const mcp::LinearProblem linear{
      Eigen::Matrix2d::Identity(), Eigen::Vector2d::Zero(), {Kind::kFree, Kind::kNonnegative}};
  const mcp::LinearProblemView view(linear);
  const auto residual = [&](double z1, double z2, double F1, double F2) {
    return natural_residual(view, Eigen::Vector2d(z1, z2), Eigen::Vector2d(F1, F2));
  };
  CHECK(residual(7.0, 0.0, 0.0, 3.0) == 0.0);
  CHECK(residual(7.0, 3.0, 0.0, 0.0) == 0.0);
  CHECK(residual(7.0, 3.0, -0.5, 0.0) == 0.5);
  CHECK(residual(7.0, 3.0, -0.5, 2.0) == 2.0);
  CHECK(residual(7.0, -3.0, -0.5, 2.0) == 3.0);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(residual(nan, 0.0, 0.0, 0.0) == infinity);
  CHECK(residual(0.0, 0.0, 0.0, infinity) == infinity);
  CHECK(residual(0.0, 0.0, nan, 0.0) == infinity);
}

TEST_CASE("statuses have different names") {
  std::set<std::string> names;
  for (const auto status : {Status::kSolved, Status::kIterationLimit, Status::kStalled,
                            Status::kRay, Status::kInfeasible, Status::kNotFinite}) {
    names.insert(mcp::name(status));
  }
  CHECK(names.size() == 6);
}
