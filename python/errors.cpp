#include "python/errors.hpp"

#include <cstring>
#include <system_error>

#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "python/native.hpp"

namespace graspmap::python {
namespace py = pybind11;
namespace {

/// Sets an error of a class of graspmap.errors. Bytes that are no UTF-8 are replaced.
void set_error(const char* name, const char* what) {
  const std::string text = printable(what);
  const auto message = py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
  const py::object type = py::module_::import("graspmap.errors").attr(name);
  PyErr_SetObject(type.ptr(), message.ptr());
}

// By value, as pybind11 calls it.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const ConfigError& error) {
    set_error("ConfigError", error.what());
  } catch (const RunInUse& error) {
    set_error("RunInUseError", error.what());
  } catch (const WrongCall& error) {
    set_error("UsageError", error.what());
  } catch (const ClosedRun& error) {
    set_error("ClosedRunError", error.what());
  } catch (const IoError& error) {
    set_error("IoError", error.what());
  } catch (const std::system_error& error) {
    set_error("IoError", error.what());
  }
}

}  // namespace

void translate_errors() { py::register_local_exception_translator(translate); }

}  // namespace graspmap::python
