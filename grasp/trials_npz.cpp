#include "grasp/trials_npz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>

#include "grasp/trial_columns.hpp"

namespace graspmap {
namespace {

template <class T>
T element(T value) {
  return value;
}
std::uint8_t element(Outcome outcome) { return static_cast<std::uint8_t>(outcome); }

const char* npy_type(const TrialColumn& column) {
  return std::visit(
      [](auto value) { return kNpyType<decltype(element(value(std::declval<TrialRow>())))>; },
      column.value);
}

/// The words of the outcomes in the order of their codes, as numpy's text of fixed width: 4 bytes a
/// character, zeros at the end.
void add_outcome_names(NpzWriter& npz) {
  constexpr std::size_t kBytesPerCharacter = 4;
  std::size_t width = 0;
  for (const Outcome outcome : kOutcomes) {
    width = std::max(width, std::string_view(name(outcome)).size());
  }
  NpyArray& names = npz.add("outcome_names", fmt::format("<U{}", width));
  for (const Outcome outcome : kOutcomes) {
    std::string element(width * kBytesPerCharacter, '\0');
    std::size_t place = 0;
    for (const char character : std::string_view(name(outcome))) {
      element[place] = character;
      place += kBytesPerCharacter;
    }
    names.append_bytes(element);
  }
}

}  // namespace

TrialsNpz::TrialsNpz(const std::filesystem::path& file) : npz_(file) {
  for (const TrialColumn& column : trial_columns()) {
    columns_.push_back(&npz_.add(column.name, npy_type(column)));
  }
  add_outcome_names(npz_);
}

void TrialsNpz::add(const TrialRow& row) {
  auto array = columns_.begin();
  for (const TrialColumn& column : trial_columns()) {
    std::visit([&](auto value) { (*array++)->append(element(value(row))); }, column.value);
  }
}

}  // namespace graspmap
