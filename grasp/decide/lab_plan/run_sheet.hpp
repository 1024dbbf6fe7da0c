#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grasp/base/io/result.hpp"
#include "grasp/decide/lab_plan/lab_experiments.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

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
Table run_sheet_table(const LabDesign& design, const std::vector<SheetRow>& rows, bool with_angle,
                      const std::vector<std::string>& remarks);

/// What the printed page of a run sheet shows.
struct LabPageInput {
  const SweepConfig& config;
  const LabDesign& design;
  const std::vector<SheetRow>& rows;
  std::string goal;  ///< a sentence
};

/// The run sheet for the laboratory's bench: one HTML file for A4 paper, with nothing to load. The
/// settings of the gripper, what success is, the part with the placements and how x and y are
/// measured, and a table with boxes to tick; each session begins on a new page.
std::string lab_page_html(const LabPageInput& input);

}  // namespace graspmap
