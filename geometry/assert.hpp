#pragma once

#include <cstdio>
#include <cstdlib>

namespace graspmap {

/// Ends the program: a precondition does not hold, which is a defect of the program.
[[noreturn, gnu::cold]] inline void fail_check(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "graspmap: defect at %s:%d: %s does not hold\n", file, line, condition);
  std::abort();
}

}  // namespace graspmap

/// Checks a precondition in every build: outside of a step, where it costs nothing that counts.
#define GRASPMAP_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::graspmap::fail_check(#condition, __FILE__, __LINE__))

/// The same inside a step: checked in the presets dev and debug, under the sanitizers and in CI
/// (GRASPMAP_ASSERTIONS); the release build pays nothing.
#ifdef GRASPMAP_ASSERTIONS
#define GRASPMAP_ASSERT(condition) GRASPMAP_CHECK(condition)
#else
#define GRASPMAP_ASSERT(condition) static_cast<void>(sizeof((condition) ? 1 : 0))
#endif
