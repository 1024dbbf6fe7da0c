#pragma once

#include <pybind11/numpy.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "grasp/sweep/trials/trial.hpp"
#include "grasp/sweep/trials/uncertain_columns.hpp"

namespace graspmap::python {

/// Which fields of a trial an array has.
enum class TrialFields {
  kAll,  ///< index and cells, then the values: 26 fields; then the uncertain numbers by their keys
  kValues  ///< of a trial that belongs to no sweep: 23 fields
};

/// The bytes of one record: 8 for each field, without gaps. Here and below, `uncertain` is for
/// kAll only.
std::size_t record_bytes(TrialFields fields, const UncertainColumns& uncertain);

/// Writes a trial into a record: counts, cells and the outcome's number as 64-bit integers, all
/// others as doubles, in the order of trial_fields.hpp, in this machine's order of bytes.
void write_record(const TrialRow& row, TrialFields fields, const UncertainColumns& uncertain,
                  std::byte* record);

/// A new structured numpy array for so many trials; its records are not set.
pybind11::array new_trial_array(TrialFields fields, const UncertainColumns& uncertain,
                                std::int64_t trials);

/// The rows as a structured numpy array.
pybind11::array trial_array(TrialFields fields, const UncertainColumns& uncertain,
                            const std::vector<TrialRow>& rows);

}  // namespace graspmap::python
