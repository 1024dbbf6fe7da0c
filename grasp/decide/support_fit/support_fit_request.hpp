#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/decide/support_fit/support_fit.hpp"

namespace graspmap {

/// The table's friction under a part: what `graspmap fit-support` and fit_support are asked.
/// fields() tells what each means.
struct SupportFitRequest : SupportFitOptions {
  std::vector<std::array<double, 2>> center;
  std::vector<std::array<double, 2>> points;

  RequestFields fields();
};

/// Fits a file of pushes. `show` is told the share of the work that is done. Throws RequestError,
/// ConfigError.
SupportFit fit_support(const std::filesystem::path& pushes, const SupportFitRequest& request,
                       const std::function<void(double)>& show);

}  // namespace graspmap
