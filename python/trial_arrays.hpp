#pragma once

#include <pybind11/numpy.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "grasp/trials/trial.hpp"

namespace graspmap::python {

/// Which fields of a trial an array has.
enum class TrialFields {
  kAll,    ///< index and cells, then the values: 26 fields
  kValues  ///< of a trial that belongs to no sweep: 23 fields
};

/// The bytes of one record: 8 for each field, without gaps.
std::size_t record_bytes(TrialFields fields);

/// Writes a trial into a record: counts, cells and the outcome's number as 64-bit integers, all
/// others as doubles, in the order of trial_fields.hpp, in this machine's order of bytes.
void write_record(const TrialRow& row, TrialFields fields, std::byte* record);

/// A new structured numpy array for so many trials; its records are not set.
pybind11::array new_trial_array(TrialFields fields, std::int64_t trials);

/// The rows as a structured numpy array.
pybind11::array trial_array(TrialFields fields, const std::vector<TrialRow>& rows);

}  // namespace graspmap::python
