#include "grasp/base/process/environment.hpp"
#include "grasp/base/process/orderly_end.hpp"
#include "grasp/base/process/stop.hpp"

// A page stops a search by ending the worker that searches.
namespace graspmap {

void check_stop() {}
const std::atomic<int>* stop_flag() { return nullptr; }

namespace {

std::recursive_mutex mutex;

}  // namespace

Unbroken::Unbroken() : lock_(mutex) {}

const char* version() { return "in a browser"; }
const char* git_commit() { return ""; }

}  // namespace graspmap
