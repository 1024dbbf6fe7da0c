#include "grasp/show/story/trial_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "grasp/base/io/result.hpp"
#include "grasp/show/story/trial_scene.hpp"
#include "grasp/sweep/config/scenario_reader.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {
namespace {

std::string touches_text(JawSide side, const Part& part, const std::vector<int>& touches) {
  return fmt::format("  the {} touches {}\n", jaw_words(side), touched_text(part, touches));
}

std::string obstacles_text(const TrialStory& story) {
  std::string text;
  for (std::size_t k = 0; k < story.scenario.obstacles.size(); ++k) {
    text += fmt::format("  {} touches {}\n", story.scenario.obstacles[k].name,
                        touched_text(story.scenario.part, story.obstacle_touches[k]));
  }
  return text;
}

std::string unmet_text(const std::vector<UnmetCondition>& conditions) {
  std::string sentence;
  for (const UnmetCondition& condition : conditions) {
    sentence += (sentence.empty() ? "  no success: " : "; ") + unmet_sentence(condition);
  }
  return sentence.empty() ? "" : sentence + "\n";
}

std::string what_happened(const ContactEvent& event) {
  switch (event.kind) {
    case ContactEventKind::kBegan:
      return "contact begins";
    case ContactEventKind::kStuck:
      return event.creeps ? "rests" : "sticks";
    case ContactEventKind::kSlid:
      return fmt::format("slides {} at {:.3g} mm/s", slip_direction(event.slip_G_mm_s),
                         event.slip_G_mm_s.norm());
    case ContactEventKind::kEnded:
      break;
  }
  return "contact ends";
}

/// A length in mm that three digits do not show as "-0.000".
double without_minus_zero(double length_mm) {
  return std::abs(length_mm) < 0.0005 ? 0.0 : length_mm;
}

std::string event_place(const Scenario& scenario, const ContactEvent& event) {
  return finger_place(scenario, event.side, event.feature, event.finger_feature, event.obstacle);
}

/// "right jaw", "palm", or an obstacle's name.
std::string side_words(const Scenario& scenario, const ContactEvent& event) {
  return event.side == JawSide::kObstacle ? scenario.obstacles[index(event.obstacle)].name
                                          : jaw_words(event.side);
}

/// The rows of a table: what touches, where, and the rest of the line.
using EventRows = std::vector<std::array<std::string, 4>>;

EventRows event_rows(const TrialStory& story) {
  EventRows rows{{"time/s ", "piece", "where", "at (x, y)/mm in G     what"}};
  for (const ContactEvent& event : story.events) {
    rows.push_back({fmt::format("{:7.4f}", event.time_s),
                    feature_name(story.scenario.part, event.piece),
                    fmt::format("{}, {}", side_words(story.scenario, event),
                                event_place(story.scenario, event)),
                    fmt::format("({:8.3f}, {:8.3f})  {}", without_minus_zero(event.point_G_mm.x()),
                                without_minus_zero(event.point_G_mm.y()), what_happened(event))});
  }
  return rows;
}

std::string events_text(const TrialStory& story) {
  if (story.events.empty()) return "\nThere was no contact.\n";
  const EventRows rows = event_rows(story);
  const auto width = [&](std::size_t column, std::size_t least) {
    for (const auto& row : rows) least = std::max(least, row[column].size());
    return least;
  };
  const std::size_t piece_width = width(1, 10);
  const std::size_t where_width = width(2, 22);
  std::string text = "\nContacts\n";
  for (const auto& [time, piece, where, what] : rows) {
    text += fmt::format("  {}  {:<{}}  {:<{}}  {}\n", time, piece, piece_width, where, where_width,
                        what);
  }
  return text;
}

/// A length (mm) or an angle (rad) for people: 0 where it is rounding.
double rounded_to_zero(double number) {
  constexpr double kLeast = 1e-9;
  return std::abs(number) < kLeast ? 0.0 : number;
}

std::string end_text(const TrialStory& story) {
  const TrialRow& row = story.row;
  const Pose2& pose = row.final_pose;
  return fmt::format(
      "\nAt the end\n"
      "  part at ({:.6g}, {:.6g}) mm, turned by {:.6g} rad, in the gripper's frame\n"
      "  jaws at {:.6g} and {:.6g} mm: opening {:.6g} mm\n"
      "  {} steps, worst residual {:.2g}\n",
      rounded_to_zero(pose.position_mm.x()), rounded_to_zero(pose.position_mm.y()),
      rounded_to_zero(pose.angle_rad), rounded_to_zero(row.jaw_left_mm),
      rounded_to_zero(row.jaw_right_mm), rounded_to_zero(row.jaw_right_mm - row.jaw_left_mm),
      row.statistics.steps, row.statistics.worst_residual);
}

/// "4.7 N", "any N".
std::string load_text(double load, const char* unit) {
  if (std::isnan(load)) return "not found";
  return std::isinf(load) ? fmt::format("any {}", unit) : fmt::format("{:.4g} {}", load, unit);
}

std::string hold_text(const TrialStory& story) {
  if (!story.hold) return {};
  const HoldStory& hold = *story.hold;
  const HoldCapacity& c = hold.capacity;
  std::string text =
      std::isnan(hold.factor)
          ? std::string("\nIn the hand\n  the safety factor could not be found\n")
          : fmt::format("\nIn the hand\n  {}: safety factor {:.4g}{}\n", hold.manoeuvre,
                        hold.factor, hold.factor > 0.0 && hold.factor < 1.0 ? ", it slips" : "");
  if (c.vertical_n == 0.0)
    return text + "  it lies so by the table or an obstacle, and moves when lifted\n";
  return text + fmt::format(
                    "  it bears {} vertically and, beside its weight, {} in the plane (worst along "
                    "({:.3g}, {:.3g})),\n  moments of {} about x, {} about y, {} about z\n",
                    load_text(c.vertical_n, "N"), load_text(c.in_plane_n, "N"),
                    without_minus_zero(c.worst_direction_G.x()),
                    without_minus_zero(c.worst_direction_G.y()), load_text(c.moment_x_n_mm, "N mm"),
                    load_text(c.moment_y_n_mm, "N mm"), load_text(c.moment_z_n_mm, "N mm"));
}

Object hold_fields(const HoldStory& hold) {
  const HoldCapacity& c = hold.capacity;
  return {{"factor", hold.factor, "safety factor of the manoeuvre in [hold]"},
          {"vertical_n", c.vertical_n, "the largest weight; null: any"},
          {"in_plane_n", c.in_plane_n, "beside the weight, in the worst direction"},
          {"worst_direction", std::vector<double>{c.worst_direction_G.x(), c.worst_direction_G.y()},
           "that direction, in the gripper's frame"},
          {"moment_x_n_mm", c.moment_x_n_mm, "beside the weight, about the centre of mass"},
          {"moment_y_n_mm", c.moment_y_n_mm},
          {"moment_z_n_mm", c.moment_z_n_mm}};
}

/// The uncertain numbers of a trial, in lines of about a page's width.
std::string drawn_text(const TrialStory& story) {
  constexpr std::size_t kWidth = 100;
  if (story.drawn.empty()) return {};
  std::string text = "\nUncertain numbers\n";
  std::string line;
  for (const auto& [key, value] : story.drawn) {
    const std::string number = fmt::format("{} {:.6g}", key, value);
    if (!line.empty() && line.size() + number.size() > kWidth) {
      text += "  " + line + ",\n";
      line.clear();
    }
    line += (line.empty() ? "" : ", ") + number;
  }
  return text + "  " + line + "\n";
}

/// The part's pose in the table's frame.
Pose2 on_table(const PhaseEnd& end, const Scenario& scenario) {
  return compose(end.state.gripper, part_pose_in_gripper(scenario, end.state));
}

std::string pose_text(const Pose2& pose) {
  return fmt::format("({:.4g}, {:.4g}) mm, {:.4g} rad", rounded_to_zero(pose.position_mm.x()),
                     rounded_to_zero(pose.position_mm.y()), rounded_to_zero(pose.angle_rad));
}

/// The phases of a program; the table's frame is the gripper's at the start.
std::string phases_text(const TrialStory& story) {
  if (story.phase_ends.empty()) return {};
  std::string text =
      "\nPhases, and where they end on the table (the gripper's frame at the start)\n";
  for (std::size_t k = 0; k < story.phase_ends.size(); ++k) {
    const PhaseEnd& end = story.phase_ends[k];
    text += fmt::format("  {}  {}\n     until {:.4f} s ({}); gripper at {}; part at {}\n", k + 1,
                        phase_words(story.scenario.program[k]), end.time_s, name(end.reason),
                        pose_text(end.state.gripper), pose_text(on_table(end, story.scenario)));
  }
  return text;
}

Object phase_fields(const TrialStory& story, std::size_t k) {
  const PhaseEnd& end = story.phase_ends[k];
  const Pose2 part_G = part_pose_in_gripper(story.scenario, end.state);
  const Pose2 part_T = on_table(end, story.scenario);
  return {{"does", phase_words(story.scenario.program[k])},
          {"ended", name(end.reason),
           "duration, stopped, opening, contact, contact lost, closed, timeout, blocked"},
          {"end_time_s", end.time_s},
          {"gripper_x_mm", end.state.gripper.position_mm.x(),
           "on the table: in the gripper's frame at the start"},
          {"gripper_y_mm", end.state.gripper.position_mm.y()},
          {"gripper_theta_rad", end.state.gripper.angle_rad},
          {"part_x_mm", part_G.position_mm.x(), "in the gripper's frame"},
          {"part_y_mm", part_G.position_mm.y()},
          {"part_theta_rad", part_G.angle_rad},
          {"part_on_table_x_mm", part_T.position_mm.x()},
          {"part_on_table_y_mm", part_T.position_mm.y()},
          {"part_on_table_theta_rad", part_T.angle_rad},
          {"opening_mm", end.state.jaw_right_mm - end.state.jaw_left_mm}};
}

Object event_fields(const ContactEvent& event, const Scenario& scenario) {
  const bool slid = event.kind == ContactEventKind::kSlid;
  return {{"time_s", event.time_s, "end of the step"},
          {"event", word(event.kind), "began, stuck, slid (starts or reverses), ended"},
          {"piece", feature_name(scenario.part, event.piece), "what is touched"},
          {"jaw", event.side == JawSide::kObstacle ? side_words(scenario, event) : word(event.side),
           "or the palm, or an obstacle's name"},
          {"feature", event_place(scenario, event), "of the jaw"},
          {"x_mm", event.point_G_mm.x(), "in the gripper's frame"},
          {"y_mm", event.point_G_mm.y()},
          {"slip_x_mm_s", value_if(slid, event.slip_G_mm_s.x()), "of the part on the jaw"},
          {"slip_y_mm_s", value_if(slid, event.slip_G_mm_s.y())}};
}

}  // namespace

