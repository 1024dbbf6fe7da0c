#pragma once

#include <stdexcept>

namespace graspmap::python {

/// A function of the module was called with what it cannot take: graspmap.UsageError.
struct WrongCall : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// A run was used after its close: graspmap.ClosedRunError.
struct ClosedRun : std::logic_error {
  using std::logic_error::logic_error;
};

/// Somebody else writes a run's folder: graspmap.RunInUseError.
struct RunInUse : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace graspmap::python
