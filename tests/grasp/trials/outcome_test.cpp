#include "grasp/trials/outcome.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace graspmap {
namespace {

SimulationResult ended(EndReason end, std::vector<int> left, std::vector<int> right) {
  SimulationResult result;
  result.end = end;
  result.left_touches = std::move(left);
  result.right_touches = std::move(right);
  return result;
}

const std::vector<SuccessAlternative> kTeeth = {{{1}, {6}}};

TEST_CASE("a simulation that failed or was blocked keeps that outcome whatever it touches") {
  CHECK(classify(ended(EndReason::kFailed, {1}, {6}), kTeeth) == Outcome::kFailed);
  CHECK(classify(ended(EndReason::kBlocked, {1}, {6}), kTeeth) == Outcome::kBlocked);
}

TEST_CASE("success needs the listed pieces on the listed jaws, and allows others") {
  CHECK(classify(ended(EndReason::kStopped, {1}, {6}), kTeeth) == Outcome::kSuccess);
  CHECK(classify(ended(EndReason::kStopped, {0, 1, 2}, {5, 6}), kTeeth) == Outcome::kSuccess);
  CHECK(classify(ended(EndReason::kStopped, {6}, {1}), kTeeth) == Outcome::kWedged);
  CHECK(classify(ended(EndReason::kStopped, {1}, {5}), kTeeth) == Outcome::kWedged);
  CHECK(classify(ended(EndReason::kStopped, {2}, {6}), kTeeth) == Outcome::kWedged);
}

TEST_CASE("every piece of an alternative must be touched, any alternative suffices") {
  const std::vector<SuccessAlternative> either = {{{1, 2}, {6}}, {{0}, {0}}};
  CHECK(classify(ended(EndReason::kStopped, {1, 2}, {6}), either) == Outcome::kSuccess);
  CHECK(classify(ended(EndReason::kStopped, {1}, {6}), either) == Outcome::kWedged);
  CHECK(classify(ended(EndReason::kStopped, {0}, {0, 6}), either) == Outcome::kSuccess);
}

TEST_CASE("a rule may ask for one jaw only") {
  const std::vector<SuccessAlternative> left_only = {{{1}, {}}};
  CHECK(classify(ended(EndReason::kStopped, {1}, {}), left_only) == Outcome::kSuccess);
  CHECK(classify(ended(EndReason::kStopped, {}, {1}), left_only) == Outcome::kMissed);
}

TEST_CASE("jaws that closed have missed, even when they touch what success asks for") {
  CHECK(classify(ended(EndReason::kClosed, {1}, {6}), kTeeth) == Outcome::kMissed);
  CHECK(classify(ended(EndReason::kClosed, {}, {}), kTeeth) == Outcome::kMissed);
}

TEST_CASE("one jaw on the part, or none, is a miss") {
  CHECK(classify(ended(EndReason::kStopped, {0}, {}), kTeeth) == Outcome::kMissed);
  CHECK(classify(ended(EndReason::kStopped, {}, {0}), kTeeth) == Outcome::kMissed);
  CHECK(classify(ended(EndReason::kTimeout, {}, {}), kTeeth) == Outcome::kMissed);
}

TEST_CASE("a timeout with both jaws on the part is a success or a timeout, never wedged") {
  CHECK(classify(ended(EndReason::kTimeout, {0}, {0}), kTeeth) == Outcome::kTimeout);
  CHECK(classify(ended(EndReason::kTimeout, {1}, {6}), kTeeth) == Outcome::kSuccess);
}

TEST_CASE("outcomes have the words of the files") {
  CHECK(std::string(name(Outcome::kSuccess)) == "success");
  CHECK(std::string(name(Outcome::kWedged)) == "wedged");
  CHECK(std::string(name(Outcome::kMissed)) == "missed");
  CHECK(std::string(name(Outcome::kTimeout)) == "timeout");
  CHECK(std::string(name(Outcome::kBlocked)) == "blocked");
  CHECK(std::string(name(Outcome::kFailed)) == "failed");
}

}  // namespace
}  // namespace graspmap