std::string why_it_ended(const TrialStory& story) {
  const Scenario& scenario = story.scenario;
  const StopRule& stop = scenario.stop;
  const std::vector<PhaseEnd>& phases = story.phase_ends;
  switch (story.end) {
    case EndReason::kStopped:
      if (!phases.empty() && phases.back().reason != PhaseEndReason::kStopped) {
        return "the program is done";
      }
      return fmt::format("the jaws stood still for {} s", stop.stopped_time_s);
    case EndReason::kClosed:
      return fmt::format("the jaws closed to less than {} mm", stop.closed_opening_mm);
    case EndReason::kTimeout:
      if (!phases.empty()) {
        const Phase& phase = scenario.program[phases.size() - 1];
        return fmt::format("phase {} ({}) was not over within {:.4g} s", phases.size(),
                           phase_words(phase), phase.duration_s);
      }
      return fmt::format("nothing came to rest within {} s", stop.timeout_s);
    case EndReason::kBlocked:
      if (story.blocking_obstacle >= 0) {
        const std::string& obstacle = scenario.obstacles[index(story.blocking_obstacle)].name;
        return story.row.end_time_s > 0.0
                   ? fmt::format(
                         "{} stops the gripper: it runs into it, or jams the part against it",
                         obstacle)
                   : fmt::format(
                         "{} lies where the part or the gripper starts: nothing was simulated",
                         obstacle);
      }
      return fmt::format("a jaw {}overlaps the part at the start: nothing was simulated",
                         scenario.gripper.palm ? "or the palm " : "");
    case EndReason::kTooLong:
      return "it needs more steps and iterations than a trial may have";
    case EndReason::kFailed:
      break;
  }
  return "a step could not be solved";
}

