#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grasp/decide/lab_plan/lab_design.hpp"

namespace graspmap {

/// A trial to be made in the laboratory.
struct SheetRow {
  std::size_t session = 0;    ///< from 0
  std::size_t trial = 0;      ///< from 0, in the order in which they are made
  std::size_t placement = 0;  ///< in LabDesign::places
};

/// The first `trials` trials of a design, session by session, in each in random order: what drifts
/// during a session then falls on all placements alike.
std::vector<SheetRow> run_sheet(const LabDesign& design, std::int64_t trials, std::uint64_t seed);

/// The sheet as an experiment that is not filled in: "# origin = measured", the remarks as lines
/// "# ...", then [session,]trial,x_mm,y_mm[,theta_rad],success, success empty. session is there
/// when the design has sessions, theta_rad when `with_angle`.
std::string run_sheet_csv(const LabDesign& design, const std::vector<SheetRow>& rows,
                          bool with_angle, const std::vector<std::string>& remarks);

}  // namespace graspmap
