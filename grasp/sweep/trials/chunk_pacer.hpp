#pragma once

#include <algorithm>
#include <cstdint>

namespace graspmap {

/// How many trials a chunk should have: as many as took a chunk's time in the last one.
class ChunkPacer {
 public:
  /// Chunks that take `chunk_s` and have at most `most` trials; the first one has `first`.
  ChunkPacer(double chunk_s, std::int64_t first, std::int64_t most)
      : chunk_s_(chunk_s), most_(most), trials_(first) {}

  [[nodiscard]] std::int64_t trials() const { return trials_; }

  /// A chunk of `trials` trials took `seconds`.
  void took(std::int64_t trials, double seconds) {
    const double fitting = chunk_s_ * static_cast<double>(trials) / std::max(seconds, 1e-9);
    // At most twice as many as before: the first trials may have been short ones.
    const double next = std::min(fitting, 2.0 * static_cast<double>(trials_));
    trials_ = std::clamp<std::int64_t>(static_cast<std::int64_t>(next), 1, most_);
  }

 private:
  double chunk_s_;
  std::int64_t most_;
  std::int64_t trials_;
};

}  // namespace graspmap
