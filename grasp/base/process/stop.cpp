#include "grasp/base/process/stop.hpp"

#include "grasp/base/process/orderly_end.hpp"

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

namespace {

/// A signal handler has no other way to say something than a global.
std::atomic<int> g_signal{0};
std::atomic<double> g_patience_s{0.0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler must not lock");

void reset_handlers() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

extern "C" void graspmap_on_signal(int signal) {
  g_signal.store(signal);
  reset_handlers();  // the next one ends the process
  end_on_signal_after_guard(signal);
}

}  // namespace

InterruptGuard::InterruptGuard(double patience_s) {
  g_signal.store(0);
  g_patience_s.store(patience_s);
  struct sigaction action {};
  action.sa_handler = graspmap_on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, &action, &old_interrupt_);
  ::sigaction(SIGTERM, &action, &old_terminate_);
}

InterruptGuard::~InterruptGuard() {
  ::sigaction(SIGINT, &old_interrupt_, nullptr);
  ::sigaction(SIGTERM, &old_terminate_, nullptr);
  g_patience_s.store(0.0);
}

double InterruptGuard::patience_s() { return g_patience_s.load(); }

const std::atomic<int>& InterruptGuard::signal() const { return g_signal; }

}  // namespace graspmap
