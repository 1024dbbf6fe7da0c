#include "python/trial_arrays.hpp"

#include <cstring>
#include <string>
#include <type_traits>

#include "grasp/trials/trial_fields.hpp"
#include "python/native.hpp"

namespace graspmap::python {
namespace py = pybind11;
namespace {

constexpr std::size_t kFieldBytes = 8;

template <typename Visit>
void visit_fields(const TrialRow& row, TrialFields fields, Visit&& visit) {
  if (fields == TrialFields::kAll) {
    visit("index", row.index);
    visit_trial_columns(row, visit);
  } else {
    visit_trial_values(row, visit);
  }
}

/// The numpy dtype of a record, aligned, without gaps.
py::dtype record_type(TrialFields fields) {
  py::list list;
  visit_fields(TrialRow{}, fields, [&](const char* name, const auto& value) {
    using Value = std::decay_t<decltype(value)>;
    list.append(py::make_tuple(name, std::is_same_v<Value, double> ? "f8" : "i8"));
  });
  return py::dtype::from_args(list);
}

}  // namespace

std::size_t record_bytes(TrialFields fields) {
  std::size_t bytes = 0;
  visit_fields(TrialRow{}, fields, [&](const char*, const auto&) { bytes += kFieldBytes; });
  return bytes;
}

void write_record(const TrialRow& row, TrialFields fields, std::byte* record) {
  const auto write = [&](const char*, const auto& value) {
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>) {
      static_assert(sizeof value == kFieldBytes);
      std::memcpy(record, &value, kFieldBytes);
    } else {
      const auto number = static_cast<std::int64_t>(value);
      std::memcpy(record, &number, kFieldBytes);
    }
    record += kFieldBytes;
  };
  visit_fields(row, fields, write);
}

py::array new_trial_array(TrialFields fields, std::int64_t trials) {
  return py::array(record_type(fields), std::vector<py::ssize_t>{trials});
}

py::array trial_array(TrialFields fields, const std::vector<TrialRow>& rows) {
  py::array array = new_trial_array(fields, static_cast<std::int64_t>(rows.size()));
  auto* record = static_cast<std::byte*>(array.mutable_data());
  for (const TrialRow& row : rows) {
    write_record(row, fields, record);
    record += record_bytes(fields);
  }
  return array;
}

void bind_trial_arrays(py::module_& module) {
  py::list words;
  for (const Outcome outcome : kOutcomes) words.append(name(outcome));
  module.attr("OUTCOMES") = py::tuple(words);
}

}  // namespace graspmap::python
