#include "grasp/sweep/trials/sweep.hpp"

namespace graspmap {

int thread_count(int /*threads*/) { return 1; }

void on_threads(int /*threads*/, const std::function<void()>& work) { work(); }

}  // namespace graspmap
