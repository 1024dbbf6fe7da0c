#pragma once

#include <array>
#include <optional>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/decide/sensitivity/sensitivity.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/trials/sweep.hpp"

namespace graspmap {

/// Which uncertainty matters: what `graspmap sensitivity` and Run.sensitivity are asked. fields()
/// tells what each means.
struct SensitivityRequest {
  std::vector<double> placement;
  std::optional<std::array<double, 2>> position_sigma_mm;
  std::optional<double> angle_sigma_rad;
  std::optional<std::int64_t> halved_trials;
  int threads = 0;
  double confidence = 0.95;

  RequestFields fields();
};

/// The decision on a stored run. Throws RequestError, ConfigError.
Sensitivity sensitivity_run(const RunStore& run, const SensitivityRequest& request,
                            const ShowTrials& show = {});

}  // namespace graspmap
