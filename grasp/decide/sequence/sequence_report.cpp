#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/decide/sequence/sequence_plan.hpp"
#include "grasp/sweep/config/config_document.hpp"
#include "grasp/sweep/config/scenario_reader.hpp"

namespace graspmap {
namespace {

constexpr double kPerRadian = 180.0 / std::numbers::pi;

std::string degrees_text(double angle_rad) {
  const std::string number = fmt::format("{:.4g}", angle_rad * kPerRadian);
  return number + (number == "1" ? " degree" : " degrees");
}

std::string same_pose_words(const SequenceQuestion& question) {
  const double period = question.same.period_rad * kPerRadian;
  if (question.same.of_jaws) {
    return "one pose,\nor of the same turned by half a turn, which parallel jaws cannot tell apart";
  }
  return period == 360.0
             ? "one pose"
             : fmt::format("one pose,\nor of the same turned by {:.6g} degrees", period);
}

std::string start_words(const SequenceQuestion& question) {
  const StartPoses& start = question.start;
  if (!start.given.empty()) return counted(start.given.size(), "start pose") + " of the file";
  std::string text = start.has_all_angles() ? "any angle"
                                            : fmt::format("angles from {:.6g} to {:.6g} degrees",
                                                          start.angles_rad[0] * kPerRadian,
                                                          start.angles_rad[1] * kPerRadian);
  if (start.half_widths_mm != Vec2::Zero()) {
    text += fmt::format(", up to {:.6g} mm in x and {:.6g} mm in y off the squeeze point",
                        start.half_widths_mm.x(), start.half_widths_mm.y());
  }
  return text;
}

/// "2 squeezes and 1 push".
std::string words_of(const SqueezeSequence& squeezes) {
  const auto pushes = std::count_if(squeezes.begin(), squeezes.end(),
                                    [](const Squeeze& squeeze) { return squeeze.is_push(); });
  const auto others = static_cast<std::ptrdiff_t>(squeezes.size()) - pushes;
  const std::string text =
      pushes == 0 ? "" : fmt::format("{} push{}", pushes, pushes == 1 ? "" : "es");
  if (others == 0) return text;
  return counted(others, "squeeze") + (text.empty() ? "" : " and " + text);
}

std::string refuted_words(const SequencePlan& plan) {
  if (plan.refuted == 0) return "";
  return fmt::format("{} looked as good before, and {} not in fresh trials.\n",
                     plan.refuted == 1 ? "Another one" : fmt::format("{} others", plan.refuted),
                     plan.refuted == 1 ? "was" : "were");
}

std::string headline(const SequencePlan& plan) {
  const std::string asked = given_percent(plan.question.probability);
  if (plan.question.evaluate) {
    return fmt::format("The program of {} {} one pose with probability {}.\n", plan.name,
                       plan.reaches() ? "leads to" : "does not lead to", asked);
  }
  if (plan.reaches()) {
    const bool less = plan.probability() < plan.question.probability;
    return fmt::format("{} {} {} into one pose with probability {}{}.\n", words_of(plan.squeezes),
                       plan.squeezes.size() == 1 ? "brings" : "bring", plan.name, asked,
                       less ? fmt::format(" in the trials that accepted them,\nand {} in others",
                                          fine_percent(plan.probability(), plan.interval))
                            : "") +
           refuted_words(plan);
  }
  std::string text = fmt::format(
      "No sequence of at most {} that brings {} into one pose with probability {} was found.\n"
      "The best one has {}.\n",
      length_words(plan.question.most_squeezes, plan.question), plan.name, asked,
      words_of(plan.squeezes));
  if (plan.bound < plan.question.probability) {
    text += fmt::format(
        "None can have more than {}: a squeeze does the same to the part turned by {}.\n",
        given_percent(plan.bound), degrees_text(plan.symmetry_rad));
  }
  return text + refuted_words(plan);
}

std::string sequence_words(const SequencePlan& plan) {
  if (plan.question.evaluate) return "";
  std::string text = "\n";
  int number = 0;
  for (const Squeeze& squeeze : plan.squeezes) {
    text += fmt::format("  {}. ", ++number);
    if (squeeze.turn_rad != 0.0) {
      text += fmt::format("turn the gripper by {:.1f} degrees, ", squeeze.turn_rad * kPerRadian);
    }
    if (squeeze.is_push()) {
      text += fmt::format("push with the {} jaw to {:.4g} mm past the middle, go back\n",
                          squeeze.push_mm > 0.0 ? "left" : "right", std::abs(squeeze.push_mm));
      continue;
    }
    if (squeeze.offset_mm != 0.0) {
      text += fmt::format("move it by {:.4g} mm in its x, ", squeeze.offset_mm);
    }
    text += "close, open\n";
  }
  return text + fmt::format("The gripper turns about ({:.4g}, {:.4g}) mm of its frame.\n",
                            plan.squeeze_point_mm.x(), plan.squeeze_point_mm.y());
}

std::string probability_text(const SequencePlan& plan) {
  const SamePose& same = plan.question.same;
  std::string text = fmt::format(
      "\nProbability {} ({}, {} confidence): {} of {} fresh trials\n"
      "end within {} and {:.4g} mm of {}.\n"
      "Start: {}.\n"
      "End: angle {:.1f} degrees in the gripper's frame, centre of mass ({:.2f}, {:.2f}) mm.\n",
      fine_percent(plan.probability(), plan.interval), fine_percent_range(plan.interval),
      given_percent(plan.question.confidence), plan.counts.successes, plan.counts.trials,
      degrees_text(same.within_rad), same.within_mm, same_pose_words(plan.question),
      start_words(plan.question), plan.pose.angle_rad * kPerRadian,
      plan.squeeze_point_mm.x() + plan.pose.center_mm.x(),
      plan.squeeze_point_mm.y() + plan.pose.center_mm.y());
  if (plan.trials.lost > 0) {
    text += fmt::format(
        "{} ended before the last phase did: jaws that began on the part, a timeout,\n"
        "or a part that was lost.\n",
        counted(plan.trials.lost, "trial"));
  }
  return text + fmt::format("The cycle takes {:.1f} s on average.\n", plan.trials.end().time_s);
}

std::string phases_text(const SequencePlan& plan) {
  std::string text = fmt::format("\n{:>7}{:>10}{:>12}{:>14}  {}\n", "time, s", "one pose",
                                 "angle, deg", "position, mm", "phase");
  for (const PhaseCloud& phase : plan.trials.phases) {
    text += fmt::format("{:7.2f}{:>10}{:12.2f}{:14.2f}  {}\n", phase.time_s,
                        percent(phase.largest.share), phase.spread.angle_rad * kPerRadian,
                        phase.spread.position_mm, phase.phase);
  }
  return text +
         "One pose: the largest share of trials in one pose. Angle, position: how far all trials\n"
         "lie from it, root mean squares.\n";
}

Object phase_fields(const PhaseCloud& phase) {
  return {{"phase", phase.phase},
          {"time_s", phase.time_s, "at its end, the mean"},
          {"share_of_one_pose", phase.largest.share, "the largest"},
          {"angle_rms_rad", phase.spread.angle_rad, "of all trials about that pose"},
          {"position_rms_mm", phase.spread.position_mm}};
}

}  // namespace

std::string sequence_text(const SequencePlan& plan) {
  return headline(plan) + sequence_words(plan) + probability_text(plan) + phases_text(plan);
}

Object sequence_fields(const SequencePlan& plan) {
  const SequenceQuestion& question = plan.question;
  const auto squeeze_fields = [](const Squeeze& squeeze) {
    return Object{
        {"turn_rad", squeeze.turn_rad, "of the opened gripper before it"},
        {"offset_mm", squeeze.offset_mm, "by which it then moves in its x"},
        {"push_mm", squeeze.push_mm,
         "0: a squeeze; else a push until the left jaw (> 0) or the right one (< 0) is so "
         "far past the squeeze point"}};
  };
  const auto length_fields = [](const SearchedLength& length) {
    return Object{{"squeezes", length.squeezes},
                  {"share_in_map", length.share, "of the best sequence"},
                  {"share_in_trials", length.simulated, "of the best that was simulated"}};
  };
  return {{"name", plan.name},
          {"reaches", plan.reaches(), "the probability asked for"},
          {"probability_asked", question.probability},
          {"probability", plan.probability()},
          {"interval", plan.interval},
          {"confidence", question.confidence},
          {"trials", plan.counts.trials},
          {"successes", plan.counts.successes},
          {"failed", plan.counts.failed, "further trials that could not be solved"},
          {"lost", plan.trials.lost, "ended before the last phase did"},
          {"cycle_s", plan.trials.end().time_s, "the mean"},
          {"evaluated", question.evaluate, "the configuration's program, no search"},
          {"bound", plan.bound, "no sequence can have a larger probability"},
          {"squeezes", list_of(plan.squeezes, squeeze_fields)},
          {"squeeze_point_mm", Value::List{plan.squeeze_point_mm.x(), plan.squeeze_point_mm.y()},
           "about which the gripper turns"},
          {"pose_x_mm", plan.squeeze_point_mm.x() + plan.pose.center_mm.x(),
           "of the centre of mass at the end, in the gripper's frame"},
          {"pose_y_mm", plan.squeeze_point_mm.y() + plan.pose.center_mm.y()},
          {"pose_theta_rad", plan.pose.angle_rad},
          {"period_rad", question.same.period_rad, "angles that differ by it are the same"},
          {"within_rad", question.same.within_rad},
          {"within_mm", question.same.within_mm},
          {"seed", question.seed},
          {"phases", list_of(plan.trials.phases, phase_fields)},
          {"searched", list_of(plan.searched, length_fields)},
          {"squeezes_simulated", plan.squeezes_simulated, "for the map"},
          {"refuted", plan.refuted,
           "sequences that had the probability in the trials of their choice, not in fresh ones"}};
}

Table phases_table(const SequencePlan& plan) {
  return table_of<PhaseCloud>(plan.trials.phases, phase_fields);
}

std::vector<ResultFile> sequence_files(const SequencePlan& plan, SweepConfig config) {
  config.scenario.program_as_drawn = plan.program;
  config.scenario.program = program_of(plan.program);
  return {{"sequence.json", sequence_fields(plan)},
          {"phases.csv", phases_table(plan)},
          {"sequence.toml", to_toml(config)}};
}

namespace {

constexpr std::size_t kMostDots = 400;  ///< of a row

const char* const kFunnelStyle = R"gp(
set lmargin at screen 520. / canvas_width
set rmargin at screen 1 - 60. / canvas_width
set tmargin at screen 1 - 110. / canvas_height
set bmargin at screen 100. / canvas_height
set border 1
set grid x lc rgb '#d0d0d0' lt 1
set xtics out nomirror
set xlabel 'angle of the part in the gripper, degrees from the one pose'
set label 1 name."\n".subtitle at screen 0.5, screen 1 - 40. / canvas_height center noenhanced
unset key
)gp";

}  // namespace

