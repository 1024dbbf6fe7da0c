#include "grasp/show/story/trial_words.hpp"

#include <array>
#include <cmath>

namespace graspmap {
namespace {

/// The word at an enumerator's place.
template <typename Enum, std::size_t n>
const char* pick(const std::array<const char*, n>& words, Enum value) {
  return words[static_cast<std::size_t>(value)];
}

}  // namespace

const char* word(JawSide side) {
  static constexpr std::array kWords = {"right", "left", "palm"};
  return pick(kWords, side);
}

const char* jaw_words(JawSide side) {
  static constexpr std::array kWords = {"right jaw", "left jaw", "palm"};
  return pick(kWords, side);
}

const char* word(JawFeature feature) {
  static constexpr std::array kWords = {"inside edge", "fingertip", "top edge"};
  return pick(kWords, feature);
}

const char* word(ContactEventKind kind) {
  static constexpr std::array kWords = {"began", "stuck", "slid", "ended"};
  return pick(kWords, kind);
}

const char* word(EndReason reason) {
  static constexpr std::array kWords = {"stopped", "closed", "timeout", "blocked", "failed"};
  return pick(kWords, reason);
}

const char* slip_direction(const Vec2& slip_G) {
  if (std::abs(slip_G.y()) >= std::abs(slip_G.x())) return slip_G.y() > 0 ? "up" : "down";
  return slip_G.x() > 0 ? "right" : "left";
}

}  // namespace graspmap
