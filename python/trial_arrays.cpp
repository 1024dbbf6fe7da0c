#include "python/trial_arrays.hpp"

#include <cstring>
#include <string>
#include <type_traits>

#include "grasp/sweep/trials/trial_fields.hpp"
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

std::size_t drawn_fields(TrialFields fields, const UncertainColumns& uncertain) {
  return fields == TrialFields::kAll ? uncertain.size() : 0;
}

/// The numpy dtype of a record, aligned, without gaps.
py::dtype record_type(TrialFields fields, const UncertainColumns& uncertain) {
  py::list list;
  visit_fields(TrialRow{}, fields, [&](const char* name, const auto& value) {
    using Value = std::decay_t<decltype(value)>;
    list.append(py::make_tuple(name, std::is_same_v<Value, double> ? "f8" : "i8"));
  });
  for (std::size_t k = 0; k < drawn_fields(fields, uncertain); ++k) {
    list.append(py::make_tuple(uncertain.key(k), "f8"));
  }
  return py::dtype::from_args(list);
}

}  // namespace

std::size_t record_bytes(TrialFields fields, const UncertainColumns& uncertain) {
  std::size_t bytes = kFieldBytes * drawn_fields(fields, uncertain);
  visit_fields(TrialRow{}, fields, [&](const char*, const auto&) { bytes += kFieldBytes; });
  return bytes;
}

void write_record(const TrialRow& row, TrialFields fields, const UncertainColumns& uncertain,
                  std::byte* record) {
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
  if (drawn_fields(fields, uncertain) == 0) return;
  for (const double value : uncertain.of(row.index)) write(nullptr, value);
}

py::array new_trial_array(TrialFields fields, const UncertainColumns& uncertain,
                          std::int64_t trials) {
  return py::array(record_type(fields, uncertain), std::vector<py::ssize_t>{trials});
}

py::array trial_array(TrialFields fields, const UncertainColumns& uncertain,
                      const std::vector<TrialRow>& rows) {
  py::array array = new_trial_array(fields, uncertain, static_cast<std::int64_t>(rows.size()));
  auto* record = static_cast<std::byte*>(array.mutable_data());
  for (const TrialRow& row : rows) {
    write_record(row, fields, uncertain, record);
    record += record_bytes(fields, uncertain);
  }
  return array;
}

void bind_trial_arrays(py::module_& module) {
  py::list words;
  for (const Outcome outcome : kOutcomes) words.append(name(outcome));
  module.attr("OUTCOMES") = py::tuple(words);
}

}  // namespace graspmap::python