std::string trial_text(const TrialStory& story) {
  const Part& part = story.scenario.part;
  return fmt::format("{} after {:.6g} s: {}\n", name(story.row.outcome), story.row.end_time_s,
                     why_it_ended(story)) +
         touches_text(JawSide::kLeft, part, story.left_touches) +
         touches_text(JawSide::kRight, part, story.right_touches) +
         (story.scenario.gripper.palm ? touches_text(JawSide::kPalm, part, story.palm_touches)
                                      : "") +
         obstacles_text(story) + unmet_text(story.unmet) + phases_text(story) + events_text(story) +
         end_text(story) + hold_text(story) + drawn_text(story);
}

Object trial_fields(const TrialStory& story) {
  const TrialRow& row = story.row;
  const Scenario& scenario = story.scenario;
  Object parameters;
  visit_trial_parameters(row.parameters, [&](const char* input, double value) {
    parameters.add({input, value});
  });
  Object drawn;
  for (const auto& [key, value] : story.drawn) drawn.add({key, value});
  const auto names = [&](const std::vector<int>& features) {
    return list_of(features, [&](int feature) { return feature_name(scenario.part, feature); });
  };
  Object fields{{"parameters", parameters},
                {"uncertain", story.drawn.empty() ? Value() : Value(drawn), "by their keys"},
                {"outcome", name(row.outcome)},
                {"ended", word(story.end), "stopped, closed, timeout, blocked, failed, too_long"},
                {"end_time_s", row.end_time_s},
                {"left_touches", names(story.left_touches)},
                {"right_touches", names(story.right_touches)},
                {"palm_touches", scenario.gripper.palm ? names(story.palm_touches) : Value()},
                {"unmet",
                 list_of(story.unmet,
                         [](const UnmetCondition& condition) {
                           return Object{{"key", condition.key,
                                          "of [[success]]; held: both jaws on the part"},
                                         {"wanted", condition.wanted},
                                         {"found", condition.found}};
                         }),
                 "the conditions of success that do not hold, though jaws stopped or time ran out"},
                {"part_x_mm", row.final_pose.position_mm.x()},
                {"part_y_mm", row.final_pose.position_mm.y()},
                {"part_theta_rad", row.final_pose.angle_rad},
                {"jaw_right_x_mm", row.jaw_right_mm},
                {"jaw_left_x_mm", row.jaw_left_mm},
                {"opening_mm", row.jaw_right_mm - row.jaw_left_mm},
                {"steps", row.statistics.steps},
                {"worst_residual", row.statistics.worst_residual},
                {"events", list_of(story.events, [&](const ContactEvent& event) {
                   return event_fields(event, scenario);
                 })}};
  if (!scenario.obstacles.empty()) {
    Object touches;
    for (std::size_t k = 0; k < scenario.obstacles.size(); ++k) {
      touches.add({scenario.obstacles[k].name, names(story.obstacle_touches[k])});
    }
    const int blocking = story.blocking_obstacle;
    fields.add({"obstacle_touches", touches, "by the obstacles' names"});
    fields.add(
        {"blocked_by", blocking < 0 ? Value() : Value(scenario.obstacles[index(blocking)].name)});
  }
  if (story.hold) fields.add({"hold", hold_fields(*story.hold), "with [hold]"});
  if (!scenario.program.empty()) {
    fields.add({"phases",
                list_of(row_numbers(story.phase_ends.size()),
                        [&](std::size_t k) { return phase_fields(story, k); }),
                "of [[program]]"});
  }
  return fields;
}

