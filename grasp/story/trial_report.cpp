#include "grasp/story/trial_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "grasp/io/json_document.hpp"
#include "grasp/story/trial_words.hpp"
#include "grasp/trials/trial_fields.hpp"

namespace graspmap {
namespace {

std::string touches_text(const char* jaw, const std::string& names) {
  return fmt::format("  the {} jaw touches {}\n", jaw, names.empty() ? "nothing" : names);
}

std::string what_happened(const ContactEvent& event) {
  switch (event.kind) {
    case ContactEventKind::kBegan:
      return "contact begins";
    case ContactEventKind::kStuck:
      return "sticks";
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

std::string event_text(const ContactEvent& event, const Part& part) {
  const std::string where = fmt::format("{} jaw, {}", word(event.side), word(event.feature));
  return fmt::format("  {:7.4f}  {:<10}  {:<22}  ({:8.3f}, {:8.3f})  {}\n", event.time_s,
                     part.pieces[static_cast<std::size_t>(event.piece)].name, where,
                     without_minus_zero(event.point_G_mm.x()),
                     without_minus_zero(event.point_G_mm.y()), what_happened(event));
}

std::string events_text(const TrialStory& story, const Part& part) {
  if (story.events.empty()) return "\nThere was no contact.\n";
  std::string text =
      "\nContacts\n"
      "  time/s   piece       where                   at (x, y)/mm in G     what\n";
  for (const ContactEvent& event : story.events) text += event_text(event, part);
  return text;
}

std::string end_text(const TrialStory& story) {
  const TrialRow& row = story.row;
  return fmt::format(
      "\nAt the end\n"
      "  part at ({:.6g}, {:.6g}) mm, turned by {:.6g} rad, in the gripper's frame\n"
      "  jaws at {:.6g} and {:.6g} mm: opening {:.6g} mm\n"
      "  {} steps, worst residual {:.2g}\n",
      row.final_pose.position_mm.x(), row.final_pose.position_mm.y(), row.final_pose.angle_rad,
      row.jaw_left_mm, row.jaw_right_mm, row.jaw_right_mm - row.jaw_left_mm, row.statistics.steps,
      row.statistics.worst_residual);
}

void write_names(JsonWriter& json, const char* key, const Part& part,
                 const std::vector<int>& pieces) {
  json.array(key, pieces,
             [&](int piece) { json.value(part.pieces[static_cast<std::size_t>(piece)].name); });
}

void write_final_state(JsonWriter& json, const TrialRow& row) {
  json.field("part_x_mm", row.final_pose.position_mm.x());
  json.field("part_y_mm", row.final_pose.position_mm.y());
  json.field("part_theta_rad", row.final_pose.angle_rad);
  json.field("jaw_right_x_mm", row.jaw_right_mm);
  json.field("jaw_left_x_mm", row.jaw_left_mm);
  json.field("opening_mm", row.jaw_right_mm - row.jaw_left_mm);
}

void write_event(JsonWriter& json, const ContactEvent& event, const Part& part) {
  json.field("time_s", event.time_s);
  json.field("event", word(event.kind));
  json.field("piece", part.pieces[static_cast<std::size_t>(event.piece)].name);
  json.field("jaw", word(event.side));
  json.field("feature", word(event.feature));
  json.field("x_mm", event.point_G_mm.x());
  json.field("y_mm", event.point_G_mm.y());
  if (event.kind == ContactEventKind::kSlid) {
    json.field("slip_x_mm_s", event.slip_G_mm_s.x());
    json.field("slip_y_mm_s", event.slip_G_mm_s.y());
  }
}

}  // namespace

std::string why_it_ended(EndReason reason, const StopRule& stop) {
  switch (reason) {
    case EndReason::kStopped:
      return fmt::format("the jaws stood still for {} s", stop.stopped_time_s);
    case EndReason::kClosed:
      return fmt::format("the jaws closed to less than {} mm", stop.closed_opening_mm);
    case EndReason::kTimeout:
      return fmt::format("nothing came to rest within {} s", stop.timeout_s);
    case EndReason::kBlocked:
      return "a jaw overlaps the part at the start: nothing was simulated";
    case EndReason::kFailed:
      break;
  }
  return "a step could not be solved";
}

std::string piece_names(const Part& part, const std::vector<int>& pieces, const char* separator) {
  std::string names;
  for (const int piece : pieces) {
    if (!names.empty()) names += separator;
    names += part.pieces[static_cast<std::size_t>(piece)].name;
  }
  return names;
}

std::string trial_text(const TrialStory& story, const Scenario& scenario) {
  const Part& part = scenario.part;
  return fmt::format("{} after {:.6g} s: {}\n", name(story.row.outcome), story.row.end_time_s,
                     why_it_ended(story.end, scenario.stop)) +
         touches_text("left", piece_names(part, story.left_touches, ", ")) +
         touches_text("right", piece_names(part, story.right_touches, ", ")) +
         events_text(story, part) + end_text(story);
}

std::string trial_json(const TrialStory& story, const Scenario& scenario) {
  return json_document([&](JsonWriter& json) {
    json.object("parameters", [&] {
      visit_trial_parameters(story.row.parameters,
                             [&](const char* input, double value) { json.field(input, value); });
    });
    json.field("outcome", name(story.row.outcome));
    json.field("ended", word(story.end));
    json.field("end_time_s", story.row.end_time_s);
    write_names(json, "left_touches", scenario.part, story.left_touches);
    write_names(json, "right_touches", scenario.part, story.right_touches);
    write_final_state(json, story.row);
    json.field("steps", story.row.statistics.steps);
    json.field("worst_residual", story.row.statistics.worst_residual);
    json.objects("events", story.events,
                 [&](const ContactEvent& event) { write_event(json, event, scenario.part); });
  });
}

std::string trajectory_csv(const std::vector<TrajectorySample>& trajectory) {
  std::string text =
      "time_s,part_x_mm,part_y_mm,part_theta_rad,com_vx_mm_s,com_vy_mm_s,part_omega_rad_s,"
      "jaw_right_x_mm,jaw_left_x_mm,jaw_right_v_mm_s,jaw_left_v_mm_s,contacts,residual\n";
  auto out = std::back_inserter(text);
  for (const TrajectorySample& sample : trajectory) {
    const State& state = sample.state;
    fmt::format_to(out, "{},{},{},{},{},{},{},", sample.time_s, sample.part_pose.position_mm.x(),
                   sample.part_pose.position_mm.y(), sample.part_pose.angle_rad,
                   state.part_velocity.x(), state.part_velocity.y(), state.part_velocity.z());
    fmt::format_to(out, "{},{},{},{},{},{}\n", state.jaw_right_mm, state.jaw_left_mm,
                   state.jaw_right_mm_s, state.jaw_left_mm_s, sample.contacts.size(),
                   sample.residual);
  }
  return text;
}

}  // namespace graspmap
