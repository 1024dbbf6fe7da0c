#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/decide/calibrate/friction_calibration.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/trials/sweep.hpp"

namespace graspmap {

/// The friction behind an experiment: what `graspmap calibrate` and Run.calibrate are asked.
/// fields() tells what each means.
struct CalibrateRequest {
  FrictionFamily family = FrictionFamily::kUniform;
  std::optional<double> theta_rad;
  bool simulate = false;
  std::vector<std::string> with;
  std::vector<std::string> columns;
  std::optional<std::array<double, 2>> jaw_range;
  std::optional<std::array<double, 2>> support_range;
  int threads = 0;
  double confidence = 0.95;

  RequestFields fields();
};

/// The decision on a stored run, which must live as long as what is found. Throws RequestError,
/// also when no distribution that is sought can give the experiment; ConfigError.
CalibrationReport calibrate_run(const RunStore& run, const std::filesystem::path& experiment,
                                const CalibrateRequest& request, const ShowTrials& show = {});

}  // namespace graspmap