Table trajectory_table(const TrialStory& story) {
  return table_of<TrajectorySample>(story.trajectory, [&](const TrajectorySample& sample) {
    const State& state = sample.state;
    Object row{
        {"time_s", sample.time_s, "end of the step"},
        {"part_x_mm", sample.part_pose.position_mm.x()},
        {"part_y_mm", sample.part_pose.position_mm.y()},
        {"part_theta_rad", sample.part_pose.angle_rad},
        {"com_vx_mm_s", state.part_velocity.x(), "of the centre of mass"},
        {"com_vy_mm_s", state.part_velocity.y()},
        {"part_omega_rad_s", state.part_velocity.z()},
        {"jaw_right_x_mm", state.jaw_right_mm},
        {"jaw_left_x_mm", state.jaw_left_mm},
        {"jaw_right_v_mm_s", state.jaw_right_mm_s, "negative as the right jaw closes"},
        {"jaw_left_v_mm_s", state.jaw_left_mm_s},
        {"contacts", sample.contacts.size(), "gaps below stop.contact_gap_mm, or with an impulse"},
        {"residual", sample.residual, "largest scaled residual"}};
    if (story.scenario.program.empty()) return row;
    row.add({"phase", sample.phase + 1, "of [[program]]"});
    row.add({"gripper_x_mm", sample.state.gripper.position_mm.x(),
             "on the table: in the gripper's frame at the start"});
    row.add({"gripper_y_mm", sample.state.gripper.position_mm.y()});
    row.add({"gripper_theta_rad", sample.state.gripper.angle_rad});
    return row;
  });
}

