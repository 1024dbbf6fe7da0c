#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/decide/tolerances/tolerance_budget.hpp"
#include "grasp/sweep/store/run_store.hpp"

namespace graspmap {

/// Which tolerances to tighten: what `graspmap tolerances` and Run.tolerances are asked. fields()
/// tells what each means.
struct TolerancesRequest {
  std::vector<double> placement;
  std::optional<double> required_probability;
  std::string costs;
  std::optional<std::array<double, 2>> position_sigma_mm;
  std::optional<double> angle_sigma_rad;
  std::int64_t trials = 4000;
  std::int64_t check_trials = 20'000;
  std::uint64_t seed = 1;
  int threads = 0;
  double confidence = 0.95;

  RequestFields fields();
};

/// The decision on a stored run. `show` is told the share of the work that is done; it may be
/// empty. Throws RequestError, ConfigError.
ToleranceBudget tolerances_run(const RunStore& run, const TolerancesRequest& request,
                               const std::function<void(double)>& show = {});

}  // namespace graspmap
