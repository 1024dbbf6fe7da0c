#include "grasp/sweep/results/trials_csv.hpp"

#include <fmt/format.h>

#include <string_view>

#include "grasp/sweep/trials/trial_fields.hpp"

namespace graspmap {
namespace {

/// The solver's health is in trials.npz only, but for the worst residual.
bool is_in_csv(std::string_view column) {
  return column != "newton_iterations" && !column.starts_with("steps_") &&
         column != "worst_gap_mm" && column != "least_dissipation_mn_mm";
}

}  // namespace

std::string trials_csv_header(const UncertainColumns& uncertain) {
  std::string text = "index";
  visit_trial_columns(TrialRow{}, [&](const char* column, const auto&) {
    if (is_in_csv(column)) text += fmt::format(",{}", column);
  });
  for (std::size_t k = 0; k < uncertain.size(); ++k) text += "," + uncertain.key(k);
  return text + "\n";
}

void append_trial_csv(std::string& text, const TrialRow& row, const UncertainColumns& uncertain) {
  append_csv_value(text, row.index);
  visit_trial_columns(row, [&](const char* column, const auto& value) {
    if (!is_in_csv(column)) return;
    text += ',';
    append_csv_value(text, value);
  });
  for (const double value : uncertain.of(row.index)) {
    text += ',';
    append_csv_value(text, value);
  }
  text += '\n';
}

TrialsCsv::TrialsCsv(const std::filesystem::path& file, const UncertainColumns& uncertain)
    : writer_(file), uncertain_(uncertain) {
  writer_.write(trials_csv_header(uncertain_));
}

void TrialsCsv::add(const TrialRow& row) {
  line_.clear();
  append_trial_csv(line_, row, uncertain_);
  writer_.write(line_);
}

}  // namespace graspmap
