#pragma once

namespace graspmap {

/// Counts the changes since which the same trials come out differently, be it in last bits only:
/// runs of another engine can be read, and do not go on.
///   1  sine, power and others of the C library
///   2  elementary functions of our own: the same bits on every machine
///   3  steps of second order, sized by their error, are the default
///   4  those begin nearer to their solution, and solve stick and slip in fewer iterations
///   5  closest points and slides by fewer operations; the default tolerance is twice as large
inline constexpr int kEngine = 5;

}  // namespace graspmap
