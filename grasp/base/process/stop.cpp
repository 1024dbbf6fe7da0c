#include "grasp/base/process/stop.hpp"

namespace graspmap {
namespace {

thread_local const std::atomic<int>* t_stop_flag = nullptr;

}  // namespace

StopScope::StopScope(const std::atomic<int>* flag) : outer_(t_stop_flag) { t_stop_flag = flag; }

StopScope::~StopScope() { t_stop_flag = outer_; }

const std::atomic<int>* stop_flag() { return t_stop_flag; }

void check_stop() {
  if (t_stop_flag != nullptr && t_stop_flag->load(std::memory_order_relaxed) != 0) {
    throw AnalysisStopped();
  }
}

}  // namespace graspmap
