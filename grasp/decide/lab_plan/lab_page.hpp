#pragma once

#include <string>
#include <vector>

#include "grasp/decide/lab_plan/run_sheet.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

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

/// What success is, in words: "the left finger touches tooth_1, the right finger touches tooth_6".
std::string success_words(const std::vector<SuccessAlternative>& success);

}  // namespace graspmap
