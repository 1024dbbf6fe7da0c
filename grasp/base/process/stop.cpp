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

/// SIGHUP is the last one.
constexpr std::array kEndSignals = {SIGINT, SIGTERM, SIGHUP};

/// A signal handler has no other way to say something than a global.
std::atomic<int> g_signal{0};
std::atomic<double> g_patience_s{0.0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler must not lock");

extern "C" void graspmap_on_signal(int signal) {
  g_signal.store(signal);
  EndSignals::reset();
  end_on_signal_after_guard(signal);
}

}  // namespace

EndSignals::EndSignals(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  for (std::size_t k = 0; k < kEndSignals.size(); ++k) {
    ::sigaction(kEndSignals[k], &action, &old_[k]);
  }
  if (old_.back().sa_handler == SIG_IGN) ::sigaction(SIGHUP, &old_.back(), nullptr);
}

EndSignals::~EndSignals() {
  for (std::size_t k = 0; k < kEndSignals.size(); ++k) {
    ::sigaction(kEndSignals[k], &old_[k], nullptr);
  }
}

void EndSignals::reset() {
  for (const int signal : kEndSignals) {
    if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

InterruptGuard::InterruptGuard(double patience_s) {
  g_signal.store(0);
  g_patience_s.store(patience_s);
  signals_.emplace(graspmap_on_signal);
}

InterruptGuard::~InterruptGuard() {
  signals_.reset();
  g_patience_s.store(0.0);
}

double InterruptGuard::patience_s() { return g_patience_s.load(); }

const std::atomic<int>& InterruptGuard::signal() const { return g_signal; }

}  // namespace graspmap
