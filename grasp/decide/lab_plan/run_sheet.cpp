#include "grasp/decide/lab_plan/run_sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/probability/random.hpp"

namespace graspmap {
namespace {

constexpr std::uint32_t kOrderDraw = 3;

/// A text without line ends.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return text;
}

}  // namespace

std::vector<SheetRow> run_sheet(const LabDesign& design, std::int64_t trials, std::uint64_t seed) {
  std::vector<std::pair<double, SheetRow>> ranked;
  for (std::int64_t j = 0; j < trials; ++j) {
    const double rank = uniform_open(seed, static_cast<std::uint64_t>(j), kOrderDraw);
    ranked.push_back({rank, {design.session_of(j), 0, design.place_of(j)}});
  }
  std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
    return std::pair(a.second.session, a.first) < std::pair(b.second.session, b.first);
  });
  std::vector<SheetRow> rows;
  for (const auto& [rank, row] : ranked) {
    rows.push_back(row);
    rows.back().trial = rows.size() - 1;
  }
  return rows;
}

std::string run_sheet_csv(const LabDesign& design, const std::vector<SheetRow>& rows,
                          bool with_angle, const std::vector<std::string>& remarks) {
  std::string csv = "# origin = measured\n";
  for (const std::string& remark : remarks) csv += "# " + printable(one_line(remark)) + "\n";
  csv += design.sessions > 0 ? "session,trial,x_mm,y_mm," : "trial,x_mm,y_mm,";
  csv += with_angle ? "theta_rad,success\n" : "success\n";
  for (const SheetRow& row : rows) {
    const IntendedPlacement& place = design.places[row.placement];
    if (design.sessions > 0) csv += fmt::format("{},", row.session + 1);
    csv += fmt::format("{},{:.6g},{:.6g},", row.trial + 1, place.x_mm, place.y_mm);
    if (with_angle) csv += fmt::format("{:.6g},", place.theta_rad);
    csv += '\n';
  }
  return csv;
}

}  // namespace graspmap