Figure sequence_figure(const SequencePlan& plan) {
  const SamePose& same = plan.question.same;
  const std::vector<PhaseCloud>& phases = plan.trials.phases;
  double most = 1.0;  // degrees
  std::string csv = "angle_deg,row\n";
  std::string tics;  // formats, in which %% is a percent sign
  for (std::size_t row = 0; row < phases.size(); ++row) {
    const PoseCloud& cloud = phases[row].cloud;
    const std::size_t dots = std::min(cloud.size(), kMostDots);
    for (std::size_t k = 0; k < dots; ++k) {
      if (cloud[k].lost) continue;
      const LyingPose near = nearest_same(cloud[k].pose, plan.pose, same);
      most = std::max(most, 1.1 * std::abs(near.angle_rad - plan.pose.angle_rad) * kPerRadian);
      const double height = (static_cast<double>(k) + 0.5) / static_cast<double>(dots) - 0.5;
      csv += fmt::format("{:.5g},{:.4f}\n", (near.angle_rad - plan.pose.angle_rad) * kPerRadian,
                         static_cast<double>(row) + 0.7 * height);
    }
    tics += fmt::format(
        "{}{} {}", row == 0 ? "" : ", ",
        gnuplot_string(phases[row].phase + "  " + percent(phases[row].largest.share, 0) + "%"),
        row);
  }
  const double half = std::min(most, 0.5 * same.period_rad * kPerRadian);
  const int height = 220 + 60 * static_cast<int>(phases.size());
  const std::string probability = fmt::format(
      "one pose: {} ({}, {} confidence)", fine_percent(plan.probability(), plan.interval),
      fine_percent_range(plan.interval), given_percent(plan.question.confidence));
  const std::string script =
      script_start(
          "funnel", "The angles of the trials after each phase.",
          gnuplot_string(plan.name +
                         ": the angle after each phase, with the largest share in one pose"),
          gnuplot_string(probability), Canvas{1300, height}) +
      kPictures + kFunnelStyle +
      fmt::format("set xrange [{:.6g}:{:.6g}]\nset xtics {:.6g}\n", -half, half,
                  tick_step(2.0 * half, 12.0)) +
      fmt::format("set yrange [{}:-0.6]\nset ytics out nomirror ({})\nset ytics scale 0\n",
                  static_cast<double>(phases.size()) - 0.4, tics) +
      for_each_picture(
          "  plot figure.'.csv' using 1:2 with points pt 7 "
          "ps point_size(picture, 0.5) lc rgb '#08519c'\n");
  return {"funnel", script, csv};
}

}  // namespace graspmap
