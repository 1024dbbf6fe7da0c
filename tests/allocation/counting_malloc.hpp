#pragma once

#include <cstdint>

namespace graspmap::testing {

/// How often this thread has asked for memory so far: malloc and its kin, and so operator new.
std::int64_t allocations_of_this_thread();

}  // namespace graspmap::testing