const char* word(JawSide side) {
  return std::array{"right", "left", "palm", "obstacle"}[static_cast<std::size_t>(side)];
}

const char* jaw_words(JawSide side) {
  return std::array{"right jaw", "left jaw", "palm", "obstacle"}[static_cast<std::size_t>(side)];
}

const char* word(JawFeature feature) {
  return std::array{"inside edge", "fingertip", "top edge"}[static_cast<std::size_t>(feature)];
}

const char* word(ContactEventKind kind) {
  return std::array{"began", "stuck", "slid", "ended"}[static_cast<std::size_t>(kind)];
}

const char* word(EndReason reason) {
  return std::array{
      "stopped", "closed", "timeout", "blocked", "failed", "too_long"}[static_cast<std::size_t>(
      reason)];
}

const char* slip_direction(const Vec2& slip_G) {
  if (std::abs(slip_G.y()) >= std::abs(slip_G.x())) return slip_G.y() > 0 ? "up" : "down";
  return slip_G.x() > 0 ? "right" : "left";
}

std::string trial_list_text(const std::vector<TrialRow>& rows) {
  std::string text = fmt::format("{:>12}  {:<8} {:>9} {:>9} {:>7} {:>9} {:>9} {:>9} {:>7} {:>10}\n",
                                 "trial", "outcome", "residual", "gap/mm", "steps", "x/mm", "y/mm",
                                 "theta/rad", "mu_jaw", "mu_support");
  for (const TrialRow& row : rows) {
    const TrialParameters& p = row.parameters;
    text += fmt::format(
        "{:>12}  {:<8} {:>9.2e} {:>9.2g} {:>7} {:>9.4g} {:>9.4g} {:>9.3g} {:>7.4f} {:>10.4f}\n",
        row.index, name(row.outcome), row.statistics.worst_residual, row.statistics.worst_gap_mm,
        row.statistics.steps, p.placement_x_mm, p.placement_y_mm, p.theta_rad, p.mu_jaw,
        p.mu_support);
  }
  return text;
}

}  // namespace graspmap
