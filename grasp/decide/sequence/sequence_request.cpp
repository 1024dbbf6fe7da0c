#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grasp/base/io/csv.hpp"
#include "grasp/base/io/number.hpp"
#include "grasp/decide/requests/shared_fields.hpp"
#include "grasp/decide/sequence/sequence_plan.hpp"

namespace graspmap {
namespace {

std::vector<LyingPose> read_start_poses(const std::string& file) {
  const CsvTable table = read_csv(file);
  const std::size_t x = table.column("x_mm");
  const std::size_t y = table.column("y_mm");
  const std::size_t theta = table.column("theta_rad");
  std::vector<LyingPose> poses;
  for (const CsvRow& row : table.rows) {
    poses.push_back(
        {{table.number(row, x), table.number(row, y)}, read_placed_angle_rad(table, row, theta)});
  }
  if (poses.empty()) throw config_error({file}, "", "has no rows; must have a start pose in each");
  return poses;
}

/// 1 to `most` numbers > 0.
std::function<bool(const std::vector<double>&)> some_above_zero(std::size_t most) {
  return [most](const std::vector<double>& n) {
    return !n.empty() && n.size() <= most &&
           std::all_of(n.begin(), n.end(), [](double x) { return x > 0.0; });
  };
}

}  // namespace

RequestFields SequenceRequest::fields() {
  return {
      number_field("probability P", probability, {"a number from 0.01 to 0.9999", 0.01, 0.9999},
                   "of the one pose at the end (default: 0.99)"),
      count_field("most-squeezes N", most_squeezes, 1, 20,
                  "longest sequence that is looked for, 1 to 20 (default: 6)"),
      pair_field("box-mm X[,Y]", box_mm,
                 "half widths of the box about the squeeze point in which the centre of mass "
                 "lies at the start (default: 0)"),
      numbers_field(
          "angles-deg A,B", angles_deg, "A,B: from A < B to it, at most 360 apart",
          [](const std::vector<double>& n) {
            return n.size() == 2 && n[0] < n[1] && n[1] - n[0] <= 360.0 &&
                   std::abs(n[0]) <= 360.0 && std::abs(n[1]) <= 720.0;
          },
          "the part's angles at the start, in the gripper's frame (default: all)"),
      text_field("particles FILE.csv", particles,
                 "start poses, all as likely, in place of box and angles: columns x_mm, y_mm "
                 "(of the centre of mass from the squeeze point), theta_rad"),
      numbers_field("offsets-mm X[,X...]", offsets_mm, "1 to 5 numbers > 0", some_above_zero(5),
                    "squeezes that are tried too: after a move of the gripper by so much to either "
                    "side, so that one jaw pushes the part before the other meets it"),
      numbers_field(
          "push-mm X[,X...]", push_mm, "1 to 3 numbers > 0", some_above_zero(3),
          "pushes that are tried too: one jaw of the opened gripper sweeps until it is so far "
          "past the part's middle, and goes back"),
      number_field("opening-mm A", opening_mm, kAboveZero,
                   "to which the jaws open between squeezes (default: gripper.opening_mm)"),
      number_field(
          "period-deg D", period_deg,
          {.what = "a number > 0 that divides 360", .least = 0.0, .most = 360.0, .above = true},
          "the part looks the same after a turn by D (default: 180, for parallel jaws "
          "cannot tell a pose from the one turned by half a turn)"),
      number_field("within-deg D", within_deg, {"a number > 0, at most 90", 0.0, 90.0, true},
                   "how near to the one pose counts as it (default: 2)"),
      number_field("within-mm M", within_mm, kAboveZero,
                   "the same for the centre of mass (default: 1)"),
      number_field("turn-speed-rad-s W", turn_speed_rad_s,
                   {"a number from 0.001 to 1000", 0.001, 1000.0},
                   "how fast the gripper turns (default: 1)"),
      flag_field("program", program,
                 "evaluate the configuration's [[program]], in place of looking for a sequence"),
      count_field("trials N", trials, 100, 10'000'000,
                  "fresh trials that estimate the probability (default: 2000)"),
      seed_field(seed, "of friction, start poses and uncertain numbers"),
      threads_field(threads),
      confidence_field(confidence),
      texts_field("set KEY=VALUE ...", set,
                  "override a key of the configuration, or take it away (KEY=); may be "
                  "repeated")};
}

SequenceQuestion sequence_question(const SweepConfig& config, const SequenceRequest& request) {
  if (request.program && config.scenario.program.empty()) {
    throw RequestError("program",
                       "the configuration has no [[program]]; must have one, or leave --program "
                       "out to look for a sequence");
  }
  if (!request.particles.empty() && (request.box_mm || request.angles_deg)) {
    throw RequestError("particles", "does not go with --box-mm or --angles-deg");
  }
  if (request.period_deg) check_period(*request.period_deg);
  const double widest_mm = config.scenario.gripper.opening_mm;
  const double closed_mm = config.scenario.stop.closed_opening_mm;
  if (request.opening_mm && (*request.opening_mm > widest_mm || *request.opening_mm <= closed_mm)) {
    throw RequestError(
        "opening-mm", "",
        fmt::format("above stop.closed_opening_mm, {}, and at most gripper.opening_mm, {}",
                    closed_mm, widest_mm));
  }
  SequenceQuestion question;
  static_cast<SequenceEffort&>(question) = request;
  if (!request.particles.empty()) question.start.given = read_start_poses(request.particles);
  if (request.box_mm) question.start.half_widths_mm = {(*request.box_mm)[0], (*request.box_mm)[1]};
  const std::array<double, 2> angles = request.angles_deg.value_or(std::array{0.0, 360.0});
  question.start.angles_rad = {angles[0] * kDegree_rad, angles[1] * kDegree_rad};
  question.same = {request.period_deg.value_or(180.0) * kDegree_rad, !request.period_deg,
                   request.within_deg * kDegree_rad, request.within_mm};
  question.motion = {request.turn_speed_rad_s, request.opening_mm};
  for (const double offset : request.offsets_mm) {
    question.offsets_mm.insert(question.offsets_mm.end(), {offset, -offset});
  }
  for (const double push : request.push_mm) {
    question.pushes_mm.insert(question.pushes_mm.end(), {push, -push});
  }
  question.evaluate = request.program;
  return question;
}

}  // namespace graspmap
