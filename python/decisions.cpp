#include "python/native.hpp"

namespace graspmap::python {

/// Plan, pose, compare and the other decisions on a run.
void bind_decisions(pybind11::module_& /*module*/) {}

}  // namespace graspmap::python
