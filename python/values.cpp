#include "python/values.hpp"

#include <algorithm>
#include <cmath>

#include "grasp/base/io/printable_text.hpp"
#include "python/native.hpp"

namespace graspmap::python {
namespace py = pybind11;

py::object text_object(const std::string& text) {
  return py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

namespace {

struct ValueObject {
  py::object operator()(std::monostate) const { return py::none(); }
  py::object operator()(double number) const {
    return std::isfinite(number) ? py::object(py::float_(number)) : py::none();
  }
  py::object operator()(const std::string& text) const { return text_object(text); }
  py::object operator()(const Ends& ends) const {
    const py::object low = (*this)(ends.low);
    const py::object high = (*this)(ends.high);
    if (objects == Objects::kDicts) return py::list(py::make_tuple(low, high));
    return py::module_::import("graspmap.results").attr("Interval")(low, high);
  }
  py::object operator()(const Value::List& list) const {
    py::list all;
    for (const Value& value : list) all.append(std::visit(*this, value.content));
    return objects == Objects::kDicts ? py::object(all) : py::object(py::tuple(all));
  }
  py::object operator()(const Object& object) const {
    py::dict fields;
    py::dict meanings;
    for (const Field& field : object.fields) {
      if (!field.value.is_there()) continue;
      const py::object name = text_object(field.name);
      fields[name] = std::visit(*this, field.value.content);
      meanings[name] = field.meaning;
    }
    if (objects == Objects::kDicts) return fields;
    return py::module_::import("graspmap.results").attr("Result")(fields, meanings);
  }
  template <typename Plain>
  py::object operator()(Plain value) const {
    return py::cast(value);
  }

  Objects objects;
};

/// A cell: no value is NaN.
py::object cell_object(const Value& cell) {
  if (const auto* number = std::get_if<double>(&cell.content)) return py::float_(*number);
  if (!cell.is_there()) return py::float_(std::nan(""));
  if (const auto* truth = std::get_if<bool>(&cell.content)) return py::int_(*truth ? 1 : 0);
  return std::visit(ValueObject{Objects::kDicts}, cell.content);
}

}  // namespace

py::object value_object(const Value& value, Objects objects) {
  return std::visit(ValueObject{objects}, value.content);
}

py::object table_array(const Table& table) {
  const py::module_ numpy = py::module_::import("numpy");
  py::list types;
  py::list columns;
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    py::list cells;
    for (const Value::List& row : table.rows) cells.append(cell_object(row[k]));
    columns.append(numpy.attr("array")(cells));
    types.append(py::make_tuple(table.columns[k].name, columns[k].attr("dtype")));
  }
  const py::object array = numpy.attr("empty")(table.rows.size(), types);
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    array[py::str(table.columns[k].name)] = columns[k];
  }
  return array;
}

namespace {

Value text_of(const std::string& name, const py::handle& text) {
  py::object bytes = py::reinterpret_borrow<py::object>(text);
  if (PyUnicode_Check(text.ptr()) != 0) {
    bytes = py::module_::import("os").attr("fsencode")(text);
  }
  auto plain = bytes.cast<std::string>();
  if (plain.find('\0') == std::string::npos) return plain;
  throw WrongCall(name + ": " + std::string(py::str(py::repr(text))) +
                  "; must not have a zero byte");
}

/// A whole number beyond 64 bits becomes the double next to it, or infinity.
Value whole_of(const py::handle& number) {
  int overflow = 0;
  const long long whole = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow == 0) return std::int64_t{whole};
  const double real = PyLong_AsDouble(number.ptr());
  if (PyErr_Occurred() == nullptr) return real;
  PyErr_Clear();
  return HUGE_VAL;
}

bool is_truth(const py::handle& object) {
  return PyBool_Check(object.ptr()) != 0 ||
         py::isinstance(object, py::module_::import("numpy").attr("bool_"));
}

}  // namespace

Value value_of(const std::string& name, const py::handle& object) {
  if (object.is_none()) return {};
  if (is_truth(object)) return object.cast<bool>();
  if (PyUnicode_Check(object.ptr()) != 0 || PyBytes_Check(object.ptr()) != 0) {
    return text_of(name, object);
  }
  if (PyIndex_Check(object.ptr()) != 0 && !py::hasattr(object, "__len__")) {
    return whole_of(py::reinterpret_steal<py::object>(PyNumber_Index(object.ptr())));
  }
  if (py::isinstance<py::dict>(object)) {
    Object fields;
    for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(object)) {
      fields.add({std::string(py::str(key)), value_of(name, value)});
    }
    return fields;
  }
  if (py::hasattr(object, "tolist")) return value_of(name, object.attr("tolist")());  // of numpy
  if (py::hasattr(object, "__float__"))
    return py::float_(object.attr("__float__")()).cast<double>();
  if (py::isinstance<py::iterable>(object)) {
    Value::List list;
    for (const py::handle element : object) list.push_back(value_of(name, element));
    return list;
  }
  throw WrongCall(name + ": is a " + std::string(py::str(py::type::of(object).attr("__name__"))) +
                  "; must be a number, a text, or a list of them");
}

}  // namespace graspmap::python
