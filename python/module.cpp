#include "grasp/base/process/environment.hpp"
#include "python/native.hpp"

PYBIND11_MODULE(_native, module) {
  using namespace graspmap;
  module.doc() =
      "What the package graspmap calls of graspmap's C++ libraries. Not to be used directly.";
  python::translate_errors();
  python::bind_config(module);
  python::bind_trial_arrays(module);
  python::bind_story(module);
  python::bind_stored_run(module);
  python::bind_sweep(module);
  python::bind_merge(module);
  python::bind_simulate(module);
  python::bind_decisions(module);
  module.def("version", &version, "The release of graspmap.");
  module.def("git_commit", &git_commit, "The commit that it was built from.");
}
