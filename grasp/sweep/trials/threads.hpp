#pragma once

#include <functional>

namespace graspmap {

/// The number of threads that `threads` stands for: itself, or for 0 what the machine has.
int thread_count(int threads);

/// Calls `work` on each of several threads, 0: as many as the machine has. An exception of one is
/// thrown on when all have ended. The engine in a browser has one thread (web/engine).
void on_threads(int threads, const std::function<void()>& work);

}  // namespace graspmap
