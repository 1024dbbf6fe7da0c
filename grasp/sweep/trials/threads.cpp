#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <cstddef>

#include "grasp/sweep/trials/sweep.hpp"

#ifdef GRASPMAP_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

// By itself: the engine in a browser has one thread (web/engine/browser).
namespace graspmap {
namespace {

/// Tells the thread sanitizer what it cannot see: that work goes from one thread to another, and
/// back, through a library that is not compiled for it. Does nothing in other builds.
class ThreadHandover {
 public:
  /// What this thread has done so far comes before what is done after receive().
  static void give() {
#ifdef GRASPMAP_THREAD_SANITIZER
    __tsan_release(&mark_);
#endif
  }
  static void receive() {
#ifdef GRASPMAP_THREAD_SANITIZER
    __tsan_acquire(&mark_);
#endif
  }

 private:
  /// One for all, so that nothing of the work has to be read before it is received.
  [[maybe_unused]] inline static char mark_ = 0;
};

struct GiveAtEnd {
  GiveAtEnd() = default;
  ~GiveAtEnd() { ThreadHandover::give(); }
  GiveAtEnd(const GiveAtEnd&) = delete;
  GiveAtEnd& operator=(const GiveAtEnd&) = delete;
};

}  // namespace

int thread_count(int threads) { return threads > 0 ? threads : tbb::info::default_concurrency(); }

void on_threads(int requested_threads, const std::function<void()>& work) {
  const int threads = thread_count(requested_threads);
  // Allows more threads than the machine has, if somebody asks for them.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  arena.execute([&] {
    tbb::task_group group;
    for (int i = 0; i < threads; ++i) {
      tbb::task_handle task = group.defer([&work] {
        ThreadHandover::receive();
        const GiveAtEnd end;  // after an exception too
        work();
      });
      ThreadHandover::give();
      group.run(std::move(task));
    }
    group.wait();
    ThreadHandover::receive();
  });
}

}  // namespace graspmap
