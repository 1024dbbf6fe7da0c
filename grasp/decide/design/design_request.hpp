#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/decide/design/design_search.hpp"

namespace graspmap {

/// Which finger, and where: what `graspmap design` is asked. fields() tells what each means.
struct DesignRequest : DesignEffort {
  std::optional<std::array<double, 2>> position_sigma_mm;
  std::optional<double> angle_sigma_rad;
  std::vector<std::string> set;

  RequestFields fields();
};

/// A question and the designs among which it is answered.
struct AskedDesign {
  DesignQuestion question;
  DesignSpace space;
};

/// What a request asks of a configuration file with [design]. Reads the configurations of other
/// parts. Throws RequestError, ConfigError.
AskedDesign asked_design(const std::string& file, const DesignRequest& request);

}  // namespace graspmap
