#pragma once

#ifdef GRASPMAP_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace graspmap {

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
  inline static char mark_ = 0;
};

}  // namespace graspmap
