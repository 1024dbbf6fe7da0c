#pragma once

namespace graspmap {

/// Processor time of the calling thread so far, s: it does not count what others do meanwhile.
double thread_seconds();

}  // namespace graspmap
