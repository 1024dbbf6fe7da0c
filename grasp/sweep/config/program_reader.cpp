#include <fmt/format.h>

#include <array>
#include <cmath>

#include "grasp/sweep/config/config_keys.hpp"
#include "grasp/sweep/config/key_reader.hpp"
#include "grasp/sweep/config/scenario_reader.hpp"

namespace graspmap {
namespace {

constexpr std::size_t kMostPhases = 100;

/// A motion of G by an angle about a point of its frame: that point stays where it is.
GripperTwist turn_about(const Vec2& center_mm, double turn_rad_s) {
  return {-turn_rad_s * perp(center_mm), turn_rad_s};
}

Phase phase_of(const DrawnPhase& drawn) {
  Phase phase;
  switch (drawn.action) {
    case PhaseAction::kClose:
      phase.duration_s = drawn.timeout_s.value();
      break;
    case PhaseAction::kOpen:
      phase.drive = JawDrive::kOpen;
      phase.until = PhaseGoal::kOpening;
      phase.opening_mm = drawn.opening_mm.value();
      phase.duration_s = drawn.timeout_s.value();
      break;
    case PhaseAction::kMove: {
      const double distance_mm = drawn.by_mm.norm();
      phase.drive = drawn.jaws;
      phase.twist.velocity_mm_s = drawn.by_mm * (drawn.speed_mm_s / distance_mm);
      phase.duration_s = distance_mm / drawn.speed_mm_s;
      phase.until = drawn.until == MoveEnd::kContact       ? PhaseGoal::kContact
                    : drawn.until == MoveEnd::kContactLost ? PhaseGoal::kContactLost
                                                           : PhaseGoal::kDuration;
      break;
    }
    case PhaseAction::kTurn:
      phase.drive = drawn.jaws;
      phase.twist = turn_about(drawn.center_mm, std::copysign(drawn.speed_rad_s, drawn.by_rad));
      phase.duration_s = std::abs(drawn.by_rad) / drawn.speed_rad_s;
      phase.until = PhaseGoal::kDuration;
      break;
    case PhaseAction::kWait:
      phase.drive = drawn.jaws;
      phase.duration_s = drawn.time_s;
      phase.until = PhaseGoal::kDuration;
      break;
  }
  return phase;
}

DrawnPhase read_phase(const TomlTable& table, const DrawnScenario& scenario) {
  DrawnPhase drawn;
  KeyReader keys(table);
  phase_keys(keys, drawn);
  if (drawn.action == PhaseAction::kMove && drawn.by_mm.norm() == 0.0) {
    table.fail("by_mm", "is [0, 0]; must be a distance above 0");
  }
  if (drawn.action == PhaseAction::kTurn && drawn.by_rad == 0.0) {
    table.fail(table.given("by_rad"), "is 0; must be an angle other than 0");
  }
  if (!drawn.opening_mm) drawn.opening_mm = scenario.gripper.opening_mm;
  if (!drawn.timeout_s) drawn.timeout_s = scenario.stop.timeout_s;
  if (drawn.action == PhaseAction::kOpen && *drawn.opening_mm <= scenario.stop.closed_opening_mm) {
    table.fail("opening_mm", fmt::format("is {}; must be above stop.closed_opening_mm = {}",
                                         *drawn.opening_mm, scenario.stop.closed_opening_mm));
  }
  return drawn;
}

}  // namespace

GripperProgram program_of(const std::vector<DrawnPhase>& phases) {
  GripperProgram program;
  for (const DrawnPhase& phase : phases) program.push_back(phase_of(phase));
  return program;
}

std::string brief_phase_words(const Phase& phase) {
  const double time_s = phase.duration_s;
  if (phase.twist.turns()) {
    const double degrees = phase.twist.turn_rad_s * time_s / kDegree_rad;
    return fmt::format("the gripper turns by {:.4g} degrees", degrees);
  }
  if (phase.twist.moves()) {
    const Vec2 by_mm = phase.twist.velocity_mm_s * time_s;
    return fmt::format("the gripper moves by ({:.4g}, {:.4g}) mm", by_mm.x(), by_mm.y());
  }
  if (phase.until == PhaseGoal::kDuration) return fmt::format("the gripper waits {:.4g} s", time_s);
  if (phase.drive == JawDrive::kClose) return "the jaws close";
  return fmt::format("the jaws open to {:.4g} mm", phase.opening_mm);
}

std::string phase_words(const Phase& phase) {
  const GripperTwist& twist = phase.twist;
  std::string words = brief_phase_words(phase);
  if (twist.turns()) {
    words =
        fmt::format("the gripper turns by {} at {:.4g} rad/s",
                    angle_text(twist.turn_rad_s * phase.duration_s), std::abs(twist.turn_rad_s));
  } else if (twist.moves()) {
    const char* until = phase.until == PhaseGoal::kContact       ? ", until it meets the part"
                        : phase.until == PhaseGoal::kContactLost ? ", until it has left the part"
                                                                 : "";
    words += fmt::format(" at {:.4g} mm/s{}", twist.velocity_mm_s.norm(), until);
  } else if (phase.until != PhaseGoal::kDuration) {
    return words;
  }
  // In the order of JawDrive.
  constexpr std::array kJaws{", its jaws closing", ", its jaws opening", ", its jaws held"};
  return words + kJaws[static_cast<std::size_t>(phase.drive)];
}

void read_program(const std::vector<TomlTable>& tables, DrawnScenario& scenario) {
  if (tables.empty()) return;
  if (scenario.other_stepper) {
    tables[0].fail("do", "a program needs simulation.stepper = \"implicit\"; must be left out");
  }
  if (tables.size() > kMostPhases) {
    tables[kMostPhases].fail(
        "do", fmt::format("is one of {} phases; there may be {}", tables.size(), kMostPhases));
  }
  double time_s = 0.0;
  for (const TomlTable& table : tables) {
    scenario.program_as_drawn.push_back(read_phase(table, scenario));
    scenario.program.push_back(phase_of(scenario.program_as_drawn.back()));
    time_s += scenario.program.back().duration_s;
    if (!(time_s <= kMostStepsOfTrial * scenario.step_s)) {
      table.fail("do", fmt::format("with this phase the program may take {:.4g} s; must be at most "
                                   "10,000,000 steps of simulation.step_s = {}",
                                   time_s, scenario.step_s));
    }
  }
}

}  // namespace graspmap
