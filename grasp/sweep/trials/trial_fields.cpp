#include "grasp/sweep/trials/trial_fields.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace graspmap {

void append_csv_value(std::string& text, double value) {
  if (std::isfinite(value)) fmt::format_to(std::back_inserter(text), "{}", value);
}

void append_csv_value(std::string& text, std::int64_t value) {
  fmt::format_to(std::back_inserter(text), "{}", value);
}

void append_csv_value(std::string& text, Outcome outcome) { text += name(outcome); }

}  // namespace graspmap
