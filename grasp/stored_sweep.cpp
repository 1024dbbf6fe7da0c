#include "grasp/stored_sweep.hpp"

#include <exception>
#include <thread>

#include "grasp/store_collector.hpp"

namespace graspmap {
namespace {

/// A thread that collects, from construction to `finish`.
class CollectorThread {
 public:
  CollectorThread(ChunkQueue& queue, RunStore& store, RunTotals& totals)
      : queue_(queue), collector_(queue, store, totals), thread_([this] { run(); }) {}
  ~CollectorThread() {
    queue_.close();
    if (thread_.joinable()) thread_.join();
  }
  CollectorThread(const CollectorThread&) = delete;
  CollectorThread& operator=(const CollectorThread&) = delete;

  /// Waits until all that was delivered is stored; throws what went wrong.
  void finish() {
    queue_.close();
    thread_.join();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void run() {
    try {
      collector_.run();
    } catch (...) {
      error_ = std::current_exception();
    }
  }

  ChunkQueue& queue_;
  StoreCollector collector_;
  std::exception_ptr error_;
  std::thread thread_;
};

}  // namespace

void run_stored_sweep(RunStore& store, RunTotals& totals, const SweepControl& control,
                      const RowFunction& trial) {
  ChunkQueue queue(missing(store.stored(), store.asked()), control.stop);
  CollectorThread collector(queue, store, totals);
  run_chunks(queue, control, trial);
  collector.finish();
}

}  // namespace graspmap
