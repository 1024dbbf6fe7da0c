#include "grasp/decide/lab_plan/lab_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "grasp/base/pictures/svg.hpp"
#include "grasp/decide/lab_plan/part_picture.hpp"

namespace graspmap {
namespace {

const char* const kPageStyle = R"css(
@page { size: A4; margin: 14mm; }
body { font: 10.5pt/1.35 sans-serif; color: #000; max-width: 182mm; margin: 8mm auto; }
h1 { font-size: 15pt; margin: 0 0 2mm; } h2 { font-size: 12pt; margin: 5mm 0 1.5mm; }
p { margin: 1.5mm 0; }
table.settings td { padding: 0.6mm 4mm 0.6mm 0; vertical-align: top; }
figure { margin: 3mm 0; break-inside: avoid; } figure svg { max-width: 100%; height: auto; }
figcaption { font-size: 9pt; }
.session { break-before: page; }
.blanks span { display: inline-block; border-bottom: 0.3mm solid #000; width: 42mm; }
.trials { column-count: 2; column-gap: 8mm; }
.trials table { border-collapse: collapse; width: 100%; font-size: 9.5pt; }
.trials tr { break-inside: avoid; }
.trials th, .trials td { border: 0.2mm solid #888; padding: 0.7mm 1.6mm; text-align: right; }
.trials th { background: #eee; } .trials td.tick { text-align: center; font-size: 12pt; }
@media print { body { margin: 0; } }
)css";

constexpr std::size_t kRowsPerTable = 34;

std::string touch_words(const char* side, const std::vector<TouchTarget>& targets) {
  std::vector<std::string> names;
  for (const TouchTarget& target : targets) names.push_back(target.name);
  return fmt::format("the {} touches {}", side, fmt::join(names, " and "));
}

std::string condition_words(const SuccessAlternative& alternative) {
  std::vector<std::string> conditions;
  const auto touches = [&](const char* side, const std::vector<TouchTarget>& targets) {
    if (!targets.empty()) conditions.push_back(touch_words(side, targets));
  };
  touches("left finger", alternative.left);
  touches("right finger", alternative.right);
  touches("palm", alternative.palm);
  const auto window = [&](const char* what, const std::optional<Window>& range) {
    if (range)
      conditions.push_back(fmt::format("{} {:.6g} to {:.6g}", what, range->min, range->max));
  };
  window("the part's x in the gripper (mm) is", alternative.x_mm);
  window("the part's y in the gripper (mm) is", alternative.y_mm);
  window("the part's angle (rad) is", alternative.theta_rad);
  window("the opening (mm) is", alternative.opening_mm);
  if (alternative.at_rest) conditions.emplace_back("all is at rest");
  return fmt::format("{}", fmt::join(conditions, ", "));
}

std::string setting(const char* name, const std::string& value) {
  return fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", name, xml_text(value));
}

std::string settings_table(const SweepConfig& config) {
  const Gripper& gripper = config.scenario.gripper;
  std::string table = "<table class=\"settings\">\n";
  table += setting("opening at the start", fmt::format("{:.6g} mm", gripper.opening_mm));
  table += setting("force of each jaw", fmt::format("{:.6g} N", gripper.closing_force_n));
  table += setting("closing speed of each jaw",
                   fmt::format("{:.6g} mm/s, with nothing in between", gripper.closing_speed_mm_s));
  table += setting("jaws", gripper.coupling == Coupling::kSymmetric ? "coupled: both close alike"
                                                                    : "independent of each other");
  table += setting("mass of the part", fmt::format("{:.6g} kg", config.scenario.mass.mass_kg));
  table += setting("success", success_words(config.success));
  return table + "</table>\n";
}

bool has_angles(const LabPageInput& input) { return !input.config.placement.theta_rad.is_fixed(); }

std::string figure(const LabPageInput& input) {
  std::string picture = part_picture(input.config.scenario, input.design.places);
  picture.erase(0, picture.find("<svg"));  // no XML declaration inside HTML
  return fmt::format(
      "<figure>\n{}<figcaption>The part as it lies at the start, and where the gripper goes: each "
      "cross is a place of the gripper's origin, the middle between the fingertips, at the height "
      "of their ends. x and y are measured from the part's origin (circle), along the gripper's "
      "axes: x is the direction in which the jaws close. Blue: the open gripper at the first "
      "placement.{}</figcaption>\n</figure>\n",
      picture,
      has_angles(input) ? " The part's angle at the start is in the table; shown is that of the "
                          "first placement."
                        : "");
}

std::string table_head(bool angles) {
  return fmt::format(
      "<table>\n<tr><th>trial</th><th>place</th><th>x, mm</th><th>y, mm</th>{}<th>success</th>"
      "<th>none</th></tr>\n",
      angles ? "<th>angle, rad</th>" : "");
}

std::string trial_row(const LabPageInput& input, const SheetRow& row) {
  const IntendedPlacement& place = input.design.places[row.placement];
  std::string angle;
  if (has_angles(input)) angle = fmt::format("<td>{:.4f}</td>", place.theta_rad);
  return fmt::format(
      "<tr><td>{}</td><td>{}</td><td>{:.2f}</td><td>{:.2f}</td>{}<td class=\"tick\">&#9744;"
      "</td><td class=\"tick\">&#9744;</td></tr>\n",
      row.trial + 1, row.placement + 1, place.x_mm + 0.0, place.y_mm + 0.0, angle);
}

/// The heading and the blanks of a session, or of the only table.
std::string session_head(const LabPageInput& input, std::size_t session) {
  const std::string title = input.design.sessions > 0 ? fmt::format("Session {} of {}", session + 1,
                                                                    input.design.sessions)
                                                      : "Trials";
  return fmt::format(
      "<h2>{}</h2>\n<p class=\"blanks\">date <span></span> name <span></span> surfaces "
      "<span></span></p>\n",
      title);
}

std::string session_page(const LabPageInput& input, std::size_t session) {
  std::string page =
      "<section class=\"session\">\n" + session_head(input, session) + "<div class=\"trials\">\n";
  std::size_t in_table = 0;
  for (const SheetRow& row : input.rows) {
    if (row.session != session) continue;
    if (in_table % kRowsPerTable == 0) {
      page += (in_table > 0 ? "</table>\n" : "") + table_head(has_angles(input));
    }
    page += trial_row(input, row);
    ++in_table;
  }
  return page + "</table>\n</div>\n</section>\n";
}

std::string instructions(const LabPageInput& input) {
  const int sessions = input.design.sessions;
  std::string text = fmt::format("{} trials", input.rows.size());
  if (sessions > 0) text += fmt::format(" in {} session{}", sessions, sessions == 1 ? "" : "s");
  text +=
      ". Keep to the order: it is random, so that what drifts falls on all placements alike. Make "
      "each trial once, tick one box, and repeat nothing because of how it ended.";
  if (sessions > 0) {
    text +=
        " A session is one pair of surfaces on one day: take or prepare new surfaces for the next.";
  }
  return text + " Then write 1 or 0 into the column success of run_sheet.csv.";
}

}  // namespace

std::string success_words(const std::vector<SuccessAlternative>& success) {
  std::vector<std::string> alternatives;
  for (const SuccessAlternative& alternative : success) {
    alternatives.push_back(condition_words(alternative));
  }
  return fmt::format("{}", fmt::join(alternatives, "; or "));
}

std::string lab_page_html(const LabPageInput& input) {
  const std::string title = xml_text(input.config.name);
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<title>Run sheet: {0}</title>\n<style>{1}</style>\n</head>\n<body>\n"
      "<h1>Run sheet: {0}</h1>\n<p>{2}</p>\n",
      title, kPageStyle, xml_text(input.goal));
  page += "<p>" + instructions(input) + "</p>\n";
  page += "<h2>Settings</h2>\n" + settings_table(input.config) + figure(input);
  for (int session = 0; session < std::max(input.design.sessions, 1); ++session) {
    page += session_page(input, static_cast<std::size_t>(session));
  }
  return page + "</body>\n</html>\n";
}

}  // namespace graspmap
