#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "grasp/sweep/trials/trial_sampler.hpp"

namespace graspmap::bench {

/// A row of a run sheet.
struct SheetTrial {
  IntendedPlacement intended;
  std::size_t session = 0;  ///< 0, 1, ... in the order in which sessions first occur
  std::size_t row = 0;      ///< 0, 1, ...
};

/// A run sheet with its column `success` filled in by `success(trial)`, as an experiment of origin
/// "simulated" with this source. Lines before the header are left out. Throws ConfigError for a
/// file that is no run sheet.
std::string filled_sheet(const std::filesystem::path& sheet, const std::string& source,
                         const std::function<bool(const SheetTrial&)>& success);

}  // namespace graspmap::bench
