#include "grasp/trials/outcome.hpp"

#include <algorithm>

namespace graspmap {
namespace {

/// True when every piece of `wanted` is among `touched` (both ascending).
bool all_touched(const std::vector<int>& touched, const std::vector<int>& wanted) {
  return std::includes(touched.begin(), touched.end(), wanted.begin(), wanted.end());
}

bool succeeds(const SimulationResult& result, const std::vector<SuccessAlternative>& success) {
  return std::any_of(success.begin(), success.end(), [&](const SuccessAlternative& alternative) {
    return all_touched(result.left_touches, alternative.left) &&
           all_touched(result.right_touches, alternative.right);
  });
}

/// The outcome of jaws that neither closed nor failed.
Outcome classify_touches(const SimulationResult& result,
                         const std::vector<SuccessAlternative>& success) {
  if (succeeds(result, success)) return Outcome::kSuccess;
  if (result.left_touches.empty() || result.right_touches.empty()) return Outcome::kMissed;
  return result.end == EndReason::kStopped ? Outcome::kWedged : Outcome::kTimeout;
}

}  // namespace

const char* name(Outcome outcome) {
  static constexpr std::array<const char*, kOutcomeCount> kNames = {"success", "wedged",  "missed",
                                                                    "timeout", "blocked", "failed"};
  return kNames[static_cast<std::size_t>(outcome)];
}

Outcome classify(const SimulationResult& result, const std::vector<SuccessAlternative>& success) {
  switch (result.end) {
    case EndReason::kFailed:
      return Outcome::kFailed;
    case EndReason::kBlocked:
      return Outcome::kBlocked;
    case EndReason::kClosed:
      return Outcome::kMissed;
    case EndReason::kStopped:
    case EndReason::kTimeout:
      break;
  }
  return classify_touches(result, success);
}

}  // namespace graspmap
