#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "grasp/sweep/config/sweep_config.hpp"
#include "sim/closing/simulate.hpp"

namespace graspmap {

/// What became of a trial.
enum class Outcome : std::uint8_t { kSuccess, kWedged, kMissed, kTimeout, kBlocked, kFailed };
inline constexpr std::size_t kOutcomeCount = 6;
inline constexpr std::array<Outcome, kOutcomeCount> kOutcomes = {
    Outcome::kSuccess, Outcome::kWedged,  Outcome::kMissed,
    Outcome::kTimeout, Outcome::kBlocked, Outcome::kFailed};

/// The lower-case word for an outcome in tables and files: "success", "wedged", ...
const char* name(Outcome outcome);

/// The outcome of a finished simulation with this final pose of P in G:
///   failed / blocked        as the simulation ended;
///   missed                  when the jaws closed, or one jaw or none touches;
///   success                 when an alternative of the success rule holds;
///   wedged                  when the jaws stopped with both on the part; else timeout.
/// The success rule comes before "one jaw or none", after "closed".
/// An alternative holds when all of its conditions do. One that names nothing for the left and the
/// right finger needs a part that is held: both fingers must touch it, whatever they touch.
Outcome classify(const SimulationResult& result, const Pose2& final_pose,
                 const std::vector<SuccessAlternative>& success);

}  // namespace graspmap
