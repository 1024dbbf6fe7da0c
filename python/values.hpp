#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "grasp/base/io/result.hpp"

namespace graspmap::python {

/// Bytes that are no UTF-8, of the name of a file, are replaced.
pybind11::object text_object(const std::string& text);

/// A value as Python's own; numbers that are not finite are None, an interval is
/// graspmap.results.Interval, and an object a graspmap.results.Result, or a dict of `kDicts`.
enum class Objects { kResults, kDicts };
pybind11::object value_object(const Value& value, Objects objects);

/// A table as a structured array; its columns are numbers, or texts.
pybind11::object table_array(const Table& table);

/// What a keyword gives: None is no value. Throws WrongCall for what no option can take.
Value value_of(const std::string& name, const pybind11::handle& object);

}  // namespace graspmap::python
