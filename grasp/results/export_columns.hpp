#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "grasp/trials/trial.hpp"

namespace graspmap {

/// A column of the trial table: what trials.csv and trials.npz call it, and its value in a row.
struct ExportColumn {
  template <class T>
  using Value = T (*)(const TrialRow& row);

  const char* name;
  bool in_csv;  ///< false: the solver's health, in trials.npz only
  std::variant<Value<std::int64_t>, Value<std::int32_t>, Value<double>, Value<Outcome>> value;
};

/// All columns, in the order of the files. A value function throws IoError when a count is larger
/// than the column's type can hold.
std::span<const ExportColumn> export_columns();

}  // namespace graspmap
