#include "grasp/sweep/results/trials_npz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "grasp/sweep/trials/trial_fields.hpp"

namespace graspmap {
namespace {

/// The value of a column as the array holds it: NaN for one that is not known. A count of a trial
/// fits into 32 bits.
double element(const TrialRow&, double value) {
  return std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN();
}
std::uint8_t element(const TrialRow&, Outcome outcome) {
  return static_cast<std::uint8_t>(outcome);
}
std::int32_t element(const TrialRow& row, std::int64_t count) {
  if (!std::in_range<std::int32_t>(count)) {
    throw IoError(fmt::format("trial {}: a count of {} does not fit into a column of 32 bits",
                              row.index, count));
  }
  return static_cast<std::int32_t>(count);
}
std::int32_t element(const TrialRow&, int cell) { return cell; }

/// Calls visit(name, element) for each array.
template <typename Visit>
void visit_arrays(const TrialRow& row, const Visit& visit) {
  visit("index", row.index);
  visit_trial_columns(
      row, [&](const char* column, const auto& value) { visit(column, element(row, value)); });
}

/// A word as an element of numpy's text of fixed width: 4 bytes a character, zeros at the end.
std::string npy_text(std::string_view word, std::size_t width) {
  constexpr std::size_t kBytesPerCharacter = 4;
  std::string element(width * kBytesPerCharacter, '\0');
  for (std::size_t i = 0; i < word.size(); ++i) element[i * kBytesPerCharacter] = word[i];
  return element;
}

/// The words of the outcomes in the order of their codes.
void add_outcome_names(NpzWriter& npz) {
  std::size_t width = 0;
  for (const Outcome outcome : kOutcomes) {
    width = std::max(width, std::string_view(name(outcome)).size());
  }
  NpyArray& names = npz.add("outcome_names", fmt::format("<U{}", width));
  for (const Outcome outcome : kOutcomes) names.append_bytes(npy_text(name(outcome), width));
}

}  // namespace

TrialsNpz::TrialsNpz(const std::filesystem::path& file, const UncertainColumns& uncertain)
    : npz_(file), uncertain_(uncertain) {
  visit_arrays(TrialRow{}, [&](const char* column, auto value) {
    columns_.push_back(&npz_.add(column, npy_type<decltype(value)>()));
  });
  add_outcome_names(npz_);
  for (std::size_t k = 0; k < uncertain_.size(); ++k) {
    drawn_.push_back(&npz_.add(uncertain_.key(k), npy_type<double>()));
  }
}

void TrialsNpz::add(const TrialRow& row) {
  auto array = columns_.begin();
  visit_arrays(row, [&](const char*, auto value) { (*array++)->append(value); });
  auto drawn = drawn_.begin();
  for (const double value : uncertain_.of(row.index)) (*drawn++)->append(value);
}

}  // namespace graspmap
