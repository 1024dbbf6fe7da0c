#include "grasp/results/trials_npz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "grasp/results/export_columns.hpp"

namespace graspmap {
namespace {

template <class T>
T element(T value) {
  return value;
}
std::uint8_t element(Outcome outcome) { return static_cast<std::uint8_t>(outcome); }

const char* npy_type_of(const ExportColumn& column) {
  return std::visit(
      [](auto value) { return npy_type<decltype(element(value(std::declval<TrialRow>())))>(); },
      column.value);
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

TrialsNpz::TrialsNpz(const std::filesystem::path& file) : npz_(file) {
  for (const ExportColumn& column : export_columns()) {
    columns_.push_back(&npz_.add(column.name, npy_type_of(column)));
  }
  add_outcome_names(npz_);
}

void TrialsNpz::add(const TrialRow& row) {
  auto array = columns_.begin();
  for (const ExportColumn& column : export_columns()) {
    std::visit([&](auto value) { (*array++)->append(element(value(row))); }, column.value);
  }
}

}  // namespace graspmap
