#include "grasp/results/trial_table.hpp"

#include <fmt/format.h>

#include <iterator>

#include "grasp/results/export_columns.hpp"

namespace graspmap {
namespace {

template <class T>
void append_value(std::string& text, T value) {
  fmt::format_to(std::back_inserter(text), "{},", value);
}

void append_value(std::string& text, Outcome outcome) {
  text += name(outcome);
  text += ',';
}

}  // namespace

std::string trials_csv_header() {
  std::string text;
  for (const ExportColumn& column : export_columns()) {
    if (column.in_csv) text += fmt::format("{},", column.name);
  }
  text.back() = '\n';
  return text;
}

void append_trial_csv(std::string& text, const TrialRow& row) {
  for (const ExportColumn& column : export_columns()) {
    if (!column.in_csv) continue;
    std::visit([&](auto value) { append_value(text, value(row)); }, column.value);
  }
  text.back() = '\n';
}

}  // namespace graspmap
