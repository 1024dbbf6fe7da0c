#include "grasp/sweep/store/stored_sweep.hpp"

#include "grasp/base/process/background_task.hpp"
#include "grasp/sweep/store/store_collector.hpp"

namespace graspmap {
namespace {

/// Closes a queue at the end of a scope, so that nobody waits for it any more.
class ClosingQueue {
 public:
  explicit ClosingQueue(ChunkQueue& queue) : queue_(queue) {}
  ~ClosingQueue() { queue_.close(); }
  ClosingQueue(const ClosingQueue&) = delete;
  ClosingQueue& operator=(const ClosingQueue&) = delete;

 private:
  ChunkQueue& queue_;
};

}  // namespace

void run_stored_sweep(RunStore& store, RunTotals& totals, ChunkQueue& queue,
                      const std::function<void()>& run_queue) {
  StoreCollector collector(queue, store, totals);
  BackgroundTask collecting([&] { collector.run(); });
  {
    const ClosingQueue closing(queue);  // before the collector is waited for
    run_queue();
  }
  collecting.finish();
}

void run_stored_sweep(RunStore& store, RunTotals& totals, const SweepControl& control,
                      const RowFunction& trial) {
  ChunkQueue queue(control.stop);
  run_stored_sweep(store, totals, queue, [&] { run_chunks(queue, control, trial); });
}

}  // namespace graspmap
