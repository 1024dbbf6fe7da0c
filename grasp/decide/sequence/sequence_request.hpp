#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/decide/sequence/sequence_plan.hpp"

namespace graspmap {

/// A known pose from an unknown one: what `graspmap sequence` is asked. fields() tells what each
/// means.
struct SequenceRequest : SequenceEffort {
  std::optional<std::array<double, 2>> box_mm;
  std::optional<std::array<double, 2>> angles_deg;
  std::string particles;
  std::vector<double> offsets_mm;
  std::vector<double> push_mm;
  std::optional<double> opening_mm;
  std::optional<double> period_deg;
  double within_deg = 2.0;
  double within_mm = 1.0;
  double turn_speed_rad_s = 1.0;
  bool program = false;
  std::vector<std::string> set;

  RequestFields fields();
};

/// The question that a request asks of a configuration. Reads the file of start poses. Throws
/// RequestError, ConfigError.
SequenceQuestion sequence_question(const SweepConfig& config, const SequenceRequest& request);

}  // namespace graspmap
